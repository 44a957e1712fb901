<?php

declare(strict_types=1);

namespace Toolresult\Core;

use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\Pointer;
use Toolresult\Core\Runtime\Types;
use Toolresult\Core\Runtime\Value;

/**
 * The explicit conversion of PHP's objects to JSON values, for those who want it.
 */
final class Plain
{
    /**
     * A value as null, bool, int, float, string, list and JsonObject, all the way down.
     *
     * A date with a time becomes RFC 3339 text (Z for UTC), with no, three or six digits of a second,
     * as protobuf's JSON has them; an enumeration with values its value, a value of this package its
     * serialized form, anything else JsonSerializable what it gives, a Traversable the list or object
     * that its keys make. NaN and text that is no UTF-8 are let through; taking the value as a result's
     * data refuses them.
     *
     * @throws ResultError invalid_value for any other object, and too_deep for more than 100 levels
     */
    public static function toPlain(mixed $value): mixed
    {
        return self::convert($value, '', Canonical::MAX_DEPTH);
    }

    private static function convert(mixed $value, string $pointer, int $left): mixed
    {
        if ($value === null || \is_scalar($value) || $value instanceof BigInteger) {
            return $value;
        }
        if ($value instanceof Json) {
            return $value->value();
        }
        if ($value instanceof \DateTimeInterface) {
            return self::moment($value);
        }
        if ($value instanceof \BackedEnum) {
            return $value->value;
        }
        if ($left <= 0) {
            $detail = 'nested deeper than ' . Canonical::MAX_DEPTH . ' levels';
            throw new ResultError(ResultError::TOO_DEEP, $pointer, $detail);
        }
        if ($value instanceof JsonObject || Types::isPlainObject($value) || \is_array($value)) {
            $isObject = \is_object($value) || !array_is_list($value);
            $members = $value instanceof JsonObject ? $value->members : (array) $value;
        } elseif ($value instanceof Value || $value instanceof \JsonSerializable) {
            return self::convert($value->jsonSerialize(), $pointer, $left - 1);
        } elseif ($value instanceof \Traversable) {
            $members = iterator_to_array($value);
            $isObject = !array_is_list($members);
        } else {
            $kind = Pointer::shorten(get_debug_type($value));
            $detail = "there is no rule for {$kind}; turn it into JSON values yourself";
            throw new ResultError(ResultError::INVALID_VALUE, $pointer, $detail);
        }
        foreach ($members as $key => $item) {
            $members[$key] = self::convert($item, $pointer . Pointer::token($key), $left - 1);
        }
        return $isObject ? new JsonObject($members) : $members;
    }

    private static function moment(\DateTimeInterface $moment): string
    {
        return $moment->format(match (true) {
            $moment->format('u') === '000000' => 'Y-m-d\TH:i:sp',
            str_ends_with($moment->format('u'), '000') => 'Y-m-d\TH:i:s.vp',
            default => 'Y-m-d\TH:i:s.up',
        });
    }
}
