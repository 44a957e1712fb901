"""Drives a testee over vectors and says where its answers differ: the first byte of each."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

QUESTION = ("id", "do", "target", "revision", "phase", "options", "text", "base64")
"""Members of a vector that are the request; the others are the answer."""
_AROUND = 30


@dataclass(frozen=True)
class Difference:
    """A vector that a testee does not answer as recorded."""

    vector: str
    message: str


def load_vectors(folder: Path) -> list[dict[str, Any]]:
    """Every vector of a folder, file by file in the order of names."""
    return [
        json.loads(line)
        for file in sorted(folder.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def run_testee(
    command: Sequence[str],
    vectors: Sequence[Mapping[str, Any]],
    *,
    expected_failures: Iterable[str] = (),
    seconds: float = 120,
    environment: Mapping[str, str] | None = None,
) -> list[Difference]:
    """Asks a testee every vector and compares.

    A vector among ``expected_failures`` must fail: one that succeeds is a difference
    too. A testee that ends early, hangs for longer than ``seconds`` or writes no JSON
    differs at the first vector that it leaves unanswered.
    """
    lines = [json.dumps({k: v for k, v in one.items() if k in QUESTION}) for one in vectors]
    try:
        done = subprocess.run(
            command,
            input="\n".join(lines).encode() + b"\n",
            capture_output=True,
            timeout=seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        answered = (late.stdout or b"").count(b"\n")
        waiting = str(vectors[answered]["id"]) if answered < len(vectors) else "(end)"
        return [Difference(waiting, f"the testee did not end within {seconds} s")]
    expected = set(expected_failures)
    found = list(compare(vectors, done.stdout.splitlines()))
    failing = {difference.vector for difference in found}
    succeeded = [
        Difference(name, "succeeds, though it is expected to fail")
        for name in sorted(expected - failing)
    ]
    if done.returncode != 0:
        succeeded.append(Difference("(end)", f"the testee ended with exit code {done.returncode}"))
    return [difference for difference in found if difference.vector not in expected] + succeeded


def compare(
    vectors: Sequence[Mapping[str, Any]], answers: Sequence[str | bytes]
) -> Iterator[Difference]:
    """Where the answers of a testee, line by line, are not those of the vectors."""
    for number, vector in enumerate(vectors):
        name = str(vector["id"])
        if number >= len(answers):
            yield Difference(name, "is not answered")
            return
        try:
            answer = json.loads(answers[number])
        except ValueError:
            yield Difference(name, "is answered with something that is no JSON")
            return
        recorded = {k: v for k, v in vector.items() if k not in QUESTION} | {"id": vector["id"]}
        if answer != recorded:
            yield Difference(name, first_difference(recorded, answer))


def first_difference(recorded: Mapping[str, Any], answer: Any) -> str:
    """Where an answer differs from the recorded one, in words: the first byte of a text."""
    if not isinstance(answer, dict):
        return "the answer is no object"
    for key in ("error", "output", "losses", "id"):
        ours, theirs = recorded.get(key), answer.get(key)
        if ours == theirs:
            continue
        if isinstance(ours, str) and isinstance(theirs, str):
            first, second = (
                ours.encode("utf-8", "surrogatepass"),
                theirs.encode("utf-8", "surrogatepass"),
            )
            at = next(
                (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
                min(len(first), len(second)),
            )
            expected, found = first[at : at + _AROUND], second[at : at + _AROUND]
            return f"{key} differs at byte {at}: expected {expected!r}, found {found!r}"
        return f"{key}: expected {json.dumps(ours)[:200]}, found {json.dumps(theirs)[:200]}"
    return f"has members that are not recorded: {', '.join(sorted(set(answer) - set(recorded)))}"
