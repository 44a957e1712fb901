<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;

/**
 * What can be told of a JSON text without parsing it.
 */
final class TextFacts
{
    private const MAX_EXACT = 2 ** 53;

    /**
     * How deep a valid JSON text nests: 0 for a scalar, 1 for [].
     */
    public static function depth(string $text): int
    {
        $brackets = self::brackets($text);
        $depth = 0;
        while ($brackets !== '') {
            $before = \strlen($brackets);
            $brackets = str_replace('[]', '', $brackets);
            $depth += 1;
            if (\strlen($brackets) === $before) {
                break;
            }
        }
        return $depth;
    }

    /**
     * Whether there may be an integer of as many digits as the largest exact one, or more.
     */
    public static function mayHaveLongInteger(string $text): bool
    {
        return preg_match('/(?:\A|[:,\[-])[0-9]{16}/', $text) !== 0;
    }

    /**
     * Whether no integer in a value has a magnitude above 2**53.
     */
    public static function allExact(mixed $value): bool
    {
        if (\is_int($value)) {
            return -self::MAX_EXACT <= $value && $value <= self::MAX_EXACT;
        }
        if ($value instanceof BigInteger) {
            return false;
        }
        foreach ($value instanceof JsonObject ? $value->members : (\is_array($value) ? $value : []) as $item) {
            if (!self::allExact($item)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A JSON text with every string taken out; null if that is not to be had.
     */
    public static function withoutStrings(string $text): ?string
    {
        if (str_contains($text, '\\')) {
            // Escaped backslashes first: one that is left then starts an escape.
            $text = str_replace(['\\\\', '\\"'], '', $text);
        }
        return preg_replace('/"[^"]*+"/', '', $text);
    }

    private static function brackets(string $text): string
    {
        $bare = self::withoutStrings($text);
        if ($bare === null) {
            throw new \RuntimeException('PCRE cannot take the strings out of a text: ' . preg_last_error_msg());
        }
        return strtr((string) preg_replace('/[^\[\]{}]++/', '', $bare), '{}', '[]');
    }
}
