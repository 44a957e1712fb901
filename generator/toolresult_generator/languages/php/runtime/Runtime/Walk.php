<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\JsonObject;

/**
 * Makes a value ready for PHP's encoder: keys in order, integral floats as integers.
 *
 * What that encoder cannot write, or would write otherwise than RFC 8785, is refused: odd floats,
 * integers beyond 64 bits, what is no JSON, what is too deep. Text that is no UTF-8 it refuses itself.
 */
final class Walk
{
    /** Whether the slow writer has to look. */
    public bool $refused = false;

    private int $least;

    /** Every empty object: the encoder only reads it, and there may be a million of them. */
    private readonly \stdClass $empty;
    private readonly bool $writesFloats;

    /** How many changes the value needed so far. */
    private int $changes = 0;

    /**
     * The keys of objects that were looked at, by the first of them, and the keys in order; null if
     * they are in order already.
     *
     * @var array<string|int, array{list<string|int>, ?array<string|int, null>}>
     */
    private array $known = [];

    public function __construct(private readonly int $maxDepth)
    {
        $this->least = $maxDepth + 1;
        $this->empty = new \stdClass();
        $this->writesFloats = ini_get('serialize_precision') === '-1';
    }

    /**
     * How deep the value nests that was prepared.
     */
    public function depth(): int
    {
        return $this->maxDepth - $this->least;
    }

    /**
     * The value as PHP's encoder writes it canonically, unless it was refused.
     *
     * @param array<array-key, mixed>|object $value
     * @return array<array-key, mixed>|object
     */
    public function prepare(array|object $value): array|object
    {
        return $this->items([$value], $this->maxDepth)[0] ?? [];
    }

    /**
     * Items of a list, or members that are in order; $left levels may be below them.
     *
     * @param array<array-key, mixed> $items
     * @return array<array-key, mixed>
     */
    private function items(array $items, int $left): array
    {
        if ($left < $this->least) {
            $this->least = $left;
        }
        foreach ($items as $key => $item) {
            if (\is_string($item) || \is_int($item) || $item === null || \is_bool($item)) {
                continue;
            }
            if (\is_float($item)) {
                // PHP writes these as ECMAScript does; integral ones without a point.
                if ((($item >= 0.0001 && $item < 1e15) || ($item <= -0.0001 && $item > -1e15)) && $this->writesFloats) {
                    continue;
                }
                $prepared = $this->integral($item);
            } elseif ($left > 0 && \is_array($item)) {
                $before = $this->changes;
                $prepared = \array_is_list($item) ? $this->items($item, $left - 1) : $this->members($item, $left - 1);
                if ($this->changes === $before) {
                    continue;
                }
            } elseif ($left > 0 && ($item instanceof JsonObject || Types::isPlainObject($item))) {
                $members = $item instanceof JsonObject ? $item->members : (array) $item;
                $prepared = $this->members($members, $left - 1);
                $this->changes += 1;
            } else {
                $this->refused = true;
            }
            if ($this->refused) {
                return [];
            }
            $items[$key] = $prepared;
        }
        return $items;
    }

    /**
     * @param array<array-key, mixed> $members
     * @return array<array-key, mixed>|object
     */
    private function members(array $members, int $left): array|object
    {
        if ($members !== []) {
            $keys = \array_keys($members);
            $first = $keys[0];
            // Rows of one table have the same keys.
            if (!isset($this->known[$first]) || $this->known[$first][0] !== $keys) {
                $sorted = $keys;
                \sort($sorted, SORT_STRING);
                $this->known[$first] = [$keys, $sorted === $keys ? null : \array_fill_keys($sorted, null)];
            }
            $ordered = $this->known[$first][1];
            if ($ordered !== null) {
                $this->changes += 1;
                $members = \array_replace($ordered, $members);
            }
        }
        $members = $this->items($members, $left);
        if (\array_is_list($members)) {
            // As an array it would become a list.
            $this->changes += 1;
            return $members === [] ? $this->empty : (object) $members;
        }
        return $members;
    }

    /**
     * The integer that a float is, where that is sure.
     */
    private function integral(float $item): int
    {
        if ($item > -1e15 && $item < 1e15 && $item === \floor($item)) {
            $this->changes += 1;
            return (int) $item;
        }
        $this->refused = true;
        return 0;
    }
}
