<?php

declare(strict_types=1);

namespace Toolresult\Core;

use Toolresult\Core\Runtime\Numbers;

/**
 * An integer that PHP's own do not reach, with every digit.
 *
 * Made by BigInteger::of, which gives a plain int where one is enough: so no integer has two forms.
 */
final readonly class BigInteger implements \Stringable
{
    private function __construct(public string $digits)
    {
    }

    /**
     * The integer that decimal digits show, perhaps with a minus before them.
     *
     * @throws ResultError invalid_number for a text that shows none, or one of over a million digits
     */
    public static function of(string $digits): int|self
    {
        if (preg_match('/\A-?[0-9]++\z/', $digits) !== 1) {
            throw new ResultError(ResultError::INVALID_NUMBER, '', 'expected decimal digits');
        }
        $minus = $digits[0] === '-' ? '-' : '';
        $bare = ltrim($minus === '' ? $digits : substr($digits, 1), '0');
        if (\strlen($bare) > Numbers::MAX_DIGITS) {
            throw new ResultError(ResultError::INVALID_NUMBER, '', Numbers::TOO_LONG);
        }
        if ($bare === '') {
            return 0;
        }
        $small = (int) ($minus . $bare);
        return (string) $small === $minus . $bare ? $small : new self($minus . $bare);
    }

    public function isNegative(): bool
    {
        return $this->digits[0] === '-';
    }

    public function __toString(): string
    {
        return $this->digits;
    }
}
