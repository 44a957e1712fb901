<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\ResultError;

/**
 * The members of an object that is read into a value, one field after the other.
 */
final class Fields
{
    /** @var array<array-key, mixed> */
    private readonly array $members;

    /**
     * @throws ResultError wrong_type if the value is no object, invalid_text for a key that is no text
     */
    public function __construct(mixed $value)
    {
        $this->members = Types::membersOf($value) ?? throw Types::wrong('an object', $value);
        foreach ($this->members as $key => $_) {
            Types::key((string) $key);
        }
    }

    /**
     * The value of a field, by the function of its type.
     *
     * @template T
     * @param callable(mixed): T $type
     * @return T
     * @throws ResultError missing_field, and what the type raises
     */
    public function required(string $name, callable $type): mixed
    {
        if (!\array_key_exists($name, $this->members)) {
            throw new ResultError(
                ResultError::MISSING_FIELD,
                Pointer::token($name),
                "'{$name}' is required and not there",
            );
        }
        return self::at($name, $this->members[$name], $type);
    }

    /**
     * The same of a field that may be absent.
     *
     * @throws ResultError what the type raises
     */
    public function optional(string $name, callable $type, mixed $absent = null): mixed
    {
        return \array_key_exists($name, $this->members)
            ? self::at($name, $this->members[$name], $type)
            : $absent;
    }

    public function has(string $name): bool
    {
        return \array_key_exists($name, $this->members);
    }

    /**
     * The kind of a part, if it is said, has to be this one.
     *
     * @throws ResultError wrong_type, unknown_kind
     */
    public function kind(string $kind): void
    {
        $found = $this->optional('kind', Types::string(...), $kind);
        if ($found !== $kind) {
            throw new ResultError(ResultError::UNKNOWN_KIND, '/kind', "expected '{$kind}'");
        }
    }

    /**
     * The class that the member `kind` names.
     *
     * @param array<string, class-string<Value>> $classes
     * @return class-string<Value>
     * @throws ResultError missing_field, wrong_type, unknown_kind
     */
    public static function classOf(mixed $value, array $classes): string
    {
        $members = Types::membersOf($value) ?? throw Types::wrong('an object', $value);
        $known = Types::listed(array_keys($classes));
        if (!\array_key_exists('kind', $members)) {
            $detail = "'kind' is required; it is one of {$known}";
            throw new ResultError(ResultError::MISSING_FIELD, '/kind', $detail);
        }
        $kind = self::at('kind', $members['kind'], Types::string(...));
        if (!isset($classes[$kind])) {
            $shown = Pointer::shorten($kind);
            $detail = "'{$shown}' is no kind of part; known are {$known}";
            throw new ResultError(ResultError::UNKNOWN_KIND, '/kind', $detail);
        }
        return $classes[$kind];
    }

    /**
     * The members that are no fields are refused, the first in canonical order.
     *
     * @param list<string> $known
     * @throws ResultError unknown_field
     */
    public function done(array $known): void
    {
        $unknown = array_diff_key($this->members, array_flip($known));
        if ($unknown !== []) {
            $name = (string) array_key_first(Canonical::sorted($unknown));
            $shown = Pointer::shorten($name);
            $listed = Types::listed($known);
            throw new ResultError(
                ResultError::UNKNOWN_FIELD,
                Pointer::token($name),
                "'{$shown}' is no field here; known are {$listed}",
            );
        }
    }

    /**
     * A value by the function of its type, with the name of its field before the pointer.
     *
     * @template T
     * @param callable(mixed): T $type
     * @return T
     * @throws ResultError
     */
    public static function at(string $name, mixed $value, callable $type): mixed
    {
        try {
            return $type($value);
        } catch (ResultError $error) {
            throw $error->below(Pointer::token($name));
        }
    }

    /**
     * Exactly one of some fields has to be there.
     *
     * @param array<string, bool> $present whether each is
     * @throws ResultError contradiction
     */
    public static function oneOf(array $present): void
    {
        $found = \count(array_filter($present));
        if ($found !== 1) {
            $names = Types::listed(array_keys($present));
            throw new ResultError(
                ResultError::CONTRADICTION,
                '',
                "exactly one of {$names} must be there, found {$found}",
            );
        }
    }
}
