"""TypeScript's testee answers every vector, and what is no request."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.typescript.package import ROOT, TESTEE, built, node, node_with_sqlite

from toolresult.testee import answer_line
from toolresult_generator.proof.testees import QUESTION, load_vectors, run_testee

FOLDER = ROOT / "generated" / "vectors"
VECTORS = load_vectors(FOLDER)
MAX_LINE = 64 * 1024 * 1024


def command(executable: Path | None = None) -> list[str]:
    """How the testee is run."""
    built()
    return [str(executable or node()), str(TESTEE)]


def answers(lines: Iterable[bytes], *, ended: bool = True) -> list[dict[str, Any]]:
    """What the testee says to lines that may be anything."""
    given = b"\n".join(lines) + (b"\n" if ended else b"")
    done = subprocess.run(command(), input=given, capture_output=True, timeout=120, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_vector_is_answered() -> None:
    assert run_testee(command(), VECTORS) == []


def test_every_vector_is_answered_by_a_newer_node() -> None:
    assert run_testee(command(node_with_sqlite()), VECTORS) == []


def test_a_wrong_answer_is_noticed() -> None:
    few = [one for one in VECTORS if one["do"] == "render"][:3]
    changed = [few[0], {**few[1], "output": few[1]["output"] + " "}, few[2]]
    (found,) = run_testee(command(), changed)
    assert found.vector == few[1]["id"]
    assert "output differs at byte" in found.message


REQUESTS = [
    b"",
    b"nothing",
    b"[]",
    b"{}",
    b'"a"',
    b"\xff",
    b'{"id":1}',
    b'{"id":"1","do":"dance","text":"1"}',
    b'{"id":"1","do":"check"}',
    b'{"id":"1","do":"check","text":1}',
    b'{"id":"1","do":"check","text":"1","base64":"MQ=="}',
    b'{"id":"1","do":"check","base64":"MQ"}',
    b'{"id":"1","do":"check","base64":"M\\u00e9=="}',
    b'{"id":"1","do":"check","text":"1","target":"a2a"}',
    b'{"id":"1","do":"read","text":"1","target":"a2a"}',
    b'{"id":"1","do":"read","text":"1","target":"a2a","revision":"9"}',
    b'{"id":"1","do":"read","text":"1","target":"constructor","revision":"1"}',
    b'{"id":"1","do":"render","text":"1","target":"mcp-handshake","revision":"2025-06-18"}',
    b'{"id":"1","do":"render","text":"1","target":"a2a","revision":"1.0","phase":1}',
    b'{"id":"1","do":"render","text":"{\\"format_version\\":1}","target":"a2a","revision":"1.0",'
    b'"options":{"wrap":true}}',
    b'{"id":"1","do":"render","text":"{\\"format_version\\":1}","target":"a2a","revision":"1.0",'
    b'"options":{"wrap_output":1}}',
    b"[" * 100_000,
]


def test_what_is_no_request_is_said_to_be_none_as_python_does() -> None:
    said = answers(REQUESTS)
    assert all(one["bad_request"] for one in said)
    expected = [answer_line(line)["id"] for line in REQUESTS]
    assert [one["id"] for one in said] == expected


def test_a_carriage_return_and_a_missing_last_line_feed_are_no_fault() -> None:
    line = b'{"id":"1","do":"check","text":"{\\"format_version\\":1}"}'
    said = answers([line + b"\r", line], ended=False)
    assert said == [{"id": "1", "output": '{"format_version":1}'}] * 2


def test_the_rest_of_a_long_line_is_skipped() -> None:
    long = b'{"id":"1","do":"check","text":"' + b"x" * MAX_LINE + b'"}'
    said = answers([long, b"[]"])
    assert [one["bad_request"] for one in said] == [
        f"a line has at most {MAX_LINE} bytes",
        "a request is an object",
    ]


def test_an_answer_comes_before_the_next_request() -> None:
    line = b'{"id":"1","do":"check","text":"{\\"format_version\\":1}"}\n'
    with subprocess.Popen(command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["output"]
        process.stdin.close()
        assert process.wait(timeout=60) == 0


_PIECES = (
    *("null", "true", "-0", "1.5", "1e400", "1e21", "2e20", "9007199254740993", '""', "[]", "{}"),
    *('"\\ud800"', '"\\ud83d\\ude00"', '{"__proto__":1}', '{"b":1,"1":2,"":3}', "NaN", ",", "\x00"),
    *("\ufeff", '{"kind":"text","text":"x"}', '["user"]', '{"a.b/c":1}', '"AA=="', "-Infinity"),
)


def _altered(text: str, rng: random.Random) -> str:
    """The text with something more, or less, in it."""
    at = rng.randrange(len(text) + 1)
    kind = rng.randrange(3)
    if kind == 0:
        return text[:at] + rng.choice(_PIECES) + text[at:]
    if kind == 1:
        return text[:at] + text[at + rng.randrange(1, 12) :]
    return text[:at] + rng.choice(_PIECES) + text[at + rng.randrange(1, 6) :]


@pytest.mark.parametrize("seed", range(2))
def test_texts_with_faults_are_answered_as_python_does(seed: int) -> None:
    rng = random.Random(seed)
    asked: list[dict[str, Any]] = []
    for number in range(1500):
        vector = rng.choice(VECTORS)
        if not 0 < len(vector.get("text", "")) < 5000:
            continue
        question = {key: value for key, value in vector.items() if key in QUESTION}
        question |= {"id": str(number), "text": _altered(vector["text"], rng)}
        asked.append({**question, **answer_line(json.dumps(question).encode())})
    refused = sum("error" in one for one in asked)
    assert 500 < refused < len(asked) - 200
    assert run_testee(command(), asked) == []
