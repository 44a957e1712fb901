"""A gap is a finding in its place, and nothing is generated while one is there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolresult_generator.check import check_spec
from toolresult_generator.director import load_model, plan
from toolresult_generator.findings import FindingsError
from toolresult_generator.load import load_spec

SPEC = Path(__file__).parents[2] / "spec"
ENTRY = '  "2025-11-25": {meaning: "Brings icons'


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """The spec, with a gap of a revision and one of a capability that nothing asks for."""
    folder = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    file = folder / "targets" / "mcp-handshake.yaml"
    text = file.read_text(encoding="utf-8")
    assert text.count(ENTRY) == 1
    text = text.replace(ENTRY, '  "2025-11-25": {gaps: ["Write x."], meaning: "Brings icons')
    text = text.replace(
        "capabilities:\n",
        'capabilities:\n  videos: {since: "2025-11-25", meaning: Videos., gap: Use them.}\n',
    )
    file.write_text(text, encoding="utf-8")
    return folder


def test_each_gap_is_found_in_its_place(spec: Path) -> None:
    first, second = check_spec(load_spec(spec), history=False)
    assert (first.code, second.code) == ("gap", "gap")
    assert first.message == "mcp-handshake@2025-11-25: Write x."
    assert second.message == "capability videos of mcp-handshake: Use them."
    lines = (spec / "targets" / "mcp-handshake.yaml").read_text(encoding="utf-8").splitlines()
    for finding, text in ((first, '"Write x."'), (second, "Use them.")):
        assert lines[finding.place.line - 1][finding.place.column - 1 :].startswith(text)


def test_nothing_is_generated_and_the_model_can_be_had_despite_them(spec: Path) -> None:
    with pytest.raises(FindingsError, match=": gap: "):
        plan(spec, ["python"])
    loaded = load_model(spec, despite=frozenset({"gap"}))
    assert loaded.model.target("mcp-handshake").revisions[-1] == "2025-11-25"


def test_without_its_gap_a_capability_that_nothing_asks_for_is_a_finding(spec: Path) -> None:
    file = spec / "targets" / "mcp-handshake.yaml"
    text = file.read_text(encoding="utf-8").replace(", gap: Use them.", "")
    file.write_text(text.replace('gaps: ["Write x."], ', ""), encoding="utf-8")
    own, of_the_extending_target = check_spec(load_spec(spec), history=False)
    assert own.code == of_the_extending_target.code == "lacking_capability"
