"""A strict parser of JSON text: everything that is lost or bent elsewhere is refused.

The C scanner of the standard library reads the text; a look at the bytes before
it, and hooks in it, notice whatever might be wrong. Only then does a second
parser, without recursion, go through the text from its start to find the first
offence and its place, or that there is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import accumulate
from json import decoder
from typing import Any, Final, NoReturn

from .errors import (
    INVALID_JSON,
    INVALID_NUMBER,
    INVALID_TEXT,
    OUT_OF_RANGE,
    TOO_DEEP,
    WRONG_TYPE,
    ResultError,
    pointer_of,
    shorten,
)
from .numbers import NumberTooLong, integer, settle

PARSE_DEPTH: Final = 200
"""How deep a text may nest: twice what a user value may, since protocols wrap values."""

MAX_BYTES: Final = 128 * 1024 * 1024
"""The longest text that is parsed, in bytes of UTF-8, unless the caller says otherwise."""

# The C scanner of strings; it is not in the type stubs.
_scan_string: Final[Callable[[str, int, bool], tuple[str, int]]] = vars(decoder)["scanstring"]

_INFINITE: Final = float("inf")


class _Suspect(Exception):
    """Something may be wrong; the slow parser decides."""


def parse_json(
    text: bytes | str, *, max_depth: int = PARSE_DEPTH, max_bytes: int | None = MAX_BYTES
) -> Any:
    """The value of a JSON text (RFC 8259): None, bool, int, float, str, list, dict.

    Integers are exact; an integral float below 1e21 is an integer, ``-0.0`` is 0.

    Raises ResultError with the pointer and the byte offset of the first offence:
    ``invalid_json`` (syntax, not UTF-8, a byte order mark, a repeated key),
    ``invalid_number`` (NaN, Infinity, a float that overflows, an integer of more
    than a million digits), ``invalid_text`` (a lone surrogate), ``too_deep`` (more
    than ``max_depth`` levels), ``out_of_range`` (more than ``max_bytes`` bytes; None
    is no bound), ``wrong_type`` (neither a text nor its bytes).
    """
    if not isinstance(text, (bytes, str)):
        kind = shorten(type(text).__qualname__)
        raise ResultError(WRONG_TYPE, "", f"expected a JSON text or its bytes, found {kind}")
    if max_bytes is not None and len(text) > max_bytes:
        raise _too_long(len(text), max_bytes)
    raw, decoded = _both(text)
    if max_bytes is not None and len(raw) > max_bytes:
        raise _too_long(len(raw), max_bytes)
    if not _may_be_too_deep(raw, max_depth) and not _may_have_lone_surrogate(raw):
        try:
            return _DECODER.decode(decoded)
        except (_Suspect, ValueError, RecursionError):
            # ValueError: bad syntax, or an integer above Python's digit limit.
            # RecursionError: little stack was left where the caller stands.
            pass
    return _SlowParser(decoded, max_depth).parse()


def depth_of(raw: bytes) -> int:
    """How deep a JSON text nests: 0 for a scalar, 1 for ``[]``. ``raw`` must be valid."""
    brackets, depth = _without_innermost(_brackets(raw))
    return max(accumulate(brackets.translate(_STEPS), _step, initial=depth))


def _both(text: bytes | str) -> tuple[bytes, str]:
    if isinstance(text, str):
        try:
            return text.encode(), text
        except UnicodeEncodeError:
            # The slow parser finds the place of the surrogate, or what comes before it.
            return text.encode("utf-8", "surrogatepass"), text
    if not isinstance(text, bytes):
        text = bytes(text)
    try:
        return text, text.decode()
    except UnicodeDecodeError as error:
        raise ResultError(
            INVALID_JSON,
            "",
            f"not UTF-8: byte 0x{text[error.start]:02x} at offset {error.start}; "
            "decode the text with its own encoding first",
            offset=error.start,
        ) from None


def _too_long(length: int, most: int) -> ResultError:
    return ResultError(
        OUT_OF_RANGE,
        "",
        f"the text has {length:,} bytes and may have {most:,}; send less, or store it and link it",
    )


# -- a look before parsing ---------------------------------------------------

_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b'"[]{}'))
_ALIKE: Final = bytes.maketrans(b"{}", b"[]")
_ROUNDS: Final = 12
"""Levels that are taken off the innermost brackets before the rest is counted."""
_STEPS: Final = bytes.maketrans(b"[]", b"\x01\x00")
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_PAIR: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


def _brackets(raw: bytes) -> bytes:
    """The brackets outside strings, all as ``[`` and ``]``. Anything at all for invalid JSON."""
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    structure = raw.translate(_ALIKE, _NOT_STRUCTURE).replace(b'""', b"")
    return b"".join(structure.split(b'"')[::2])


def _without_innermost(brackets: bytes) -> tuple[bytes, int]:
    """What is left of the brackets when some levels are taken off, and how many were."""
    depth = 0
    # Most texts are wide and vanish within a few rounds, each faster than counting.
    while depth < _ROUNDS and b"[]" in brackets:
        depth += 1
        brackets = brackets.replace(b"[]", b"")
    return brackets, depth


def _step(depth: int, opening: int) -> int:
    return depth + 1 if opening else depth - 1


def _may_be_too_deep(raw: bytes, max_depth: int) -> bool:
    if raw.count(b"[") + raw.count(b"{") <= max_depth:
        return False
    brackets, depth = _without_innermost(_brackets(raw))
    if len(brackets) + depth <= max_depth:
        return False
    steps = accumulate(brackets.translate(_STEPS), _step, initial=depth)
    return any(level > max_depth for level in steps)


def _may_have_lone_surrogate(raw: bytes) -> bool:
    if b"\\u" not in raw and b"\xed" not in raw:
        return False
    if _RAW_SURROGATE.search(raw):
        return True
    if not _SURROGATE.search(raw):
        return False
    return _SURROGATE.search(_PAIR.sub(b"", raw.replace(b"\\\\", b""))) is not None


_RAW_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf]")
"""What a lone surrogate of a str is under surrogatepass; never in true UTF-8."""


# -- the fast parser ---------------------------------------------------------


def _float(text: str) -> int | float:
    value = float(text)
    if value in (_INFINITE, -_INFINITE):
        raise _Suspect
    return settle(value)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Suspect
    return members


def _constant(_name: str) -> NoReturn:
    raise _Suspect


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_float, parse_constant=_constant
)


# -- the slow parser ---------------------------------------------------------

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_NUMBER: Final = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD: Final = re.compile(r"-?[A-Za-z]+")
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_NOT_NUMBERS: Final = frozenset({"NaN", "Infinity", "-Infinity", "-NaN"})


class _SlowParser:
    """One pass from the start, with its own stack, that stops at the first offence."""

    def __init__(self, text: str, max_depth: int) -> None:
        self._text = text
        self._max_depth = max_depth
        self._stack: list[dict[str, Any] | list[Any]] = []
        self._path: list[str | int] = []
        """One step per container on the stack: the member that is being read."""

    def parse(self) -> Any:
        if self._text.startswith("\ufeff"):
            self._fail(INVALID_JSON, 0, "a byte order mark is not allowed; remove it")
        position = self._skip(0)
        while True:
            value, position, complete = self._value(position)
            if not complete:
                continue
            position, done = self._attach(value, position)
            if done:
                if position != len(self._text):
                    self._fail(INVALID_JSON, position, "nothing may follow the value")
                return value if not self._root else self._root[0]

    _root: tuple[Any, ...] = ()

    def _value(self, position: int) -> tuple[Any, int, bool]:
        """A scalar or an empty container; of a container with members, only its start."""
        char = self._text[position : position + 1]
        if char == '"':
            value, position = self._string(position)
            return value, self._skip(position), True
        if char in ("{", "["):
            if len(self._stack) >= self._max_depth:
                self._fail(TOO_DEEP, position, f"nested deeper than {self._max_depth} levels")
            start, position = position, self._skip(position + 1)
            closing = "}" if char == "{" else "]"
            if self._text.startswith(closing, position):
                return ({} if char == "{" else []), self._skip(position + 1), True
            if char == "[":
                self._stack.append([])
                self._path.append(0)
                return None, position, False
            self._stack.append({})
            return None, self._name(position, start), False
        return self._scalar(position)

    def _scalar(self, position: int) -> tuple[Any, int, bool]:
        match = _NUMBER.match(self._text, position)
        if match:
            value = self._number(match)
            return value, self._skip(match.end()), True
        word = _WORD.match(self._text, position)
        if word and word.group() in _WORDS:
            return _WORDS[word.group()], self._skip(word.end()), True
        if word and word.group() in _NOT_NUMBERS:
            self._fail(INVALID_NUMBER, position, f"{word.group()} is no JSON number; use null")
        if position >= len(self._text):
            self._fail(INVALID_JSON, position, "the text ends where a value should be")
        self._fail(INVALID_JSON, position, f"expected a value, found {self._found(position)}")

    def _number(self, match: re.Match[str]) -> int | float:
        whole, fraction, exponent = match.groups()
        if fraction is None and exponent is None:
            try:
                return integer(whole)
            except NumberTooLong as error:
                self._fail(INVALID_NUMBER, match.start(), f"{error}; send it as a string")
        value = float(match.group())
        if value in (_INFINITE, -_INFINITE):
            self._fail(
                INVALID_NUMBER,
                match.start(),
                f"{shorten(match.group())} is beyond a double; send it as a string",
            )
        return settle(value)

    def _string(self, position: int) -> tuple[str, int]:
        try:
            value, end = _scan_string(self._text, position + 1, True)
        except json.JSONDecodeError as error:
            # A surrogate that comes before the fault is not looked for: bad syntax
            # makes the whole string unreadable.
            self._fail(INVALID_JSON, error.pos, f"bad string: {_told(error)}")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                self._fail(INVALID_TEXT, position, "a lone surrogate is no text; replace it")
        return value, end

    def _name(self, position: int, opened: int) -> int:
        """Reads a member's name and colon; the position of its value."""
        members = self._stack[-1]
        if not self._text.startswith('"', position):
            self._fail(
                INVALID_JSON,
                position,
                f"expected a key in quotes, found {self._found(position)}"
                f" (the object starts at offset {opened})"
                if opened >= 0
                else f"expected a key in quotes, found {self._found(position)}",
            )
        start = position
        self._path.append("")
        try:
            name, position = _scan_string(self._text, position + 1, True)
        except json.JSONDecodeError as error:
            self._path.pop()
            self._fail(INVALID_JSON, error.pos, f"bad key: {_told(error)}")
        self._path[-1] = name
        if not name.isascii():
            try:
                name.encode()
            except UnicodeEncodeError:
                self._fail(INVALID_TEXT, start, "a lone surrogate is no text; replace it")
        if name in members:
            self._fail(INVALID_JSON, start, f'the key "{shorten(name)}" is there twice')
        position = self._skip(position)
        if not self._text.startswith(":", position):
            self._fail(INVALID_JSON, position, f"expected ':', found {self._found(position)}")
        return self._skip(position + 1)

    def _attach(self, value: Any, position: int) -> tuple[int, bool]:
        """Puts a complete value where it belongs and closes what it completes."""
        while self._stack:
            container = self._stack[-1]
            step = self._path[-1]
            closing = "]"
            if isinstance(container, list):
                container.append(value)
            else:
                assert isinstance(step, str)
                container[step] = value
                closing = "}"
            if self._text.startswith(",", position):
                position = self._skip(position + 1)
                if isinstance(container, list):
                    self._path[-1] = len(container)
                    return position, False
                self._path.pop()
                return self._name(position, -1), False
            if not self._text.startswith(closing, position):
                self._fail(
                    INVALID_JSON,
                    position,
                    f"expected ',' or '{closing}', found {self._found(position)}",
                )
            position = self._skip(position + 1)
            self._stack.pop()
            self._path.pop()
            value = container
        self._root = (value,)
        return position, True

    def _skip(self, position: int) -> int:
        match = _SPACE.match(self._text, position)
        return match.end() if match else position

    def _found(self, position: int) -> str:
        char = self._text[position : position + 1]
        return f"'{shorten(char)}'" if char else "the end of the text"

    def _fail(self, code: str, position: int, message: str) -> NoReturn:
        before = self._text[:position]
        line = before.count("\n") + 1
        column = position - (before.rfind("\n") + 1) + 1
        raise ResultError(
            code,
            pointer_of(self._path),
            f"{message} (line {line}, column {column})",
            offset=len(before.encode("utf-8", "surrogatepass")),
        )


def _told(error: json.JSONDecodeError) -> str:
    """What is wrong, without the words that lead to a place, which is told anyway."""
    return error.msg.removesuffix(" at").removesuffix(" starting")
