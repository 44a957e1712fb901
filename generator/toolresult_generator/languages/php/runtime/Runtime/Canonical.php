<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Json;
use Toolresult\Core\ResultError;

/**
 * Canonical JSON: one text per value, by RFC 8785, with integers of any size exact.
 *
 * PHP's encoder writes what it writes the same; see Walk. Whatever is rare or wrong goes to a slow
 * writer, which finds the exact place.
 */
final class Canonical
{
    /** How deep a user value may nest. A scalar is 0, [] is 1. */
    public const MAX_DEPTH = 100;

    public const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS;

    /**
     * The canonical JSON text of a value, in UTF-8.
     *
     * @throws ResultError as Json::of does
     */
    public static function text(mixed $value, int $maxDepth = self::MAX_DEPTH): string
    {
        return self::measured($value, $maxDepth)[0];
    }

    /**
     * The same, and how deep it nests, if that was seen on the way.
     *
     * @return array{string, ?int}
     */
    public static function measured(mixed $value, int $maxDepth = self::MAX_DEPTH): array
    {
        if ($value instanceof Json) {
            return [$value->canonical, null];
        }
        if (!\is_array($value) && !\is_object($value)) {
            return [(new SlowWriter($maxDepth))->write($value), 0];
        }
        $walk = new Walk($maxDepth);
        $prepared = $walk->prepare($value);
        if (!$walk->refused) {
            $text = json_encode($prepared, self::FLAGS, $maxDepth + 2);
            if ($text !== false && !self::sortsOtherwise($text, $prepared)) {
                return [$text, $walk->depth()];
            }
        }
        return [(new SlowWriter($maxDepth))->write($value), null];
    }

    /**
     * A text as a JSON string with its quotes, canonically escaped.
     *
     * @throws ResultError invalid_text
     */
    public static function quote(string $text): string
    {
        $quoted = json_encode($text, self::FLAGS);
        return $quoted === false ? throw self::badText() : $quoted;
    }

    /**
     * A canonical JSON text escaped to stand inside a JSON string, without the quotes.
     */
    public static function escape(string $text): string
    {
        // There are no raw control characters in it, so these two are all.
        return addcslashes($text, '"\\');
    }

    public static function badText(): ResultError
    {
        return new ResultError(
            ResultError::INVALID_TEXT,
            '',
            'this is no UTF-8; decode the bytes with their own encoding, or replace what is wrong',
        );
    }

    /**
     * The order of RFC 8785, 3.2.3: member names by their UTF-16 code units, as a text to sort by.
     */
    public static function order(string $name): string
    {
        // The bytes of UTF-8 are in that order but for U+E000 to U+FFFF, which are to come last.
        return strtr($name, "\xEE\xEF", "\xFE\xFF");
    }

    /**
     * Members with their keys in canonical order.
     *
     * @param array<array-key, mixed> $members
     * @return array<array-key, mixed>
     */
    public static function sorted(array $members): array
    {
        uksort($members, static fn (string|int $one, string|int $other): int
            => strcmp(self::order((string) $one), self::order((string) $other)));
        return $members;
    }

    /**
     * Whether keys in the order of their bytes may not be in the order of UTF-16 units.
     *
     * That takes a character beyond the Basic Multilingual Plane in a key, and one at its end.
     */
    private static function sortsOtherwise(string $text, mixed $value): bool
    {
        return preg_match('/[\xEE\xEF]/', $text) === 1
            && preg_match('/[\xF0-\xF4]/', $text) === 1
            && self::hasAstralKey($value);
    }

    private static function hasAstralKey(mixed $value): bool
    {
        foreach (\is_object($value) ? (array) $value : $value as $key => $item) {
            if (\is_string($key) && preg_match('/[\xF0-\xF4]/', $key) === 1) {
                return true;
            }
            if ((\is_array($item) || \is_object($item)) && self::hasAstralKey($item)) {
                return true;
            }
        }
        return false;
    }
}
