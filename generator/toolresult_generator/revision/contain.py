"""Whether one schema allows all that another allows: yes, no, or not known.

Decided by jsonschema-rs on canonical schemas. What it cannot decide stays undecided here too, and
so does what takes it too long: a schema of somebody else's may be made for that.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from enum import Enum
from typing import Any

from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Ref

MOST_SECONDS = 1.0
"""For one question."""
MOST_SECONDS_LOST = 2.0
"""On questions that were given up, in one run; after that none is asked any more."""


_MOST_TO_START = 20.0


class Answer(Enum):
    """Three values: nobody may take UNKNOWN for YES."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Oracle:
    """Asks the library in a process of its own, which is ended where it does not answer."""

    def __init__(self, seconds: float = MOST_SECONDS, lost: float = MOST_SECONDS_LOST) -> None:
        self._seconds = seconds
        self._left = self._lost = lost
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()
        self._listener: threading.Thread | None = None
        self._known: dict[str, Answer] = {}

    def covers(self, wide: dict[str, Any], narrow: dict[str, Any]) -> Answer:
        """Whether every value that ``narrow`` allows is allowed by ``wide`` too. Draft 2020-12."""
        question = json.dumps([wide, narrow], sort_keys=True)
        if question not in self._known:
            self._known[question] = self._asked(question)
        return self._known[question]

    def _asked(self, question: str) -> Answer:
        if self._left <= 0:
            return Answer.UNKNOWN
        began = time.monotonic()
        try:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            told = self._answers.get(timeout=self._seconds)
        except (OSError, queue.Empty):
            told = ""
        if told not in ("yes", "no", "unknown"):
            self._left -= max(time.monotonic() - began, 0.1)
            self.close()
            return Answer.UNKNOWN
        return Answer(told)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            answers: queue.Queue[str] = queue.Queue()
            self._answers = answers
            path = os.pathsep.join(entry for entry in sys.path if entry)
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.contain_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                env={**os.environ, "PYTHONPATH": path},
            )

            def listen() -> None:
                assert process.stdout is not None
                for line in process.stdout:
                    answers.put(line.strip())
                answers.put("")  # it has ended

            self._listener = threading.Thread(target=listen, daemon=True)
            self._listener.start()
            assert process.stdin is not None
            process.stdin.write("[{}, {}]\n")  # what it takes to start is not the question's
            process.stdin.flush()
            answers.get(timeout=_MOST_TO_START)
        return self._process

    def forgive(self) -> None:
        """Starts a run: what an earlier one lost does not count."""
        self._left = self._lost

    def close(self) -> None:
        """Ends the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            if process.stdin is not None:
                with contextlib.suppress(OSError):  # it was full when the process ended
                    process.stdin.close()
            process.wait()
            if self._listener is not None:
                self._listener.join(timeout=1)
            if process.stdout is not None:
                process.stdout.close()


_oracle = Oracle()
atexit.register(_oracle.close)


def covers(wide: dict[str, Any], narrow: dict[str, Any]) -> Answer:
    """Whether every value that ``narrow`` allows is allowed by ``wide`` too. Draft 2020-12."""
    return _oracle.covers(wide, narrow)


def begin() -> None:
    """Starts a run, with all of its time."""
    _oracle.forgive()


def covers_at(wide: Graph, wide_ref: Ref, narrow: Graph, narrow_ref: Ref) -> Answer:
    """As :func:`covers`, for two places."""
    first, second = wide.alone(wide_ref).schema, narrow.alone(narrow_ref).schema
    if json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True):
        return Answer.YES
    return covers(first, second)
