"""The client of the TypeScript SDK lists all that the example server has, and calls it."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from tests.judges.conftest import FOLDER
from tests.judges.javascript import as_javascript, as_the_sdk_gives_it
from tests.mcp_server.clients import unstamped
from tests.mcp_server.vectors import rendered
from tests.serve.everything import (
    ANSWER,
    CALLS,
    FAIL,
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    unsaid,
)
from tests.serve.running import Running

ERAS = {"2025-11-25": None, "2026-07-28": "2026-07-28"}
"""The revisions, and what the client is told to speak."""
COPIED = {"2025-11-25": {"_meta", "structuredContent"}, "2026-07-28": {"_meta"}}
"""Members that the client copies key by key."""


@pytest.fixture(scope="module", params=ERAS)
def said(request: pytest.FixtureRequest, node: list[str], running: Running) -> dict[str, Any]:
    """All that the client tells."""
    revision: str = request.param
    asked = {
        "url": running.mcp,
        "pin": ERAS[revision],
        "calls": CALLS,
        "samples": list(rendered(revision, "final")),
        "prompts": PROMPTS,
        "answer": ANSWER,
    }
    done = subprocess.run(
        [*node, "client.mjs"],
        cwd=FOLDER,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["revision"] == revision
    return told


def test_it_lists_everything(said: dict[str, Any]) -> None:
    assert said["tools"] == list(CALLS)
    assert said["resources"] == RESOURCES
    assert said["templates"] == TEMPLATES
    assert list(said["prompts"]) == list(PROMPTS)


def test_it_calls_everything(said: dict[str, Any]) -> None:
    results = {name: outcome["result"] for name, outcome in said["calls"].items()}
    assert list(results) == list(CALLS)
    failed = {name for name, result in results.items() if result.get("isError")}
    assert failed == FAIL[said["revision"]]
    texts = {name: json.dumps(result["content"]) for name, result in results.items()}
    assert unsaid(said["revision"], texts) == []
    stored = json.loads(said["stored"]["result"]["contents"][0]["text"])
    assert stored["data"]["rows"] == list(range(30_000))


def test_it_gets_every_prompt(said: dict[str, Any]) -> None:
    for name, outcome in said["prompts"].items():
        if name == "test_input_required_result_prompt" and said["revision"] == "2025-11-25":
            assert outcome["error"].startswith("-32602: "), outcome
        else:
            assert outcome["result"]["messages"], outcome


def test_every_sample_is_as_the_vectors_say(said: dict[str, Any]) -> None:
    wanted = rendered(said["revision"], "final")
    copied = COPIED[said["revision"]]
    assert list(said["samples"]) == list(wanted)
    wrong = {
        name: outcome
        for name, outcome in said["samples"].items()
        if as_javascript(unstamped(outcome.get("result", {})))
        != as_the_sdk_gives_it(wanted[name][1], said["revision"], copied=copied)
    }
    assert wrong == {}
