"""The past is the test: each step that a protocol took is found, told and filled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.revision.older import ROOT, older_spec
from tests.revision.replay import (
    STEPS,
    Step,
    faults_of,
    fill,
    needs_official,
    replay,
    request_of,
    schema_of,
)

from toolresult_generator.check import check_spec
from toolresult_generator.director import Loaded, load_model, plan
from toolresult_generator.load import load_spec
from toolresult_generator.revision.changes import Kind
from toolresult_generator.revision.check import check_revision
from toolresult_generator.revision.meaning import Judged, Weight
from toolresult_generator.revision.publish import publish
from toolresult_generator.revision.report import Report, Verdict

pytestmark = needs_official


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Report]:
    """The report of each step, by its new revision; each step is taken once."""
    known: dict[str, Report] = {}

    def report(new: str) -> Report:
        if new not in known:
            step = next(step for step in STEPS if step.new == new)
            known[new] = replay(step, tmp_path_factory.mktemp("step")).report
        return known[new]

    return report


def find(report: Report, kind: Kind, name: str, *, of: str = "result", at: str = "") -> Judged:
    """The one change of a kind and name, and (if given) at a place."""
    found = [
        one
        for one in report.changes
        if (one.change.kind, one.change.fact.name, one.change.of) == (kind, name, of)
        and (not at or at in one.change.places)
    ]
    assert found, [(one.change.kind, one.change.fact.name) for one in report.changes]
    return found[0]


def test_2025_03_26_brings_audio(replays: Callable[[str], Report]) -> None:
    report = replays("2025-03-26")
    audio = find(report, Kind.KIND_ADDED, "audio", at="/content/*(audio)")
    assert audio.weight is Weight.CHANCE
    assert audio.change.pointer == "/definitions/CallToolResult/properties/content/items/anyOf/2"
    assert set(audio.paths) == {f"content.audio.{name}" for name in ("data", "mime_type", "name")}
    assert not report.trial.broken()
    assert [one.name for one in report.proposal.capabilities] == ["audio_blocks"]
    # nothing else changed but the definition of a tool
    assert {one.change.of for one in report.changes if one is not audio} == {"tool"}


def test_2025_06_18_brings_structured_content_links_and_metadata(
    replays: Callable[[str], Report],
) -> None:
    report = replays("2025-06-18")
    structured = find(report, Kind.ADDED, "structuredContent", at="/structuredContent")
    assert (structured.weight, structured.paths) == (Weight.CHANCE, ("data",))
    link = find(report, Kind.KIND_ADDED, "resource_link")
    assert link.weight is Weight.CHANCE
    assert {"content.link.uri", "content.link.title", "content.link.size"} <= set(link.paths)
    blocks = ("text", "image", "audio", "resource")
    for kind in blocks:
        meta = find(report, Kind.ADDED, "_meta", at=f"/content/*({kind})/_meta")
        assert meta.weight is Weight.CHANCE
        assert all(path.endswith(".foreign.mcp") for path in meta.paths)
    modified = find(report, Kind.ADDED, "lastModified")
    assert modified.change.places == tuple(
        f"/content/*({kind})/annotations/lastModified" for kind in blocks
    )
    assert modified.change.pointer == "/definitions/Annotations/properties/lastModified"
    assert "content.text.last_modified" in modified.paths
    assert not report.trial.broken()
    names = {one.name for one in report.proposal.capabilities}
    assert names == {"structured_content", "resource_link_blocks", "block_meta", "last_modified"}


def test_2025_11_25_brings_icons_and_another_dialect(replays: Callable[[str], Report]) -> None:
    report = replays("2025-11-25")
    icons = find(report, Kind.ADDED, "icons", at="/content/*(resource_link)/icons")
    assert (icons.weight, icons.paths) == (Weight.CHANCE, ("content.link.foreign.mcp",))
    dialect = find(report, Kind.DIALECT, "$schema", of="schema")
    assert "2020-12" in dialect.change.fact.detail and "draft 07" in dialect.change.fact.detail
    key = find(report, Kind.METADATA, "io.modelcontextprotocol/related-task")
    assert key.change.fact.guess
    assert key.weight is Weight.CHANCE and "metadata.related_task.id" in key.paths
    assert find(report, Kind.ADDED, "icons", of="tool").weight is Weight.NOTE


def test_2026_07_28_breaks_every_cell_and_frees_data(replays: Callable[[str], Report]) -> None:
    report = replays("2026-07-28")
    required = find(report, Kind.REQUIRED, "resultType", at="/resultType")
    assert required.weight is Weight.BREAKS
    assert required.change.pointer == "/$defs/CallToolResult/properties/resultType"
    assert "every cell" in required.means
    assert report.trial.breaks_all and len(report.trial.cells) == 2 * 78
    for cell in report.trial.cells.values():
        assert cell.evidence is not None
        assert cell.evidence.refusal.reason == "`resultType` is missing"
    data = report.trial.cells["data", "mcp-handshake@2025-11-25/final"].evidence
    assert data is not None and data.value == {"format_version": 1, "data": 0}
    widened = find(report, Kind.WIDENED, "", at="/structuredContent")
    assert (widened.weight, widened.paths) == (Weight.CHANCE, ("data",))
    schemas = find(report, Kind.WIDENED, "", of="tool", at="/outputSchema")
    assert "any shape" in schemas.change.fact.detail and "wrapped" in schemas.means
    assert any(gap.startswith("`resultType`") for gap in report.proposal.gaps)


def test_a2a_1_0_flattens_parts_and_renames_states(replays: Callable[[str], Report]) -> None:
    report = replays("1.0")
    kind = find(report, Kind.REMOVED, "kind", at="/artifacts/*/parts/*/kind")
    assert kind.weight is Weight.BREAKS and "part" in kind.forms
    file = find(report, Kind.MOVED_OUT, "file", at="/artifacts/*/parts/*(file)/file")
    assert file.weight is Weight.BREAKS and file.change.fact.guess
    for old, new in {
        "bytes": "raw",
        "mimeType": "mediaType",
        "name": "filename",
        "uri": "url",
    }.items():
        assert f"`{old}` as `{new}`" in file.change.fact.detail
    [states] = [
        one
        for one in report.changes
        if one.change.kind is Kind.RENAMED and one.change.place == "/status/state"
    ]
    assert states.weight is Weight.BREAKS and states.change.fact.guess
    assert '"completed" is "TASK_STATE_COMPLETED"' in states.change.fact.detail
    assert '"failed" is "TASK_STATE_FAILED"' in states.change.fact.detail
    data = find(report, Kind.WIDENED, "", at="/artifacts/*/parts/*(data)/data")
    assert (data.weight, data.paths) == (Weight.CHANCE, ("data",))
    assert report.trial.breaks_all
    layer = find(report, Kind.REMOVED, "kind", at="/kind")
    assert "protocol layer" in layer.means


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_proposal_is_refused_by_its_gaps_alone_and_proven_once_they_are_filled(
    step: Step, tmp_path: Path
) -> None:
    replayed = replay(step, tmp_path)
    proposal = replayed.report.proposal
    publish(proposal, replayed.spec)
    findings = check_spec(load_spec(replayed.spec), history=False)
    assert {finding.code for finding in findings} == {"gap"}
    assert len(findings) == len(proposal.gaps) + len(proposal.capabilities) > 0
    told = "\n".join(finding.message for finding in findings)
    assert all(gap in told for gap in proposal.gaps)
    assert all(capability.name in told for capability in proposal.capabilities)

    spec = fill(replayed)
    files = plan(spec, ["python"])["python"]
    module = step.new_target.replace("-", "_")
    text = files[f"python/toolresult_core/targets/{module}.py"].decode()
    assert step.new.replace("-", "").replace(".", "") in text
    assert list(faults_of(load_model(spec), step.new_target, step.new)) == []


@pytest.mark.parametrize(
    "like", ["mcp-stateless@2026-07-28", "a2a@1.0", "mcp-handshake@2025-06-18"]
)
def test_a_revision_against_itself_is_adopted_as_is(like: str, loaded: Loaded) -> None:
    target, _, revision = like.partition("@")
    schema = schema_of(target, revision)
    request = request_of(loaded, ROOT / "spec", like, schema, f"{target}@new", old=schema)
    report = check_revision(request, loaded, lambda *told: None)
    assert report.changes == ()
    assert report.trial.broken() == [] and report.trial.refused == 0
    assert report.verdict is Verdict.AS_IS
    assert report.proposal.gaps == () and report.proposal.capabilities == ()


def test_every_step_needs_rules(replays: Callable[[str], Report]) -> None:
    assert replays("2025-03-26").verdict is Verdict.RULES  # for a chance alone
    assert replays("2026-07-28").verdict is Verdict.RULES


def test_without_the_old_schema_ours_shows_what_matters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = STEPS[3]
    schema = schema_of(step.new_target, step.new)
    monkeypatch.setenv("TOOLRESULT_OFFICIAL_SCHEMAS", str(tmp_path / "none"))
    spec = older_spec(tmp_path / "spec", step.target, step.old, step.without)
    before = load_model(spec)
    request = request_of(before, spec, step.like, schema, "mcp-stateless@2026-07-28")
    report = check_revision(request, before, lambda *told: None)
    assert report.old_is_ours
    told = {(one.change.kind, one.change.place): one.weight for one in report.changes}
    assert told == {
        (Kind.REQUIRED, "/resultType"): Weight.BREAKS,
        (Kind.WIDENED, "/structuredContent"): Weight.CHANCE,
        (Kind.METADATA, "/_meta/io.modelcontextprotocol~1serverInfo"): Weight.NOTE,
    }
