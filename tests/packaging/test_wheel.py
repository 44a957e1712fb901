"""The wheel: all files of the three packages, and enough for a server without any extra."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from tests.packaging.test_imports import RENDER

from toolresult_generator.vendor.layout import LAYOUTS

ROOT = Path(__file__).parents[2]
SOURCES = ("adapters/python", "generated/python", "generator")
PACKAGES = ("toolresult", "toolresult_core", "toolresult_generator")

BUNDLED = "toolresult_generator/bundled"

pytestmark = pytest.mark.needs_index


def bundled_files() -> set[str]:
    """The files beside the packages that the command needs, by their path in the project."""
    files = {file for file in (ROOT / "spec").rglob("*") if file.is_file()}
    for layout in LAYOUTS.values():
        if ROOT / "adapters" / "python" not in layout.source().parents:
            files |= {file for taken in layout.taken for file in layout.source().glob(taken)}
    return {file.relative_to(ROOT).as_posix() for file in [ROOT / "LICENSE", *files]}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    (made,) = folder.glob("toolresult-*.whl")
    return made


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a virtual environment with the wheel and no extra."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=120)
    pip(folder / "bin" / "python", "install", "--quiet", wheel)
    return folder / "bin"


def pip(python: str | Path, *arguments: str | Path) -> None:
    command = [str(python), "-m", "pip", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_it_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {
        file.relative_to(ROOT / source).as_posix()
        for source, package in zip(SOURCES, PACKAGES, strict=True)
        for file in (ROOT / source / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    wanted |= {f"{BUNDLED}/{path}" for path in bundled_files()}
    assert held == wanted
    assert {f"{package}/py.typed" for package in PACKAGES[:2]} <= held
    assert any(name.endswith(".jinja2") for name in held)


def test_it_needs_pydantic_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    needed = [text for text in metadata.get_all("Requires-Dist", []) if "extra ==" not in text]
    assert [re.split(r"\W", text, maxsplit=1)[0] for text in needed] == ["pydantic"]
    assert metadata["License-Expression"] == "MIT"


def test_a_server_renders_without_extras(bare: Path, tmp_path: Path) -> None:
    subprocess.run([bare / "python", "-c", RENDER], check=True, cwd=tmp_path, timeout=60)


def test_the_command_renders_without_extras_and_says_what_it_lacks(
    bare: Path, tmp_path: Path
) -> None:
    def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [bare / "toolresult", *arguments],
            input=given,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )

    rendered = run("render", "--to", "a2a@1.0", given='{"format_version":1}')
    assert (rendered.returncode, rendered.stdout) == (
        0,
        '{"status":{"state":"TASK_STATE_COMPLETED"}}\n',
    )
    checked = run("check", "--spec", str(ROOT / "spec"))
    assert checked.returncode == 1
    assert "pip install 'toolresult[generator]'" in checked.stderr
    assert "Traceback" not in checked.stderr
