<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\ResultError;

/**
 * Numbers as text: the format of ECMAScript for floats, every digit for integers.
 */
final class Numbers
{
    /** The longest integer, in decimal digits, so that every language can have the same bound. */
    public const MAX_DIGITS = 1_000_000;
    public const TOO_LONG = 'an integer may have at most 1,000,000 digits; send it as a string';

    /** ECMAScript writes integral numbers below this without an exponent. */
    private const INTEGRAL_BELOW = 1e21;
    private const INT_BELOW = 9.2e18;

    /**
     * The canonical text of a number.
     *
     * @throws ResultError invalid_number for NaN and the infinities
     */
    public static function text(int|float|BigInteger $value): string
    {
        if (\is_int($value)) {
            return (string) $value;
        }
        return \is_float($value) ? self::floatText($value) : $value->digits;
    }

    /**
     * The integer that a float is, or the float itself: -0.0 is 0, and 1e20 an integer.
     */
    public static function settle(float $value): int|float|BigInteger
    {
        if ($value !== floor($value) || abs($value) >= self::INTEGRAL_BELOW) {
            return $value;
        }
        return abs($value) < self::INT_BELOW ? (int) $value : BigInteger::of(sprintf('%.0F', $value));
    }

    /**
     * The same, of a float that may be anything.
     *
     * @throws ResultError invalid_number
     */
    public static function exactly(float $value): int|float|BigInteger
    {
        if (!is_finite($value)) {
            throw self::notFinite($value);
        }
        return self::settle($value);
    }

    public static function notFinite(float $value): ResultError
    {
        $shown = is_nan($value) ? 'NaN' : 'an infinite float';
        return new ResultError(
            ResultError::INVALID_NUMBER,
            '',
            "{$shown} is no JSON number; send null or a string instead",
        );
    }

    /**
     * Whether a number is below (-1), equal to (0) or above (1) a small integer.
     */
    public static function compare(int|float|BigInteger $value, int $bound): int
    {
        if ($value instanceof BigInteger) {
            return $value->isNegative() ? -1 : 1;
        }
        return $value <=> $bound;
    }

    /**
     * A float in the format of ECMAScript's Number::toString (RFC 8785, 3.2.2.3).
     *
     * @throws ResultError invalid_number
     */
    private static function floatText(float $value): string
    {
        $settled = self::exactly($value);
        if (!\is_float($settled)) {
            return self::text($settled);
        }
        [$minus, $digits, $exponent] = self::shortest($value);
        $count = \strlen($digits);
        if ($exponent < -6 || $exponent >= 21) {
            $rest = substr($digits, 1);
            $sign = $exponent < 0 ? '-' : '+';
            return $minus . $digits[0] . ($rest === '' ? '' : ".{$rest}") . "e{$sign}" . abs($exponent);
        }
        if ($exponent < 0) {
            return $minus . '0.' . str_repeat('0', -$exponent - 1) . $digits;
        }
        return $minus . substr($digits, 0, $exponent + 1) . '.' . substr($digits, $exponent + 1, $count);
    }

    /**
     * The fewest digits that give the float back, and the exponent of the first one.
     *
     * @return array{string, string, int} the minus or nothing, the digits, the exponent
     */
    private static function shortest(float $value): array
    {
        $before = ini_get('serialize_precision');
        if ($before === '-1') {
            $text = (string) json_encode($value);
        } else {
            ini_set('serialize_precision', '-1');
            $text = (string) json_encode($value);
            ini_set('serialize_precision', (string) $before);
        }
        $minus = $text[0] === '-' ? '-' : '';
        [$mantissa, $power] = explode('e', ltrim($text, '-') . 'e0');
        [$whole, $fraction] = explode('.', $mantissa . '.');
        $exponent = (int) $power + \strlen($whole) - 1;
        $all = $whole . $fraction;
        $digits = ltrim($all, '0');
        $exponent -= \strlen($all) - \strlen($digits);
        return [$minus, rtrim($digits, '0'), $exponent];
    }
}
