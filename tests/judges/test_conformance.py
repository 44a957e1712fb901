"""The official conformance suite of MCP: every scenario that a revision requires passes.

The suite decides by its exit code, with the list of expected failures; beside it the number of
scenarios and checks is counted here, so that a suite that runs nothing passes nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.judges.conftest import FOLDER
from tests.serve.running import Running

EXPECTED = FOLDER / "expected-failures.yml"
REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}
"""How many scenarios of servers each requires."""
CHECKS = {"2025-11-25": 70, "2026-07-28": 115}
"""The least number of checks that pass in them."""
OLD = "2025-06-18"
_PASSED = re.compile(r"^✓ (\S+): (\d+) passed, 0 failed$", re.MULTILINE)


class Suite:
    """The suite's program."""

    def __init__(self, node: list[str], packages: Path, environment: dict[str, str]) -> None:
        folder = packages / "@modelcontextprotocol" / "conformance"
        self.program = [*node, str(folder / "dist" / "index.js")]
        self.requirements = folder / "requirements"
        self.environment = environment

    def run(self, *arguments: str, code: int = 0) -> str:
        """What it prints."""
        done = subprocess.run(
            [*self.program, *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def required(self, revision: str) -> list[str]:
        """The scenarios of servers that a revision requires, by the suite's own list."""
        text = (self.requirements / f"{revision}.yaml").read_text(encoding="utf-8")
        names: list[str] = yaml.safe_load(text)["server"]
        return names

    def listed(self, revision: str) -> list[str]:
        """The scenarios of servers that there are for a revision."""
        said = self.run("list", "--server", "--spec-version", revision)
        return re.findall(r"^  - (\S+) \[", said, re.MULTILINE)


@pytest.fixture(scope="module")
def suite(node: list[str], packages: Path, environment: dict[str, str]) -> Suite:
    return Suite(node, packages, environment)


def checks(folder: Path, scenario: str) -> list[dict[str, Any]]:
    """The checks of a scenario that the suite has written down."""
    (found,) = folder.glob(f"server-{scenario}-20*")
    written: list[dict[str, Any]] = json.loads((found / "checks.json").read_text(encoding="utf-8"))
    return written


@pytest.mark.parametrize("revision", REQUIRED)
def test_what_a_revision_requires(
    suite: Suite, running: Running, tmp_path: Path, revision: str
) -> None:
    required = suite.required(revision)
    assert len(required) == REQUIRED[revision]
    said = suite.run(
        *("server", "--url", running.mcp, "--requirements", revision),
        *("--expected-failures", str(EXPECTED), "-o", str(tmp_path)),
    )
    passed = {name: int(count) for name, count in _PASSED.findall(said)}
    assert [name for name in required if passed.get(name, 0) == 0] == []
    assert sum(passed[name] for name in required) >= CHECKS[revision]
    # What is only recommended is looked at as well: a warning fails nothing in the suite.
    warned = [
        check["id"]
        for name in required
        for check in checks(tmp_path, name)
        if check["status"] not in ("SUCCESS", "INFO")
    ]
    assert warned == []


def test_the_tools_of_an_older_revision(suite: Suite, running: Running) -> None:
    scenarios = [name for name in suite.listed(OLD) if name.startswith("tools-")]
    assert len(scenarios) == 11
    for name in scenarios:
        said = suite.run(
            *("server", "--url", running.mcp, "--spec-version", OLD, "--scenario", name)
        )
        assert re.search(r"Passed: (\d+)/\1, 0 failed", said), said


def test_every_expected_failure_has_a_reason() -> None:
    text = EXPECTED.read_text(encoding="utf-8")
    failures = yaml.safe_load(text)["server"]
    for failure in failures:
        assert re.search(rf"- {re.escape(failure)} +# \S+ \S+", text), f"{failure}: why?"


def test_the_suite_can_fail(suite: Suite, running: Running, tmp_path: Path) -> None:
    """A server without the fixtures fails, and so does a list with a failure that is none."""
    arguments = ("server", "--requirements", "2026-07-28", "-o", str(tmp_path))
    suite.run(*arguments, "--url", f"{running.base}/a2a", code=1)
    listed = tmp_path / "expected.yml"
    listed.write_text("server:\n  - tools-call-image\n")
    said = suite.run(
        *(*arguments, "--url", running.mcp, "--expected-failures", str(listed)), code=1
    )
    assert "tools-call-image" in said.partition("=== SUMMARY ===")[2]
