"""Shows on a terminal what long work is at; says nothing in a pipe or a file."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TextIO


class Progress:
    """A line on stderr that is overwritten, and gone when the work ends. A context manager."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, text: str, done: int | None = None, total: int | None = None) -> None:
        """Show a step; with ``done`` of ``total`` if the work can be counted."""
        if self._shown:
            count = "" if done is None else f" {done}" + ("" if total is None else f"/{total}")
            self._stream.write(f"\r\x1b[K{text}{count} …")
            self._stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
