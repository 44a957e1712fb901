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
        $this->writesFloats = ini_get('serialize_precision') === '-1';
    }

    /**
     * How deep the value nests that was prepared.
     */
    public function depth(): int
    {
        return $this->maxDepth - $this->least + 1;
    }

    /**
     * The value as PHP's encoder writes it canonically, unless it was refused.
     *
     * @param array<array-key, mixed>|object $value
     * @return array<array-key, mixed>|object
     */
    public function prepare(array|object $value): array|object
    {
        return $this->container($value, $this->maxDepth);
    }

    /**
     * @param array<array-key, mixed>|object $value
     * @return array<array-key, mixed>|object
     */
    private function container(array|object $value, int $left): array|object
    {
        if ($left <= 0) {
            $this->refused = true;
        }
        if ($this->refused) {
            return [];
        }
        if ($left < $this->least) {
            $this->least = $left;
        }
        if (\is_array($value)) {
            return array_is_list($value) ? $this->items($value, $left - 1) : $this->members($value, $left - 1);
        }
        if ($value instanceof JsonObject) {
            return $this->members($value->members, $left - 1);
        }
        if ($value instanceof \stdClass) {
            return $this->members((array) $value, $left - 1);
        }
        $this->refused = true;
        return [];
    }

    /**
     * @param array<array-key, mixed> $members
     * @return array<array-key, mixed>|object
     */
    private function members(array $members, int $left): array|object
    {
        $members = $this->items($members === [] ? [] : $this->inOrder($members), $left);
        if (!array_is_list($members)) {
            return $members;
        }
        // As an array it would become a list.
        $this->changes += 1;
        return (object) $members;
    }

    /**
     * @param array<array-key, mixed> $items
     * @return array<array-key, mixed>
     */
    private function items(array $items, int $left): array
    {
        foreach ($items as $key => $item) {
            if (\is_string($item) || \is_int($item) || $item === null || \is_bool($item)) {
                continue;
            }
            if (\is_float($item)) {
                $size = abs($item);
                if ($size >= 0.0001 && $size < 1e15 && $this->writesFloats) {
                    continue;
                }
                if ($size < 1e15 && $item === floor($item)) {
                    $items[$key] = (int) $item;
                    $this->changes += 1;
                    continue;
                }
                $this->refused = true;
                return [];
            }
            if (!\is_array($item) && !\is_object($item)) {
                $this->refused = true;
                return [];
            }
            $before = $this->changes;
            $prepared = $this->container($item, $left);
            if ($this->changes !== $before || \is_object($item)) {
                $items[$key] = $prepared;
            }
        }
        return $items;
    }

    /**
     * @param array<array-key, mixed> $members
     * @return array<array-key, mixed>
     */
    private function inOrder(array $members): array
    {
        $keys = array_keys($members);
        $first = $keys[0];
        // Rows of one table have the same keys.
        if (!isset($this->known[$first]) || $this->known[$first][0] !== $keys) {
            $sorted = $keys;
            sort($sorted, SORT_STRING);
            $this->known[$first] = [$keys, $sorted === $keys ? null : array_fill_keys($sorted, null)];
        }
        $ordered = $this->known[$first][1];
        if ($ordered === null) {
            return $members;
        }
        $this->changes += 1;
        return array_replace($ordered, $members);
    }
}
