"""The vectors: Python's testee answers every one of them, and a wrong testee is caught."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from toolresult import testee
from toolresult.hooks import MissingAdapterError
from toolresult.testee import answer_line
from toolresult_core.runtime.errors import CODES
from toolresult_generator.director import load_model
from toolresult_generator.findings import FindingsError
from toolresult_generator.languages import vectors
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.proof.testees import load_vectors, run_testee

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "generated" / "vectors"
VECTORS = load_vectors(FOLDER)
OLD, NEW = '"losses": [', '"losses": [1], "x": ['
CHANGED_LOSSES = f"text = text.replace({OLD!r}, {NEW!r}) if number == 3 else text"
PYTHON = [sys.executable, "-m", "toolresult.testee"]
RENDER = (
    b'{"id":"1","do":"render","target":"a2a","revision":"1.0",'
    b'"text":"{\\"format_version\\":1,\\"data\\":1}"}'
)
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


def test_every_vector_has_an_output_or_a_refusal() -> None:
    assert [one["id"] for one in VECTORS if ("output" in one) == ("error" in one)] == []


def test_every_refusal_that_a_text_can_meet_is_met() -> None:
    codes = {one["error"]["code"] for one in VECTORS if one["do"] == "check" and "error" in one}
    # a value that JSON has no type for cannot stand in a text
    assert codes == set(CODES) - {"invalid_value"}


def test_what_every_revision_renders_is_read_again() -> None:
    rendered = {(v["target"], v["revision"]) for v in VECTORS if v["do"] == "render"}
    read = {
        (v["target"], v["revision"])
        for v in VECTORS
        if v["id"].startswith("read ") and " rendered " in v["id"]
    }
    assert rendered == read


def test_vectors_with_bytes_that_are_no_text() -> None:
    asked = [one for one in VECTORS if "base64" in one]
    assert {one["do"] for one in asked} == {"read", "check"}
    assert run_testee(PYTHON, asked) == []
    changed = [{**one, "base64": "e30="} for one in asked]
    assert len(run_testee(PYTHON, changed)) == len(asked)


def test_ids_are_unique() -> None:
    assert len({one["id"] for one in VECTORS}) == len(VECTORS)


def test_python_answers_every_vector() -> None:
    assert run_testee(PYTHON, VECTORS) == []


def _altered(tmp_path: Path, change: str) -> list[str]:
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
        ("text = json.dumps({'id': json.loads(line)['id'], 'skipped': 'x'})", "output: expected"),
        (
            CHANGED_LOSSES,
            "losses",
        ),
    ],
)
def test_a_wrong_testee_is_caught(tmp_path: Path, change: str, told: str) -> None:
    few = [one for one in VECTORS if one["do"] == "render" and '"content"' in one["output"]][:6]
    found = run_testee(_altered(tmp_path, change), few, seconds=5)
    assert any(told in one.message for one in found), found


def test_an_expected_failure_that_succeeds_is_an_error() -> None:
    found = run_testee(PYTHON, FEW, expected_failures=[FEW[0]["id"]])
    assert [(one.vector, "succeeds" in one.message) for one in found] == [(FEW[0]["id"], True)]


def test_an_expected_failure_that_fails_is_none(tmp_path: Path) -> None:
    command = _altered(tmp_path, "text = '[]' if number == 0 else text")
    assert run_testee(command, FEW, expected_failures=[FEW[0]["id"]]) == []


@pytest.mark.parametrize(
    "line", [b"", b"nothing", b"[]", b"{}", b'{"id":1}', b'{"id":1,"do":"dance"}', b"[" * 100_000]
)
def test_a_bad_request_is_answered(line: bytes) -> None:
    said = answer_line(line)
    assert said["bad_request"]
    json.dumps(said)


def test_a_target_without_an_adapter_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def unfilled(*_: object) -> None:
        raise MissingAdapterError("a2a@1.0 has hooks that no adapter fills: to_icon")

    monkeypatch.setattr(testee, "renderer", unfilled)
    said = answer_line(RENDER)
    assert said == {"id": "1", "skipped": said["skipped"]}
    assert "to_icon" in said["skipped"]


def test_a_fault_of_the_testee_is_said_and_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(testee, "renderer", faulty)
    sink = io.BytesIO()
    check = b'{"id":"2","do":"check","text":"{\\"format_version\\":1}"}'
    assert testee.main(io.BytesIO(RENDER + b"\n" + check), sink) == 0
    first, second = (json.loads(line) for line in sink.getvalue().splitlines())
    assert first == {"id": "1", "fault": "ZeroDivisionError: oops"}
    assert second == {"id": "2", "output": '{"format_version":1}'}


def test_the_rest_of_a_long_line_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testee, "MAX_LINE", 100)
    sink = io.BytesIO()
    long = b'{"id":"1","do":"check","text":"' + b"x" * 400 + b'"}\n'
    assert testee.main(io.BytesIO(long + b"[]\n"), sink) == 0
    said = [json.loads(line)["bad_request"] for line in sink.getvalue().splitlines()]
    assert said == ["a line has at most 100 bytes", "a request is an object"]


def test_the_answers_are_those_of_the_model_and_not_of_what_is_installed(tmp_path: Path) -> None:
    """A spec with another namespace gives vectors with it, whatever lies in the repository."""
    spec = shutil.copytree(ROOT / "spec", tmp_path / "spec")
    file = spec / "result.yaml"
    text = file.read_text(encoding="utf-8")
    assert text.count("namespace: dev.toolresult") == 1
    file.write_text(text.replace("namespace: dev.toolresult", "namespace: com.example.own"))
    loaded = load_model(spec)
    emitted = vectors.emit(EmitRequest(loaded.model, loaded.documents))
    recorded = emitted["vectors/mcp-handshake@2025-06-18.jsonl"].decode()
    assert "com.example.own/layout" in recorded


def test_a_testee_that_fails_gives_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_model(ROOT / "spec")
    request = EmitRequest(loaded.model, loaded.documents)
    with vectors._package(request) as environment:
        (Path(environment["PWD"]) / "toolresult_core" / "__init__.py").write_text("1 / 0\n")
        with pytest.raises(FindingsError) as caught:
            vectors._ask([("check", {"id": "1", "do": "check", "text": ""})], environment)
    assert [f.code for f in caught.value.findings] == ["failed_vector"]
    assert "ZeroDivisionError" in caught.value.findings[0].message
