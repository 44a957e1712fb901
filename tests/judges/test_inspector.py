"""The inspector's command line calls tools in both eras, and shows what the vectors say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.judges.javascript import as_javascript, as_the_sdk_gives_it
from tests.mcp_server.clients import unstamped
from tests.mcp_server.vectors import rendered
from tests.serve.everything import CALLS
from tests.serve.running import Running

ERAS = [("legacy", "2025-11-25"), ("modern", "2026-07-28")]
EVERY = 20
"""A process for each call: of the samples every so many."""
COPIED = {"_meta"}
"""Members that it copies key by key."""


class Inspector:
    """The command, and a server to look at."""

    def __init__(
        self, node: list[str], packages: Path, environment: dict[str, str], url: str, home: Path
    ) -> None:
        program = packages / ".bin" / "mcp-inspector"
        self._command = [*node, str(program), "--cli", url, "--format", "json", "-q"]
        self._environment = {**environment, "HOME": str(home)}

    def ask(self, era: str, method: str, *arguments: str) -> dict[str, Any]:
        """The result that it prints."""
        done = subprocess.run(
            [*self._command, "--protocol-era", era, "--method", method, *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        # 5 for a result that says it is an error
        assert done.returncode in (0, 5), done.stdout + done.stderr
        found: dict[str, Any] = json.loads(done.stdout)["result"]
        return found

    def call(self, era: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool."""
        given = ("--tool-name", name, "--tool-args-json", json.dumps(arguments))
        return unstamped(self.ask(era, "tools/call", *given))


@pytest.fixture(scope="module")
def inspector(
    node: list[str],
    packages: Path,
    environment: dict[str, str],
    running: Running,
    tmp_path_factory: pytest.TempPathFactory,
) -> Inspector:
    home = tmp_path_factory.mktemp("home")
    return Inspector(node, packages, environment, running.mcp, home)


@pytest.mark.parametrize(("era", "revision"), ERAS)
def test_it_lists_the_tools(inspector: Inspector, era: str, revision: str) -> None:
    tools = inspector.ask(era, "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == list(CALLS)


@pytest.mark.parametrize(("era", "revision"), ERAS)
def test_it_shows_samples_as_the_vectors_say(inspector: Inspector, era: str, revision: str) -> None:
    chosen = list(rendered(revision, "final").items())[::EVERY]
    assert len(chosen) > 10
    wrong = {
        name: found
        for name, (_, output) in chosen
        if as_javascript(found := inspector.call(era, "sample", {"name": name}))
        != as_the_sdk_gives_it(output, revision, copied=COPIED)
    }
    assert wrong == {}


@pytest.mark.parametrize(("era", "revision"), ERAS)
def test_it_shows_failures(inspector: Inspector, era: str, revision: str) -> None:
    expected = inspector.call(era, "buy", {"product": "table"})
    assert expected["isError"] is True
    assert expected["content"][0]["text"] == "There is no table left."
    unexpected = inspector.call(era, "buy", {"product": "lamp"})
    assert unexpected["isError"] is True
    assert "hunter2" not in json.dumps(unexpected)
    assert unexpected["content"][0]["text"].startswith("The tool failed unexpectedly. Reference: ")
