"""The fenced blocks of the documents, and how they are run.

```console``` blocks hold commands after ``$ `` and what they print (stdout and stderr together).
A line ``...`` stands for any lines. ```python``` blocks are doctests where they hold ``>>> ``, else
programs; those of a page share their names. A block whose first line is a comment that names a file
is that file, and written before the commands after it. A command that serves runs on while the
rest of the page is run (``served.py``). Nothing else is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))

_NAMED = re.compile(r"# ((?:spec|adapters)/[a-z0-9_./-]+|[a-z_]+\.py)\n")
_FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block. ``line`` is that of its first line, from 1."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The file that the block is, if it is one: a path from the folder of the reader."""
        named = _NAMED.match(self.text)
        return named[1] if named is not None else None

    @property
    def name(self) -> str:
        """For people and for the ids of tests."""
        return f"{self.page.name}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A command of a console block, and what it is to print."""

    text: str
    expected: str


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 2
        yield Block(page, line, match[1], match[2])


def commands(block: Block) -> tuple[Command, ...]:
    """The commands of a console block. Raises ValueError for output before any command."""
    found: list[list[str]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append([line[2:]])
        elif not found:
            raise ValueError(f"{block.name}: output without a command")
        else:
            found[-1].append(line)
    return tuple(Command(first, "\n".join(rest)) for first, *rest in found)


def matches(expected: str, printed: str) -> bool:
    """Whether a text is what was expected, where a line ``...`` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
        for line in expected.splitlines()
    )
    ended = printed if printed.endswith("\n") or not printed else printed + "\n"
    return re.fullmatch(pattern, ended) is not None
