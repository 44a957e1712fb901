"""Canonical JSON: one text per value, by RFC 8785, with integers of any size exact.

Writing is in two steps. A walk checks what the C encoder would not (types, NaN,
depth) and copies only what the encoder would write differently from RFC 8785:
integral floats, and floats below 1e-4. Then the encoder writes. Whatever is rare
or wrong (keys that sort differently by UTF-16 unit than by code point, integers
of thousands of digits, every offence) goes to a slow writer that finds the exact
place.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from json.encoder import encode_basestring
from math import isfinite
from typing import Any, Final, TypeAlias, cast

from .encoder import ENCODER, Encoder, EncoderRefused
from .errors import (
    INVALID_NUMBER,
    INVALID_TEXT,
    INVALID_VALUE,
    TOO_DEEP,
    ResultError,
    pointer_of,
    shorten,
)
from .frozen import FrozenDict, FrozenList
from .numbers import NumberTooLong, float_text, integer_text, settle

MAX_DEPTH: Final = 100
"""How deep a user value may nest. A scalar is 0, ``[]`` is 1."""

_PLAIN: Final = frozenset({str, int, bool, type(None)})
"""Types that the encoder writes right without a look."""
_STRINGS: Final = {str}
_FLOATS: Final = {float}
_OBJECTS: Final = frozenset({dict, FrozenDict, OrderedDict, defaultdict})
_ARRAYS: Final = frozenset({list, tuple, FrozenList})
_PLAIN_FROM: Final = 1e-4
"""Down to here all encoders write a float that is not integral without an exponent."""
_SHORT: Final = 8
"""Up to here a loop over an array is faster than a set of its types."""
_BMP_END: Final = "\uffff"
_NO_LEAD_OF_FOUR: Final = bytes(set(range(256)) - set(range(0xF0, 0xF5)))
"""Every byte but those that start a character of four bytes in UTF-8."""

_Members: TypeAlias = dict[Any, Any]
_Items: TypeAlias = "list[Any] | tuple[Any, ...]"


def canonical(value: object, *, max_depth: int = MAX_DEPTH) -> bytes:
    """The canonical JSON text of ``value``, in UTF-8.

    Takes None, bool, int, float, str, and dict, list and tuple of these (exact
    types, and OrderedDict and defaultdict). Raises ResultError ``invalid_number``,
    ``invalid_text``, ``invalid_value`` or ``too_deep`` with the pointer of the first
    offence in canonical order. A cycle is ``too_deep``.
    """
    return write_with(ENCODER, value, max_depth)


def write_with(encoder: Encoder, value: object, max_depth: int = MAX_DEPTH) -> bytes:
    """As :func:`canonical`, with the given encoder."""
    kind = type(value)
    walk = _Walk(encoder)
    try:
        if kind in _OBJECTS:
            prepared = walk.members(cast("_Members", value), max_depth)
        elif kind in _ARRAYS:
            prepared = walk.items(cast("_Items", value), max_depth)
        else:
            return _SlowWriter(max_depth).write(value)
        text = encoder.encode(prepared, walk.raws)
    except EncoderRefused:
        return _SlowWriter(max_depth).write(value)
    return _SlowWriter(max_depth).write(value) if _sorts_otherwise(text, value) else text


def quote(text: str) -> bytes:
    """``text`` as a JSON string with its quotes, canonically escaped, in UTF-8.

    Raises ResultError ``invalid_text`` for a lone surrogate.
    """
    try:
        return encode_basestring(text).encode()
    except UnicodeEncodeError:
        raise _bad_text("") from None


def number(value: int | float) -> bytes:
    """The canonical text of a number. Raises ResultError ``invalid_number``."""
    return _number_text(value, "").encode()


def exactly(value: float) -> int | float:
    """The integer that a float below 1e21 is, or the float. Raises ``invalid_number``."""
    if value - value != 0:
        raise _bad_float(value, "")
    return settle(value)


def member_order(name: str) -> bytes:
    """The sort key of RFC 8785, 3.2.3: member names by their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


class _Walk:
    """Checks what the encoder does not and rewrites floats; ``raws`` counts the raw texts put in.

    The most frequent types come first, and are told apart by identity: this loop is
    most of the time that construction takes.
    """

    __slots__ = ("_check_keys", "_raw", "raws")

    def __init__(self, encoder: Encoder) -> None:
        self._raw = encoder.raw
        self._check_keys = not encoder.refuses_other_keys
        self.raws = 0

    def members(self, value: _Members, left: int) -> object:
        if left <= 0:
            raise EncoderRefused
        if self._check_keys and value and {*map(type, value)} != _STRINGS:
            raise EncoderRefused
        copy: _Members | None = None
        for name, item in value.items():
            kind = type(item)
            if kind is str or kind is int or kind is bool or item is None:
                continue
            if kind is float:
                if (1e-4 <= item < 1e21 or -1e21 < item <= -1e-4) and item % 1:
                    continue
                new = self._odd(item)
            elif kind in _OBJECTS:
                new = self.members(item, left - 1)
            elif kind in _ARRAYS:
                new = self.items(item, left - 1)
            else:
                raise EncoderRefused
            if new is not item:
                if copy is None:
                    copy = dict(value)
                copy[name] = new
        return value if copy is None else copy

    def items(self, value: _Items, left: int) -> object:
        if left <= 0:
            raise EncoderRefused
        if len(value) > _SHORT:
            kinds = {*map(type, value)}
            if kinds <= _PLAIN:
                return value
            if kinds == _FLOATS:
                return self._floats(value)
        copy: list[Any] | None = None
        for index, item in enumerate(value):
            kind = type(item)
            if kind is str or kind is int or kind is bool or item is None:
                continue
            if kind in _OBJECTS:
                new = self.members(item, left - 1)
            elif kind is float:
                if (1e-4 <= item < 1e21 or -1e21 < item <= -1e-4) and item % 1:
                    continue
                new = self._odd(item)
            elif kind in _ARRAYS:
                new = self.items(item, left - 1)
            else:
                raise EncoderRefused
            if new is not item:
                if copy is None:
                    copy = list(value)
                copy[index] = new
        return value if copy is None else copy

    def _floats(self, value: _Items) -> object:
        # All in C: a sum is finite only if all are; from 1e21 on floats are integral.
        if (
            isfinite(sum(value))
            and min(map(abs, value)) >= _PLAIN_FROM
            and not any(map(float.is_integer, value))
        ):
            return value
        odd = [
            index
            for index, item in enumerate(value)
            if not (1e-4 <= item < 1e21 or -1e21 < item <= -1e-4) or not item % 1
        ]
        if not odd:
            return value
        copy = list(value)
        for index in odd:
            copy[index] = self._odd(copy[index])
        return copy

    def _odd(self, value: float) -> object:
        """A float that is not certainly written the same everywhere."""
        if value - value != 0:  # NaN or infinite
            raise EncoderRefused
        if value.is_integer():
            return settle(value)
        self.raws += 1
        return self._raw(float_text(value))


def _sorts_otherwise(text: bytes, value: object) -> bool:
    """Whether keys by code point, as encoders sort them, may not be in order of UTF-16 units.

    That takes a character beyond the Basic Multilingual Plane, four bytes of UTF-8, in a key.
    """
    if text.isascii() or not text.translate(None, _NO_LEAD_OF_FOUR):
        return False
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            names = "".join(found)
            if names and max(names) > _BMP_END:
                return True
            waiting.extend(found.values())
        elif isinstance(found, (list, tuple)):
            waiting.extend(found)
    return False


class _SlowWriter:
    """Writes piece by piece in canonical order, and so finds the first offence."""

    def __init__(self, max_depth: int) -> None:
        self._max_depth = max_depth
        self._path: list[str | int] = []
        self._out: list[str] = []

    def write(self, value: object) -> bytes:
        self._value(value)
        return "".join(self._out).encode()

    def _value(self, value: object) -> None:
        kind = type(value)
        if kind is str:
            self._out.append(self._text(cast("str", value)))
        elif value is None:
            self._out.append("null")
        elif kind is bool:
            self._out.append("true" if value else "false")
        elif kind is int or kind is float:
            self._out.append(_number_text(cast("float", value), pointer_of(self._path)))
        elif kind in _OBJECTS:
            self._members(cast("_Members", value))
        elif kind in _ARRAYS:
            self._items(cast("_Items", value))
        else:
            raise _bad_value(value, pointer_of(self._path))

    def _members(self, value: _Members) -> None:
        self._enter()
        for name in value:
            # Without order among them, the first one found is the first offence.
            if type(name) is not str:
                raise _bad_name(name, pointer_of(self._path))
        separator = "{"
        for name in sorted(value, key=member_order):
            self._path.append(name)
            self._out.append(f"{separator}{self._text(name)}:")
            separator = ","
            self._value(value[name])
            self._path.pop()
        self._out.append("}" if value else "{}")

    def _items(self, value: _Items) -> None:
        self._enter()
        separator = "["
        for index, item in enumerate(value):
            self._path.append(index)
            self._out.append(separator)
            separator = ","
            self._value(item)
            self._path.pop()
        self._out.append("]" if value else "[]")

    def _enter(self) -> None:
        if len(self._path) >= self._max_depth:
            raise ResultError(
                TOO_DEEP,
                pointer_of(self._path),
                f"nested deeper than {self._max_depth} levels, or within itself; flatten the value",
            )

    def _text(self, text: str) -> str:
        quoted = encode_basestring(text)
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise _bad_text(pointer_of(self._path)) from None
        return quoted


def _number_text(value: int | float, pointer: str) -> str:
    if isinstance(value, float):
        if value - value != 0:
            raise _bad_float(value, pointer)
        return float_text(value)
    try:
        return integer_text(value)
    except NumberTooLong as error:
        raise ResultError(INVALID_NUMBER, pointer, f"{error}; send it as a string") from None


def _bad_float(value: float, pointer: str) -> ResultError:
    return ResultError(
        INVALID_NUMBER, pointer, f"{value} is no JSON number; send null or a string instead"
    )


def _bad_text(pointer: str) -> ResultError:
    return ResultError(
        INVALID_TEXT,
        pointer,
        "a lone surrogate is no text; decode the bytes with another encoding, or replace it",
    )


def _bad_value(value: object, pointer: str) -> ResultError:
    return ResultError(
        INVALID_VALUE,
        pointer,
        f"{_type_name(value)} is no JSON value; convert it yourself or with to_plain()",
    )


def _bad_name(name: object, pointer: str) -> ResultError:
    try:
        shown = str(name)
    except Exception:  # a user's __str__ may do anything
        shown = _type_name(name)
    return ResultError(
        INVALID_VALUE,
        pointer + pointer_of([shown]),
        f"a key must be a string, not {_type_name(name)}; convert it yourself or with to_plain()",
    )


def _type_name(value: object) -> str:
    return shorten(f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins."))
