"""Lays a JSON value out in lines, each with the pointer of what stands on it.

The page shows lines and highlights them by pointer; it never parses a value itself, since a
browser would round integers beyond 2^53. Pointers are those of
:mod:`toolresult_generator.proof.places`: a ``#`` says that a text was opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolresult_core.runtime.canonical import canonical
from toolresult_generator.pointers import token
from toolresult_generator.proof.places import TEXT_DEPTH, opened_text

LONGEST_TEXT = 2_000
"""Characters of one scalar that are shown."""
MOST_LINES = 4_000
"""Lines of one value that are shown."""


@dataclass(frozen=True)
class Line:
    """One line of a value."""

    depth: int
    pointer: str
    text: str
    opens_text: bool = False
    """What follows stands as JSON inside of a string."""


def lay_out(value: Any) -> tuple[Line, ...]:
    """The lines of a value; what is beyond a readable length is counted, not shown."""
    lines: list[Line] = []
    left_out = 0
    for line in _lines(value, "", 0, "", "", 0):
        if len(lines) < MOST_LINES:
            lines.append(line)
        else:
            left_out += 1
    if left_out:
        lines.append(Line(0, "", f"… {left_out} more lines"))
    return tuple(lines)


def walk(value: Any, pointer: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every value inside of a value with its pointer, texts that hold JSON opened."""
    yield pointer, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, f"{pointer}/{token(key)}", depth)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from walk(inner, f"{pointer}/{number}", depth)
    elif isinstance(value, str) and depth < TEXT_DEPTH:
        opened = opened_text(value)
        if opened is not None:
            yield from walk(opened[0], f"{pointer}#", depth + 1)


def _lines(
    value: Any, pointer: str, depth: int, before: str, after: str, opened: int
) -> Iterator[Line]:
    if isinstance(value, dict) and value:
        yield Line(depth, pointer, f"{before}{{")
        last = len(value) - 1
        for number, (key, inner) in enumerate(value.items()):
            comma = "" if number == last else ","
            name = f"{_quoted(key)}: "
            below = f"{pointer}/{token(key)}"
            yield from _lines(inner, below, depth + 1, name, comma, opened)
        yield Line(depth, pointer, f"}}{after}")
    elif isinstance(value, list) and value:
        yield Line(depth, pointer, f"{before}[")
        last = len(value) - 1
        for number, inner in enumerate(value):
            comma = "" if number == last else ","
            yield from _lines(inner, f"{pointer}/{number}", depth + 1, "", comma, opened)
        yield Line(depth, pointer, f"]{after}")
    else:
        inside = opened_text(value) if isinstance(value, str) and opened < TEXT_DEPTH else None
        if inside is not None:
            yield Line(depth, pointer, f'{before}"', opens_text=True)
            yield from _lines(inside[0], f"{pointer}#", depth + 1, "", "", opened + 1)
            yield Line(depth, pointer, f'"{after}')
        else:
            yield Line(depth, pointer, f"{before}{_clipped(_quoted(value))}{after}")


def _quoted(value: Any) -> str:
    try:
        return canonical(value).decode()
    except ValueError:  # a text may hold JSON that no result can hold: NaN, half a character
        return json.dumps(value)


def _clipped(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… ({len(text)} characters)"
