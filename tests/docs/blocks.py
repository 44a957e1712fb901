"""The fenced blocks of a document, and what running one of them should print.

- ``console``: lines that begin with ``$ `` are commands, what follows is their output.
- ``python``: a script; a ``text`` block right after it is its output, else it prints nothing.
- ``json title=NAME`` (any language): the file NAME, for the blocks after it.

A line ``...`` in an output stands for any lines. A comment ``<!-- setup: CODE -->`` is Python
that a reader needs no sight of, run before the block after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w*)[ ]?(.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SETUP = re.compile(r"<!-- setup: (.*?) -->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block. ``line`` is that of its fence, ``output`` what it should print."""

    language: str
    title: str
    text: str
    line: int
    setup: str
    output: str


@dataclass(frozen=True)
class Command:
    """A command of a console block and what it should print, both streams together."""

    text: str
    output: str


def blocks_of(document: Path) -> list[Block]:
    """The blocks in order; an output is part of the block that prints it."""
    text = document.read_text(encoding="utf-8")
    found: list[Block] = []
    end = 0
    for match in _FENCE.finditer(text):
        between, end = text[end : match.start()], match.end()
        language, attributes, body = match.groups()
        if language == "text" and found and found[-1].language == "python" and not between.strip():
            last = found.pop()
            found.append(Block("python", "", last.text, last.line, last.setup, body))
            continue
        title = attributes.removeprefix("title=") if attributes.startswith("title=") else ""
        setup = "\n".join(_SETUP.findall(between))
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(language, title, body, line, setup, ""))
    return found


def commands_of(block: Block) -> Iterator[Command]:
    """The commands of a console block; one that ends in a backslash goes on below."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"line {block.line}: an output before the first command"
    for part in parts[1:]:
        lines = part.splitlines(keepends=True)
        last = next(n for n, line in enumerate(lines) if not line.endswith("\\\n"))
        yield Command("".join(lines[: last + 1]).strip(), "".join(lines[last + 1 :]))


def matches(expected: str, printed: str) -> bool:
    """Whether an output is what the document says, line by line but for ``...``."""
    pattern = "".join(
        "(?:.*\n)*" if line == "..." else re.escape(line) + "\n"
        for line in expected.rstrip("\n").split("\n")
    )
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None
