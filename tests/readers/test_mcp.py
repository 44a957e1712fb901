"""How results of tools/call are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolresult import registry
from toolresult_core import Result, ResultError
from toolresult_core.runtime.json_value import ABSENT
from toolresult_generator.load import load_spec
from toolresult_generator.model.sample import build_samples

OURS = "dev.toolresult/"
SAMPLES = build_samples(load_spec(Path(__file__).parents[2] / "spec"))
NO_MESSAGE = "The tool reported a failure without a message."
REVISIONS = [
    (target, revision)
    for target in ("mcp-handshake", "mcp-stateless")
    for revision in registry.revisions(target)
]


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": value, **more}


def read(wire: Any, target: str = "mcp-handshake", revision: str = "2025-11-25") -> dict[str, Any]:
    result = registry.reader(target, revision).read(json.dumps(wire))
    assert isinstance(result, Result)
    found = json.loads(result.to_json())
    del found["format_version"]
    return dict(found)


def parts(*texts: str) -> list[dict[str, Any]]:
    return [{"kind": "text", "text": one} for one in texts]


@pytest.mark.parametrize(("target", "revision"), REVISIONS)
@pytest.mark.parametrize("data", [{"a": 1}, {}, {"result": 1}])
def test_structured_content_is_the_data(target: str, revision: str, data: Any) -> None:
    """Reading others' results: structuredContent is the data, wrapped only by our marker."""
    assert read({"content": [], "structuredContent": data}, target, revision) == {"data": data}


def test_structured_content_of_any_type_is_the_data() -> None:
    """mcp-stateless: structuredContent is any JSON value, null included."""
    values: list[Any] = [None, False, 0, "", []]
    for value in values:
        wire = {"resultType": "complete", "content": [], "structuredContent": value}
        assert read(wire, "mcp-stateless", "2026-07-28") == {"data": value}


@pytest.mark.parametrize(
    ("meta", "data"),
    [
        ({OURS + "wrapped": True}, [1]),
        ({OURS + "wrapped": False}, {"result": [1]}),
        ({OURS + "wrapped": 1}, {"result": [1]}),
        ({}, {"result": [1]}),
    ],
)
def test_a_wrapper_is_taken_off_by_its_marker_alone(meta: dict[str, Any], data: Any) -> None:
    """Self-describing output: ``wrapped``; without markers nothing is ours."""
    wire = {"content": [], "structuredContent": {"result": [1]}, "_meta": meta}
    assert read(wire) == {"data": data}


def test_a_wrapper_with_more_in_it_is_none() -> None:
    """Self-describing output: ``wrapped`` is ``{"result": …}`` and nothing else."""
    value = {"result": 1, "more": 2}
    wire = {"content": [], "structuredContent": value, "_meta": {OURS + "wrapped": True}}
    assert read(wire) == {"data": value}


def test_a_text_equal_to_the_structured_content_is_its_copy() -> None:
    """Without markers: a text block canonically equal to structuredContent is its copy."""
    wire = {
        "content": [text('{ "b": 2.0, "a": 1 }'), text('{"a":1}')],
        "structuredContent": {"a": 1, "b": 2},
    }
    assert read(wire) == {"data": {"a": 1, "b": 2}, "content": parts('{"a":1}')}


@pytest.mark.parametrize(
    "said",
    ['{"success":true,"data":1}', '{"_meta":{"total":1}}', '{"error":{"code":"not_found"}}', ""],
)
def test_without_markers_text_is_text(said: str) -> None:
    """Without markers: also text that looks like an envelope or ``{"_meta":…}``."""
    assert read({"content": [text(said)]}) == {"content": parts(said)}


@pytest.mark.parametrize("roles", [[], ["summary", "summary"], ["picture"], "summary", [1], None])
def test_a_layout_that_does_not_fit_is_not_ours(roles: Any) -> None:
    """Without markers: a layout of another length than the content is not ours."""
    wire = {"content": [text("a")], "_meta": {OURS + "layout": roles}}
    assert read(wire) == {"content": parts("a")}


def renderings() -> Iterator[tuple[str, str, Any]]:
    """Every sample as it goes over every revision and phase, once."""
    seen: set[tuple[str, str, str]] = set()
    for target, revision in REVISIONS:
        for phase in ("transitional", "final"):
            for sample in SAMPLES:
                if sample.name.startswith("large"):
                    continue
                result = Result.from_value(sample.value)
                wire = registry.renderer(target, revision, phase).render(result).bytes.decode()
                if (target, revision, wire) not in seen:
                    seen.add((target, revision, wire))
                    yield target, revision, json.loads(wire)


def test_whatever_is_put_in_the_place_of_a_text_is_read() -> None:
    """Nothing is dropped in silence: what someone writes over a text is in the result."""
    changed = 0
    for target, revision, wire in renderings():
        for index, block in enumerate(wire["content"]):
            if block["type"] != "text":
                continue
            for said in ("changed_on_the_way", '{"changed_on_the_way":1}'):
                content = list(wire["content"])
                content[index] = {**block, "text": said}
                found = read({**wire, "content": content}, target, revision)
                assert "changed_on_the_way" in json.dumps(found), (target, revision, wire, index)
                changed += 1
    assert changed > 1000


def test_whatever_is_put_in_the_place_of_a_block_is_read() -> None:
    """An image instead of any block of ours is in the result."""
    image = {"type": "image", "data": "Y2hhbmdlZA==", "mimeType": "image/png"}
    for target, revision, wire in renderings():
        for index in range(len(wire["content"])):
            content = [*wire["content"][:index], image, *wire["content"][index + 1 :]]
            found = read({**wire, "content": content}, target, revision)
            assert image["data"] in [part.get("data") for part in found["content"]]


@pytest.mark.parametrize(
    ("content", "layout", "more", "expected"),
    [
        (["hello"], ["envelope"], {}, {"content": parts("hello")}),
        (['{"foo":1}'], ["envelope"], {}, {"content": parts('{"foo":1}')}),
        (['{"foo":1}'], ["metadata"], {}, {"content": parts('{"foo":1}')}),
        (["hello"], ["envelope"], {"isError": True},
         {"error": {"code": "tool_error", "message": "hello"}}),
        (["no"], ["message"], {}, {"content": parts("no")}),
        (["1"], ["data"], {"isError": True}, {"error": {"code": "tool_error", "message": "1"}}),
        (["1"], ["data"], {"structuredContent": {"a": 1}},
         {"data": {"a": 1}, "content": parts("1")}),
        (["a", '{"success":true,"_meta":{"summary":"b"}}'], ["summary", "envelope"], {},
         {"content": parts("a", '{"success":true,"_meta":{"summary":"b"}}')}),
        (['{"_meta":{}}', '{"_meta":{}}'], ["metadata", "metadata"], {},
         {"content": parts('{"_meta":{}}', '{"_meta":{}}')}),
        (["hello"], ["placeholder"], {}, {"content": parts("hello")}),
        (["Done."], ["placeholder"], {}, {}),
    ],
)  # fmt: skip
def test_a_layout_whose_roles_do_not_fit_is_as_good_as_none(
    content: list[str], layout: list[str], more: dict[str, Any], expected: Any
) -> None:
    """A role that does not fit its block makes all blocks others'."""
    wire = {"content": [text(one) for one in content], "_meta": {OURS + "layout": layout}, **more}
    for target, revision in REVISIONS:
        assert read(wire, target, revision) == expected


def test_structured_content_of_a_failure_beside_our_marker_is_kept() -> None:
    """Our marker says the details; what someone added beside them is foreign."""
    error = {"code": "not_found", "details": {"a": 1}}
    wire = {"isError": True, "content": [text("No.")], "_meta": {OURS + "error": error}}
    said = {**error, "message": "No."}
    assert read({**wire, "structuredContent": {"error": error}}) == {"error": said}
    assert read({**wire, "structuredContent": {"b": 2}}) == {
        "error": said,
        "metadata": {"foreign": {"mcp": {"structuredContent": {"b": 2}}}},
    }


def test_a_layout_that_fits_says_what_blocks_are() -> None:
    """Self-describing output: the role of each content block in order."""
    layout = ["data", "summary", "part", "metadata"]
    wire = {
        "content": [text("[1]"), text("s"), text("p"), text('{"_meta":{"dryRun":false}}')],
        "_meta": {OURS + "layout": layout, OURS + "dryRun": False},
    }
    metadata = {"dry_run": False}
    assert read(wire, revision="2024-11-05") == {
        "data": [1], "summary": "s", "content": parts("p"), "metadata": metadata,
    }  # fmt: skip


def test_keys_without_markers_are_foreign() -> None:
    """Without markers: keys are foreign, also those that could name an extension."""
    meta = {"com.example/a": 1, "total": 2, "odd key!": None}
    assert read({"content": [], "_meta": meta}) == {"metadata": {"foreign": {"mcp": meta}}}


def test_marked_keys_are_extensions_and_presentation() -> None:
    """Self-describing output: ``extensions`` and ``presentation`` name the keys that are such."""
    meta = {
        "com.example/a": 1,
        "com.example/b": 2,
        "com.example/c": 3,
        OURS + "extensions": ["com.example/a", "com.example/none"],
        OURS + "presentation": ["com.example/b"],
    }
    assert read({"content": [], "_meta": meta}) == {
        "metadata": {
            "extensions": {"com.example/a": 1},
            "presentation": {"com.example/b": 2},
            "foreign": {"mcp": {"com.example/c": 3}},
        }
    }


def test_keys_of_our_namespace_never_become_foreign() -> None:
    """Without markers: keys of our namespace never become foreign."""
    assert read({"content": [], "_meta": {OURS + "x": 1, OURS + "layout": 1}}) == {}


def test_a_known_block_field_that_does_not_fit_is_foreign() -> None:
    """Without markers: a known field with an unfitting value is foreign."""
    block = text("a", annotations={"priority": 7, "audience": ["user"]})
    assert read({"content": [block]}) == {
        "content": [
            {
                **parts("a")[0],
                "audience": ["user"],
                "foreign": {"mcp": {"annotations": {"priority": 7}}},
            }
        ]
    }


@pytest.mark.parametrize(
    ("block", "code", "pointer"),
    [
        ({"type": "video"}, "unknown_kind", "/content/0"),
        ({}, "unknown_kind", "/content/0"),
        (1, "wrong_type", "/content/0"),
        ({"type": "text"}, "missing_field", "/content/0/text"),
        ({"type": "image", "data": "-_-_", "mimeType": "image/png"}, "invalid_base64",
         "/content/0/data"),
        ({"type": "image", "data": "AAAA"}, "missing_field", "/content/0/mimeType"),
        ({"type": "resource_link", "name": "a"}, "missing_field", "/content/0/uri"),
    ],
)  # fmt: skip
def test_a_block_that_cannot_be_read_is_refused(block: Any, code: str, pointer: str) -> None:
    """Without markers: an unknown block type, bad base64 or a missing member is refused."""
    with pytest.raises(ResultError) as caught:
        read({"content": [block]})
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_a_failure_of_others() -> None:
    """Reading others' results: first non-empty text the message, further blocks content."""
    wire = {"isError": True, "content": [text(""), text("No."), text("Why.")]}
    assert read(wire) == {
        "error": {"code": "tool_error", "message": "No."},
        "content": parts("", "Why."),
    }


@pytest.mark.parametrize(
    ("structured", "details"), [({"a": 1}, {"a": 1}), ([1], {"data": [1]}), (None, {"data": None})]
)
def test_structured_content_of_a_failure_is_its_details(structured: Any, details: Any) -> None:
    """Reading others' results: structuredContent the details (details.data if no object)."""
    wire = {"isError": True, "content": [], "structuredContent": structured}
    error = {"code": "tool_error", "message": NO_MESSAGE, "details": details}
    assert read(wire) == {"error": error}


def test_a_failure_by_our_marker() -> None:
    """Self-describing output: ``error`` says the code and details; unknown codes are kept."""
    meta = {OURS + "error": {"code": "not_found", "details": {"a": 1}}}
    wire = {"isError": True, "content": [text("No.")], "_meta": meta}
    assert read(wire)["error"] == {"code": "not_found", "message": "No.", "details": {"a": 1}}


@pytest.mark.parametrize("flag", [False, None])
def test_only_true_is_a_failure(flag: Any) -> None:
    """Reading others' results: ``isError``, which is a boolean."""
    assert read({"isError": flag, "content": [text("a")]}) == {"content": parts("a")}


@pytest.mark.parametrize("flag", ["true", "yes", 1])
def test_an_is_error_that_is_no_boolean_is_foreign(flag: Any) -> None:
    """A known field with an unfitting value is foreign."""
    assert read({"isError": flag, "content": [text("a")]}) == {
        "content": parts("a"),
        "metadata": {"foreign": {"mcp": {"isError": flag}}},
    }


def test_keys_of_the_transport_are_not_kept() -> None:
    """Reading others' results: keys of the transport, the related task aside."""
    meta = {"traceparent": "a", "tracestate": "b", "baggage": "c",
            "io.modelcontextprotocol/serverInfo": {"name": "s"},
            "io.modelcontextprotocol/related-task": {"taskId": "t"}}  # fmt: skip
    assert read({"content": [], "_meta": meta}) == {"metadata": {"related_task": {"id": "t"}}}


@pytest.mark.parametrize(
    ("wire", "code", "pointer"),
    [
        ({}, "missing_field", "/content"),
        ({"content": {}}, "wrong_type", "/content"),
        ({"content": None}, "wrong_type", "/content"),
        ({"content": [], "task": {}}, "unknown_kind", "/task"),
        ({"content": [], "resultType": "input_required"}, "unknown_kind", "/resultType"),
        ({"content": [], "resultType": None}, "unknown_kind", "/resultType"),
        ([], "wrong_type", ""),
    ],
)
def test_what_is_no_tool_result_is_refused(wire: Any, code: str, pointer: str) -> None:
    """Reading others' results: no content list, a task, or another resultType."""
    for target, revision in REVISIONS:
        with pytest.raises(ResultError) as caught:
            read(wire, target, revision)
        assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_an_absent_result_type_is_complete() -> None:
    """Reading others' results: an absent ``resultType`` is complete."""
    assert read({"content": [text("a")]}, "mcp-stateless", "2026-07-28") == {"content": parts("a")}


def test_a_part_without_data_has_none() -> None:
    """result.md: absent is absent."""
    result = registry.reader("mcp-handshake", "2025-11-25").read('{"content":[]}')
    assert isinstance(result, Result)
    assert result.data is ABSENT


def test_markers_of_parts_say_what_a_block_cannot() -> None:
    """Self-describing output: ``parts`` by block index, and ``foreign`` of other families."""
    link = {"type": "resource_link", "uri": "u/v", "name": "v"}
    wire = {
        "content": [link, {**link, "size": 1, "mimeType": "a/b"}],
        "_meta": {
            OURS + "layout": ["part", "stored"],
            OURS + "parts": {"0": {"name_derived": True, "foreign": {"a2a": {"x": 1}}},
                             "1": {"expires_at": "2026-07-28T10:00:00Z"}, "01": {"name": "n"}},
            OURS + "foreign": {"legacy": {"odd": 1}},
        },
    }  # fmt: skip
    stored = {"uri": "u/v", "size": 1, "mime_type": "a/b", "name": "v",
              "expires_at": "2026-07-28T10:00:00Z"}  # fmt: skip
    assert read(wire) == {
        "content": [{"kind": "link", "uri": "u/v", "foreign": {"a2a": {"x": 1}}}],
        "stored": [stored],
        "metadata": {"foreign": {"legacy": {"odd": 1}}},
    }
