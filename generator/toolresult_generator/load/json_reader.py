"""Reads strict JSON text with the place of every value.

The library's parser gives no places, so this one cuts the text into tokens and leaves the
decoding of strings and numbers to the library. Grammar: RFC 8259.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from toolresult_generator.findings import Place, quoted
from toolresult_generator.load.builder import Builder, StopLoadingError
from toolresult_generator.load.limits import MAX_DIGITS
from toolresult_generator.load.node import Scalar
from toolresult_generator.load.scalars import ScalarError, finite

_TOKEN = re.compile(
    r"""(?P<mark>[{}\[\]:,])
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9A-Za-z.+-]))
      | (?P<word>(?:true|false|null)(?![0-9A-Za-z_]))""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}


class _Places:
    """Turns an offset into line and column."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    def at(self, offset: int) -> Place:
        line = bisect_right(self._starts, offset)
        return Place(self._file, line, offset - self._starts[line - 1] + 1)


def read_json(text: str, builder: Builder) -> None:
    """Feed the one value of the text to the builder; faults become its findings.

    Raises StopLoadingError where the rest of the text cannot be looked at.
    """
    places = _Places(builder.file, text)
    closers: list[str] = []
    # what may come next: a value, a key, `:`, or `,` and the closer
    expects = "value"
    may_close = False
    offset = 0
    while True:
        space = _SPACE.match(text, offset)
        offset = offset if space is None else space.end()
        if offset == len(text):
            break
        place = places.at(offset)
        match = _TOKEN.match(text, offset)
        if match is None:
            shown = text[offset : offset + 20].split("\n", maxsplit=1)[0]
            raise builder.stop("invalid_json", place, f"not JSON from {quoted(shown)} on")
        token, kind, offset = match[0], match.lastgroup, match.end()
        if kind == "mark" and closers and token == closers[-1] and (expects == "more" or may_close):
            builder.close()
            closers.pop()
            expects, may_close = ("more" if closers else "end"), False
        elif expects == "more" and token == ",":
            expects, may_close = ("key" if closers[-1] == "}" else "value"), False
        elif expects == "key" and kind == "string":
            key = _scalar(token, kind, place, builder)
            builder.scalar(key, token, place)
            expects, may_close = "colon", False
        elif expects == "colon" and token == ":":
            expects = "value"
        elif expects == "value" and token in ("{", "["):
            builder.open(place, is_mapping=token == "{")
            closers.append("}" if token == "{" else "]")
            expects, may_close = ("key" if token == "{" else "value"), True
        elif expects == "value" and kind != "mark":
            builder.scalar(_scalar(token, str(kind), place, builder), token, place)
            expects, may_close = ("more" if closers else "end"), False
        else:
            raise _unexpected(token, expects, place, builder)
    if expects != "end":
        raise builder.stop("invalid_json", places.at(len(text)), "the text ends too early")


def _unexpected(token: str, expects: str, place: Place, builder: Builder) -> StopLoadingError:
    wanted = {
        "value": "a value",
        "key": "a key in quotes",
        "colon": "a colon",
        "more": "a comma or the end of the list or object",
        "end": "the end of the text",
    }[expects]
    return builder.stop("invalid_json", place, f"expected {wanted}, not {quoted(token)}")


def _scalar(token: str, kind: str, place: Place, builder: Builder) -> Scalar:
    if kind == "word":
        return _WORDS[token]
    if kind == "string":
        decoded: str = json.loads(token)
        if _SURROGATE.search(decoded):
            builder.report("invalid_character", place, "a lone surrogate is no text")
            return ""
        return decoded
    if len(token) > MAX_DIGITS:
        builder.report("bad_scalar", place, f"a number has more than {MAX_DIGITS} digits")
        return 0
    try:
        return int(token) if token.lstrip("-").isdigit() else finite(token)
    except ScalarError as error:
        builder.report("bad_scalar", place, str(error))
        return 0
