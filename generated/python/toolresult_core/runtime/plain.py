"""The explicit conversion of Python objects to JSON values, for those who want it."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import uuid
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import Any, Final

from pydantic import BaseModel

from .base import Value
from .canonical import MAX_DEPTH, canonical
from .checks import encode_base64
from .errors import INVALID_VALUE, TOO_DEEP, ResultError, shorten, token
from .json_value import Json

_UTC_OFFSET: Final = "+00:00"


def to_plain(value: object) -> Any:
    """``value`` as None, bool, int, float, str, list and dict, all the way down.

    - A datetime with a zone becomes RFC 3339 text (``Z`` for UTC), with no, three or six digits
      of a second, as protobuf's JSON has them; one without is refused, since nobody could tell
      when it is. Dates and times become ISO 8601 text.
    - A Decimal becomes the text of its exact digits, a UUID its usual text, a path its text.
    - Bytes become base64.
    - An Enum becomes its value, converted in turn.
    - A pydantic model becomes an object by its serialization aliases, a dataclass one by
      its fields, a named tuple one by its names, a value of this package its serialized form.
    - Any other mapping becomes an object; its keys may be strings, enums of them, integers
      and UUIDs, which become text; two keys with one text are refused.
    - Tuples and other sequences of the standard library (list, tuple, deque, range) become
      arrays; sets become arrays in the order of their canonical texts.

    NaN and lone surrogates are let through; taking the value as a result's data refuses them.
    Raises ResultError ``invalid_value`` for any other object and ``too_deep`` for more
    than 100 levels, with the pointer of the place.
    """
    return _convert(value, "", MAX_DEPTH)


def _convert(value: Any, pointer: str, left: int) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if isinstance(value, Enum):
        return _convert(value.value, pointer, left)
    text = _text(value, pointer)
    if text is not None:
        return text
    if isinstance(value, Json):
        return value.value
    # Subclasses of the plain types, NumPy's floats among them.
    for plain in (bool, int, float, str):
        if isinstance(value, plain):
            return plain(value)
    if left <= 0:
        raise ResultError(TOO_DEEP, pointer, f"nested deeper than {MAX_DEPTH} levels")
    members = _members(value)
    if members is not None:
        return _object(members, pointer, left)
    items = _items(value)
    if items is None:
        raise ResultError(
            INVALID_VALUE,
            pointer,
            f"there is no rule for {shorten(kind.__qualname__)}; turn it into JSON values yourself",
        )
    converted = [
        _convert(item, pointer + token(index), left - 1) for index, item in enumerate(items)
    ]
    if isinstance(value, (set, frozenset)):
        converted.sort(key=canonical)
    return converted


def _text(value: Any, pointer: str) -> str | None:
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None or value.utcoffset() is None:
            raise ResultError(
                INVALID_VALUE, pointer, "a datetime without a time zone; add one, such as UTC"
            )
        text = value.isoformat(timespec=_timespec(value))
        return text.removesuffix(_UTC_OFFSET) + "Z" if text.endswith(_UTC_OFFSET) else text
    if isinstance(value, datetime.time):
        return value.isoformat(timespec=_timespec(value))
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ResultError(INVALID_VALUE, pointer, f"{value} is no number; send null")
        return str(value)
    if isinstance(value, (uuid.UUID, PurePath)):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return encode_base64(bytes(value))
    return None


def _timespec(value: datetime.datetime | datetime.time) -> str:
    if value.microsecond == 0:
        return "seconds"
    return "microseconds" if value.microsecond % 1000 else "milliseconds"


def _members(value: Any) -> Mapping[Any, Any] | None:
    if isinstance(value, Value):
        return value.to_value()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="python", by_alias=True)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    return value if isinstance(value, Mapping) else None


def _items(value: Any) -> Any:
    sequences = (list, tuple, set, frozenset, range, collections.deque)
    return value if isinstance(value, sequences) else None


def _object(members: Mapping[Any, Any], pointer: str, left: int) -> dict[str, Any]:
    converted: dict[str, Any] = {}
    for key, item in members.items():
        name = _name(key, pointer)
        below = pointer + token(name)
        if name in converted:
            raise ResultError(INVALID_VALUE, below, "two keys have this text")
        converted[name] = _convert(item, below, left - 1)
    return converted


def _name(key: Any, pointer: str) -> str:
    plain = key.value if isinstance(key, Enum) else key
    if isinstance(plain, str):
        return str(plain)
    if isinstance(plain, (uuid.UUID, int)) and not isinstance(plain, bool):
        return str(plain)
    kind = shorten(type(key).__qualname__)
    raise ResultError(INVALID_VALUE, pointer + token(kind), f"a key may not be of type {kind}")
