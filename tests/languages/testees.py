"""The testees of all languages, as processes that are asked one line after the other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from tests.languages.build import LANGUAGES

PYTHON = (sys.executable, "-m", "toolresult.testee")


class Testee:
    """A testee that runs. Raises AssertionError if it ends or writes no JSON."""

    __test__ = False

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        # what it says on stderr goes to ours, where pytest shows it beside a failure
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdout is not None
        self._lines = iter(self._process.stdout.readline, b"")

    def ask(self, request: Mapping[str, Any]) -> Callable[[], dict[str, Any]]:
        """Asks; what comes back waits for the answer and gives it, its id left out."""
        assert self._process.stdin is not None
        # ASCII escapes: a lone surrogate has no UTF-8
        line = memoryview(json.dumps(request).encode() + b"\n")
        while line:
            line = line[self._process.stdin.write(line) or 0 :]
        return lambda: self._answer(request)

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        answer = next(self._lines, None)
        assert answer is not None, f"{self.name} ended at {request['id']}"
        said = json.loads(answer)
        assert isinstance(said, dict), f"{self.name} answered {said!r}"
        assert said.pop("id") == request["id"], f"{self.name} answered another request"
        assert "fault" not in said, f"{self.name} has a fault: {said['fault']}"
        return said

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            code = self._process.wait(10)
        finally:
            self._process.kill()
            assert self._process.stdout is not None
            self._process.stdout.close()
        assert code == 0, f"{self.name} ended with exit code {code}"


@contextmanager
def all_testees() -> Iterator[list[Testee]]:
    """Python's testee first, then that of every other language."""
    with ExitStack() as stack:
        found = []
        for name, command in (("python", PYTHON), *((one, LANGUAGES[one]()) for one in LANGUAGES)):
            testee = Testee(name, command)
            stack.callback(testee.close)
            found.append(testee)
        yield found
