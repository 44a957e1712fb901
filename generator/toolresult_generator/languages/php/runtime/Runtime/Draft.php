<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\JsonObject;

/**
 * A part, record or result on its way to its serialized form: an object that can change.
 *
 * Below it are drafts, lists, and values as they were parsed.
 */
final class Draft
{
    /**
     * @param array<array-key, mixed> $members
     */
    public function __construct(public array $members = [])
    {
    }

    public function has(string $name): bool
    {
        return \array_key_exists($name, $this->members);
    }

    public function get(string $name, mixed $otherwise = null): mixed
    {
        return \array_key_exists($name, $this->members) ? $this->members[$name] : $otherwise;
    }

    /**
     * Sets a member, unless it is there.
     */
    public function setDefault(string $name, mixed $value): void
    {
        if (!\array_key_exists($name, $this->members)) {
            $this->members[$name] = $value;
        }
    }

    /**
     * Takes a member out, if it is there.
     */
    public function pop(string $name, mixed $otherwise = null): mixed
    {
        $found = $this->get($name, $otherwise);
        unset($this->members[$name]);
        return $found;
    }

    /**
     * The draft that stands under these names, made where there is none.
     *
     * @param list<string> $names
     */
    public function at(array $names): self
    {
        $draft = $this;
        foreach ($names as $name) {
            $below = $draft->members[$name] ?? null;
            if (!$below instanceof self) {
                // What was parsed cannot change; its copy can.
                $below = new self($below instanceof JsonObject ? $below->members : []);
                $draft->members[$name] = $below;
            }
            $draft = $below;
        }
        return $draft;
    }

    /**
     * Puts a value under these names, unless something is there; whether it was free.
     *
     * @param list<string> $names
     */
    public function set(array $names, mixed $value): bool
    {
        $last = array_pop($names);
        $owner = $this->at($names);
        if ($owner->has($last)) {
            return false;
        }
        $owner->members[$last] = $value;
        return true;
    }

    /**
     * Adds what $more has and this has not, records member by member.
     */
    public function merge(self|JsonObject $more): void
    {
        foreach ($more->members as $key => $value) {
            $known = $this->members[$key] ?? null;
            if (!$this->has((string) $key)) {
                $this->members[$key] = $value;
            } elseif (self::isObject($known) && self::isObject($value)) {
                $this->at([(string) $key])->merge($value);
            }
        }
    }

    /**
     * Adds an entry to a list.
     */
    public function append(string $name, mixed $value): void
    {
        $this->members[$name][] = $value;
    }

    /**
     * The same as a value that cannot change.
     */
    public function toObject(): JsonObject
    {
        return new JsonObject(array_map(self::plain(...), $this->members));
    }

    private static function isObject(mixed $value): bool
    {
        return $value instanceof self || $value instanceof JsonObject;
    }

    private static function plain(mixed $value): mixed
    {
        if ($value instanceof self) {
            return $value->toObject();
        }
        return \is_array($value) ? array_map(self::plain(...), $value) : $value;
    }
}
