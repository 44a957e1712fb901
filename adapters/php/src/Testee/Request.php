<?php

declare(strict_types=1);

namespace Toolresult\Testee;

use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\JsonParser;

/**
 * The JSON of a request line, where a string may hold a lone surrogate, written as its escape.
 *
 * Such a one is held as the three bytes that UTF-8 would give it, which are no UTF-8: whoever gets
 * the string refuses it, as it refuses any bytes that are no text.
 */
final class Request
{
    private const ESCAPES = '/(?:[^\\\\]|\A)(?:\\\\\\\\)*+\K\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}/';

    /**
     * The value of a line; null if it is no JSON in UTF-8.
     */
    public static function parse(string $line): mixed
    {
        try {
            return JsonParser::parse($line, maxBytes: null);
        } catch (ResultError $error) {
            return null;
        }
    }

    /**
     * A string as JSON, what is no UTF-8 in it as the escapes of lone surrogates.
     */
    public static function quote(string $text): string
    {
        return (string) json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
