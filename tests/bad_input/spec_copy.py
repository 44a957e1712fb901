"""The spec of this repository, copied and changed, and the command run on the copy."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolresult_generator.load import load_spec

ROOT = Path(__file__).parents[2]
Change = Callable[[str, Any], None]
"""Is given the path of a document, such as `targets/a2a.yaml`, and its value to alter in place."""


def copy_spec(folder: Path, change: Change = lambda path, document: None) -> Path:
    """A copy of the spec in which the result and target documents went through ``change``.

    They are written as JSON: escapes then carry what may not stand in the text.
    """
    shutil.copytree(ROOT / "spec", folder)
    loaded = load_spec(folder)
    assert loaded.result is not None and not loaded.findings
    for document in (loaded.result, *loaded.targets):
        value = document.root.to_plain()
        change(document.path.as_posix(), value)
        (folder / document.path).write_text(json.dumps(value, indent=1))
    return folder


def run(
    *arguments: str | Path, given: bytes = b"", code: int = 0
) -> subprocess.CompletedProcess[bytes]:
    """The command, run as a program; asserts its exit code and what holds for every end of it."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-m", "toolresult_generator", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )
    said = done.stderr.decode()
    assert done.returncode == code, said
    assert "Traceback" not in said
    if code:
        assert done.stdout == b""
        # a line for each fault, and nothing in it that a terminal would act on
        assert all(line.isprintable() and line.count(": ") >= 2 for line in said.splitlines())
    return done
