<?php

declare(strict_types=1);

namespace Toolresult\Testee;

use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\SlowParser;

/**
 * The JSON of a request line, where a string may hold a lone surrogate, written as its escape.
 *
 * Such a one is held as the three bytes that UTF-8 would give it.
 */
final class Request
{
    private const LONE = '/(\xED[\xA0-\xBF][\x80-\xBF])/';

    /**
     * The value of a line; null if it is no JSON in UTF-8.
     */
    public static function parse(string $line): mixed
    {
        try {
            return JsonParser::parse($line, maxBytes: null);
        } catch (ResultError $error) {
            if ($error->code !== ResultError::INVALID_TEXT) {
                return null;
            }
        }
        try {
            return (new SlowParser($line, JsonParser::DEPTH, keepLone: true))->parse();
        } catch (ResultError) {
            return null;
        }
    }

    /**
     * A string as JSON, lone surrogates in it as their escapes.
     */
    public static function quote(string $text): string
    {
        if (mb_check_encoding($text, 'UTF-8')) {
            return Canonical::quote($text);
        }
        $quoted = '';
        foreach (preg_split(self::LONE, $text, -1, PREG_SPLIT_DELIM_CAPTURE) ?: [] as $number => $piece) {
            $quoted .= $number % 2 === 1
                ? sprintf('\\u%04x', 0xD000 | (\ord($piece[1]) & 0x3F) << 6 | \ord($piece[2]) & 0x3F)
                : substr(Canonical::quote($piece), 1, -1);
        }
        return "\"{$quoted}\"";
    }
}
