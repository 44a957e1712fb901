"""Texts of the spec as TypeScript: literals, template texts, comments."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Final

_WIDTH: Final = 100
_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_HIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that are escaped: they are not seen, or reorder what is."""


def literal(text: str) -> str:
    """A string literal with the quotes that prettier prefers: double, unless more are inside."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(_escaped(c, quote) for c in text) + quote


def template(text: str) -> str:
    """The text as it stands in a template literal."""
    return "".join(_escaped(c, "`") for c in text).replace("${", "\\${")


def _escaped(character: str, quote: str) -> str:
    if character == quote:
        return "\\" + character
    if character in _ESCAPES:
        return _ESCAPES[character]
    if unicodedata.category(character) in _HIDDEN:
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\u{{{code:x}}}"
    return character


def constant(value: object) -> str:
    """A JSON value as an expression; one that holds others is parsed, so that it is a call."""
    import json

    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value}n" if abs(value) >= 2**53 else str(value)
    if isinstance(value, float):
        return json.dumps(value).replace("e+", "e")
    if isinstance(value, str):
        return literal(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"JSON.parse({literal(text)})"


def comment(text: str | Sequence[str], indent: int = 0) -> list[str]:
    """A doc comment of one paragraph or several, wrapped, at an indentation in levels."""
    paragraphs = [text] if isinstance(text, str) else list(text)
    margin = "  " * indent
    plain = [doc_text(one) for one in paragraphs]
    if len(plain) == 1 and len(margin) + len(plain[0]) + len("/**  */") <= _WIDTH:
        return [f"{margin}/** {plain[0]} */"]
    lines: list[str] = []
    width = _WIDTH - len(margin) - len(" * ")
    for one in plain:
        wrapped = textwrap.wrap(one, width, break_long_words=False, break_on_hyphens=False)
        lines += (
            [f"{margin} * {line}" for line in wrapped]
            if not lines
            else [
                f"{margin} *",
                *(f"{margin} * {line}" for line in wrapped),
            ]
        )
    return [f"{margin}/**", *lines, f"{margin} */"]


def doc_text(text: str) -> str:
    """One line of text that cannot end a comment, start a tag in it or reorder what is read."""
    visible = "".join(
        " " if unicodedata.category(c) in ("Zl", "Zp", "Cc") or c.isspace() else c
        for c in text
        if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")
    )
    line = " ".join(visible.split()).replace("``", "`")
    return line.replace("*/", "* /").replace("{@", "{ @")
