"""Checks of texts with a form of their own: base64, timestamps, keys of extensions.

Each takes what was found and returns it as it is, or raises ResultError with an
empty pointer, which the caller completes.
"""

from __future__ import annotations

import base64
import re
from typing import Final

from .errors import INVALID_BASE64, INVALID_KEY, INVALID_TIMESTAMP, ResultError, shorten

_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# With one "=" the last letter carries two unused bits, with two "=" four. They are
# zero in canonical base64 (RFC 4648, 3.5), so that equal bytes have one text.
_LAST_OF_TWO: Final = "AEIMQUYcgkosw048"
_LAST_OF_ONE: Final = "AQgw"
_QUANTUM: Final = 4
_BLOCK: Final = 65536
"""Characters that are looked at together."""

_TIMESTAMP: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?Z"
)
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY: Final = 2
_LAST_HOUR: Final = 23
_LAST_MINUTE: Final = 59

_LABEL: Final = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_NAME: Final = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_KEY: Final = re.compile(rf"({_LABEL}(?:\.{_LABEL})*)/{_NAME}")
_RESERVED: Final = frozenset({"mcp", "modelcontextprotocol"})


def check_base64(text: str) -> str:
    """Standard, padded, canonical base64 (RFC 4648, section 4), or ``invalid_base64``.

    Empty text is the base64 of no bytes.
    """
    end = len(text)
    allowed = None
    if text.endswith("=="):
        end, allowed = end - 2, _LAST_OF_ONE
    elif text.endswith("="):
        end, allowed = end - 1, _LAST_OF_TWO
    if len(text) % _QUANTUM:
        raise ResultError(
            INVALID_BASE64,
            "",
            "the length of base64 is a multiple of four; pad it with '=' and leave out white space",
        )
    if not _of_alphabet(text, end):
        raise ResultError(
            INVALID_BASE64,
            "",
            "only A-Z, a-z, 0-9, '+' and '/' may stand in base64: no line breaks, no data: URI, "
            "not the URL alphabet",
        )
    if allowed is not None and text[end - 1 : end] not in allowed:
        raise ResultError(
            INVALID_BASE64,
            "",
            "the unused bits of the last letter are not zero; encode the bytes again",
        )
    return text


def _of_alphabet(text: str, end: int) -> bool:
    # Piece by piece: a copy of the whole is as large as the picture that it may be.
    return text.isascii() and not any(
        text[start : min(start + _BLOCK, end)].encode("ascii").translate(None, _ALPHABET)
        for start in range(0, end, _BLOCK)
    )


def encode_base64(data: bytes) -> str:
    """Bytes as canonical base64."""
    return base64.b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes:
    """The bytes of a text that :func:`check_base64` let through."""
    return base64.b64decode(text)


def check_timestamp(text: str) -> str:
    """A timestamp of RFC 3339 with upper-case ``T`` and ``Z``, or ``invalid_timestamp``.

    The date must exist (years 0000 to 9999, Gregorian). There is no numeric offset
    (a choice of this mapping). A leap second (``:60``) is refused: hardly any language
    has a type that could hold it.
    """
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise _bad_time(text, "expected the form 2026-07-28T12:00:00Z (RFC 3339, in UTC)")
    year, month, day, hour, minute, second = map(int, match.groups())
    if not 1 <= month <= len(_DAYS):
        raise _bad_time(text, f"there is no month {month}")
    leap = month == _FEBRUARY and ((year % 4 == 0 and year % 100 != 0) or year % 400 == 0)
    if not 1 <= day <= _DAYS[month - 1] + leap:
        raise _bad_time(text, f"there is no day {day} in month {month} of year {year}")
    if hour > _LAST_HOUR or minute > _LAST_MINUTE:
        raise _bad_time(text, "the time of day ends at 23:59:59")
    if second > _LAST_MINUTE:
        raise _bad_time(text, "a minute has the seconds 00 to 59; write a leap second as :59")
    return text


def _bad_time(text: str, what: str) -> ResultError:
    return ResultError(INVALID_TIMESTAMP, "", f"'{shorten(text)}' is no timestamp: {what}")


def check_extension_key(key: str, namespace: str) -> str:
    """A key of extensions or presentation, or ``invalid_key``.

    The form is MCP's: dot-separated labels, a slash, a name; here neither may be
    missing. Refused are the prefixes that any MCP revision reserves (the second
    label, or any but the last, is ``mcp`` or ``modelcontextprotocol``) and
    ``namespace``, which is the mapping's own.
    """
    match = _KEY.fullmatch(key)
    if match is None:
        raise ResultError(
            INVALID_KEY,
            "",
            f"'{shorten(key)}' is no extension key; write labels you own, a slash and a name, "
            "like com.example/review",
        )
    prefix = match[1]
    labels = prefix.split(".")
    if not _RESERVED.isdisjoint({*labels[:-1], *labels[1:2]}):
        raise ResultError(
            INVALID_KEY, "", f"the prefix '{shorten(prefix)}' is reserved by MCP; use your own"
        )
    if prefix == namespace:
        raise ResultError(
            INVALID_KEY, "", f"the prefix '{namespace}' belongs to the mapping; use your own"
        )
    return key
