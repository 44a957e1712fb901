"""Canonical JSON: one text per value, by RFC 8785, with integers of any size exact.

Writing is in two steps. A walk checks what the C encoder would not (types, NaN,
depth) and copies only what the encoder would write differently from RFC 8785.
Then the encoder writes. Whatever is rare or wrong (keys that sort differently by
UTF-16 unit than by code point, integers of thousands of digits, every offence)
goes to a slow writer that finds the exact place.
"""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Final, cast

from .encoder import ENCODER, Encoder, EncoderRefused
from .numbers import settle
from .slow_writer import SlowWriter, bad_float, bad_text, member_order, number_text
from .walk import ARRAYS, OBJECTS, Items, Members, Walk

__all__ = [
    "MAX_DEPTH",
    "canonical",
    "escape",
    "exactly",
    "measured",
    "member_order",
    "number",
    "quote",
    "write_with",
]

MAX_DEPTH: Final = 100
"""How deep a user value may nest. A scalar is 0, ``[]`` is 1."""

_LONG: Final = 65536
"""From here on replacing bytes is faster than an encoder."""
_BMP_END: Final = "\uffff"
_LAST_OF_BMP: Final = (0xEE, 0xEF)
"""What starts U+E000 and above in UTF-8, which sort after all astral characters by unit."""
_ASTRAL: Final = (0xF0, 0xF1, 0xF2, 0xF3, 0xF4)
"""What starts a character beyond the Basic Multilingual Plane in UTF-8."""


def canonical(value: object, *, max_depth: int = MAX_DEPTH) -> bytes:
    """The canonical JSON text of ``value``, in UTF-8.

    Takes None, bool, int, float, str, and dict, list and tuple of these (exact
    types, and OrderedDict and defaultdict). Raises ResultError ``invalid_number``,
    ``invalid_text``, ``invalid_value`` or ``too_deep`` with the pointer of the first
    offence in canonical order. A cycle is ``too_deep``.
    """
    return write_with(ENCODER, value, max_depth)[0]


def measured(value: object) -> tuple[bytes, int | None]:
    """As :func:`canonical`, and how deep it nests, if that was seen on the way."""
    return write_with(ENCODER, value)


def write_with(
    encoder: Encoder, value: object, max_depth: int = MAX_DEPTH
) -> tuple[bytes, int | None]:
    """As :func:`measured`, with the given encoder."""
    kind = type(value)
    walk = Walk(encoder, max_depth)
    prepared: object
    try:
        if kind in OBJECTS:
            prepared = walk.members(cast("Members", value), max_depth)
        elif kind in ARRAYS:
            prepared = walk.items(cast("Items", value), max_depth)
        else:
            return SlowWriter(max_depth).write(value), 0
        text = encoder.encode(prepared, walk.raws)
    except EncoderRefused:
        return SlowWriter(max_depth).write(value), None
    if _sorts_otherwise(text, value):
        text = SlowWriter(max_depth).write(value)
    return text, max_depth - walk.least + 1


def quote(text: str) -> bytes:
    """``text`` as a JSON string with its quotes, canonically escaped, in UTF-8.

    Raises ResultError ``invalid_text`` for a lone surrogate.
    """
    try:
        return encode_basestring(text).encode()
    except UnicodeEncodeError:
        raise bad_text("") from None


def escape(text: bytes) -> bytes:
    """A canonical JSON text escaped to stand inside a JSON string, without the quotes."""
    if len(text) < _LONG:
        return ENCODER.encode(text.decode(), 0)[1:-1]
    # There are no raw control characters in it, so these two are all.
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def number(value: int | float) -> bytes:
    """The canonical text of a number. Raises ResultError ``invalid_number``."""
    return number_text(value, "").encode()


def exactly(value: float) -> int | float:
    """The integer that a float below 1e21 is, or the float. Raises ``invalid_number``."""
    if value - value != 0:
        raise bad_float(value, "")
    return settle(value)


def _sorts_otherwise(text: bytes, value: object) -> bool:
    """Whether keys by code point, as encoders sort them, may not be in order of UTF-16 units.

    That takes a character beyond the Basic Multilingual Plane in a key, and another at its end.
    """
    if text.isascii() or not (
        any(lead in text for lead in _ASTRAL) and any(lead in text for lead in _LAST_OF_BMP)
    ):
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
