"""CI runs what the README names, and nothing beside it."""

from __future__ import annotations

from pathlib import Path

from tests.docs.blocks import blocks_of, commands_of

ROOT = Path(__file__).parents[2]


def test_ci_runs_the_test_command_of_the_readme() -> None:
    commands = [
        command.text
        for block in blocks_of(ROOT / "README.md")
        if block.language == "console"
        for command in commands_of(block)
    ]
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last.removeprefix("exec ") in commands
