"""A small writer of Python lines with indentation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Code:
    """Lines of Python. Layout is the formatter's; only indentation is kept right here."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def line(self, text: str) -> None:
        """One line at the current depth."""
        self.lines.append("    " * self._depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement; an empty body becomes ``pass``."""
        self.line(head)
        self._depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._depth -= 1

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)
