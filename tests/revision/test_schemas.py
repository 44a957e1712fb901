"""Reading a schema of somebody else's: dialects, references, bounds, and faults for people."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.revision.protocol import protocol, written
from tests.revision.replay import needs_official, official, schema_of
from tests.wire.wire_schemas import official_validator

from toolresult_generator.director import Loaded
from toolresult_generator.findings import FindingsError
from toolresult_generator.model.target import Plan
from toolresult_generator.revision.check import RESULT_NAMES
from toolresult_generator.revision.contain import Answer, covers
from toolresult_generator.revision.dialect import normalise
from toolresult_generator.revision.graph import MAX_SCHEMAS, MAX_TARGETS, Graph
from toolresult_generator.revision.judge import Judge
from toolresult_generator.revision.layer import completed
from toolresult_generator.revision.outputs import outputs_of
from toolresult_generator.revision.source import read_schema
from toolresult_generator.revision.weight import MAX_CHAIN, MAX_TOGETHER

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def graph_of(document: dict[str, Any]) -> Graph:
    return Graph(normalise(document, "s.json"))


def fault(document: dict[str, Any], name: str = "CallToolResult") -> tuple[str, str]:
    """Code and message of the finding that a definition gives."""
    with pytest.raises(FindingsError) as caught:
        graph = graph_of(document)
        graph.check(graph.definition(name))
    [finding] = caught.value.findings
    return finding.code, f"{finding.message} ({finding.advice})"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}),
        ({"minimum": 3, "exclusiveMinimum": False}, {"minimum": 3}),
        ({"exclusiveMaximum": True, "maximum": 3}, {"exclusiveMaximum": 3}),
        ({"items": [{"type": "null"}]}, {"prefixItems": [{"type": "null"}]}),
        (
            {"items": [{"type": "null"}], "additionalItems": False},
            {"prefixItems": [{"type": "null"}], "items": False},
        ),
        ({"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
        (
            {"dependencies": {"a": {"required": ["b"]}}},
            {"dependentSchemas": {"a": {"required": ["b"]}}},
        ),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"title": "T", "description": "D", "type": "null"}, {"type": "null"}),
        ({"properties": {"title": {"type": "null"}}}, {"properties": {"title": {"type": "null"}}}),
    ],
)
def test_older_drafts_are_rewritten(old: dict[str, Any], new: dict[str, Any]) -> None:
    made = normalise({"$schema": DRAFT_04, "definitions": {"X": old}}, "s.json")
    assert made.root["$defs"]["X"] == new
    assert made.draft == 4


def test_up_to_draft_07_a_reference_stands_alone_and_later_it_does_not() -> None:
    node = {"$ref": "#/definitions/Y", "maxLength": 3}
    document = {"definitions": {"X": node, "Y": {"type": "string"}}}
    older = graph_of({"$schema": DRAFT_07, **document})
    newer = graph_of({"$schema": LATEST, **document})
    assert older.shape(older.definition("X")).limits == {}
    assert newer.shape(newer.definition("X")).limits == {"maxLength": "3"}


def test_pointers_are_those_of_the_file() -> None:
    inside = {"items": [{"properties": {"a/b": {"type": "null"}}}]}
    graph = graph_of({"$schema": DRAFT_07, "definitions": {"Two Words": inside}})
    ref = "/$defs/TwoWords/prefixItems/0/properties/a~1b"
    assert graph.stands(ref) == "/definitions/Two Words/items/0/properties/a~1b"


@pytest.mark.parametrize(
    "reference", ["#/$defs/Y", "#Anchor", "urn:y", "pkg.v1.Y.jsonschema.json", "#/$defs/Y/allOf/0"]
)
def test_references_inside_of_the_file_are_followed(reference: str) -> None:
    other = {"$anchor": "Anchor", "$id": "urn:y", "allOf": [{"type": "string"}]}
    graph = graph_of({"$schema": LATEST, "$defs": {"X": {"$ref": reference}, "Y": other}})
    graph.check(graph.definition("X"))
    assert graph.shape(graph.definition("X")).types == {"string"}


@needs_official
@pytest.mark.parametrize(
    "name",
    [
        "mcp-handshake@2024-11-05",
        "mcp-handshake@2025-06-18",
        "mcp-handshake@2025-11-25",
        "mcp-stateless@2026-07-28",
        "a2a@0.3",
        "a2a@1.0",
    ],
)
def test_rewritten_schemas_judge_as_the_official_ones_do(name: str, loaded: Loaded) -> None:
    """Outputs of every revision of a family, held against this one by two validators."""
    target_name, _, revision = name.partition("@")
    file = schema_of(target_name, revision)
    graph = graph_of(json.loads(file.read_text(encoding="utf-8")))
    target = loaded.model.target(target_name)
    ref = graph.definition(RESULT_NAMES[target.origin or ""])
    judge, theirs = Judge(graph, ref), official_validator(name)
    seen = set()
    for plan in _plans(loaded, target.origin):
        outputs = outputs_of(loaded, loaded.model.target(plan.target), plan, lambda a, b: None)
        for _, _, wire in outputs.wires[:: 7 if target.origin == "a2a" else 15]:
            sent = completed(wire, target.origin, graph, graph.shape(ref))
            assert judge.allows(sent) is theirs.is_valid(sent), sent
            assert judge.allows(sent) is (judge.refusals(sent) == ())
            seen.add(judge.allows(sent))
    assert seen == {True, False}


def _plans(loaded: Loaded, origin: str | None) -> list[Plan]:
    return [
        plan
        for target in loaded.model.targets
        if target.origin == origin
        for plan in target.plans
        if plan.phase in (None, "final")
    ]


def test_nothing_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    document = protocol()
    document["$defs"]["Icon"] = {"$ref": "https://example.invalid/icon.json"}
    code, told = fault(document)
    assert code == "bad_schema"
    assert "leads out of the file, and nothing is fetched" in told
    outside = {"$ref": "https://example.invalid/x.json"}
    assert covers(outside, {"type": "string"}) is Answer.UNKNOWN


def test_faults_of_references() -> None:
    nowhere = {"$schema": LATEST, "$defs": {"X": {"items": {"$ref": "#/$defs/Y"}}}}
    assert fault(nowhere, "X") == (
        "bad_schema",
        'at /$defs/X/items: "#/$defs/Y" leads nowhere ()',
    )
    circle = {"$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {"anyOf": [{"$ref": "#/$defs/X"}]}}}
    code, told = fault(circle, "X")
    assert (code, "defined by itself" in told) == ("bad_schema", True)
    assert fault({"$defs": {"X": {"$ref": 3}}}, "X")[0] == "bad_schema"
    assert fault({"$defs": {"X": 3}}, "X") == (
        "bad_schema",
        "at /$defs/X: a schema is an object or a boolean ()",
    )


def test_a_circle_below_a_value_is_none() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/X"}}}
    graph = graph_of({"$defs": {"X": node}})
    graph.check(graph.definition("X"))
    assert graph.shape(graph.definition("X")).is_object


def chain(length: int, wrap: Any) -> dict[str, Any]:
    defs = {f"N{n}": wrap({"$ref": f"#/$defs/N{n + 1}"}) for n in range(length)}
    return {"$schema": LATEST, "$defs": {**defs, f"N{length}": {"type": "string"}}}


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (chain(MAX_TARGETS + 5, lambda ref: {"properties": {"a": ref}}), "too_large"),
        (chain(MAX_CHAIN + 5, lambda ref: ref), "too_deep"),
        (chain(14, lambda ref: {"anyOf": [ref, ref]}), "too_large"),
        (
            {"$defs": {"N0": {"properties": {f"p{n}": {} for n in range(MAX_SCHEMAS + 1)}}}},
            "too_large",
        ),
        (
            {"$defs": {"N0": {"anyOf": [{"const": n} for n in range(MAX_TOGETHER + 1)]}}},
            "too_large",
        ),
    ],
    ids=["references", "chain", "doubling", "members", "choices"],
)
def test_bounds(document: dict[str, Any], code: str) -> None:
    assert fault(document, "N0")[0] == code


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("CallToolResults", "CallToolResult"),
        ("ToolResult", "CallToolResult"),
        ("calltoolresult", "CallToolResult"),
    ],
)
def test_a_missing_definition_names_the_near_ones(asked: str, near: str) -> None:
    code, told = fault(protocol(), asked)
    assert code == "missing_definition"
    assert near in told


def test_a_schema_without_definitions_says_so() -> None:
    assert "'#' names the document itself" in fault({"type": "object"})[1]
    graph = graph_of({"type": "object", "properties": {"a": {}}})
    assert graph.shape(graph.definition("#")).is_object


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{", "invalid_json"),
        (b"[]", "bad_schema"),
        (b'"text"', "bad_schema"),
        (b"", "invalid_json"),
        (b"\xff\xfe{}", "not_utf8"),
        (b'{"a": 1, "a": 2}', "duplicate_key"),
        (b"[" * 300 + b"]" * 300, "too_deep"),
        (b'{"$defs": [' + b"0," * 600_000 + b"0]}", "too_many_nodes"),
        (b"# a: yaml\nb: c\n", "invalid_json"),
    ],
)
def test_a_file_that_is_no_schema(content: bytes, code: str, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_bytes(content)
    with pytest.raises(FindingsError) as caught:
        read_schema(file)
    assert caught.value.findings[0].code == code


def test_files_that_are_none(tmp_path: Path) -> None:
    for file, code in ((tmp_path / "no.json", "missing_file"), (tmp_path, "unreadable_file")):
        with pytest.raises(FindingsError) as caught:
            read_schema(file)
        assert caught.value.findings[0].code == code


def test_a_schema_of_50_mb_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    with file.open("wb") as stream:
        stream.write(b'{"$defs": {}}')
        stream.truncate(50_000_000)
    with pytest.raises(FindingsError, match="more than 8388608 bytes"):
        read_schema(file)


def test_an_unknown_dialect_is_refused() -> None:
    document = {"$schema": "https://example.com/my-dialect", "$defs": {"X": {}}}
    assert fault(document, "X")[1].startswith('$schema names "https://example.com/my-dialect"')


def test_the_invented_protocol_is_read_from_a_file(tmp_path: Path) -> None:
    file = written(tmp_path, "p", protocol())
    found = read_schema(file)
    assert found.document == protocol()


def test_containment_has_three_answers() -> None:
    text, short = {"type": "string"}, {"type": "string", "maxLength": 3}
    assert covers(text, short) is Answer.YES
    assert covers(short, text) is Answer.NO
    first, second = ({"type": "string", "pattern": p} for p in ("^a", "^ab"))
    assert covers(first, second) is Answer.UNKNOWN
    assert covers({"type": "nonsense"}, text) is Answer.UNKNOWN


def test_official_schemas_are_where_the_environment_says() -> None:
    if official.folder is not None:
        assert schema_of("mcp-stateless", "2026-07-28").is_file()
