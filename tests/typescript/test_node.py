"""The tests that are written in TypeScript, on the Node of this machine and on a newer one.

Node 20 cannot write an integer beyond 2^53 (it lacks JSON.rawJSON), so that both ways are run.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.typescript.package import TESTS, built, node, node_with_sqlite, npx, run

FILES = [
    "a2a.test.js",
    "a2a-behaviour.test.js",
    "core.test.js",
    "matrix.test.js",
    "mcp.test.js",
    "mcp-behaviour.test.js",
    "options.test.js",
]


def runs(executable: Path, *arguments: str) -> None:
    # Without --test-force-exit, which may cut what is printed. A test that fails may leave a
    # server open; then the program is ended when its time is over.
    options = ["--no-warnings", "--test", "--test-reporter", "tap"]
    said = run([str(executable), *options, *arguments])
    assert "\n# fail 0\n" in said
    assert "\n# pass 0\n" not in said


def test_none_is_forgotten() -> None:
    built()
    assert sorted(file.name for file in TESTS.glob("*.test.js")) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_on_the_node_of_this_machine(name: str) -> None:
    built()
    runs(node(), str(TESTS / name))


@pytest.mark.parametrize("name", FILES)
def test_on_a_newer_node(name: str) -> None:
    built()
    # the samples once are enough: what differs is how integers are written
    some = ["--test-name-pattern", "^highlevel, final"] if name == "mcp.test.js" else []
    runs(node_with_sqlite(), *some, str(TESTS / name))


def test_the_flag_that_breaks_json_on_node_20_is_not_used() -> None:
    """With it Node 20 has JSON.rawJSON, and now and then writes other memory in its place."""
    built()
    flag = "--harmony-json-parse-with-source"
    runs(node(), flag, "--test-name-pattern", "^highlevel, final", str(TESTS / "mcp.test.js"))


def test_layout() -> None:
    npx("prettier", "--check", ".")
