"""The one error that construction and parsing raise, and JSON pointers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

INVALID_JSON: Final = "invalid_json"
INVALID_NUMBER: Final = "invalid_number"
INVALID_TEXT: Final = "invalid_text"
INVALID_VALUE: Final = "invalid_value"
TOO_DEEP: Final = "too_deep"
UNKNOWN_FIELD: Final = "unknown_field"
UNKNOWN_KIND: Final = "unknown_kind"
UNKNOWN_CODE: Final = "unknown_code"
UNKNOWN_VERSION: Final = "unknown_version"
MISSING_FIELD: Final = "missing_field"
WRONG_TYPE: Final = "wrong_type"
OUT_OF_RANGE: Final = "out_of_range"
INVALID_BASE64: Final = "invalid_base64"
INVALID_TIMESTAMP: Final = "invalid_timestamp"
INVALID_KEY: Final = "invalid_key"
CONTRADICTION: Final = "contradiction"

CODES: Final = frozenset(
    {
        INVALID_JSON,
        INVALID_NUMBER,
        INVALID_TEXT,
        INVALID_VALUE,
        TOO_DEEP,
        UNKNOWN_FIELD,
        UNKNOWN_KIND,
        UNKNOWN_CODE,
        UNKNOWN_VERSION,
        MISSING_FIELD,
        WRONG_TYPE,
        OUT_OF_RANGE,
        INVALID_BASE64,
        INVALID_TIMESTAMP,
        INVALID_KEY,
        CONTRADICTION,
    }
)
"""Every code that a :class:`ResultError` may have."""

_SHOWN: Final = 200
"""Characters of a pointer that are shown to people; ``pointer`` itself is whole."""


class ResultError(ValueError):
    """A value that is no result, or a text that is no JSON.

    ``code`` is one of :data:`CODES` and stable. ``pointer`` is the JSON pointer
    (RFC 6901) of the first offence, ``""`` for the whole. ``message`` says what
    was expected and what to do. ``offset`` is the byte offset in the UTF-8 text
    where the error was found while parsing, else None.
    """

    def __init__(self, code: str, pointer: str, message: str, *, offset: int | None = None) -> None:
        super().__init__(code, pointer, message)
        self.code = code
        self.pointer = pointer
        self.message = message
        self.offset = offset

    def __str__(self) -> str:
        return f"{shorten(self.pointer) or '(result)'}: {self.code}: {self.message}"

    def __reduce__(self) -> tuple[Callable[..., ResultError], tuple[object, ...]]:
        return _restore, (type(self), self.code, self.pointer, self.message, self.offset)

    def below(self, pointer: str) -> ResultError:
        """The same error, seen from a value that holds this one at ``pointer``."""
        return type(self)(self.code, pointer + self.pointer, self.message, offset=self.offset)


def _restore(
    cls: type[ResultError], code: str, pointer: str, message: str, offset: int | None
) -> ResultError:
    return cls(code, pointer, message, offset=offset)


def token(name: str | int) -> str:
    """One step of a pointer with its slash. A lone surrogate shows as U+FFFD.

    An error must be printable whatever it is about, so no surrogate is let through.
    """
    if isinstance(name, int):
        return f"/{name:d}"
    if not name.isascii():
        name = name.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return "/" + name.replace("~", "~0").replace("/", "~1")


def pointer_of(steps: Iterable[str | int]) -> str:
    """The JSON pointer of a path of member names and indexes."""
    return "".join(map(token, steps))


def shorten(text: str) -> str:
    """``text`` for a message: one line, no control characters, at most 200 characters."""
    if len(text) > _SHOWN:
        text = text[: _SHOWN - 1] + "…"
    if text.isprintable():
        return text
    # Control characters, bidi marks and surrogates must not reach a terminal raw.
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
