"""Installing for real: the wheel alone in a fresh environment, and the README's command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from tests.docs.blocks import blocks_of, commands_of, matches
from tests.packaging.test_imports import RENDER

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.needs_index


def _run(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    # what the test run itself set must not lead to the modules of the checkout
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "TOX_", "VIRTUAL"))}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The files of the checkout that a commit would hold, in a repository of their own."""
    folder = tmp_path / "clone"
    listed = _run("git", "ls-files", "-co", "--exclude-standard", "-z", cwd=ROOT)
    assert listed.returncode == 0, listed.stderr
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def test_the_wheel_alone_renders(clone: Path, tmp_path: Path) -> None:
    made = _run(
        sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, clone, cwd=tmp_path
    )
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for package in ("toolresult", "toolresult_core", "toolresult_generator"):
        assert f"{package}/py.typed" in names
    assert any(name.endswith(".jinja2") for name in names)
    assert "toolresult_generator/check/schemas/target.schema.json" in names
    assert "toolresult_generator/languages/python/runtime/parse.py" in names

    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    installed = _run(python, "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr
    rendered = _run(python, "-c", RENDER, cwd=tmp_path)
    assert (rendered.returncode, rendered.stdout) == (0, "[]\n"), rendered.stderr
    there = _run(python, "-m", "pip", "list", "--format=freeze", cwd=tmp_path).stdout.lower()
    assert "jinja2" not in there
    # the command renders too, and says what it lacks for the rest
    command = tmp_path / "venv" / "bin" / "toolresult"
    targets = _run(command, "targets", cwd=tmp_path)
    assert (targets.returncode, targets.stderr) == (0, ""), targets.stderr
    generate = _run(command, "generate", "--spec", clone / "spec", cwd=tmp_path)
    assert generate.returncode == 1
    assert "missing_module" in generate.stderr or "missing_tool" in generate.stderr


def test_the_first_command_of_the_readme_from_a_fresh_clone(clone: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (command,) = [
        command
        for block in blocks_of(ROOT / "README.md")
        if block.language == "console"
        for command in commands_of(block)
        if command.text == "python3 generator/bootstrap.py"
    ]
    done = _run(sys.executable, "generator/bootstrap.py", cwd=clone, HOME=str(home))
    assert done.returncode == 0, done.stderr
    assert matches(command.output, done.stdout), done.stdout
