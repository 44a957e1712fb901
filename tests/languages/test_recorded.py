"""Recorded results of public servers, where their folder is: all languages say the same of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cases.test_recorded import A2A, FOLDER, LEGACY, MCP, mcp_target
from tests.languages.agree import agreed
from tests.languages.testees import Testee, all_testees
from tests.properties.round_trip import PLANS

pytestmark = [
    pytest.mark.needs_toolchain,
    pytest.mark.skipif(
        not FOLDER.is_dir(),
        reason=f"no recorded cases at {FOLDER}: set TOOLRESULT_CASES to a folder that has them",
    ),
]


@pytest.fixture(scope="module")
def testees() -> Iterator[list[Testee]]:
    with all_testees() as found:
        yield found


def wires() -> Iterator[tuple[str, str, str]]:
    """Target, revision and text of everything that was recorded, results or not."""
    for case in MCP:
        wire = case.get("result", case.get("error"))
        yield *mcp_target(case["protocolVersion"]), json.dumps(wire)
    for case in A2A:
        for wire in case.get("events") or [case.get("result", case.get("error"))]:
            yield "a2a", case["protocolVersion"], json.dumps(wire)
    for case in LEGACY:
        yield "legacy-envelope", "1", case["string"]


def ask(testees: list[Testee], action: str, target: str, **members: Any) -> dict[str, Any]:
    return agreed(testees, {"id": "recorded", "do": action, "target": target, **members})


def test_each_is_read_alike_and_goes_everywhere_alike(testees: list[Testee]) -> None:
    read = 0
    for target, revision, text in wires():
        found = ask(testees, "read", target, revision=revision, text=text)
        if "error" in found:
            continue
        read += 1
        for plan in PLANS:
            members = {"revision": plan.revision, "text": found["output"]}
            if plan.phase is not None:
                members["phase"] = plan.phase
            ask(testees, "render", plan.target, **members)
    assert read > 300, "most of what was recorded are results"
