<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * Whether a wire value fits a field, and why not.
 */
final readonly class Fits
{
    /**
     * @param string $expected what fits, for people
     * @param string $code the code of what does not
     */
    private function __construct(
        public string $expected,
        private \Closure $check,
        public string $code = ResultError::WRONG_TYPE,
    ) {
    }

    public function fits(mixed $value): bool
    {
        return ($this->check)($value);
    }

    public static function any(): self
    {
        return new self('any value', static fn (mixed $value): bool => true);
    }

    public static function string(): self
    {
        return new self('a string', \is_string(...));
    }

    public static function nonEmpty(): self
    {
        $check = static fn (mixed $value): bool => \is_string($value) && $value !== '';
        return new self('a string that is not empty', $check);
    }

    public static function boolean(): self
    {
        return new self('true or false', \is_bool(...));
    }

    public static function count(): self
    {
        $check = static fn (mixed $value): bool => (\is_int($value) || $value instanceof BigInteger)
            && Numbers::compare($value, 0) >= 0;
        return new self('an integer that is not negative', $check);
    }

    public static function object(): self
    {
        return new self('an object', static fn (mixed $value): bool => $value instanceof JsonObject);
    }

    public static function map(): self
    {
        $check = static fn (mixed $value): bool => $value instanceof JsonObject && \count($value) > 0;
        return new self('an object that is not empty', $check);
    }

    public static function timestamp(): self
    {
        return new self('an RFC 3339 timestamp', self::raisesNothing(Checks::timestamp(...)));
    }

    public static function base64(): self
    {
        $check = self::raisesNothing(Checks::base64(...));
        return new self('standard padded base64', $check, ResultError::INVALID_BASE64);
    }

    /**
     * A number in a range, both ends included; null is no bound.
     */
    public static function between(?int $minimum, ?int $maximum): self
    {
        $check = static fn (mixed $value): bool
            => (\is_int($value) || \is_float($value) || $value instanceof BigInteger)
            && ($minimum === null || Numbers::compare($value, $minimum) >= 0)
            && ($maximum === null || Numbers::compare($value, $maximum) <= 0);
        $from = $minimum ?? 'anything';
        $to = $maximum ?? 'anything';
        return new self("a number from {$from} to {$to}", $check);
    }

    /**
     * A list of some of these names, not empty.
     *
     * @param list<string> $names
     */
    public static function choices(array $names): self
    {
        $check = static function (mixed $value) use ($names): bool {
            if (!\is_array($value) || $value === []) {
                return false;
            }
            foreach ($value as $name) {
                if (!\in_array($name, $names, true)) {
                    return false;
                }
            }
            return true;
        };
        return new self('a list of ' . implode(', ', $names), $check);
    }

    private static function raisesNothing(\Closure $check): \Closure
    {
        return static function (mixed $value) use ($check): bool {
            if (!\is_string($value)) {
                return false;
            }
            try {
                $check($value);
            } catch (ResultError) {
                return false;
            }
            return true;
        };
    }
}
