"""Writes into docs/growing.md what its commands print now: `python -m tests.docs.outputs`.

Its findings have line numbers, which change with the spec. Look at what changed before it is
committed: an output that is wrong is written as well.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.copies import copy_folder
from tests.docs.pages import ROOT, Block, blocks, commands

PAGE = ROOT / "docs/growing.md"
_PROGRAMS = Path(sys.executable).parent
"""Where `toolresult` is installed beside this Python."""
MARK = "\x1f"
"""Stands between the outputs of two commands."""


def team_folder(folder: Path, *copied: str) -> Path:
    """Copies of folders of this repository, the spec committed in a repository of its own."""
    for name in copied:
        copy_folder(ROOT / name, folder / name)
    names = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
    for step in (["init", "-q"], ["add", "spec"], ["commit", "-q", "-m", "published"]):
        subprocess.run(["git", *names, *step], cwd=folder, check=True, timeout=60)
    return folder


def write_file(block: Block, folder: Path) -> None:
    """Writes the file that a block is."""
    assert block.file is not None
    file = folder / block.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(block.text, encoding="utf-8")


def _printed(block: Block, folder: Path) -> str:
    """A console block with the outputs of now."""
    script = "".join(f"{one.text}\nprintf '{MARK}'\n" for one in commands(block))
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    text = ""
    for command, output in zip(commands(block), done.stdout.split(MARK), strict=False):
        ended = output if not output or output.endswith("\n") else f"{output}\n"
        text += f"$ {command.text}\n{ended}"
    return text


def main() -> int:
    """Renews the page."""
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = team_folder(Path(name), "spec")
        for block in blocks(PAGE):
            if block.language == "console":
                text = text.replace(block.text, _printed(block, folder), 1)
            elif block.file is not None:
                write_file(block, folder)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
