"""Whole comparisons: a change of the spec, and everything that is said of it."""

from __future__ import annotations

import json

import pytest
from tests.difference.conftest import SPEC, Copy, compared

from toolresult_generator.difference.as_json import to_json
from toolresult_generator.difference.as_text import to_text
from toolresult_generator.difference.compared import Comparison

LEGACY = "targets/legacy-envelope.yaml"
HANDSHAKE = "targets/mcp-handshake.yaml"
VERSIONS = '  1: {meaning: "The first serialized form with a version."}\n'


def rows(found: Comparison) -> set[tuple[str, ...]]:
    return {change.rows for change in found.outputs.changes}


def labels(found: Comparison) -> set[str]:
    return {change.plan.label for change in found.outputs.changes}


def bindings(found: Comparison) -> set[str]:
    return {one.name for one in found.bindings if one.is_stale}


def test_a_renamed_key_changes_the_cells_that_have_it(newer: Copy) -> None:
    newer.edit(LEGACY, "dryRun: {field", "isDryRun: {field")
    found = compared(SPEC, newer.path)
    (told,) = found.differences
    assert (told.kind, told.name, told.change) == (
        "form",
        "legacy-envelope: short_metadata",
        "changed",
    )
    assert told.details == ("object.dryRun: named isDryRun now",)
    line = 1 + (SPEC / LEGACY).read_text().split("      dryRun: {field")[0].count("\n")
    assert (told.old.file, told.old.line, told.old.column) == (f"{SPEC}/{LEGACY}", line, 7)
    assert (told.new.file, told.new.line, told.new.column) == (f"{newer.path}/{LEGACY}", line, 7)
    # the envelope itself, and every text of MCP that holds it; A2A has no such text
    assert rows(found) == {("metadata.dry_run",)}
    assert labels(found) == {plan.label for plan in found.plans if plan.target != "a2a"}
    for change in found.outputs.changes:
        assert change.vector.text == '{"format_version":1,"metadata":{"dry_run":true}}'
        assert "dryRun" in change.both.old.text
        assert "isDryRun" in change.both.new.text
    assert not found.is_safe and not found.growth
    assert bindings(found) == {"php", "python", "typescript", "vectors"}

    text = to_text(found)
    assert "metadata.dry_run, on legacy-envelope@1, mcp-handshake, mcp-stateless\n" in text
    assert '  old  {"success":true,"_meta":{"dryRun":true}}\n' in text
    assert '  new  {"success":true,"_meta":{"isDryRun":true}}\n' in text
    assert text.endswith("\n11 cells change bytes; the rules of growth hold\n")
    document = json.loads(json.dumps(to_json(found)))
    assert document["safe"] is False
    assert {"row": "metadata.dry_run", "label": "legacy-envelope@1"} in document["cells"]
    assert len(document["cells"]) == len(document["bytes"]) == 11
    (change,) = [one for one in document["bytes"] if one["label"] == "legacy-envelope@1"]
    assert change["old"] == {"bytes": '{"success":true,"_meta":{"dryRun":true}}'}


def test_what_takes_two_parts_or_an_optional_field_is_found_as_such(newer: Copy) -> None:
    wrapped = "      - {when: {fact: wrapped}, object: {result: {field: data}}}\n"
    both = (
        "      - when: {all: [{fact: wrapped}, {has: summary}]}\n"
        "        object: {result: {field: data}, s: {field: summary}}\n"
    )
    newer.edit(HANDSHAKE, wrapped, both + wrapped)
    newer.edit(HANDSHAKE, "priority: {field: item.priority}", "weight: {field: item.priority}")
    found = compared(SPEC, newer.path)
    by_rows = {change.rows: change for change in found.outputs.changes}
    pair = by_rows.pop(("data", "summary"))
    assert json.loads(pair.vector.text).keys() == {"format_version", "data", "summary"}
    assert pair.vector.text == '{"format_version":1,"data":"","summary":""}'
    kinds = ("text", "image", "audio", "binary", "link", "embedded")
    # the part is there only to have the priority: its own fields change nothing
    assert by_rows.keys() == {(f"content.{kind}.priority",) for kind in kinds}
    text = by_rows["content.text.priority",]
    assert json.loads(text.vector.text)["content"][0].keys() == {"kind", "text", "priority"}


def test_what_every_output_has_is_shown_with_the_empty_result(newer: Copy) -> None:
    newer.edit("targets/mcp-stateless.yaml", "{const: complete}", "{const: done}")
    found = compared(SPEC, newer.path)
    assert rows(found) == {()}
    assert {change.vector.text for change in found.outputs.changes} == {'{"format_version":1}'}
    plans = [plan for plan in found.plans if plan.target == "mcp-stateless"]
    assert labels(found) == {plan.label for plan in plans}
    for plan in plans:
        assert found.outputs.cells(plan) == tuple(cell.path for cell in plan.cells)
    assert "  every output, on mcp-stateless\n" in to_text(found)


def test_growth_changes_no_byte(newer: Copy) -> None:
    newer.edit("result.yaml", VERSIONS, VERSIONS + '  2: {meaning: "With busy."}\n')
    code = "  busy: {since: 2, meaning: Too much to do., use: Wait.}\n  tool_error:\n"
    newer.edit("result.yaml", "  tool_error:\n", code)
    (newer.path / "samples" / "own.yaml").write_text(
        "samples:\n  busy:\n    meaning: A code of our own.\n"
        '    result: {format_version: 2, error: {code: busy, message: "no"}}\n'
    )
    found = compared(SPEC, newer.path)
    assert found.is_safe
    assert [(one.kind, one.name, one.change) for one in found.differences] == [
        ("format version", "2", "added"),
        ("error code", "busy", "added"),
        ("sample", "busy", "added"),
    ]
    assert not found.outputs.changes and not found.outputs.unmeasured
    assert found.outputs.renderings > 5000
    assert {"python", "docs", "schema", "vectors"} <= bindings(found)


def test_a_code_that_goes_is_against_the_rules_and_has_no_bytes_any_more(newer: Copy) -> None:
    text = (newer.path / "result.yaml").read_text()
    start, end = text.index("  missing_privilege:\n"), text.index("  not_found:\n")
    (newer.path / "result.yaml").write_text(text[:start] + text[end:])
    for file in (newer.path / "samples").iterdir():
        file.write_text(file.read_text().replace("missing_privilege", "not_found"))
    found = compared(SPEC, newer.path)
    assert [finding.code for finding in found.growth] == ["removed_field"]
    assert found.growth[0].place.file == f"{newer.path}/result.yaml"
    removed = [one for one in found.differences if one.change == "removed"]
    assert [(one.kind, one.name) for one in removed] == [("error code", "missing_privilege")]
    assert len(found.outputs.changes) == len(found.plans)
    for change in found.outputs.changes:
        assert change.both.old.is_output
        assert (change.both.new.kind, change.both.new.text) == ("refused", "unknown_code")
    said = to_text(found)
    assert "(refused as unknown_code)" in said
    assert said.endswith("; 1 change against the rules of growth\n")


def test_words_and_layout_change_no_code(newer: Copy) -> None:
    meaning = "meaning: One JSON object, sent as a string, for readers that know no protocol."
    newer.edit(LEGACY, meaning, "# of old\nmeaning:   'One object.'")
    newer.edit(LEGACY, "data: {field: data}", 'data:\n        "field": "data"')
    found = compared(SPEC, newer.path)
    assert [(one.kind, one.name, one.change) for one in found.differences] == [
        ("target", "legacy-envelope", "words")
    ]
    assert found.is_safe and found.outputs.renderings == 0
    assert "docs" in bindings(found)
    assert not {"schema", "vectors"} & bindings(found)


def test_a_target_that_goes_one_that_is_new_and_a_capability_that_comes_later(newer: Copy) -> None:
    (newer.path / "targets/mcp-stateless.yaml").rename(newer.path / "targets/mcp-next.yaml")
    newer.edit("targets/mcp-next.yaml", "target: mcp-stateless", "target: mcp-next")
    (newer.path / "wire/mcp-stateless").rename(newer.path / "wire/mcp-next")
    capability = 'audio_blocks: {since: "2025-0'
    newer.edit(HANDSHAKE, f"{capability}3-26", f"{capability}6-18")
    found = compared(SPEC, newer.path)
    phases = ("transitional", "final")
    assert found.outputs.removed == tuple(f"mcp-stateless@2026-07-28/{one}" for one in phases)
    assert found.outputs.added == tuple(f"mcp-next@2026-07-28/{one}" for one in phases)
    assert labels(found) == {f"mcp-handshake@2025-03-26/{phase}" for phase in phases}
    assert rows(found) == {("content.audio.data", "content.audio.mime_type")}
    (told,) = [one for one in found.differences if one.kind == "capability"]
    assert told.details == ('since: "2025-03-26" → "2025-06-18"',)
    said = to_text(found)
    assert "nothing is rendered any more to mcp-stateless\n" in said
    assert "; 2 of 13 renderings are gone; " in said


def test_what_is_left_to_a_hook_is_never_said_to_be_fine(newer: Copy) -> None:
    hook = 'summary: {adapter: shortened, rule: "The summary, shortened."}'
    newer.edit(LEGACY, "summary: {field: summary}", hook)
    found = compared(SPEC, newer.path)
    unmeasured = dict(found.outputs.unmeasured)
    assert unmeasured["legacy-envelope@1"] == "left to the hooks shortened"
    assert not found.is_safe and not found.keeps_bytes
    assert "could not be measured" in to_text(found)


@pytest.mark.parametrize("side", ["old", "new"])
def test_findings_name_the_side(newer: Copy, side: str) -> None:
    from toolresult_generator.findings import FindingsError

    newer.edit("result.yaml", "namespace: dev.toolresult\n", "namespace: com.mcp.x\n")
    versions = (newer.path, SPEC) if side == "old" else (SPEC, newer.path)
    with pytest.raises(FindingsError) as caught:
        compared(*versions)
    (finding,) = [one for one in caught.value.findings if one.code == "bad_namespace"]
    assert finding.place.file == f"{newer.path}/result.yaml"
    assert finding.message.startswith(f"in the {side} version: ")
