"""How finished tasks are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolresult import registry
from toolresult_core import Result, ResultError

OURS = "dev.toolresult/"
NO_MESSAGE = "The tool reported a failure without a message."
DONE, FAILED, REJECTED = "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_REJECTED"


def read(wire: Any, revision: str = "1.0") -> dict[str, Any]:
    result = registry.reader("a2a", revision).read(json.dumps(wire))
    assert isinstance(result, Result)
    found = json.loads(result.to_json())
    del found["format_version"]
    return dict(found)


def task(state: str, *parts: Any, message: Any = None, **more: Any) -> dict[str, Any]:
    """A task with one artifact, if there are parts."""
    status: dict[str, Any] = {"state": state}
    if message is not None:
        status["message"] = {"messageId": "m", "role": "ROLE_AGENT", "parts": message}
    artifacts = [{"artifactId": "a", "name": "n", "parts": list(parts)}]
    return {"id": "t", "status": status, **({"artifacts": artifacts} if parts else {}), **more}


def texts(*found: str) -> list[dict[str, Any]]:
    return [{"kind": "text", "text": one} for one in found]


@pytest.mark.parametrize("data", [{"a": 1}, {}, [], None, 0, ""])
def test_the_first_data_part_is_the_data(data: Any) -> None:
    """On success the first data part is the data, further ones text with canonical JSON."""
    wire = task(DONE, {"data": data}, {"data": {"b": [1.0], "a": None}}, {"text": "t"})
    assert read(wire) == {"data": data, "content": texts('{"a":null,"b":[1]}', "t")}


def test_the_first_data_part_of_revision_0_3() -> None:
    """The same on 0.3, where ``data_part_compat`` alone marks a wrapper."""
    value = {"kind": "data", "data": {"value": [1]}}
    state = {"status": {"state": "completed"}}
    for metadata, data in (({"data_part_compat": True}, [1]), ({}, {"value": [1]})):
        wire = {**state, "artifacts": [{"parts": [{**value, "metadata": metadata}]}]}
        assert read(wire, "0.3") == {"data": data}


def test_on_failure_all_data_parts_of_artifacts_are_texts() -> None:
    """On failure all are text parts with their canonical JSON."""
    wire = task(FAILED, {"data": 1}, {"data": 2}, message=[{"text": "No."}])
    error = {"code": "tool_error", "message": "No."}
    assert read(wire) == {"error": error, "content": texts("1", "2")}


def test_several_artifacts_in_order() -> None:
    """Several artifacts in order, the first metadata key wins; names and ids are not kept."""
    wire = task(DONE, metadata={"k": 3, "t": 4})
    wire["artifacts"] = [
        {"artifactId": "1", "name": "n", "parts": [{"text": "a"}], "metadata": {"k": 1}},
        {"artifactId": "2", "parts": [{"text": "b"}], "metadata": {"k": 2, "l": 2}},
    ]
    foreign = {"a2a": {"k": 1, "l": 2, "t": 4}}
    assert read(wire) == {"content": texts("a", "b"), "metadata": {"foreign": foreign}}


def test_the_message_of_a_completed_task() -> None:
    """status.message of a completed task: the summary if one text, else content afterwards."""
    assert read(task(DONE, {"text": "a"}, message=[{"text": "s"}])) == {
        "summary": "s", "content": texts("a"),
    }  # fmt: skip
    assert read(task(DONE, {"text": "a"}, message=[{"text": "s"}, {"data": 1}])) == {
        "content": texts("a", "s", "1")
    }


@pytest.mark.parametrize("state", [FAILED, REJECTED])
@pytest.mark.parametrize(
    ("value", "code", "details"),
    [
        ({"code": "not_found"}, "not_found", None),
        ({"code": "not_found", "details": {"a": 1}}, "not_found", {"a": 1}),
        ({"code": "odd", "details": {"a": 1}}, "tool_error", {"a": 1, "code": "odd"}),
        ({"code": 404}, "tool_error", {"code": 404}),
        ({"code": "x", "details": 1}, "tool_error", {"code": "x", "details": 1}),
        ({"code": "x", "more": 1}, "tool_error", {"code": "x", "more": 1}),
        ([1], "tool_error", {"data": [1]}),
    ],
)
def test_the_message_of_a_failed_task(state: str, value: Any, code: str, details: Any) -> None:
    """Of a failed or rejected one: message; first data part code and details, else details."""
    error = {"code": code, "message": "No."}
    if details is not None:
        error["details"] = details
    assert read(task(state, message=[{"text": "No."}, {"data": value}])) == {"error": error}


def test_a_failure_without_a_message() -> None:
    """Of a failed one without a text: the default message."""
    error = {"code": "tool_error", "message": NO_MESSAGE}
    assert read(task(FAILED)) == {"error": error}
    assert read({"status": {"state": "rejected"}}, "0.3") == {"error": error}


def test_a_task_as_json_rpc_and_rest_have_it() -> None:
    """A bare task, or what JSON-RPC and REST put around it as ``task``."""
    wire = task(DONE, {"text": "a"}, history=[{"parts": [{"text": "h"}]}])
    assert read({"task": wire}) == read(wire) == {"content": texts("a")}


@pytest.mark.parametrize(
    ("wire", "code", "pointer"),
    [
        (task("TASK_STATE_WORKING"), "unknown_kind", "/status/state"),
        (task("completed"), "unknown_kind", "/status/state"),
        ({"task": task("TASK_STATE_CANCELED")}, "unknown_kind", "/task/status/state"),
        ({"message": {"parts": []}}, "unknown_kind", "/message"),
        ({"statusUpdate": {}}, "unknown_kind", "/statusUpdate"),
        ({"artifactUpdate": {}}, "unknown_kind", "/artifactUpdate"),
        ({"kind": "message", "parts": []}, "unknown_kind", "/kind"),
        ({"error": {"code": -32001, "message": "m"}}, "unknown_kind", ""),
        ({}, "missing_field", "/status"),
        ([], "wrong_type", ""),
        ({"status": []}, "wrong_type", "/status"),
        (task(DONE, 1), "wrong_type", "/artifacts/0/parts/0"),
        (task(DONE, {}), "unknown_kind", "/artifacts/0/parts/0"),
        (task(DONE, {"raw": "-_-_"}), "invalid_base64", "/artifacts/0/parts/0/raw"),
        (task(DONE, artifacts={}), "wrong_type", "/artifacts"),
        (task(DONE, message={}), "wrong_type", "/status/message/parts"),
    ],
)
def test_what_is_no_result_is_refused(wire: Any, code: str, pointer: str) -> None:
    """Any other state, a direct message or a stream event is refused: no result (yet)."""
    with pytest.raises(ResultError) as caught:
        read(wire)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_raw_bytes_without_a_type() -> None:
    """Raw bytes without a type are application/octet-stream."""
    part = {"kind": "binary", "data": "AAAA", "mime_type": "application/octet-stream"}
    assert read(task(DONE, {"raw": "AAAA"})) == {"content": [part]}
    old = {"kind": "file", "file": {"bytes": "AAAA"}}
    wire = {"status": {"state": "completed"}, "artifacts": [{"parts": [old]}]}
    assert read(wire, "0.3") == {"content": [part]}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({OURS + "exactJson": True}, {"data": 2**60}),
        ({OURS + "exactJson": 1}, {"content": texts(str(2**60))}),
        ({OURS + "part": {"kind": "summary"}}, {"summary": str(2**60)}),
        ({}, {"content": texts(str(2**60))}),
    ],
)
def test_a_text_is_data_or_summary_by_its_marker(metadata: Any, expected: Any) -> None:
    """Self-describing output: exactJson and the marker of the part; without them text is text."""
    part: dict[str, Any] = {"text": str(2**60)}
    if metadata:
        part["metadata"] = metadata
    assert read(task(DONE, part)) == expected


def test_exact_metadata() -> None:
    """A metadata value likewise as a string, its key listed in exactJson."""
    exact = {OURS + "exactJson": ["k"], "k": str(2**60), "l": "1"}
    assert read(task(DONE, metadata=exact)) == {
        "metadata": {"foreign": {"a2a": {"k": 2**60, "l": "1"}}}
    }


def test_keys_of_our_namespace_never_become_foreign() -> None:
    """Without markers: keys are foreign, but for those of our namespace."""
    part = {"text": "a", "metadata": {OURS + "x": 1, "k": None}}
    foreign = {"a2a": {"metadata": {"k": None}}}
    assert read(task(DONE, part, metadata={OURS + "x": 1, "com.example/a": 1})) == {
        "content": [{"kind": "text", "text": "a", "foreign": foreign}],
        "metadata": {"foreign": {"a2a": {"com.example/a": 1}}},
    }


@pytest.mark.parametrize("kind", ["embedded", "stored", "image", "link", "summary", "picture"])
def test_a_marker_that_does_not_fit_its_part_is_not_ours(kind: str) -> None:
    """Such a part is read as one without a marker; nothing is refused for it."""
    marked = {"metadata": {OURS + "part": {"kind": kind}}}
    link, video = {"url": "a/b", **marked}, {"raw": "AAAA", "mediaType": "video/mp4", **marked}
    expected = [
        {"kind": "link", "uri": "a/b"},
        {"kind": "binary", "data": "AAAA", "mime_type": "video/mp4"},
    ]
    if kind == "image":
        expected[1]["kind"] = "image"  # bytes of another type can be one
    assert read(task(DONE, link, video))["content"] == expected
    file_link = {"kind": "file", "file": {"uri": "a/b"}, **marked}
    file_video = {"kind": "file", "file": {"bytes": "AAAA", "mimeType": "video/mp4"}, **marked}
    state = {"status": {"state": "completed"}}
    wire = {**state, "artifacts": [{"artifactId": "a", "parts": [file_link, file_video]}]}
    assert read(wire, "0.3")["content"] == expected
