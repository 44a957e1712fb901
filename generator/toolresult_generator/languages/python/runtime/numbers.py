"""Numbers as text: the format of ECMAScript for floats, every digit for integers."""

from __future__ import annotations

import decimal
from typing import Final

MAX_DIGITS: Final = 1_000_000
"""The longest integer, in decimal digits.

Converting between binary and decimal costs more than linear time, so an
integer out of an untrusted text needs some bound; this one takes about a second.
"""

_MAX_BITS: Final = 3_321_929
"""Bits above which an integer certainly has more than ``MAX_DIGITS`` digits."""

_PLAIN_BITS: Final = 2048
"""Up to here ``int.__repr__`` works under every ``sys.set_int_max_str_digits``."""

_CHUNK: Final = 600
"""Digits that ``int`` reads under every ``sys.set_int_max_str_digits``."""

_INTEGRAL_BELOW: Final = 1e21
"""ECMAScript writes integral numbers below this without an exponent."""


class NumberTooLong(ValueError):
    """An integer of more than :data:`MAX_DIGITS` digits."""

    def __init__(self) -> None:
        super().__init__(f"an integer may have at most {MAX_DIGITS:,} digits")


def integer_text(value: int) -> str:
    """All decimal digits of ``value``. Raises NumberTooLong."""
    bits = value.bit_length()
    if bits <= _PLAIN_BITS:
        return int.__repr__(value)
    if bits > _MAX_BITS:
        raise NumberTooLong
    text = _long_text(abs(value), bits)
    if len(text) > MAX_DIGITS:
        raise NumberTooLong
    return f"-{text}" if value < 0 else text


def _long_text(value: int, bits: int) -> str:
    # CPython's own conversion is quadratic and stops at 4300 digits. Halving, and
    # multiplying as decimals (number-theoretic transform), is neither.
    context = decimal.Context(
        prec=decimal.MAX_PREC,
        Emax=decimal.MAX_EMAX,
        Emin=decimal.MIN_EMIN,
        traps=[decimal.Inexact, decimal.InvalidOperation],
    )
    two = decimal.Decimal(2)
    powers: dict[int, decimal.Decimal] = {}

    def power(exponent: int) -> decimal.Decimal:
        if exponent not in powers:
            powers[exponent] = context.power(two, exponent)
        return powers[exponent]

    def convert(part: int, width: int) -> decimal.Decimal:
        if width <= _PLAIN_BITS:
            return decimal.Decimal(part)
        half = width >> 1
        high, low = part >> half, part & ((1 << half) - 1)
        return context.add(
            context.multiply(convert(high, width - half), power(half)), convert(low, half)
        )

    return format(convert(value, bits), "f")


def integer(text: str) -> int:
    """The integer that ``text`` (ASCII digits, perhaps a minus) shows. Raises NumberTooLong."""
    if len(text) <= _CHUNK:
        return int(text)
    negative = text[0] == "-"
    digits = text[1:] if negative else text
    if len(digits) > MAX_DIGITS:
        raise NumberTooLong
    powers: dict[int, int] = {}

    def convert(start: int, end: int) -> int:
        if end - start <= _CHUNK:
            return int(digits[start:end])
        low = (end - start) >> 1
        if low not in powers:
            powers[low] = 5**low
        middle = end - low
        return ((convert(start, middle) * powers[low]) << low) + convert(middle, end)

    value = convert(0, len(digits))
    return -value if negative else value


def float_text(value: float) -> str:
    """A finite float in the format of ECMAScript's Number::toString (RFC 8785, 3.2.2.3)."""
    if value.is_integer() and -_INTEGRAL_BELOW < value < _INTEGRAL_BELOW:
        return int.__repr__(int(value))
    text = float.__repr__(value)
    mantissa, found, exponent = text.partition("e-")
    if not found:
        # Python and ECMAScript agree: the shortest digits, and 1e+21 from there on.
        return text
    places = int(exponent)
    if places > 6:
        return f"{mantissa}e-{places}"
    sign = "-" if mantissa[0] == "-" else ""
    digits = mantissa.lstrip("-").replace(".", "")
    return f"{sign}0.{'0' * (places - 1)}{digits}"


def settle(value: float) -> int | float:
    """The integer that ``value`` is, or ``value`` itself (``-0.0`` is 0, ``1e20`` an integer)."""
    if value.is_integer() and -_INTEGRAL_BELOW < value < _INTEGRAL_BELOW:
        return int(value)
    return value
