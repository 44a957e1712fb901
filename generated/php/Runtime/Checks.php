<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\ResultError;

/**
 * Checks of texts with a form of their own: base64, timestamps, keys of extensions.
 *
 * Each takes what was found, and raises ResultError with an empty pointer, which the caller completes.
 */
final class Checks
{
    private const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    // With one "=" the last letter carries two unused bits, with two "=" four. They are zero in
    // canonical base64 (RFC 4648, 3.5), so that equal bytes have one text.
    private const LAST_OF_TWO = 'AEIMQUYcgkosw048';
    private const LAST_OF_ONE = 'AQgw';
    private const TIMESTAMP
        = '/\A([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]++)?Z\z/';
    private const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    private const LABEL = '/\A[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\z/';
    private const NAME = '/\A[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\z/';
    private const RESERVED = ['mcp', 'modelcontextprotocol'];

    /**
     * Standard, padded, canonical base64 (RFC 4648, section 4). Empty text is the base64 of no bytes.
     *
     * @throws ResultError invalid_base64
     */
    public static function base64(string $text): string
    {
        $end = \strlen($text);
        $allowed = null;
        if (str_ends_with($text, '==')) {
            [$end, $allowed] = [$end - 2, self::LAST_OF_ONE];
        } elseif (str_ends_with($text, '=')) {
            [$end, $allowed] = [$end - 1, self::LAST_OF_TWO];
        }
        if (\strlen($text) % 4 !== 0) {
            throw self::badBase64(
                "the length of base64 is a multiple of four; pad it with '=' and leave out white space",
            );
        }
        if (strspn($text, self::ALPHABET, 0, $end) !== $end) {
            throw self::badBase64(
                "only A-Z, a-z, 0-9, '+' and '/' may stand in base64: no line breaks, no data: URI, "
                . 'not the URL alphabet',
            );
        }
        if ($allowed !== null && !str_contains($allowed, $text[$end - 1])) {
            throw self::badBase64('the unused bits of the last letter are not zero; encode the bytes again');
        }
        return $text;
    }

    /**
     * A timestamp of RFC 3339 with upper-case T and Z; the date must exist, a leap second is refused.
     *
     * @throws ResultError invalid_timestamp
     */
    public static function timestamp(string $text): string
    {
        if (preg_match(self::TIMESTAMP, $text, $match) !== 1) {
            throw self::badTime($text, 'expected the form 2026-07-28T12:00:00Z (RFC 3339, in UTC)');
        }
        [, $year, $month, $day, $hour, $minute, $second] = array_map(\intval(...), $match);
        if ($month < 1 || $month > 12) {
            throw self::badTime($text, "there is no month {$month}");
        }
        $leap = $month === 2 && (($year % 4 === 0 && $year % 100 !== 0) || $year % 400 === 0);
        if ($day < 1 || $day > self::DAYS[$month - 1] + ($leap ? 1 : 0)) {
            throw self::badTime($text, "there is no day {$day} in month {$month} of year {$year}");
        }
        if ($hour > 23 || $minute > 59) {
            throw self::badTime($text, 'the time of day ends at 23:59:59');
        }
        if ($second > 59) {
            throw self::badTime($text, 'a minute has the seconds 00 to 59; write a leap second as :59');
        }
        return $text;
    }

    /**
     * A key of extensions or presentation: labels with dots between them, a slash, a name. Refused
     * are the prefixes that any MCP revision reserves, and the namespace, which is the mapping's own.
     *
     * @throws ResultError invalid_key
     */
    public static function extensionKey(string $key, string $namespace): string
    {
        [$prefix, $name] = [...explode('/', $key, 2), ''];
        $labels = explode('.', $prefix);
        if (preg_match(self::NAME, $name) !== 1 || preg_grep(self::LABEL, $labels, PREG_GREP_INVERT) !== []) {
            $shown = Pointer::shorten($key);
            throw self::badKey(
                "'{$shown}' is no extension key; write labels you own, a slash and a name, "
                . 'like com.example/review',
            );
        }
        $ruling = [...\array_slice($labels, 0, -1), ...\array_slice($labels, 1, 1)];
        if (array_intersect(self::RESERVED, $ruling) !== []) {
            $shown = Pointer::shorten($prefix);
            throw self::badKey("the prefix '{$shown}' is reserved by MCP; use your own");
        }
        if ($prefix === $namespace) {
            throw self::badKey("the prefix '{$namespace}' belongs to the mapping; use your own");
        }
        return $key;
    }

    private static function badBase64(string $detail): ResultError
    {
        return new ResultError(ResultError::INVALID_BASE64, '', $detail);
    }

    private static function badTime(string $text, string $what): ResultError
    {
        $shown = Pointer::shorten($text);
        return new ResultError(ResultError::INVALID_TIMESTAMP, '', "'{$shown}' is no timestamp: {$what}");
    }

    private static function badKey(string $detail): ResultError
    {
        return new ResultError(ResultError::INVALID_KEY, '', $detail);
    }
}
