<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Json;
use Toolresult\Core\JsonMap;

/**
 * Pieces of JSON text, as renderers put them together. An empty one stands for nothing.
 */
final class Pieces
{
    /** How deep a value may nest that a protobuf parser is to read. */
    private const MAX_EXACT_DEPTH = 30;

    /**
     * An object with its members in the order given.
     *
     * @param array<array-key, string> $members
     */
    public static function orderedObject(array $members): string
    {
        $texts = [];
        foreach ($members as $key => $value) {
            $texts[] = Canonical::quote((string) $key) . ':' . $value;
        }
        return '{' . implode(',', $texts) . '}';
    }

    /**
     * An object with its members in canonical order.
     *
     * @param array<array-key, string> $members
     */
    public static function canonicalObject(array $members): string
    {
        return self::orderedObject(Canonical::sorted($members));
    }

    /**
     * The members, those that doubles would spoil as strings of their JSON text, and under the
     * marker a list of their keys.
     *
     * @param array<array-key, string> $members
     * @return array<array-key, string>
     */
    public static function exact(array $members, string $marker): array
    {
        $inexact = array_filter($members, static fn (string $text): bool => !self::isExact($text));
        if ($inexact === []) {
            return $members;
        }
        $keys = [];
        foreach (Canonical::sorted($inexact) as $key => $text) {
            $members[$key] = self::jsonText($text);
            $keys[] = Canonical::quote((string) $key);
        }
        $members[$marker] = self::array($keys);
        return $members;
    }

    /**
     * Whether a JSON value survives a parser of doubles that stops at some depth.
     */
    public static function isExactValue(Json $value): bool
    {
        return $value->exactInDouble() && $value->depth() <= self::MAX_EXACT_DEPTH;
    }

    /**
     * A JSON string that holds a canonical JSON text.
     */
    public static function jsonText(string $text): string
    {
        return '"' . Canonical::escape($text) . '"';
    }

    /**
     * A JSON array; empty if there is no entry.
     *
     * @param list<string> $entries
     */
    public static function array(array $entries): string
    {
        return $entries === [] ? '' : '[' . implode(',', $entries) . ']';
    }

    /**
     * The keys of a map as a JSON array in canonical order; empty if there is none.
     */
    public static function keys(JsonMap $values): string
    {
        return self::array(array_map(Canonical::quote(...), $values->keys()));
    }

    /**
     * Adds the entries of a map. What is taken already, or reserved, is not written, but noted.
     *
     * @param array<array-key, string> $members
     * @param list<string> $reserved keys, and prefixes that end in a slash
     */
    public static function spread(
        array &$members,
        JsonMap $values,
        array $reserved = [],
        ?Losses $losses = null,
        string $pointer = '',
    ): void {
        foreach ($values as $key => $value) {
            if (\array_key_exists($key, $members)) {
                $reason = 'another value of the result has this key on the wire';
            } elseif (self::isReserved($key, $reserved)) {
                $reason = "the key belongs to the mapping or to the protocol's transport";
            } else {
                $members[$key] = $value->canonical;
                continue;
            }
            $losses?->add($pointer . Pointer::token($key), 'not expressible', $reason);
        }
    }

    /**
     * What a writing function appends, in one piece.
     */
    public static function written(\Closure $write, mixed ...$arguments): string
    {
        $out = '';
        $write($out, ...$arguments);
        return $out;
    }

    /**
     * @param list<string> $reserved
     */
    private static function isReserved(string $key, array $reserved): bool
    {
        foreach ($reserved as $one) {
            if ($key === $one || (str_ends_with($one, '/') && str_starts_with($key, $one))) {
                return true;
            }
        }
        return false;
    }

    private static function isExact(string $text): bool
    {
        return self::isExactValue(Json::ofCanonical($text));
    }
}
