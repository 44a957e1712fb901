<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Json;
use Toolresult\Core\JsonMap;
use Toolresult\Core\JsonObject;

/**
 * Members of a block that a reader kept: back to their own place, or into the marker.
 */
final class Kept
{
    private const ICON_TEXTS = ['src', 'mimeType', 'theme'];
    private const ICON_KEYS = ['src', 'mimeType', 'theme', 'sizes'];

    /**
     * The member under these keys as canonical JSON; empty where it is missing or does not fit.
     *
     * @param list<string> $keys
     */
    public static function member(?JsonMap $members, array $keys, string $shape): string
    {
        $value = self::find($members, $keys, $shape);
        return $value === null ? '' : Canonical::text($value, Renderer::WIRE_DEPTH);
    }

    /**
     * Whether a member under these keys has the shape.
     *
     * @param list<string> $keys
     */
    public static function fits(?JsonMap $members, array $keys, string $shape): bool
    {
        return self::find($members, $keys, $shape) !== null;
    }

    /**
     * The entries of the object under these keys; none where it is missing or no object.
     *
     * @param list<string> $keys
     */
    public static function entries(?JsonMap $members, array $keys): JsonMap
    {
        return Types::jsonMap(self::find($members, $keys, 'object') ?? new JsonObject());
    }

    /**
     * The members less those that have a place of their own; empty if nothing is left.
     *
     * @param list<array{list<string>, string}> $without
     */
    public static function rest(?JsonMap $members, array $without): string
    {
        if ($members === null || $members->isEmpty()) {
            return '';
        }
        $rest = array_map(static fn (Json $value): string => $value->canonical, $members->values);
        foreach ($without as [$keys, $shape]) {
            if (self::find($members, $keys, $shape) === null) {
                continue;
            }
            $first = array_shift($keys);
            $left = self::without($members->get($first)?->value(), $keys);
            if ($left === null) {
                unset($rest[$first]);
            } else {
                $rest[$first] = Canonical::text($left, Renderer::WIRE_DEPTH);
            }
        }
        return $rest === [] ? '' : Pieces::canonicalObject($rest);
    }

    /**
     * The member under these keys where it has the shape; null if not (no shape allows null).
     *
     * @param list<string> $keys
     */
    private static function find(?JsonMap $members, array $keys, string $shape): mixed
    {
        $value = $members?->get(array_shift($keys))?->value();
        foreach ($keys as $key) {
            $value = $value instanceof JsonObject ? $value->get($key) : null;
        }
        $fits = match ($shape) {
            'object' => $value instanceof JsonObject,
            'entries' => $value instanceof JsonObject && \count($value) > 0,
            'string' => \is_string($value),
            'icons' => \is_array($value) && self::all($value, self::isIcon(...)),
            default => throw new \LogicException("there is no shape {$shape}"),
        };
        return $fits ? $value : null;
    }

    /**
     * An icon (MCP 2025-11-25, definition Icon): src, and mimeType, sizes, theme.
     */
    private static function isIcon(mixed $value): bool
    {
        if (!$value instanceof JsonObject || !$value->has('src')) {
            return false;
        }
        $sizes = $value->get('sizes', []);
        return array_diff($value->keys(), self::ICON_KEYS) === []
            && self::all(
                array_intersect_key($value->members, array_flip(self::ICON_TEXTS)),
                \is_string(...),
            )
            && \in_array($value->get('theme'), [null, 'light', 'dark'], true)
            && \is_array($sizes)
            && self::all($sizes, \is_string(...));
    }

    /**
     * @param array<array-key, mixed> $values
     * @param callable(mixed): bool $test
     */
    private static function all(array $values, callable $test): bool
    {
        foreach ($values as $value) {
            if (!$test($value)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The object less the member under these keys; null if that leaves it empty.
     *
     * @param list<string> $keys
     */
    private static function without(mixed $value, array $keys): ?JsonObject
    {
        if ($keys === [] || !$value instanceof JsonObject) {
            return null;
        }
        $left = $value->members;
        $first = array_shift($keys);
        $inner = self::without($value->get($first), $keys);
        unset($left[$first]);
        if ($inner !== null) {
            $left[$first] = $inner;
        }
        return $left === [] ? null : new JsonObject($left);
    }
}
