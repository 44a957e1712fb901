"""Lays out TypeScript as prettier does (printWidth 100, otherwise defaults).

The algorithm is that of prettier, after Wadler's "A prettier printer": a group stands on one line
where it fits, else all of its lines break. Emitted text is so from the start, and generating needs
no Node; a test holds it against prettier itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

WIDTH: Final = 100
_INDENT: Final = 2


@dataclass(frozen=True)
class Line:
    """A line break where the group around breaks; else a blank, or nothing if it is soft."""

    soft: bool = False


@dataclass(frozen=True)
class Indent:
    """What is indented by one level where it breaks."""

    doc: Doc


@dataclass(frozen=True)
class Group:
    """What stands on one line if it fits; with ``broken`` it never does."""

    doc: Doc
    broken: bool = False


@dataclass(frozen=True)
class IfBreak:
    """A text that stands there only where the group around breaks."""

    text: str


Doc: TypeAlias = "str | Line | Indent | Group | IfBreak | tuple[Doc, ...]"

LINE: Final = Line()
SOFT: Final = Line(soft=True)


def join(separator: Doc, docs: Iterable[Doc]) -> tuple[Doc, ...]:
    """The docs with the separator between them."""
    joined: list[Doc] = []
    for doc in docs:
        if joined:
            joined.append(separator)
        joined.append(doc)
    return tuple(joined)


def listed(opening: str, docs: Sequence[Doc], closing: str, *, broken: bool = False) -> Doc:
    """A list with commas: arguments, parameters, an array."""
    if not docs:
        return opening + closing
    inside = (SOFT, join((",", LINE), docs))
    return Group((opening, Indent(inside), IfBreak(","), SOFT, closing), broken or _is_broken(docs))


def call(function: Doc, arguments: Sequence[Doc]) -> Doc:
    """A call. No argument may be an array, an object or a function that stands last."""
    return (function, listed("(", arguments, ")"))


def array(items: Sequence[Doc], *, broken: bool = False) -> Doc:
    """An array; ``broken`` for arrays of several arrays of several items, as prettier has it."""
    return listed("[", items, "]", broken=broken)


def assignment(left: str, right: Doc) -> Doc:
    """``left = right;``: what does not fit goes to the next line."""
    return Group((left, " =", Group(Indent((LINE, right))), ";"))


def condition(test: Doc, *, negated: bool = False) -> Doc:
    """A test in parentheses, as after ``if``; the parentheses of a negation hug its own."""
    if negated:
        return ("(", test, ")")
    return Group(("(", Indent((SOFT, test)), SOFT, ")"))


def negation(test: Doc) -> Doc:
    """A test of several parts that does not hold."""
    return ("!", Group(("(", Indent((SOFT, test)), SOFT, ")")))


def _is_broken(docs: Iterable[Doc]) -> bool:
    """Whether something inside breaks whatever the width, and so all around it."""
    for doc in docs:
        if isinstance(doc, Group) and (doc.broken or _is_broken((doc.doc,))):
            return True
        if isinstance(doc, Indent) and _is_broken((doc.doc,)):
            return True
        if isinstance(doc, tuple) and _is_broken(doc):
            return True
    return False


_Command: TypeAlias = "tuple[int, bool, Doc]"
"""Indentation, whether lines break, and what is to be printed."""


def lay_out(doc: Doc, indent: int = 0) -> list[str]:
    """The lines of a statement at an indentation (in levels), without line ends."""
    start = indent * _INDENT
    lines, column = [" " * start], start
    waiting: list[_Command] = [(start, True, doc)]
    while waiting:
        at, breaks, one = waiting.pop()
        if isinstance(one, str):
            lines[-1] += one
            column += _width(one)
        elif isinstance(one, tuple):
            waiting += [(at, breaks, part) for part in reversed(one)]
        elif isinstance(one, Indent):
            waiting.append((at + _INDENT, breaks, one.doc))
        elif isinstance(one, Group):
            flat = not one.broken and _fits(one.doc, waiting, WIDTH - column)
            waiting.append((at, not flat, one.doc))
        elif isinstance(one, IfBreak):
            waiting.append((at, breaks, one.text if breaks else ""))
        elif breaks:
            lines[-1] = lines[-1].rstrip(" ")
            lines.append(" " * at)
            column = at
        elif not one.soft:
            lines[-1] += " "
            column += 1
    return lines


def _fits(doc: Doc, rest: Sequence[_Command], left: int) -> bool:
    """Whether a doc fits on the line, with all that follows up to where a line may break."""
    waiting: list[tuple[bool, Doc]] = [(False, doc)]
    following = len(rest)
    while left >= 0:
        if not waiting:
            if following == 0:
                return True
            following -= 1
            _, breaks, one = rest[following]
            waiting.append((breaks, one))
        breaks, one = waiting.pop()
        if isinstance(one, str):
            left -= _width(one)
        elif isinstance(one, tuple):
            waiting += [(breaks, part) for part in reversed(one)]
        elif isinstance(one, Indent):
            waiting.append((breaks, one.doc))
        elif isinstance(one, Group):
            if one.broken and not breaks and following == len(rest):
                return False
            waiting.append((breaks and one.broken, one.doc))
        elif isinstance(one, IfBreak):
            if breaks:
                left -= _width(one.text)
        elif breaks:
            return True
        elif not one.soft:
            left -= 1
    return False


def _width(text: str) -> int:
    """Columns, as prettier counts them: East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1
        for c in text
    )
