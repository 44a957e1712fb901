<?php

declare(strict_types=1);

namespace Toolresult\Core;

use Toolresult\Core\Runtime\Pieces;

/**
 * Names to JSON values, in canonical order; cannot change. Its keys are texts, whatever they are.
 *
 * @implements \ArrayAccess<string, Json>
 * @implements \IteratorAggregate<string, Json>
 */
final readonly class JsonMap implements \ArrayAccess, \Countable, \IteratorAggregate
{
    /**
     * @param array<array-key, Json> $values
     */
    private function __construct(public array $values)
    {
    }

    /**
     * A map of values that are checked and in canonical order already.
     *
     * @param array<array-key, Json> $values
     */
    public static function ofChecked(array $values): self
    {
        return new self($values);
    }

    public function isEmpty(): bool
    {
        return $this->values === [];
    }

    public function has(string $key): bool
    {
        return isset($this->values[$key]);
    }

    public function get(string $key): ?Json
    {
        return $this->values[$key] ?? null;
    }

    /**
     * @return list<string>
     */
    public function keys(): array
    {
        return array_map(\strval(...), array_keys($this->values));
    }

    /**
     * The map as canonical JSON.
     */
    public function toJson(): string
    {
        return Pieces::orderedObject(array_map(static fn (Json $value): string => $value->canonical, $this->values));
    }

    public function count(): int
    {
        return \count($this->values);
    }

    public function getIterator(): \Generator
    {
        foreach ($this->values as $key => $value) {
            yield (string) $key => $value;
        }
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->values[$offset]);
    }

    public function offsetGet(mixed $offset): Json
    {
        return $this->values[$offset];
    }

    public function offsetSet(mixed $offset, mixed $value): never
    {
        throw new \LogicException('a map of a result is immutable; make another result');
    }

    public function offsetUnset(mixed $offset): never
    {
        throw new \LogicException('a map of a result is immutable; make another result');
    }
}
