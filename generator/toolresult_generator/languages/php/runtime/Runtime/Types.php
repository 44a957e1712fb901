<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Absent;
use Toolresult\Core\BigInteger;
use Toolresult\Core\Json;
use Toolresult\Core\JsonMap;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * The types of fields: what each accepts and turns it into.
 *
 * Each function takes what was found, and raises ResultError with a pointer that starts at it.
 */
final class Types
{
    private const SUGGESTIONS = 12;

    public static function string(mixed $value): string
    {
        if (!\is_string($value)) {
            throw self::wrong('a string', $value);
        }
        return mb_check_encoding($value, 'UTF-8') ? $value : throw Canonical::badText();
    }

    public static function nonEmptyString(mixed $value): string
    {
        if ($value === '') {
            throw new ResultError(ResultError::OUT_OF_RANGE, '', 'must not be empty');
        }
        return self::string($value);
    }

    public static function boolean(mixed $value): bool
    {
        return \is_bool($value) ? $value : throw self::wrong('a boolean', $value);
    }

    /**
     * A finite number; an integral float below 1e21 becomes an integer.
     */
    public static function number(
        mixed $value,
        ?int $minimum = null,
        ?int $maximum = null,
    ): int|float|BigInteger {
        if (\is_float($value)) {
            $value = Numbers::exactly($value);
        } elseif (!\is_int($value) && !$value instanceof BigInteger) {
            throw self::wrong('a number', $value);
        }
        if ($minimum !== null && Numbers::compare($value, $minimum) < 0) {
            throw new ResultError(ResultError::OUT_OF_RANGE, '', "expected at least {$minimum}");
        }
        if ($maximum !== null && Numbers::compare($value, $maximum) > 0) {
            throw new ResultError(ResultError::OUT_OF_RANGE, '', "expected at most {$maximum}");
        }
        return $value;
    }

    /**
     * A non-negative integer of any size; an integral float counts as the integer it is.
     */
    public static function count(mixed $value): int|BigInteger
    {
        $found = \is_float($value) ? Numbers::exactly($value) : $value;
        if (!\is_int($found) && !$found instanceof BigInteger) {
            throw self::wrong('a non-negative integer', $value);
        }
        if (Numbers::compare($found, 0) < 0) {
            throw new ResultError(
                ResultError::OUT_OF_RANGE,
                '',
                'expected a non-negative integer, found a negative one',
            );
        }
        return $found;
    }

    public static function timestamp(mixed $value): string
    {
        return \is_string($value) ? Checks::timestamp($value) : throw self::wrong('a string', $value);
    }

    public static function base64(mixed $value): string
    {
        return \is_string($value) ? Checks::base64($value) : throw self::wrong('a string', $value);
    }

    /**
     * A member of an enumeration, or its text.
     *
     * @template T of \BackedEnum
     * @param class-string<T> $enum
     * @return T
     */
    public static function member(mixed $value, string $enum, string $code): \BackedEnum
    {
        if ($value instanceof $enum) {
            return $value;
        }
        $found = $enum::tryFrom(self::string($value));
        if ($found === null) {
            $shown = Pointer::shorten($value);
            $known = self::listed(array_map(static fn (\BackedEnum $one): string => $one->value, $enum::cases()));
            throw new ResultError($code, '', "'{$shown}' is none of {$known}");
        }
        return $found;
    }

    /**
     * @template T of \BackedEnum
     * @param class-string<T> $enum
     * @return list<T>
     */
    public static function choices(mixed $value, string $enum): array
    {
        return self::each($value, static fn (mixed $item): \BackedEnum
            => self::member($item, $enum, ResultError::OUT_OF_RANGE));
    }

    /**
     * A list, each item by a function; a Traversable is taken as well.
     *
     * @template T
     * @param callable(mixed): T $item
     * @return list<T>
     */
    public static function each(mixed $value, callable $item): array
    {
        if (!\is_array($value) || !array_is_list($value)) {
            if (!$value instanceof \Traversable || $value instanceof JsonObject) {
                throw self::wrong('an array', $value);
            }
            $value = iterator_to_array($value, false);
        }
        $items = [];
        foreach ($value as $index => $entry) {
            try {
                $items[] = $item($entry);
            } catch (ResultError $error) {
                throw $error->below("/{$index}");
            }
        }
        return $items;
    }

    /**
     * Any JSON value, null included.
     */
    public static function json(mixed $value): Json
    {
        return Json::of($value instanceof Draft ? $value->toObject() : $value);
    }

    /**
     * Any JSON value, null included, or none.
     */
    public static function optionalJson(mixed $value): Json|Absent
    {
        return $value === Absent::Value ? $value : self::json($value);
    }

    public static function jsonObject(mixed $value): Json
    {
        if ($value === null) {
            throw self::wrong('an object', $value);
        }
        $json = self::json($value);
        return $json->kind() === 'object' ? $json : throw self::wrong('an object', $json->value());
    }

    public static function jsonMap(mixed $value): JsonMap
    {
        $checked = [];
        foreach (self::members($value) as $key => $item) {
            $checked[$key] = self::entry((string) $key, $item);
        }
        return JsonMap::ofChecked($checked);
    }

    /**
     * A map whose keys are extension keys, and in none of the other maps, given by their names.
     *
     * @param array<string, JsonMap> $others
     */
    public static function extensionMap(mixed $value, string $namespace, array $others = []): JsonMap
    {
        $checked = [];
        foreach (self::members($value) as $key => $item) {
            $key = (string) $key;
            try {
                Checks::extensionKey($key, $namespace);
            } catch (ResultError $error) {
                self::key($key);
                throw $error->below(Pointer::token($key));
            }
            foreach ($others as $name => $other) {
                if ($other->has($key)) {
                    throw new ResultError(
                        ResultError::INVALID_KEY,
                        Pointer::token($key),
                        "the key is in '{$name}' as well; a value is for one of the two",
                    );
                }
            }
            $checked[$key] = self::entry($key, $item);
        }
        return JsonMap::ofChecked($checked);
    }

    /**
     * A map that was read, or none for an empty list: what stands for one that is not there.
     *
     * @param JsonMap|array{} $value
     */
    public static function mapOf(JsonMap|array $value): JsonMap
    {
        return $value instanceof JsonMap ? $value : JsonMap::ofChecked([]);
    }

    /**
     * The refusal wrong_type, with the JSON type of what was found, or the PHP type of what is no JSON.
     */
    public static function wrong(string $expected, mixed $found, string $hint = ''): ResultError
    {
        $described = self::described($found);
        return new ResultError(ResultError::WRONG_TYPE, '', "expected {$expected}, found {$described}{$hint}");
    }

    public static function described(mixed $value): string
    {
        return match (true) {
            $value === null => 'null',
            \is_bool($value) => 'a boolean',
            \is_int($value), \is_float($value), $value instanceof BigInteger => 'a number',
            \is_string($value) => 'a string',
            $value instanceof JsonObject, $value instanceof Draft, self::isPlainObject($value) => 'an object',
            \is_array($value) => array_is_list($value) ? 'an array' : 'an object',
            $value instanceof Json => self::described($value->value()),
            default => Pointer::shorten(get_debug_type($value)),
        };
    }

    /**
     * @param list<string> $names
     */
    public static function listed(array $names): string
    {
        $more = \count($names) > self::SUGGESTIONS ? ', …' : '';
        return implode(', ', \array_slice($names, 0, self::SUGGESTIONS)) . $more;
    }

    /**
     * Whether this is a stdClass and nothing derived from it: a class of somebody's own may have
     * members that are not for others, and an array of it has those too.
     *
     * @phpstan-assert-if-true \stdClass $value
     */
    public static function isPlainObject(mixed $value): bool
    {
        return \is_object($value) && $value::class === \stdClass::class;
    }

    /**
     * The members of an object in any of its forms; null for what is none.
     *
     * @return ?array<array-key, mixed>
     */
    public static function membersOf(mixed $value): ?array
    {
        return match (true) {
            $value instanceof JsonObject, $value instanceof Draft => $value->members,
            $value instanceof JsonMap => $value->values,
            self::isPlainObject($value) => (array) $value,
            \is_array($value) && !array_is_list($value) => $value,
            default => null,
        };
    }

    /**
     * @return array<array-key, mixed>
     */
    private static function members(mixed $value): array
    {
        return Canonical::sorted(self::membersOf($value) ?? throw self::wrong('an object', $value));
    }

    /**
     * Refuses a key that is no text.
     *
     * @throws ResultError invalid_text
     */
    public static function key(string $key): void
    {
        if (!mb_check_encoding($key, 'UTF-8')) {
            throw Canonical::badText()->below(Pointer::token($key));
        }
    }

    private static function entry(string $key, mixed $value): Json
    {
        self::key($key);
        try {
            return self::json($value);
        } catch (ResultError $error) {
            throw $error->below(Pointer::token($key));
        }
    }
}
