"""Recorded results of public servers, where their folder is: each reads, and goes everywhere.

The folder is no part of the project. tests/readers has cases of the same shapes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.properties.round_trip import PLANS, round_trip_faults

from toolresult import registry
from toolresult_core import Result, ResultError, TextPart
from toolresult_core.runtime.json_value import ABSENT
from toolresult_core.runtime.parse import parse_json

FOLDER = Path(os.environ.get("TOOLRESULT_CASES") or Path(__file__).parents[3] / "shared" / "cases")

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"no recorded cases at {FOLDER}: set TOOLRESULT_CASES to a folder that has them",
)

UNKNOWN_REVISION = "1900-01-01"
FINISHED = {
    "completed", "failed", "rejected",
    "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_REJECTED",
}  # fmt: skip


def lines(pattern: str) -> list[dict[str, Any]]:
    """The cases of some files, in order."""
    return [
        json.loads(line)
        for file in sorted(FOLDER.glob(pattern))
        for line in file.read_text(encoding="utf-8").split("\n")  # texts have U+2028
        if line
    ]


def named(cases: list[dict[str, Any]]) -> list[Any]:
    """The cases as parameters of a test."""
    return [pytest.param(case, id=case["case"]) for case in cases]


MCP = lines("mcp/*.jsonl")
A2A = lines("a2a/recorded.jsonl")
LEGACY = lines("legacy/envelopes.jsonl")


def mcp_target(revision: str) -> tuple[str, str]:
    """The target and revision that read a recorded revision; the newest for an unknown one."""
    for target in ("mcp-handshake", "mcp-stateless"):
        if revision in registry.revisions(target):
            return target, revision
    assert revision == UNKNOWN_REVISION
    return "mcp-handshake", registry.revisions("mcp-handshake")[-1]


def is_mcp_result(case: dict[str, Any]) -> bool:
    """Whether a line holds a result of a tool: content, and nothing that says otherwise."""
    result = case.get("result", {})
    return "content" in result and result.get("resultType", "complete") == "complete"


def is_a2a_result(case: dict[str, Any]) -> bool:
    """Whether a line holds a task that is over."""
    result = case.get("result", {})
    status = result.get("task", result).get("status", {})
    return status.get("state") in FINISHED


def read(target: str, revision: str, value: Any) -> Result:
    """The result of a wire value or, for the envelope, of a string."""
    text = value if target == "legacy-envelope" else json.dumps(value)
    result = registry.reader(target, revision).read(text)
    assert isinstance(result, Result)
    return result


def said(result: Result) -> Iterator[str]:
    """Every text that a result says, its data as a copy."""
    yield from (part.text for part in result.content if isinstance(part, TextPart))
    if result.summary is not None:
        yield result.summary
    if result.error is not None:
        yield result.error.message


def assert_goes_everywhere(result: Result) -> None:
    faults = [fault for plan in PLANS for fault in round_trip_faults(plan, result)]
    assert faults == []


def assert_text_kept(result: Result, text: str) -> None:
    if text in said(result):
        return
    # a block that repeats the structured content is its copy
    assert result.data is not ABSENT
    assert result.data == parse_json(text)


@pytest.mark.parametrize("case", named([case for case in MCP if is_mcp_result(case)]))
def test_a_tool_result_reads_and_goes_everywhere(case: dict[str, Any]) -> None:
    wire = case["result"]
    result = read(*mcp_target(case["protocolVersion"]), wire)
    assert (result.error is not None) == wire.get("isError", False)
    for block in wire["content"]:
        if block["type"] == "text" and (block["text"] or result.error is None):
            assert_text_kept(result, block["text"])
    assert_goes_everywhere(result)


@pytest.mark.parametrize("case", named([case for case in MCP if not is_mcp_result(case)]))
def test_what_is_no_tool_result_is_refused(case: dict[str, Any]) -> None:
    target, revision = mcp_target(case["protocolVersion"])
    with pytest.raises(ResultError) as caught:
        read(target, revision, case.get("result", case.get("error")))
    assert any(
        word in caught.value.message
        for word in ("JSON-RPC error", "announces a task", "asks for something else")
    )


@pytest.mark.parametrize("case", named([case for case in A2A if is_a2a_result(case)]))
def test_a_finished_task_reads_and_goes_everywhere(case: dict[str, Any]) -> None:
    result = read("a2a", case["protocolVersion"], case["result"])
    task = case["result"].get("task", case["result"])
    owners = [*task.get("artifacts", []), task["status"].get("message", {})]
    for part in (part for owner in owners for part in owner.get("parts", [])):
        if isinstance(part.get("text"), str):
            assert part["text"] in said(result)
    assert_goes_everywhere(result)


@pytest.mark.parametrize("case", named([case for case in A2A if not is_a2a_result(case)]))
def test_what_is_no_finished_task_is_refused(case: dict[str, Any]) -> None:
    for value in case.get("events") or [case.get("result", case.get("error"))]:
        with pytest.raises(ResultError) as caught:
            read("a2a", case["protocolVersion"], value)
        assert any(
            word in caught.value.message
            for word in ("an error, no result", "no result yet", "no result of one")
        )


@pytest.mark.parametrize("case", named(LEGACY))
def test_a_legacy_string_reads_and_goes_everywhere(case: dict[str, Any]) -> None:
    result = read("legacy-envelope", "1", case["string"])
    if case["case"].startswith(("not-", "broken", "trailing", "duplicate", "nan", "lone")):
        assert list(said(result)) == [case["string"]]
    else:
        envelope = json.loads(case["string"])
        assert (result.error is None) == envelope["success"]
        assert (result.data is not ABSENT) == (envelope["success"] and "data" in envelope)
    assert_goes_everywhere(result)
