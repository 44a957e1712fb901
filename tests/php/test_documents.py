"""The programs of docs/php.md are run, and print what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.pages import ROOT, Block, blocks, matches
from tests.php.toolchain import ADAPTERS, run, tool

PAGE = ROOT / "docs" / "php.md"
MARK = "\x1f"


def programs(page: Path) -> list[tuple[Block, str]]:
    """Each block of PHP, with what the text block right after it says that it prints."""
    found: list[tuple[Block, str]] = []
    for block in blocks(page):
        if block.language == "php":
            found.append((block, ""))
        elif block.language == "text" and found and not found[-1][1]:
            found[-1] = (found[-1][0], block.text)
    return found


def test_every_program_prints_what_the_page_says(tmp_path: Path) -> None:
    """They share their names, as one program."""
    found = programs(PAGE)
    assert found
    parts = [f'echo "\\x1f";\n{block.text}' for block, _ in found]
    script = tmp_path / "page.php"
    script.write_text(
        f"<?php\nrequire '{ADAPTERS / 'autoload.php'}';\n" + "\n".join(parts), encoding="utf-8"
    )
    settings = ("-d", "error_reporting=-1", "-d", "display_errors=stderr")
    done = run(tool("php"), *settings, script, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    before, *printed = done.stdout.split(MARK)
    assert before == ""
    for (block, expected), output in zip(found, printed, strict=True):
        assert matches(expected, output), f"{block.name} prints\n{output}"


@pytest.mark.parametrize("block", [block for block, _ in programs(PAGE)], ids=lambda one: one.name)
def test_every_program_says_what_it_prints(block: Block) -> None:
    """One that prints has to show it, so that a page cannot promise what nothing proves."""
    expected = dict((one.line, text) for one, text in programs(PAGE))[block.line]
    assert bool(expected) is ("echo " in block.text)
