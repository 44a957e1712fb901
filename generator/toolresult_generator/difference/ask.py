"""Asks both versions at once what they make of a result, and remembers the answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from toolresult_generator.difference.versions import NEW, OLD
from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.model.target import Plan

_SECONDS = 60
"""For one exchange with one version."""


@dataclass(frozen=True)
class Vector:
    """What is rendered: the canonical text of a serialized result, and options of the request.

    Equal vectors are asked once. Compares by what makes one a better example: shortest first.
    """

    text: str
    options: str = "{}"
    """The options as JSON."""

    @classmethod
    def of(cls, value: Any, options: Mapping[str, Any]) -> Vector:
        """The vector of a serialized result as plain JSON."""
        return cls(_compact(value), _compact(dict(options)))

    @property
    def rank(self) -> tuple[int, str, str]:
        """Sorts vectors: the shortest one shows most."""
        return (len(self.text) + len(self.options), self.options, self.text)

    @property
    def value(self) -> Any:
        """The serialized result, made anew."""
        return json.loads(self.text)

    @property
    def asked(self) -> dict[str, Any]:
        """The options, made anew."""
        options: dict[str, Any] = json.loads(self.options)
        return options


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Outcome:
    """What one version makes of a vector on one plan. See :mod:`.answers` for the kinds."""

    kind: str
    text: str

    @property
    def is_output(self) -> bool:
        """Whether there is an output, be it too long to be held."""
        return self.kind in ("bytes", "digest")


@dataclass(frozen=True)
class Both:
    """The outcomes of both versions."""

    old: Outcome
    new: Outcome

    @property
    def differs(self) -> bool:
        """Whether bytes that there were are others now, or none.

        What the old version refused had no bytes that could change.
        """
        return self.old.is_output and self.new.kind != "hook" and self.new != self.old

    @property
    def is_measured(self) -> bool:
        """Whether both versions could render, or refuse, without an adapter's code."""
        return {"hook", "fault"}.isdisjoint({self.old.kind, self.new.kind}) or self.differs


@dataclass
class Asker:
    """Two processes, one for each version. A context manager.

    ``packages`` are the folders with the generated Python of the old and the new version.
    Raises FindingsError where one ends early or is too slow.
    """

    old: Path
    new: Path
    known: dict[tuple[str, Vector], Both] = field(default_factory=dict)
    """By label: hashing a plan would go through all of its forms."""
    renderings: int = 0
    _children: list[_Child] = field(default_factory=list)

    def __enter__(self) -> Asker:
        self._children = [_Child(OLD, self.old), _Child(NEW, self.new)]
        self._pool = ThreadPoolExecutor(2)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        for child in self._children:
            child.close()

    def ask(self, wanted: Iterable[tuple[Plan, Vector]]) -> None:
        """Make sure that :meth:`both` knows these."""
        waiting: dict[Vector, dict[str, Plan]] = {}
        for plan, vector in wanted:
            if (plan.label, vector) not in self.known:
                waiting.setdefault(vector, {})[plan.label] = plan
        if not waiting:
            return
        lines = [
            json.dumps(
                {
                    "text": vector.text,
                    "options": vector.asked,
                    "plans": [(one.target, one.revision, one.phase) for one in plans.values()],
                }
            )
            for vector, plans in waiting.items()
        ]
        old, new = self._pool.map(lambda child: child.ask(lines), self._children)
        for number, (vector, plans) in enumerate(waiting.items()):
            for label, before, after in zip(plans, old[number], new[number], strict=True):
                self.known[label, vector] = Both(Outcome(*before), Outcome(*after))
                self.renderings += 2

    def both(self, plan: Plan, vector: Vector) -> Both:
        """The outcomes of what was asked."""
        return self.known[plan.label, vector]

    def differ(self, plan: Plan, vectors: Iterable[Vector]) -> list[Vector]:
        """Those of the vectors whose bytes differ on the plan, in their order."""
        listed = list(vectors)
        self.ask((plan, vector) for vector in listed)
        return [vector for vector in listed if self.both(plan, vector).differs]


class _Child:
    """The process of one version."""

    def __init__(self, side: str, package: Path) -> None:
        self._side = side
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        folders = [str(package), *(entry for entry in sys.path if entry)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "toolresult_generator.difference.answers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            cwd=package,  # `-m` looks for modules here first
            env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        )

    def ask(self, lines: Sequence[str]) -> list[Any]:
        """The answers to requests, in their order."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(_SECONDS, process.kill)
        # written beside: neither side waits for the other while a pipe is full
        writer = threading.Thread(target=_write, args=(process.stdin, lines))
        timer.start()
        writer.start()
        try:
            answers = [process.stdout.readline() for _ in lines]
        finally:
            timer.cancel()
            writer.join()
        if not all(answer.endswith(b"\n") for answer in answers):
            raise self._failed()
        return [json.loads(answer) for answer in answers]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._said.close()

    def _failed(self) -> FindingsError:
        self._said.seek(0)
        lines = self._said.read()[-2000:].decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else f"it is silent, or slower than {_SECONDS} s"
        message = f"the Python of the {self._side} version failed: {reason}"
        return FindingsError([Finding(Place("toolresult_core"), "failed_vector", message)])


def _write(stream: IO[bytes], lines: Sequence[str]) -> None:
    try:
        for line in lines:
            stream.write(line.encode() + b"\n")
        stream.flush()
    except OSError:
        pass  # it ended early, which reading finds
