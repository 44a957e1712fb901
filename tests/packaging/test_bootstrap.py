"""``python3 generator/bootstrap.py`` in a fresh copy of the checkout, with an empty home."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.copies import copy_folder

ROOT = Path(__file__).parents[2]
CHECKED_IN = (
    "adapters",
    "docs",
    "generated",
    "generator",
    "spec",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)


def run(
    *arguments: str, folder: Path = ROOT, timeout: float = 60, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "generator/bootstrap.py", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@pytest.mark.needs_index
def test_it_installs_generates_and_ends_with_the_table(tmp_path: Path) -> None:
    copy, home = tmp_path / "copy", tmp_path / "home"
    home.mkdir()
    copy.mkdir()
    for name in CHECKED_IN:
        source = ROOT / name
        if source.is_dir():
            copy_folder(source, copy / name)
        else:
            shutil.copy(source, copy / name)
    done = run(folder=copy, timeout=500, HOME=str(home), VIRTUAL_ENV="", PYTHONPATH="")
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("all as declared")
    assert "mcp-handshake@2025-06-18/final" in done.stdout
    assert "generate: is the committed output what the spec gives?" in done.stderr
    again = run(folder=copy, HOME=str(home), VIRTUAL_ENV="", PYTHONPATH="")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert "install" not in again.stderr


def test_it_explains_itself() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "python3 generator/bootstrap.py test" in done.stdout


def test_another_word_is_wrong_usage() -> None:
    done = run("tets")
    assert done.returncode == 2
    assert "there is no 'tets'" in done.stderr


def test_a_build_server_needs_every_python(tmp_path: Path) -> None:
    # nothing but this Python can be found
    done = run("test", CI="true", PATH=str(tmp_path), HOME=str(tmp_path), PYENV_ROOT=str(tmp_path))
    assert done.returncode == 1
    assert "CI tests every Python" in done.stderr
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert own not in done.stderr.replace("3.10 to", "")
