"""A small disk for tests of a full one, where this user may mount one."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def disk(size: str, *, instead: str) -> Iterator[Path]:
    """A file system of that size (``2m``), until the end of the block.

    Skips the test for a user who may not mount, and says what covers the same then.
    """
    folder = Path(tempfile.mkdtemp())
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if (
        not shutil.which("mount")
        or subprocess.run(command, check=False, capture_output=True).returncode
    ):
        folder.rmdir()
        pytest.skip(f"needs the right to mount; {instead} without it")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()
