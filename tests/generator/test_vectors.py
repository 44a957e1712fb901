"""Recording vectors: from the model that is given, and never without a word where that fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from toolresult_generator.director import load_model
from toolresult_generator.findings import FindingsError
from toolresult_generator.languages import vectors
from toolresult_generator.languages.base import EmitRequest

ROOT = Path(__file__).parents[2]
SAMPLES = """\
samples:
  one: {meaning: One., result: {format_version: 1, data: [1], metadata: {dry_run: true}}}
"""


def small_spec(folder: Path) -> Path:
    """The committed spec with one sample alone."""
    shutil.copytree(ROOT / "spec", folder, ignore=shutil.ignore_patterns("samples"))
    (folder / "samples").mkdir()
    (folder / "samples/one.yaml").write_text(SAMPLES, encoding="utf-8")
    return folder


def emit(folder: Path) -> Mapping[str, bytes]:
    loaded = load_model(folder)
    return vectors.emit(EmitRequest(loaded.model, loaded.documents))


def test_vectors_follow_the_model_and_not_what_is_installed(tmp_path: Path) -> None:
    folder = small_spec(tmp_path / "spec")
    file = folder / "result.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("namespace: dev.toolresult", "namespace: org.example"), "utf-8")
    files = emit(folder)
    stateless = files["vectors/mcp-stateless@2026-07-28.jsonl"].splitlines()
    renders = [one for one in map(json.loads, stateless) if one["do"] == "render"]
    assert len(renders) == 2  # one for each phase
    assert all('"org.example/dryRun":true' in one["output"] for one in renders)
    assert all("dev.toolresult/" not in one["output"] for one in renders)


def test_a_hook_without_an_adapter_has_no_vectors(tmp_path: Path) -> None:
    """A new target is generated before somebody writes its adapter; `check` says that it lacks."""
    folder = small_spec(tmp_path / "spec")
    text = (folder / "targets/legacy-envelope.yaml").read_text(encoding="utf-8")
    (folder / "targets/other.yaml").write_text(
        text.replace("target: legacy-envelope", "target: other"), encoding="utf-8"
    )
    shutil.copytree(folder / "wire/legacy-envelope", folder / "wire/other")
    files = emit(folder)
    others = [json.loads(line) for line in files["vectors/other@1.jsonl"].splitlines()]
    assert {one["do"] for one in others} == {"render"}


def test_a_request_that_python_cannot_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ("check", {"id": "nonsense", "do": "dance", "text": ""})
    monkeypatch.setattr(vectors, "_questions", lambda request: [question, question])
    with pytest.raises(FindingsError) as caught:
        emit(small_spec(tmp_path / "spec"))
    assert {f.code for f in caught.value.findings} == {"failed_vector"}
    assert "nonsense" in str(caught.value)


def test_a_testee_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told by the last line of what it said, not by a traceback of ours."""
    broken = {"python/toolresult_core/__init__.py": b"raise ImportError('broken core')\n"}
    monkeypatch.setattr(
        "toolresult_generator.languages.python.emitter.emit", lambda request: broken
    )
    with pytest.raises(FindingsError) as caught:
        emit(small_spec(tmp_path / "spec"))
    assert {f.code for f in caught.value.findings} == {"failed_vector"}
    assert "broken core" in str(caught.value)
