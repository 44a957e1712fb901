"""A program of another language that does with mappers and stores what it is asked.

It answers each line of JSON with one: ``{"do": …}`` and what the action needs, with bytes in
base64, times in RFC 3339 and members named as Python names them. The answer is ``{"is": …}``, or
says what was raised. `tests.languages.stores` and `tests.languages.mappers` ask it; each language
has one, and a folder of tests that runs it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol


class Driver(Protocol):
    """What answers requests."""

    def ask(self, **request: Any) -> Any:
        """The answer to one request."""


class Process:
    """A driver that runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **request: Any) -> Any:
        """The answer to one request. Raises AssertionError if the program has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the program has ended"
        return json.loads(line)


@contextmanager
def running(command: Sequence[str], cwd: Path) -> Iterator[Process]:
    """A driver, until the end of the block."""
    with subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield Process(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=60)
