"""Revisions that nobody has published: each changes one thing of the invented protocol."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.revision.conftest import Try
from tests.revision.protocol import Change, Schema

from toolresult_generator.revision.changes import Kind
from toolresult_generator.revision.meaning import Judged, Weight
from toolresult_generator.revision.report import Report, Verdict


def properties(definitions: Schema, name: str = "CallToolResult") -> dict[str, Any]:
    found: dict[str, Any] = definitions[name]["properties"]
    return found


def video(definitions: Schema) -> None:
    block = copy.deepcopy(definitions["AudioContent"])
    block["properties"]["type"]["const"] = "video"
    definitions["VideoContent"] = block
    definitions["ContentBlock"]["anyOf"].append({"$ref": "#/$defs/VideoContent"})


def content_renamed(definitions: Schema) -> None:
    properties(definitions)["parts"] = properties(definitions).pop("content")
    definitions["CallToolResult"]["required"] = ["parts"]


def status_object(definitions: Schema) -> None:
    properties(definitions).pop("isError")
    properties(definitions)["status"] = {
        "type": "object",
        "required": ["code"],
        "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
    }


def closed_status_object(definitions: Schema) -> None:
    status_object(definitions)
    definitions["CallToolResult"]["additionalProperties"] = False


def keys_restricted(definitions: Schema) -> None:
    rule = {"pattern": "^[a-z.]+/[A-Za-z]+$"}
    properties(definitions)["_meta"] = {"type": "object", "propertyNames": rule}


def at_most_four_blocks(definitions: Schema) -> None:
    properties(definitions)["content"]["maxItems"] = 4


def at_most_a_million_blocks(definitions: Schema) -> None:
    properties(definitions)["content"]["maxItems"] = 1_000_000


def image_data_moved(definitions: Schema) -> None:
    image = definitions["ImageContent"]
    data = image["properties"].pop("data")
    image["properties"]["source"] = {
        "type": "object",
        "required": ["data"],
        "properties": {"data": data},
    }
    image["required"] = ["type", "source", "mimeType"]


def optional_field(definitions: Schema) -> None:
    properties(definitions)["traceId"] = {"type": "string"}


def pattern_that_links_break(definitions: Schema) -> None:
    properties(definitions, "ResourceLink")["uri"] = {"type": "string", "pattern": "^[a-z]+:"}


def pattern_that_images_keep(definitions: Schema) -> None:
    properties(definitions, "ImageContent")["mimeType"] = {"type": "string", "pattern": "^image/"}


def pattern_that_audio_may_break(definitions: Schema) -> None:
    rule = {"type": "string", "pattern": "^[^ ]"}
    properties(definitions, "AudioContent")["mimeType"] = rule


def recursive(definitions: Schema) -> None:
    definitions["Group"] = {
        "type": "object",
        "required": ["type", "content"],
        "properties": {
            "type": {"const": "group"},
            "content": {"type": "array", "items": {"$ref": "#/$defs/ContentBlock"}},
        },
    }
    definitions["ContentBlock"]["anyOf"].append({"$ref": "#/$defs/Group"})


def rule_of_another_kind(definitions: Schema) -> None:
    definitions["TextContent"]["if"] = {"required": ["annotations"]}
    definitions["TextContent"]["then"] = {"required": ["_meta"]}


def the(report: Report, kind: Kind, name: str) -> Judged:
    """The only change of a kind and name."""
    [found] = [c for c in report.changes if (c.change.kind, c.change.fact.name) == (kind, name)]
    return found


def broken(report: Report) -> set[str]:
    return {cell.path for cell in report.trial.broken()}


def test_a_new_kind_of_block_is_a_chance_for_what_has_none(try_change: Try) -> None:
    report = try_change(video)
    added = the(report, Kind.KIND_ADDED, "video")
    assert added.change.places == ("/content/*(video)",)
    assert added.weight is Weight.CHANCE
    assert set(added.paths) == {f"content.binary.{n}" for n in ("data", "mime_type", "name")}
    assert broken(report) == set()
    [capability] = report.proposal.capabilities
    assert capability.name == "video_blocks"
    assert "video_content" in report.proposal.wire_text


def test_content_renamed(try_change: Try) -> None:
    report = try_change(content_renamed)
    renamed = the(report, Kind.RENAMED, "content")
    assert renamed.change.fact.guess and renamed.change.fact.other == "parts"
    assert renamed.weight is Weight.BREAKS and renamed.forms == ("result",)
    assert report.trial.breaks_all
    assert len(report.changes) == 1
    assert "`parts`" in report.proposal.gaps[0]


def test_the_mark_of_a_failure_replaced_by_an_object(try_change: Try) -> None:
    report = try_change(status_object)
    gone = the(report, Kind.REMOVED, "isError")
    assert gone.weight is Weight.RISK, "it is still allowed, and means nothing any more"
    assert gone.forms == ("result",)
    assert broken(report) == set()
    assert report.verdict is Verdict.RULES
    assert the(report, Kind.ADDED, "status").weight is Weight.NOTE


def test_the_mark_of_a_failure_refused(try_change: Try) -> None:
    report = try_change(closed_status_object)
    assert the(report, Kind.REMOVED, "isError").weight is Weight.BREAKS
    assert broken(report) == {"error.code", "error.message", "error.details"}
    evidence = report.trial.cells["error.code", "mcp-handshake@2025-11-25/final"].evidence
    assert evidence is not None
    assert evidence.value["error"] == {"code": "tool_error", "message": "No."}
    assert evidence.refusal.rule == "/$defs/CallToolResult/additionalProperties"


def test_keys_of_metadata_restricted(try_change: Try) -> None:
    report = try_change(keys_restricted)
    [rule] = report.changes
    assert rule.change.kind is Kind.METADATA and rule.change.places == ("/_meta",)
    assert rule.weight is Weight.BREAKS
    related = {f"metadata.related_task.{name}" for name in ("id", "poll_interval_ms")}
    assert broken(report) == {"metadata.extensions", "metadata.foreign.mcp"} | related


def test_a_size_limit_that_samples_break_together(try_change: Try) -> None:
    report = try_change(at_most_four_blocks)
    assert the(report, Kind.NARROWED, "maxItems").weight is Weight.BREAKS
    [cell] = report.trial.broken()
    assert cell.evidence is not None
    assert len(cell.evidence.value["content"]) == 5, "the smallest result that shows it"
    assert set(cell.evidence.value) == {"content", "format_version"}


def test_a_size_limit_that_no_sample_breaks_is_a_risk(try_change: Try) -> None:
    report = try_change(at_most_a_million_blocks)
    assert the(report, Kind.NARROWED, "maxItems").weight is Weight.RISK
    assert broken(report) == set()
    assert report.verdict is Verdict.RULES


def test_data_of_images_moved_into_an_object(try_change: Try) -> None:
    report = try_change(image_data_moved)
    moved = the(report, Kind.MOVED_IN, "data")
    assert moved.change.fact.other == "source" and moved.change.fact.guess
    assert moved.weight is Weight.BREAKS
    assert broken(report) == {path for path in broken(report) if path.startswith("content.image.")}
    assert "content.image.data" in broken(report)


def test_an_optional_field_changes_nothing(try_change: Try) -> None:
    report = try_change(optional_field)
    assert the(report, Kind.ADDED, "traceId").weight is Weight.NOTE
    assert report.verdict is Verdict.AS_IS


def test_a_tightened_pattern(try_change: Try) -> None:
    report = try_change(pattern_that_links_break)
    [change] = report.changes
    assert change.change.kind is Kind.NARROWED and change.weight is Weight.BREAKS
    assert {"content.link.uri", "stored.uri"} <= broken(report)
    assert not any(path.startswith("content.text") for path in broken(report))


def test_a_pattern_that_our_strict_schema_keeps(try_change: Try) -> None:
    """Contained, says the library: our images are of four types."""
    report = try_change(pattern_that_images_keep)
    [change] = report.changes
    assert change.weight is Weight.NOTE and "our strict schema" in change.means
    assert report.verdict is Verdict.AS_IS


def test_a_pattern_that_no_sample_breaks_and_results_may(try_change: Try) -> None:
    report = try_change(pattern_that_audio_may_break)
    [change] = report.changes
    assert change.weight is Weight.RISK and "content.audio.mime_type" in change.means
    assert broken(report) == set()
    assert report.verdict is Verdict.RULES


def test_a_recursive_type(try_change: Try) -> None:
    report = try_change(recursive)
    assert the(report, Kind.KIND_ADDED, "group").weight is Weight.NOTE
    assert "$ref: '#/$defs/group'" in report.proposal.wire_text
    assert report.verdict is Verdict.AS_IS


def test_a_rule_that_cannot_be_taken_apart_is_never_fine(try_change: Try) -> None:
    report = try_change(rule_of_another_kind)
    assert {one.change.kind for one in report.changes} == {Kind.UNKNOWN}
    assert all(one.weight.must_look for one in report.changes)
    assert report.verdict is Verdict.RULES


@pytest.mark.parametrize(
    "change", [video, content_renamed, closed_status_object, keys_restricted, image_data_moved]
)
def test_what_breaks_for_no_known_reason_is_no_less_told(try_change: Try, change: Change) -> None:
    report = try_change(change)
    asks = report.proposal.gaps or report.proposal.capabilities
    assert asks and report.verdict is Verdict.RULES
