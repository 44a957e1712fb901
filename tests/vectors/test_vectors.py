"""The vectors: Python's testee answers every one of them, and a wrong testee is caught."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from toolresult.testee import answer_line
from toolresult_generator.proof.testees import load_vectors, run_testee

FOLDER = Path(__file__).parents[2] / "generated" / "vectors"
VECTORS = load_vectors(FOLDER)
OLD, NEW = '"losses": [', '"losses": [1], "x": ['
CHANGED_LOSSES = f"text = text.replace({OLD!r}, {NEW!r}) if number == 3 else text"
PYTHON = [sys.executable, "-m", "toolresult.testee"]
FEW = VECTORS[:: max(1, len(VECTORS) // 20)]


def test_there_are_vectors_of_every_kind() -> None:
    kinds = {(one["do"], "error" in one) for one in VECTORS}
    assert kinds == {
        ("render", False),
        ("read", False),
        ("read", True),
        ("check", False),
        ("check", True),
    }
    assert len(VECTORS) > 2000


def test_no_vector_is_a_bad_request() -> None:
    assert [one["id"] for one in VECTORS if "bad_request" in one] == []


def test_ids_are_unique() -> None:
    assert len({one["id"] for one in VECTORS}) == len(VECTORS)


def test_python_answers_every_vector() -> None:
    assert run_testee(PYTHON, VECTORS) == []


def _testee(tmp_path: Path, change: str) -> list[str]:
    """A testee that answers as Python's does, but for a change of the line that it writes."""
    program = tmp_path / "testee.py"
    program.write_text(
        "import json, sys, time\n"
        "from toolresult.testee import answer_line\n"
        "for number, line in enumerate(sys.stdin.buffer):\n"
        "    text = json.dumps(answer_line(line))\n"
        f"    {change}\n"
        "    print(text, flush=True)\n"
    )
    return [sys.executable, str(program)]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("text = text.replace('content', 'contemt') if number == 3 else text", "differs at byte"),
        ("text = 'nothing' if number == 3 else text", "no JSON"),
        ("text = '[]' if number == 3 else text", "no object"),
        ("sys.exit(0) if number == 3 else None", "is not answered"),
        ("sys.exit(7) if number == 3 else None", "exit code 7"),
        ("time.sleep(60) if number == 3 else None", "did not end"),
        (
            CHANGED_LOSSES,
            "losses",
        ),
    ],
)
def test_a_wrong_testee_is_caught(tmp_path: Path, change: str, told: str) -> None:
    few = [one for one in VECTORS if one["do"] == "render" and '"content"' in one["output"]][:6]
    found = run_testee(_testee(tmp_path, change), few, seconds=5)
    assert any(told in one.message for one in found), found


def test_an_expected_failure_that_succeeds_is_an_error() -> None:
    found = run_testee(PYTHON, FEW, expected_failures=[FEW[0]["id"]])
    assert [(one.vector, "succeeds" in one.message) for one in found] == [(FEW[0]["id"], True)]


def test_an_expected_failure_that_fails_is_none(tmp_path: Path) -> None:
    testee = _testee(tmp_path, "text = '[]' if number == 0 else text")
    assert run_testee(testee, FEW, expected_failures=[FEW[0]["id"]]) == []


@pytest.mark.parametrize(
    "line", [b"", b"nothing", b"[]", b"{}", b'{"id":1}', b'{"id":1,"do":"dance"}', b"[" * 100_000]
)
def test_a_bad_request_is_answered(line: bytes) -> None:
    said = answer_line(line)
    assert said["bad_request"]
    json.dumps(said)
