<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * A strict parser of JSON text: everything that is lost or bent elsewhere is refused.
 *
 * PHP's parser reads the text, where a look at the text says that it loses nothing. Else a second
 * parser, without recursion, finds the first offence and its place, or that there is none.
 */
final class JsonParser
{
    /** How deep a text may nest: twice what a user value may, since protocols wrap values. */
    public const DEPTH = 200;

    /** The longest text that is parsed, in bytes, unless the caller says otherwise. */
    public const MAX_BYTES = 128 * 1024 * 1024;

    /** What PHP's parser takes and bends: long integers, and words in capitals. */
    private const BENT = '/[0-9]{19}|[A-DF-Z]|[a-z]E/';

    private int $members = 0;
    private bool $suspect = false;

    /** Every empty object: it cannot change, and a text may have a million of them. */
    private readonly JsonObject $empty;

    private function __construct()
    {
        $this->empty = new JsonObject();
    }

    /**
     * The value of a JSON text (RFC 8259): null, bool, int, float, string, list, JsonObject, and
     * BigInteger for integers beyond 64 bits. An integral float below 1e21 is an integer, -0.0 is 0.
     *
     * @throws ResultError with the pointer and the byte offset of the first offence: invalid_json
     *     (syntax, not UTF-8, a byte order mark, a repeated key), invalid_number (NaN, Infinity, a
     *     float that overflows, an integer of over a million digits), invalid_text (a lone
     *     surrogate), too_deep, out_of_range (more than $maxBytes bytes; null is no bound)
     */
    public static function parse(
        string $text,
        int $maxDepth = self::DEPTH,
        ?int $maxBytes = self::MAX_BYTES,
    ): mixed {
        if ($maxBytes !== null && \strlen($text) > $maxBytes) {
            throw self::tooLong(\strlen($text), $maxBytes);
        }
        if (!mb_check_encoding($text, 'UTF-8')) {
            throw self::notText($text);
        }
        return (new self())->read($text, $maxDepth) ?? (new SlowParser($text, $maxDepth))->parse();
    }

    /**
     * The same of a text that was made of UTF-16 and may hold lone surrogates, each in the three
     * bytes that UTF-8 would give it: they are found where they stand, as invalid_text.
     *
     * @throws ResultError
     */
    public static function parseWithSurrogates(string $text): mixed
    {
        if (\strlen($text) > self::MAX_BYTES) {
            throw self::tooLong(\strlen($text), self::MAX_BYTES);
        }
        if (mb_check_encoding($text, 'UTF-8')) {
            return self::parse($text);
        }
        $rest = (string) preg_replace('/\xED[\xA0-\xBF][\x80-\xBF]/', '', $text);
        if (!mb_check_encoding($rest, 'UTF-8')) {
            throw self::notText($text);
        }
        return (new SlowParser($text, self::DEPTH))->parse();
    }

    /**
     * The value by PHP's own parser; null if that is null, or not certain to be right.
     */
    private function read(string $text, int $maxDepth): mixed
    {
        $bare = TextFacts::withoutStrings($text);
        if ($bare === null || preg_match(self::BENT, $bare) === 1) {
            return null;
        }
        // PHP counts the value at the bottom as a level of its own.
        $value = json_decode($text, false, $maxDepth + 1);
        if ($value === null) {
            return null;
        }
        if (\is_array($value) || \is_object($value) || \is_float($value)) {
            $this->settle($value);
        }
        // A repeated key has a colon, but no member.
        return $this->suspect || $this->members !== substr_count($bare, ':') ? null : $value;
    }

    /**
     * Turns what PHP has parsed into our values, in its place: what was turned is let go at once, so
     * that no second copy of the whole is held.
     *
     * @param array<array-key, mixed>|object|float $value
     * @param-out list<mixed>|JsonObject|BigInteger|int|float $value
     */
    private function settle(array|object|float &$value): void
    {
        if (\is_float($value)) {
            $this->suspect = $this->suspect || is_infinite($value);
            $value = $this->suspect ? $value : Numbers::settle($value);
            return;
        }
        $isObject = \is_object($value);
        $items = (array) $value;
        $value = 0;
        // A list has its places as keys; foreach over the array itself would hold a copy of it.
        $keys = $isObject ? \array_keys($items) : null;
        for ($at = 0, $count = \count($items); $at < $count; $at++) {
            $key = $keys === null ? $at : $keys[$at];
            $item = $items[$key];
            if (\is_array($item) || \is_object($item) || \is_float($item)) {
                $items[$key] = 0;
                $this->settle($item);
                $items[$key] = $item;
            }
        }
        if (!$isObject) {
            $value = $items;
            return;
        }
        $this->members += \count($items);
        $value = $items === [] ? $this->empty : new JsonObject($items);
    }

    private static function tooLong(int $length, int $most): ResultError
    {
        $has = number_format($length);
        $may = number_format($most);
        return new ResultError(
            ResultError::OUT_OF_RANGE,
            '',
            "the text has {$has} bytes and may have {$may}; send less, or store it and link it",
        );
    }

    private static function notText(string $text): ResultError
    {
        $offset = self::firstBad($text);
        $byte = bin2hex($text[$offset] ?? '');
        return new ResultError(
            ResultError::INVALID_JSON,
            '',
            "not UTF-8: byte 0x{$byte} at offset {$offset}; decode the text with its own encoding first",
            $offset,
        );
    }

    /**
     * Where the first character starts that is not UTF-8.
     */
    private static function firstBad(string $text): int
    {
        [$good, $bad] = [0, \strlen($text)];
        while ($bad - $good > 1) {
            $middle = intdiv($good + $bad, 2);
            $end = $middle;
            // Not within a character: what is cut there would look wrong.
            while ($end > $good && $end > $middle - 3 && (\ord($text[$end]) & 0xC0) === 0x80) {
                $end -= 1;
            }
            if ($end > $good && mb_check_encoding(substr($text, $good, $end - $good), 'UTF-8')) {
                $good = $end;
            } elseif ($end > $good) {
                $bad = $end;
            } else {
                break;
            }
        }
        return $good;
    }
}
