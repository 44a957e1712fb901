<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\Types;
use Toolresult\Legacy\Legacy;

/**
 * What is taken as a result: one, its serialized form, or the legacy string.
 */
final class Given
{
    private const VERSION = 'format_version';

    /** How deep PHP's own parser is let. */
    private const LAX_DEPTH = 512;

    /** What JSON has no word for, and a half of a pair, outside and inside of strings. */
    private const STRING_OR_WORD = '/"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?Infinity|NaN/s';
    private const PAIR_OR_HALF = '/\\\\(?:u[dD][89abAB][0-9A-Fa-f]{2}\\\\u[dD][c-fC-F][0-9A-Fa-f]{2}'
        . '|(u[dD][89a-fA-F][0-9A-Fa-f]{2})|.)/s';

    /** A string as JSON spells it. */
    private const STRING = '/\G"[^"\\\\\x00-\x1F]*+'
        . '(?:\\\\(?:["\\\\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\\\x00-\x1F]*+)*+"/';
    private const SPACE = " \t\r\n";

    /**
     * The result that is given as one, as its serialized form, or as the legacy string.
     *
     * A text whose JSON is an object with a number as its member `format_version` is a serialized
     * result, read strictly (others have texts there: Terraform has `"1.2"`). Any other text is the
     * legacy string, of format version 0, which never fails for being no JSON: what is no envelope is
     * one text part. A text that is that object but for faults such as a repeated key is refused, not
     * passed on as text; one that is too deep to be parsed is told by its outline. Texts must be UTF-8;
     * an object, or an array with keys of its own, is always the serialized form.
     *
     * @throws ResultError
     */
    public static function resultOf(mixed $given): Result
    {
        if ($given instanceof Result) {
            return $given;
        }
        if (\is_string($given)) {
            return self::ofText($given);
        }
        if (
            $given instanceof JsonObject
            || Types::isPlainObject($given)
            || (\is_array($given) && !array_is_list($given))
        ) {
            return Result::fromValue($given);
        }
        throw new ResultError(
            ResultError::WRONG_TYPE,
            '',
            'expected a Result, its serialized form or a legacy string, found '
                . (\is_array($given) ? 'a list' : get_debug_type($given)),
        );
    }

    private static function ofText(string $text): Result
    {
        try {
            $value = JsonParser::parse($text);
        } catch (ResultError $error) {
            if (
                $error->code === ResultError::OUT_OF_RANGE
                || !mb_check_encoding($text, 'UTF-8')
                || self::isFaultySerialized($text, $error)
            ) {
                throw $error;
            }
            return Legacy::read($text);
        }
        $version = $value instanceof JsonObject ? $value->get(self::VERSION) : null;
        return \is_int($version) || \is_float($version) || $version instanceof BigInteger
            ? Result::fromValue($value)
            : Legacy::read($text);
    }

    /**
     * Whether a text that the strict parser refuses is a serialized result to a lax one.
     */
    private static function isFaultySerialized(string $text, ResultError $error): bool
    {
        if ($error->code === ResultError::TOO_DEEP) {
            return self::hasOutline($text);
        }
        if (($text[strspn($text, self::SPACE)] ?? '') !== '{') {
            return false;
        }
        $value = json_decode(self::withoutFaults($text), true, self::LAX_DEPTH);
        if ($value === null && json_last_error() === JSON_ERROR_DEPTH) {
            return self::hasOutline($text);
        }
        return \is_array($value) && \array_key_exists(self::VERSION, $value);
    }

    /**
     * The text with something harmless where lax parsers take what PHP's refuses: NaN and infinities,
     * and halves of surrogate pairs.
     */
    private static function withoutFaults(string $text): string
    {
        $half = static fn (array $found): string => isset($found[1]) ? '\\ufffd' : $found[0];
        $word = static fn (array $found): string => $found[0][0] !== '"'
            ? ' 0 '
            : (string) preg_replace_callback(self::PAIR_OR_HALF, $half, $found[0]);
        return (string) preg_replace_callback(self::STRING_OR_WORD, $word, $text);
    }

    /**
     * Whether quotes and brackets are those of an object with the member `format_version`.
     *
     * Needs no stack, whatever the depth.
     */
    private static function hasOutline(string $text): bool
    {
        if (($text[strspn($text, self::SPACE)] ?? '') !== '{') {
            return false;
        }
        [$depth, $at, $found] = [0, 0, false];
        while (true) {
            $at += strcspn($text, '"[]{}', $at);
            $mark = $text[$at] ?? '';
            if ($mark === '') {
                return $found && $depth === 0;
            }
            if ($mark !== '"') {
                $opens = $mark === '[' || $mark === '{';
                $run = strspn($text, $opens ? '[{' : ']}', $at);
                $depth += $opens ? $run : -$run;
                $at += $run;
                continue;
            }
            if (preg_match(self::STRING, $text, $string, 0, $at) !== 1) {
                return false;
            }
            $at += \strlen($string[0]);
            $isName = $depth === 1 && ($text[$at + strspn($text, self::SPACE, $at)] ?? '') === ':';
            $found = $found || ($isName && json_decode($string[0]) === self::VERSION);
        }
    }
}
