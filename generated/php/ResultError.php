<?php

declare(strict_types=1);

namespace Toolresult\Core;

use Toolresult\Core\Runtime\Pointer;

/**
 * A value that is no result, or a text that is no JSON.
 *
 * The code is stable, one of the constants here. The pointer is the JSON pointer (RFC 6901) of
 * the first offence, '' for the whole. The detail says what was expected and what to do. The
 * offset is the byte offset in the text where the error was found while parsing, else null.
 */
final class ResultError extends \InvalidArgumentException
{
    public const INVALID_JSON = 'invalid_json';
    public const INVALID_NUMBER = 'invalid_number';
    public const INVALID_TEXT = 'invalid_text';
    public const INVALID_VALUE = 'invalid_value';
    public const TOO_DEEP = 'too_deep';
    public const UNKNOWN_FIELD = 'unknown_field';
    public const UNKNOWN_KIND = 'unknown_kind';
    public const UNKNOWN_CODE = 'unknown_code';
    public const UNKNOWN_VERSION = 'unknown_version';
    public const MISSING_FIELD = 'missing_field';
    public const WRONG_TYPE = 'wrong_type';
    public const OUT_OF_RANGE = 'out_of_range';
    public const INVALID_BASE64 = 'invalid_base64';
    public const INVALID_TIMESTAMP = 'invalid_timestamp';
    public const INVALID_KEY = 'invalid_key';
    public const CONTRADICTION = 'contradiction';

    /** @var string One of the constants. PHP's own exceptions declare it without a type. */
    public $code;

    public function __construct(
        string $code,
        public readonly string $pointer,
        public readonly string $detail,
        public readonly ?int $offset = null,
    ) {
        $place = $pointer === '' ? '(result)' : Pointer::shorten($pointer);
        parent::__construct("{$place}: {$code}: {$detail}");
        $this->code = $code;
    }

    /**
     * The same error, seen from a value that holds this one at a pointer.
     */
    public function below(string $pointer): self
    {
        return new self($this->code, $pointer . $this->pointer, $this->detail, $this->offset);
    }
}
