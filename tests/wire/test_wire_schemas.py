"""Our wire schemas: what they accept, what they refuse, and that the official ones agree."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.wire.examples import MCP_REVISIONS, PNG, STRUCTURED, Wire, examples, ours, text
from tests.wire.schema_values import accepted_values
from tests.wire.wire_schemas import (
    REVISIONS,
    WIRE,
    as_official,
    faults,
    official_file,
    official_validator,
    own_document,
    own_schema,
    own_validator,
)

ENVELOPE = "legacy-envelope@1"
OFFICIAL = tuple(revision for revision in REVISIONS if revision != ENVELOPE)
HANDSHAKE = tuple(revision for revision in MCP_REVISIONS if "handshake" in revision)
UNSTRUCTURED = tuple(revision for revision in MCP_REVISIONS if revision not in STRUCTURED)


def date(revision: str) -> str:
    """The revision without its target."""
    return revision.partition("@")[2]


def need_official(revision: str) -> None:
    """Skips, saying why, where the official schema is not on this machine."""
    path = official_file(revision)
    if not path.is_file():
        pytest.skip(
            f"the official schema of {revision} is not at {path}; name its folder in "
            "TOOLRESULT_OFFICIAL_SCHEMAS to run this test"
        )


def test_every_revision_has_a_schema() -> None:
    assert set(REVISIONS) == {
        "legacy-envelope@1",
        "mcp-handshake@2024-11-05",
        "mcp-handshake@2025-03-26",
        "mcp-handshake@2025-06-18",
        "mcp-handshake@2025-11-25",
        "mcp-stateless@2026-07-28",
        "a2a@0.3",
        "a2a@1.0",
    }


@pytest.mark.parametrize("revision", REVISIONS)
def test_file_is_a_schema_and_says_what_it_is(revision: str) -> None:
    target, _, name = revision.partition("@")
    lines = (WIRE / target / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[0] == (
        "# yaml-language-server: $schema=https://json-schema.org/draft/2020-12/schema"
    )
    header = "\n".join(lines[: lines.index("")])
    assert "# Protocol: " in header
    assert f"Revision: {name}." in header
    assert own_document(revision)["$id"] == f"urn:toolresult:wire:{target}:{name}"
    Draft202012Validator.check_schema(own_document(revision))
    Draft202012Validator.check_schema(own_schema(revision))
    assert "{" not in "".join(strings(own_document(revision)["$id"]))


@pytest.mark.parametrize("revision", REVISIONS)
def test_no_placeholder_is_left(revision: str) -> None:
    left = [s for s in strings(own_document(revision)) if "{namespace" in s or "{a2a" in s]
    assert not left


def strings(node: Any) -> Iterator[str]:
    """Every string of a document, keys included."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from strings(key)
            yield from strings(value)
    elif isinstance(node, list):
        for item in node:
            yield from strings(item)


@pytest.mark.parametrize("revision", OFFICIAL)
def test_every_object_with_a_form_is_closed(revision: str) -> None:
    """A definition that lists properties for a type says what becomes of all others."""
    open_ones = [
        place
        for place, node in subschemas(own_schema(revision), "#")
        if node.get("type") in ("object", ["object", "string"])
        and "properties" in node
        and "additionalProperties" not in node
    ]
    # A union of shapes is closed by the shape that its conditions pick; `embedded`
    # and `exact` are conditions themselves.
    unions = {"#/$defs/block", "#/$defs/part", "#/$defs/foreign_meta"}
    conditions = ("#/$defs/embedded", "#/$defs/exact")
    assert [p for p in open_ones if p not in unions and not p.startswith(conditions)] == []


def subschemas(node: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping of a schema with its place."""
    if isinstance(node, dict):
        yield place, node
        for key, value in node.items():
            yield from subschemas(value, f"{place}/{key}")
    elif isinstance(node, list):
        for at, item in enumerate(node):
            yield from subschemas(item, f"{place}/{at}")


@pytest.mark.parametrize(
    ("revision", "name"), [(r, name) for r in REVISIONS for name in examples(r)]
)
def test_accepts_what_is_well_formed(revision: str, name: str) -> None:
    assert faults(own_validator(revision), examples(revision)[name]) == []


@pytest.mark.parametrize("revision", OFFICIAL)
def test_official_schema_accepts_the_examples(revision: str) -> None:
    need_official(revision)
    for value in examples(revision).values():
        assert faults(official_validator(revision), as_official(revision, value)) == []


@pytest.mark.parametrize("revision", OFFICIAL)
def test_official_schema_can_refuse(revision: str) -> None:
    """The oracle is connected: it refuses what no revision allows."""
    need_official(revision)
    value = as_official(revision, examples(revision)["failure"])
    if "content" in value:
        value["content"] = [{"type": "text"}]
    else:
        value["status"]["state"] = "on-its-way"
    assert faults(official_validator(revision), value)


@pytest.mark.parametrize("revision", OFFICIAL)
def test_official_schema_accepts_all_that_ours_accepts(revision: str) -> None:
    need_official(revision)
    official = official_validator(revision)
    # What A2A may carry is bounded by what a double holds; MCP is not.
    exact = not revision.startswith("a2a@")
    schema, validator = own_schema(revision), own_validator(revision)

    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(accepted_values(schema, validator, exact=exact))
    def check(value: Wire) -> None:
        assert faults(official, as_official(revision, value)) == []

    check()


@settings(max_examples=50, deadline=None)
@given(accepted_values(own_schema(ENVELOPE), own_validator(ENVELOPE), exact=True))
def test_envelope_values_are_json_objects(value: Wire) -> None:
    """What the string may hold is a JSON object with a boolean ``success``."""
    assert json.loads(json.dumps(value)) == value
    assert value["success"] in (True, False)
    assert value["success"] or ("data" not in value and value["error"] != "")


def test_envelope_on_the_wire_is_a_string() -> None:
    validator = Draft202012Validator(own_document("legacy-envelope@1"))
    assert faults(validator, '{"success":true}') == []
    assert faults(validator, {"success": True})


# --- Refusals ---------------------------------------------------------------
#
# Each case changes one thing in a well-formed value; the fault must be at the
# place of the change, so that no case passes for another reason.

Path = tuple[str | int, ...]
_REMOVE = object()


def changed(value: Wire, path: Path, new: Any) -> Wire:
    """A copy of the value with ``new`` at ``path``, or without what is there."""
    result: Any = copy.deepcopy(value)
    node = result
    for step in path[:-1]:
        node = node[step]
    if new is _REMOVE:
        del node[path[-1]]
    else:
        node[path[-1]] = new
    assert isinstance(result, dict)
    return result


class Case:
    """A change that the schema of some revisions must refuse."""

    def __init__(
        self,
        name: str,
        revisions: tuple[str, ...],
        example: str,
        path: Path,
        new: Any,
        place: str = "",
    ) -> None:
        self.name = name
        self.revisions = revisions
        self.example = example
        self.path = path
        self.new = new
        self.place = place


def block_cases() -> Iterator[Case]:
    """One block in place of the first of a success."""

    def case(name: str, revisions: tuple[str, ...], block: Any, place: str = "") -> Case:
        return Case(f"block-{name}", revisions, "success", ("content", 0), block, place)

    yield case("unknown-type", MCP_REVISIONS, {"type": "video", "data": PNG})
    yield case("without-type", MCP_REVISIONS, {"text": "a"})
    yield case("text-missing", MCP_REVISIONS, {"type": "text"})
    yield case("text-with-data", MCP_REVISIONS, text("a", data=PNG))
    yield case("unknown-property", MCP_REVISIONS, text("a", colour="red"))
    yield case("meta-too-early", UNSTRUCTURED, text("a", _meta={}))
    yield case("meta-not-an-object", STRUCTURED, text("a", _meta=[]))
    audio = {"type": "audio", "data": PNG, "mimeType": "audio/wav"}
    yield case("audio-too-early", ("mcp-handshake@2024-11-05",), audio)
    link = {"type": "resource_link", "uri": "a", "name": "a"}
    yield case("link-too-early", UNSTRUCTURED, link)
    yield case("link-without-name", STRUCTURED, {"type": "resource_link", "uri": "a"})
    yield case("link-empty-uri", STRUCTURED, {**link, "uri": ""}, ".uri")
    yield case("link-negative-size", STRUCTURED, {**link, "size": -1}, ".size")
    yield case("link-size-float", STRUCTURED, {**link, "size": 1.5}, ".size")
    early = tuple(revision for revision in STRUCTURED if date(revision) < "2025-11-25")
    yield case("icons-too-early", early, {**link, "icons": [{"src": "a"}]})
    late = tuple(revision for revision in STRUCTURED if revision not in early)
    yield case("icon-without-src", late, {**link, "icons": [{}]}, ".icons[0]")
    yield case("icon-theme", late, {**link, "icons": [{"src": "a", "theme": "red"}]}, ".theme")
    yield case("icon-unknown", late, {**link, "icons": [{"src": "a", "x": 1}]}, ".icons[0]")
    yield case("icons-on-text", MCP_REVISIONS, text("a", icons=[]))
    image = {"type": "image", "data": PNG, "mimeType": "image/png"}
    for kind in ("image/svg+xml", "image/bmp", "image/PNG", "text/plain", ""):
        wrong = {**image, "mimeType": kind}
        yield case(f"image-type-{kind or 'empty'}", MCP_REVISIONS, wrong, ".mimeType")
    bad = {
        "url-alphabet": "-_8=",
        "unpadded": "iVBORw0KGgo",
        "line-break": "iVBO\nRw0KGgo=",
        "trailing-line-feed": f"{PNG}\n",
        "not-canonical": "AB==",
        "not-canonical-3": "AAB=",
        "data-uri": f"data:image/png;base64,{PNG}",
    }
    for name, data in bad.items():
        yield case(f"base64-{name}", MCP_REVISIONS, {**image, "data": data}, ".data")
        blob = {"type": "resource", "resource": {"uri": "a", "blob": data}}
        yield case(f"blob-{name}", MCP_REVISIONS, blob, ".blob")
    for name, resource in {
        "empty": {"uri": "a"},
        "both": {"uri": "a", "text": "", "blob": ""},
        "without-uri": {"text": ""},
        "unknown-property": {"uri": "a", "text": "", "name": "a"},
    }.items():
        block = {"type": "resource", "resource": resource}
        yield case(f"resource-{name}", MCP_REVISIONS, block, ".resource")
    early_meta = {"type": "resource", "resource": {"uri": "a", "text": "", "_meta": {}}}
    yield case("resource-meta-too-early", UNSTRUCTURED, early_meta, ".resource")
    for name, hints in {
        "empty": {},
        "unknown": {"title": "a"},
        "empty-audience": {"audience": []},
        "audience-unknown": {"audience": ["system"]},
        "priority-high": {"priority": 1.5},
        "priority-negative": {"priority": -0.1},
        "priority-text": {"priority": "1"},
    }.items():
        block = text("a", annotations=hints)
        yield case(f"annotations-{name}", MCP_REVISIONS, block, ".annotations")
    modified = text("a", annotations={"lastModified": "2026-07-28T10:00:00Z"})
    yield case("last-modified-too-early", UNSTRUCTURED, modified, ".annotations")
    for name, time in {
        "lower-case": "2026-07-28t10:00:00z",
        "date-alone": "2026-07-28",
        "month": "2026-13-28T10:00:00Z",
        "leap-second": "2026-07-28T23:59:60Z",
        "offset": "2026-07-28T10:00:00+24:00",
        "line-feed": "2026-07-28T10:00:00Z\n",
    }.items():
        block = text("a", annotations={"lastModified": time})
        yield case(f"last-modified-{name}", STRUCTURED, block, ".lastModified")


def mcp_cases() -> Iterator[Case]:
    """What no MCP result of ours may hold."""
    yield from block_cases()
    yield Case("unknown-property", MCP_REVISIONS, "success", ("task",), {})
    yield Case("no-content", MCP_REVISIONS, "success", ("content",), _REMOVE)
    yield Case("empty-content", MCP_REVISIONS, "success", ("content",), [], ".content")
    yield Case("content-not-a-list", MCP_REVISIONS, "success", ("content",), {}, ".content")
    yield Case("is-error-false", MCP_REVISIONS, "failure", ("isError",), False, ".isError")
    yield Case("structured-too-early", UNSTRUCTURED, "copy", ("structuredContent",), {})
    objects = tuple(revision for revision in HANDSHAKE if revision in STRUCTURED)
    path: Path = ("structuredContent",)
    values: list[Any] = [[], "a", 1, None]
    for value in values:
        name = f"structured-{json.dumps(value)}"
        yield Case(name, objects, "copy", path, value, ".structuredContent")
    yield Case("result-type-too-early", HANDSHAKE, "copy", ("resultType",), "complete")
    stateless = ("mcp-stateless@2026-07-28",)
    yield Case("result-type-missing", stateless, "copy", ("resultType",), _REMOVE)
    required = "input_required"
    yield Case("result-type", stateless, "copy", ("resultType",), required, ".resultType")
    yield Case("empty-meta", MCP_REVISIONS, "empty", ("_meta",), {})
    yield Case("layout-missing", MCP_REVISIONS, "empty", ("_meta",), {"a": 1}, "_meta")
    path = ("_meta", ours("layout"))
    yield Case("layout-missing-on-failure", MCP_REVISIONS, "failure", path, _REMOVE, "_meta")
    yield Case("layout-empty", MCP_REVISIONS, "empty", path, [], "layout")
    yield Case("layout-role", MCP_REVISIONS, "empty", path, ["picture"], "layout")
    path = ("_meta", ours("error"))
    yield Case("error-missing", MCP_REVISIONS, "failure", path, _REMOVE, "_meta")
    yield Case("error-on-success", MCP_REVISIONS, "success", path, {"code": "a"}, "_meta")
    yield Case("error-without-code", MCP_REVISIONS, "failure", path, {}, "error")
    wrong: Any = {"code": "Not Found"}
    yield Case("error-code", MCP_REVISIONS, "failure", path, wrong, ".code")
    wrong = {"code": "not_found", "details": []}
    yield Case("error-details", MCP_REVISIONS, "failure", path, wrong, ".details")
    path = ("structuredContent",)
    wrong = {"a": 1}
    yield Case("error-structured-data", STRUCTURED, "failure", path, wrong, "structuredContent")
    path = ("_meta", ours("wrapped"))
    yield Case("wrapped-too-early", UNSTRUCTURED, "copy", path, True, "_meta")
    yield Case("wrapped-never", stateless, "success", path, True, "_meta")
    yield Case("wrapped-false", objects, "success", path, False, "wrapped")
    path = ("structuredContent",)
    wrong = {"result": 1, "more": 2}
    yield Case("wrapped-beside", objects, "success", path, wrong, "structuredContent")
    yield Case("wrapped-nothing", objects, "success", path, {}, "structuredContent")
    yield from meta_cases()


def meta_cases() -> Iterator[Case]:
    """What _meta of an MCP result may not hold."""
    for key in (
        ours("layouts"),
        ours("part"),
        ours("exactJson"),
        ours(""),
        ours("a/b\n"),
        "io.modelcontextprotocol/serverInfo",
        "io.modelcontextprotocol/\n",
        "traceparent",
        "tracestate",
        "baggage",
    ):
        yield Case(f"meta-key-{key!r}", MCP_REVISIONS, "success", ("_meta", key), 1, "_meta")
    related = "io.modelcontextprotocol/related-task"
    early = tuple(revision for revision in MCP_REVISIONS if date(revision) < "2025-11-25")
    path: Path = ("_meta", related)
    yield Case("related-task-too-early", early, "success", path, {"taskId": "t"}, "_meta")
    late = tuple(revision for revision in MCP_REVISIONS if revision not in early)
    for value in ({}, {"taskId": ""}, {"taskId": "t", "ttl": 1}):
        yield Case(f"related-task-{value}", late, "success", path, value, "related-task")
    for key in (
        "a",
        "com.example",
        ours("a"),
        "io.mcp/a",
        "io.modelcontextprotocol/a",
        "mcp.example/a",
        "com.example.mcp.tools/a",
        "com.example/",
    ):
        for name in ("extensions", "presentation"):
            path = ("_meta", ours(name))
            yield Case(f"{name}-{key}", MCP_REVISIONS, "success", path, [key], name)
    yield from marker_cases(MCP_REVISIONS, "success", ("_meta",))
    for name, parts in {
        "empty": {},
        "index": {"01": {"name": "a"}},
        "index-text": {"a": {"name": "a"}},
        "nothing": {"0": {}},
        "unknown": {"0": {"colour": "red"}},
        "kind": {"0": {"kind": "video"}},
        "kind-implied": {"0": {"kind": "embedded"}},
        "name-derived": {"0": {"name_derived": False}},
        "expires": {"0": {"expires_at": "soon"}},
        "foreign-empty": {"0": {"foreign": {}}},
        "foreign-origin": {"0": {"foreign": {"legacy": {"a": 1}}}},
    }.items():
        path = ("_meta", ours("parts"))
        yield Case(f"parts-{name}", MCP_REVISIONS, "success", path, parts, "parts")
    path = ("_meta", ours("parts"))
    late_members: Wire = {"uri": "a", "size": 1, "last_modified": "2026-07-28T10:00:00Z"}
    for name, value in late_members.items():
        late_part: Wire = {"0": {name: value}}
        yield Case(f"parts-too-late-{name}", STRUCTURED, "success", path, late_part, "parts")


def marker_cases(revisions: tuple[str, ...], example: str, at: Path) -> Iterator[Case]:
    """Metadata of ours in a wrong shape, in MCP's _meta and A2A's metadata alike."""
    for name, value in {
        "pagination": {"total": -1},
        "dryRun": "true",
        "responseSize": -1,
        "generatedAt": "today",
        "expiresAt": "2026-07-28T25:00:00Z",
        "relatedTask": {"pollIntervalMs": 1},
        "foreign": {"mcp": {}},
        "extensions": [],
        "presentation": ["com.example/a", "com.example/a"],
    }.items():
        yield Case(f"marker-{name}", revisions, example, (*at, ours(name)), value, name)
    for name, value in {
        "pagination": {"next_cursor": "a"},
        "relatedTask": {"id": "t", "poll_interval_ms": 1},
        "foreign": {"mcp_meta": {"a": 1}},
    }.items():
        yield Case(f"marker-key-{name}", revisions, example, (*at, ours(name)), value, name)


def a2a_cases() -> Iterator[Case]:
    """What no A2A result of ours may hold, in either revision."""
    both = ("a2a@0.3", "a2a@1.0")
    artifact: Path = ("artifacts", 0)
    yield Case("unknown-property", both, "success", ("history",), [])
    yield Case("id-of-the-protocol", both, "success", ("id",), "t1")
    yield Case("timestamp-of-the-protocol", both, "success", ("status", "timestamp"), "x", "status")
    yield Case("no-status", both, "success", ("status",), _REMOVE)
    yield Case("state-unknown", both, "success", ("status", "state"), "working", "state")
    yield Case("failure-silent", both, "failure", ("status", "message"), _REMOVE, "status")
    yield Case("artifacts-empty", both, "success", ("artifacts",), [], "artifacts")
    yield Case("artifact-empty", both, "success", (*artifact, "parts"), [], "parts")
    yield Case("artifact-without-id", both, "success", (*artifact, "artifactId"), _REMOVE, "[0]")
    yield Case("artifact-name", both, "success", (*artifact, "name"), "other", "name")
    yield Case("artifact-unknown", both, "success", (*artifact, "description"), "a", "[0]")
    yield Case("extensions-missing", both, "success", (*artifact, "extensions"), _REMOVE, "[0]")
    path: Path = (*artifact, "extensions")
    yield Case("extensions-other", both, "success", path, ["https://other"], "extensions")
    yield Case("metadata-missing", both, "success", (*artifact, "metadata"), _REMOVE, "[0]")
    yield Case("metadata-empty", both, "success", (*artifact, "metadata"), {}, "metadata")
    yield Case("task-metadata", both, "success", ("metadata",), {"k": 1})
    yield Case("task-metadata-on-failure", both, "failure", ("metadata",), {"k": 1}, "status")
    for revision in both:
        described = examples(revision)["success"]["artifacts"][0]
        twice = (revision,)
        yield Case("metadata-twice", twice, "failure-with-artifact", artifact, described, "[0]")
    message: Path = ("status", "message")
    yield Case("message-role", both, "failure", (*message, "role"), "user", "role")
    yield Case("message-empty", both, "failure", (*message, "parts"), [], "parts")
    yield Case("message-unknown", both, "failure", (*message, "taskId"), "t", "message")
    yield Case("message-text-empty", both, "failure", (*message, "parts", 0, "text"), "", "text")
    path = (*message, "parts", 1, "data")
    yield Case("message-error", both, "failure", path, {"details": {}}, "parts[1]")
    yield from marker_cases(both, "success", (*artifact, "metadata"))
    keys: Path = (*artifact, "metadata", ours("exactJson"))
    yield Case("exact-unlisted", both, "success", keys, _REMOVE, "responseSize")
    yield Case("exact-list", both, "success", keys, True, "exactJson")
    for name in ("layout", "parts", "wrapped", "error"):
        path = (*artifact, "metadata", ours(name))
        yield Case(f"metadata-{name}", both, "success", path, True, "metadata")
    yield from exact_cases(both, (*artifact, "metadata", "k"))
    for revision, wrap in (("a2a@1.0", data_1_0), ("a2a@0.3", data_0_3)):
        for case in exact_cases((revision,), ()):
            data = wrap(case.new)
            path = (*artifact, "parts", 0)
            yield Case(f"data-{case.name}", (revision,), "success", path, data, "parts[0]")
    for name, marker in {
        "empty": {},
        "unknown": {"colour": "red"},
        "kind": {"kind": "text"},
        "priority": {"priority": 2},
        "audience": {"audience": ["system"]},
        "size": {"kind": "stored", "size": 2**53 + 1},
        "uri-of-no-kind": {"uri": "a"},
        "text": "{}",
    }.items():
        part_metadata = {ours("part"): marker}
        path = (*artifact, "parts", 3, "metadata")
        yield Case(f"part-{name}", both, "success", path, part_metadata, "metadata")
    path = (*artifact, "parts", 3, "metadata")
    yield Case("part-metadata-empty", both, "success", path, {}, "metadata")
    yield Case("part-metadata-ours", both, "success", path, {ours("parts"): 1}, "metadata")
    yield from part_cases()


def data_1_0(value: Any) -> Wire:
    """A data part of A2A 1.0."""
    return {"data": value, "mediaType": "application/json"}


def data_0_3(value: Any) -> Wire:
    """A data part of A2A 0.3."""
    return {"kind": "data", "data": {"value": value}, "metadata": {"data_part_compat": True}}


def nested(depth: int) -> Any:
    """A list that deep: 0 is a scalar."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def exact_cases(revisions: tuple[str, ...], path: Path) -> Iterator[Case]:
    """Values that a protobuf Value does not carry."""
    for name, value in {
        "integer": 2**53 + 1,
        "negative": -(2**53) - 1,
        "inside": [{"a": 2**63}],
        "deep": nested(31),
    }.items():
        yield Case(f"exact-{name}", revisions, "success", path, value, ".k")


def part_cases() -> Iterator[Case]:
    """Parts of the wrong form, each revision in its own."""
    path: Path = ("artifacts", 0, "parts", 0)
    marked = {ours("part"): {"kind": "image"}}
    for name, part in {
        "empty": {},
        "two": {"text": "a", "url": "b", "mediaType": "text/plain"},
        "kind": {"kind": "text", "text": "a", "mediaType": "text/plain"},
        "text-without-type": {"text": "a"},
        "raw-without-type": {"raw": PNG, "metadata": marked},
        "raw": {"raw": "-_8=", "mediaType": "image/png"},
        "data-without-type": {"data": 1},
        "data-type": {"data": 1, "mediaType": "text/plain"},
        "data-metadata": {"data": 1, "mediaType": "application/json", "metadata": {"k": 1}},
        "exact-type": {
            "text": "1",
            "mediaType": "text/plain",
            "metadata": {ours("exactJson"): True},
        },
        "url-empty": {"url": ""},
        "link-type": {"url": "a", "mediaType": ""},
    }.items():
        yield Case(f"part-form-{name}", ("a2a@1.0",), "success", path, part, "parts[0]")
    for name, part in {
        "empty": {},
        "no-kind": {"text": "a"},
        "kind": {"kind": "url", "url": "a"},
        "text-type": {"kind": "text", "text": "a", "mediaType": "text/plain"},
        "file-empty": {"kind": "file", "file": {"mimeType": "image/png"}},
        "file-both": {"kind": "file", "file": {"bytes": "", "uri": "a", "mimeType": "a/b"}},
        "file-without-type": {"kind": "file", "file": {"bytes": PNG}, "metadata": marked},
        "file-base64": {"kind": "file", "file": {"bytes": "-_8=", "mimeType": "a/b"}},
        "file-unknown": {"kind": "file", "file": {"uri": "a", "size": 1}},
        "data-array": {"kind": "data", "data": []},
        "data-wrapped-object": data_0_3({}),
        "data-wrapped-beside": {**data_0_3(1), "data": {"value": 1, "more": 2}},
        "data-metadata": {"kind": "data", "data": {}, "metadata": {"k": 1}},
        "exact-type": {"kind": "text", "text": "1", "metadata": {ours("exactJson"): True}},
    }.items():
        yield Case(f"part-form-{name}", ("a2a@0.3",), "success", path, part, "parts[0]")


def legacy_cases() -> Iterator[Case]:
    """What no envelope of ours may hold."""
    envelope = ("legacy-envelope@1",)
    yield Case("no-success", envelope, "success", ("success",), _REMOVE)
    yield Case("success-text", envelope, "success", ("success",), "true", "success")
    yield Case("success-number", envelope, "success", ("success",), 1, "success")
    yield Case("failure-without-error", envelope, "failure", ("error",), _REMOVE)
    yield Case("error-empty", envelope, "failure", ("error",), "", "error")
    yield Case("error-object", envelope, "failure", ("error",), {"message": "a"}, "error")
    yield Case("failure-with-data", envelope, "failure", ("data",), None)
    yield Case("meta-empty", envelope, "success", ("_meta",), {}, "_meta")
    yield Case("meta-list", envelope, "success", ("_meta",), [], "_meta")


CASES = [
    pytest.param(revision, case, id=f"{revision}-{case.name}")
    for case in [*mcp_cases(), *a2a_cases(), *legacy_cases()]
    for revision in case.revisions
]


@pytest.mark.parametrize(("revision", "case"), CASES)
def test_refuses(revision: str, case: Case) -> None:
    value = changed(examples(revision)[case.example], case.path, case.new)
    places = faults(own_validator(revision), value)
    assert places, f"{revision} accepts {case.name}"
    assert any(case.place in place.partition(": ")[0] for place in places), places


@pytest.mark.parametrize("revision", OFFICIAL)
@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_refuses_an_unknown_member_of_the_result(revision: str, data: st.DataObject) -> None:
    """Whatever the value and the name."""
    schema, validator = own_schema(revision), own_validator(revision)
    exact = not revision.startswith("a2a@")
    value = data.draw(accepted_values(schema, validator, exact=exact))
    name = data.draw(st.text().filter(lambda key: key not in schema["properties"]))
    assert faults(validator, {**value, name: None})


def test_depth_of_thirty_and_edges_are_accepted() -> None:
    """The other side of the refusals: bounds belong to what is allowed."""
    path: Path = ("artifacts", 0, "parts", 0)
    for revision, wrap in (("a2a@1.0", data_1_0), ("a2a@0.3", data_0_3)):
        for value in (nested(30), 2**53, -(2**53), 1e21, 5e-324, 1.5, None):
            wire = changed(examples(revision)["success"], path, wrap(value))
            assert faults(own_validator(revision), wire) == [], value
