"""Canonical JSON, piece by piece: for what is rare, and for the place of what is wrong."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import cast

from .errors import (
    INVALID_NUMBER,
    INVALID_TEXT,
    INVALID_VALUE,
    TOO_DEEP,
    ResultError,
    pointer_of,
    shorten,
)
from .numbers import NumberTooLong, float_text, integer_text
from .walk import ARRAYS, OBJECTS, Items, Members


def member_order(name: str) -> bytes:
    """The sort key of RFC 8785, 3.2.3: member names by their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


class SlowWriter:
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
            self._out.append(number_text(cast("float", value), pointer_of(self._path)))
        elif kind in OBJECTS:
            self._members(cast("Members", value))
        elif kind in ARRAYS:
            self._items(cast("Items", value))
        else:
            raise _bad_value(value, pointer_of(self._path))

    def _members(self, value: Members) -> None:
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

    def _items(self, value: Items) -> None:
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
                raise bad_text(pointer_of(self._path)) from None
        return quoted


def number_text(value: int | float, pointer: str) -> str:
    """The text of a number. Raises ResultError ``invalid_number`` with the pointer."""
    if isinstance(value, float):
        if value - value != 0:
            raise bad_float(value, pointer)
        return float_text(value)
    try:
        return integer_text(value)
    except NumberTooLong as error:
        raise ResultError(INVALID_NUMBER, pointer, f"{error}; send it as a string") from None


def bad_float(value: float, pointer: str) -> ResultError:
    """The error for NaN and the infinities."""
    return ResultError(
        INVALID_NUMBER, pointer, f"{value} is no JSON number; send null or a string instead"
    )


def bad_text(pointer: str) -> ResultError:
    """The error for a lone surrogate."""
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
