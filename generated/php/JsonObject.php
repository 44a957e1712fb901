<?php

declare(strict_types=1);

namespace Toolresult\Core;

/**
 * A JSON object that cannot change: it stays one when it is empty or its keys are 0, 1, 2.
 *
 * PHP's arrays turn the key "1" into the integer 1, and back: no key is lost, so the members are
 * held in one. Whoever goes through this object gets every key as a text.
 *
 * @implements \ArrayAccess<string, mixed>
 * @implements \IteratorAggregate<string, mixed>
 */
final readonly class JsonObject implements \ArrayAccess, \Countable, \IteratorAggregate, \JsonSerializable
{
    /**
     * @param array<array-key, mixed> $members values by key
     */
    public function __construct(public array $members = [])
    {
    }

    public function has(string $key): bool
    {
        return \array_key_exists($key, $this->members);
    }

    /**
     * The value of a key, or what is given for one that is not there.
     */
    public function get(string $key, mixed $otherwise = null): mixed
    {
        return \array_key_exists($key, $this->members) ? $this->members[$key] : $otherwise;
    }

    /**
     * @return list<string>
     */
    public function keys(): array
    {
        return array_map(\strval(...), array_keys($this->members));
    }

    public function count(): int
    {
        return \count($this->members);
    }

    public function getIterator(): \Generator
    {
        foreach ($this->members as $key => $value) {
            yield (string) $key => $value;
        }
    }

    public function offsetExists(mixed $offset): bool
    {
        return \array_key_exists($offset, $this->members);
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->members[$offset];
    }

    public function offsetSet(mixed $offset, mixed $value): never
    {
        throw new \LogicException('a JSON object is immutable; change an array of its members');
    }

    public function offsetUnset(mixed $offset): never
    {
        throw new \LogicException('a JSON object is immutable; change an array of its members');
    }

    /**
     * For PHP's own encoder, which knows an object by its class.
     */
    public function jsonSerialize(): object
    {
        return (object) $this->members;
    }
}
