"""Texts of the spec as PHP: strings that are only strings, comments that are only comments."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import Final

WIDTH: Final = 120
"""Columns that a line has at most: the soft limit of PSR-12."""
_COMMENT: Final = 95
_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"', "$": "\\$"}


def literal(text: str) -> str:
    """A string of PHP. In single quotes nothing has a meaning but the quote and the backslash."""
    if all(_shows(char) for char in text):
        escaped = text.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    body = "".join(
        _ESCAPES.get(char) or (char if _shows(char) else f"\\u{{{ord(char):X}}}") for char in text
    )
    return f'"{body}"'


def literals(text: str, width: int) -> list[str]:
    """A string as several that are to be joined, each of about this many characters."""
    if len(text) <= width:
        return [literal(text)]
    pieces: list[str] = []
    while text:
        cut = text.rfind(" ", 0, width) + 1 if len(text) > width else len(text)
        cut = cut or width
        pieces.append(literal(text[:cut]))
        text = text[cut:]
    return pieces


def doc(*paragraphs: str, indent: int = 0) -> list[str]:
    """A doc comment, one line where it fits; empty paragraphs are left out.

    A paragraph that starts with ``@`` is ours, and is kept whole; nothing of the spec does.
    """
    margin = " " * (4 * indent)
    kept = [one for one in paragraphs if one]
    lines: list[str] = []
    for number, paragraph in enumerate(kept):
        ours = paragraph.startswith("@")
        if number and not (ours and kept[number - 1].startswith("@")):
            lines.append("")
        if ours:
            lines.append(paragraph)
        else:
            lines += textwrap.wrap(
                comment_text(paragraph),
                _COMMENT - len(margin),
                break_long_words=True,
                break_on_hyphens=False,
            )
    if len(lines) == 1 and indent:
        return [f"{margin}/** {lines[0]} */"]
    return [f"{margin}/**", *(f"{margin} * {line}".rstrip() for line in lines), f"{margin} */"]


def comment_text(text: str) -> str:
    """One line of text that cannot end a comment, be a tag in it, or reorder what is read."""
    visible = "".join(
        " " if unicodedata.category(c) in ("Zl", "Zp", "Cc") or c.isspace() else c
        for c in text
        if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")
    )
    line = " ".join(visible.split()).replace("*/", "* /").replace("?>", "? >")
    return line.replace("{@", "{ @").lstrip("@")


def _shows(char: str) -> bool:
    return char == " " or (char.isprintable() and unicodedata.category(char) != "Cs")
