<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Absent;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * The members of a wire object. What was not taken is foreign.
 */
final class Members
{
    /** In a pointer: what follows goes on inside of a text that holds JSON. */
    private const IN_TEXT = '#';

    public readonly JsonObject $value;
    private JsonObject $left;

    /**
     * @throws ResultError wrong_type if the value is no object
     */
    public function __construct(mixed $value, public readonly string $pointer = '')
    {
        if (!$value instanceof JsonObject) {
            throw new ResultError(ResultError::WRONG_TYPE, $pointer, 'expected an object');
        }
        $this->value = $value;
        $this->left = $value;
    }

    /**
     * The member under these keys, or Absent::Value.
     *
     * @param list<string> $keys
     */
    public function get(array $keys): mixed
    {
        $value = $this->value;
        foreach ($keys as $key) {
            if (!$value instanceof JsonObject || !$value->has($key)) {
                return Absent::Value;
            }
            $value = $value->get($key);
        }
        return $value;
    }

    /**
     * @param list<string> $keys
     */
    public function has(array $keys): bool
    {
        return $this->get($keys) !== Absent::Value;
    }

    /**
     * Whether the member has just this value.
     *
     * @param list<string> $keys
     */
    public function isConstant(array $keys, mixed $value): bool
    {
        $found = $this->get($keys);
        if ($value === null || \is_scalar($value)) {
            return $found === $value;
        }
        return \gettype($found) === \gettype($value) && $found !== Absent::Value && self::same($found, $value);
    }

    /**
     * Whether the member is a text that starts with one of these.
     *
     * @param list<string> $keys
     * @param list<string> $prefixes
     */
    public function startsWith(array $keys, array $prefixes): bool
    {
        $text = $this->get($keys);
        foreach ($prefixes as $prefix) {
            if (\is_string($text) && str_starts_with($text, $prefix)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes a member without keeping it.
     *
     * @param list<string> $keys
     */
    public function drop(array $keys): void
    {
        $this->left = self::less($this->left, $keys);
    }

    /**
     * Takes a member without keeping it, where it has just this value.
     *
     * @param list<string> $keys
     */
    public function dropConstant(array $keys, mixed $value): void
    {
        if ($this->isConstant($keys, $value)) {
            $this->drop($keys);
        }
    }

    /**
     * Puts a member into a field, where it is there and fits and the field is still free.
     *
     * @param list<string> $field
     * @param list<string> $keys
     * @throws ResultError for one that does not fit where $strict, and invalid_base64 for bytes that
     *     are not base64: nothing could stand in for them
     */
    public function take(Draft $draft, array $field, array $keys, Fits $fits, bool $strict = false): void
    {
        $value = $this->get($keys);
        if ($value === Absent::Value) {
            return;
        }
        if (!$fits->fits($value)) {
            if ($strict || ($fits->code === ResultError::INVALID_BASE64 && \is_string($value))) {
                throw new ResultError($fits->code, $this->at($keys), "expected {$fits->expected}");
            }
            return;
        }
        $this->put($draft, $field, $keys, $value);
    }

    /**
     * Adds the entries of an object to a map field.
     *
     * @param list<string> $field
     * @param list<string> $keys
     */
    public function takeMap(Draft $draft, array $field, array $keys): void
    {
        $value = $this->get($keys);
        if (!$value instanceof JsonObject) {
            return;
        }
        $into = $draft->at($field);
        foreach ($value as $key => $entry) {
            $into->setDefault($key, $entry);
        }
        $this->drop($keys);
    }

    /**
     * Puts the entries of a list into a field, where every one can be read.
     *
     * @param list<string> $field
     * @param list<string> $keys
     * @param \Closure(mixed, string): Draft $read
     * @throws ResultError of the first that cannot, where $strict
     */
    public function takeList(
        Draft $draft,
        array $field,
        array $keys,
        \Closure $read,
        bool $strict = false,
    ): void {
        if (!$strict && self::isNothing($this->get($keys))) {
            return;
        }
        $entries = static function (mixed $values, string $where) use ($read): array {
            if (!\is_array($values)) {
                throw new ResultError(ResultError::WRONG_TYPE, $where, 'expected a list');
            }
            $found = [];
            foreach ($values as $index => $value) {
                $found[] = $read($value, "{$where}/{$index}");
            }
            return $found;
        };
        $this->takeRead($draft, $field, $keys, $entries, $strict);
    }

    /**
     * Puts an object into a field, where it can be read whole.
     *
     * @param list<string> $field
     * @param list<string> $keys
     * @param \Closure(mixed, string): Draft $read
     * @throws ResultError where it cannot and $strict
     */
    public function takeRecord(
        Draft $draft,
        array $field,
        array $keys,
        \Closure $read,
        bool $strict = false,
    ): void {
        $this->takeRead($draft, $field, $keys, $read, $strict);
    }

    /**
     * Puts into a field what the JSON text at $keys says.
     *
     * @param list<string> $field
     * @param list<string> $keys
     * @throws ResultError for a member that is no such text, and for a missing one that is $required
     */
    public function takeJson(
        Draft $draft,
        array $field,
        array $keys,
        Fits $fits,
        bool $required = false,
    ): void {
        $value = $this->parsed($keys, $required);
        if ($value === Absent::Value) {
            return;
        }
        if (!$fits->fits($value)) {
            $where = $this->at($keys) . self::IN_TEXT;
            throw new ResultError($fits->code, $where, "expected {$fits->expected}");
        }
        $this->put($draft, $field, $keys, $value);
    }

    /**
     * Adds to the draft what the JSON text at $keys says, member by member.
     *
     * @param list<string> $keys
     * @param \Closure(mixed, string): Draft $read
     * @throws ResultError as takeJson does, and what $read raises
     */
    public function takeText(Draft $draft, array $keys, \Closure $read, bool $required = false): void
    {
        $value = $this->parsed($keys, $required);
        if ($value !== Absent::Value) {
            $draft->merge($read($value, $this->at($keys) . self::IN_TEXT));
            $this->drop($keys);
        }
    }

    /**
     * Takes a member that has just this value.
     *
     * @param list<string> $keys
     * @throws ResultError if it has another or none
     */
    public function expect(array $keys, mixed $value): void
    {
        $expected = 'expected ' . Canonical::text($value, Renderer::WIRE_DEPTH);
        if (!$this->has($keys)) {
            throw new ResultError(ResultError::MISSING_FIELD, $this->at($keys), $expected);
        }
        if (!$this->isConstant($keys, $value)) {
            throw new ResultError(ResultError::UNKNOWN_KIND, $this->at($keys), $expected);
        }
        $this->drop($keys);
    }

    /**
     * Puts a member into a field.
     *
     * @param list<string> $field
     * @param list<string> $keys
     * @throws ResultError if it is missing or does not fit
     */
    public function require(Draft $draft, array $field, array $keys, Fits $fits): void
    {
        $value = $this->get($keys);
        $expected = "expected {$fits->expected}";
        if ($value === Absent::Value) {
            throw new ResultError(ResultError::MISSING_FIELD, $this->at($keys), $expected);
        }
        if (!$fits->fits($value)) {
            $code = \is_string($value) ? $fits->code : ResultError::WRONG_TYPE;
            throw new ResultError($code, $this->at($keys), $expected);
        }
        $draft->set($field, $value);
        $this->drop($keys);
    }

    /**
     * What was not taken; objects that were emptied by taking are left out.
     */
    public function rest(): JsonObject
    {
        return $this->left;
    }

    /**
     * @throws ResultError for the first member that was not taken, however deep it stands
     */
    public function refuseRest(): void
    {
        $keys = [];
        [$left, $whole] = [$this->left, $this->value];
        while (\count($left) > 0 && !self::same($left, $whole)) {
            $key = (string) array_key_first($left->members);
            $keys[] = $key;
            [$below, $whole] = [$left->get($key), $whole->get($key)];
            if (!$below instanceof JsonObject || !$whole instanceof JsonObject) {
                $left = null;
                break;
            }
            $left = $below;
        }
        if ($keys === [] && $left !== null && \count($left) > 0) {
            $keys = [(string) array_key_first($left->members)];
        }
        if ($keys !== []) {
            $detail = 'is not known here, or not with this value';
            throw new ResultError(ResultError::UNKNOWN_FIELD, $this->at($keys), $detail);
        }
    }

    /**
     * The refusal of a block of no known shape.
     */
    public function unknown(string $known): ResultError
    {
        $detail = "expected a block of a known type: {$known}";
        return new ResultError(ResultError::UNKNOWN_KIND, $this->pointer, $detail);
    }

    /**
     * Whether lax languages would take a value for none: null, false, 0, and what is empty.
     */
    public static function isNothing(mixed $value): bool
    {
        return \in_array($value, [null, false, 0, '', []], true)
            || ($value instanceof JsonObject && \count($value) === 0);
    }

    /**
     * Puts what is made of a member into a field, where it can be made.
     *
     * @param list<string> $field
     * @param list<string> $keys
     * @param \Closure(mixed, string): (Draft|list<Draft>) $read
     * @throws ResultError where it cannot and $strict
     */
    private function takeRead(Draft $draft, array $field, array $keys, \Closure $read, bool $strict): void
    {
        $value = $this->get($keys);
        if ($value === Absent::Value) {
            return;
        }
        try {
            $made = $read($value, $this->at($keys));
        } catch (ResultError $error) {
            if ($strict) {
                throw $error;
            }
            return;
        }
        $this->put($draft, $field, $keys, $made);
    }

    /**
     * Puts a value into a field that is still free; then its member is taken.
     *
     * @param list<string> $field
     * @param list<string> $keys
     */
    private function put(Draft $draft, array $field, array $keys, mixed $value): void
    {
        if ($draft->set($field, $value)) {
            $this->drop($keys);
        }
    }

    /**
     * @param list<string> $keys
     */
    private function at(array $keys): string
    {
        return $this->pointer . Pointer::of($keys);
    }

    /**
     * The value of a JSON text; Absent::Value if there is none and need not be.
     *
     * @param list<string> $keys
     * @throws ResultError
     */
    private function parsed(array $keys, bool $required): mixed
    {
        $text = $this->get($keys);
        if ($text === Absent::Value && !$required) {
            return $text;
        }
        $where = $this->at($keys);
        if (!\is_string($text)) {
            $code = $text === Absent::Value ? ResultError::MISSING_FIELD : ResultError::WRONG_TYPE;
            throw new ResultError($code, $where, 'expected a text that holds JSON');
        }
        try {
            return JsonParser::parse($text, Renderer::WIRE_DEPTH);
        } catch (ResultError $error) {
            $pointer = $where . self::IN_TEXT . $error->pointer;
            throw new ResultError($error->code, $pointer, "in the text: {$error->detail}");
        }
    }

    /**
     * @param list<string> $keys
     */
    private static function less(JsonObject $members, array $keys): JsonObject
    {
        $left = $members->members;
        $first = array_shift($keys);
        $below = $left[$first] ?? null;
        if ($keys === []) {
            unset($left[$first]);
        } elseif ($below instanceof JsonObject) {
            $inner = self::less($below, $keys);
            if (\count($inner) > 0 || \count($below) === 0) {
                $left[$first] = $inner;
            } else {
                unset($left[$first]);
            }
        }
        return new JsonObject($left);
    }

    private static function same(mixed $one, mixed $other): bool
    {
        return Canonical::text($one, Renderer::WIRE_DEPTH) === Canonical::text($other, Renderer::WIRE_DEPTH);
    }
}
