"""PHP and what comes with it, run over the repository."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.toolchain import program

from toolresult_generator.cli import main

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "adapters" / "php"
GENERATED = ROOT / "generated" / "php"
TESTEE = ADAPTERS / "bin" / "testee.php"
FOLDERS = (ADAPTERS, GENERATED, ROOT / "bench" / "php", ROOT / "tests" / "php")
"""Where PHP is that is not made by a test."""

_PACKAGES = {
    "php": "php-cli and php-mbstring",
    "composer": "composer",
    "phpcs": "php-codesniffer",
    "phpunit": "phpunit",
}


def tool(name: str) -> str:
    """A program; the test is skipped, or fails under CI, where it is not installed."""
    return str(program(name, f"Debian's {_PACKAGES[name]}"))


def run(
    *command: str | Path,
    cwd: Path = ROOT,
    given: str | bytes | None = None,
    env: Mapping[str, str] | None = None,
    seconds: float = 300,
) -> subprocess.CompletedProcess[str]:
    """What a command prints, both streams, and how it ended."""
    return subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=env,
        input=given.decode() if isinstance(given, bytes) else given,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def sources() -> list[Path]:
    """Every PHP file of the repository that is not made by a test."""
    return sorted(file for folder in FOLDERS for file in folder.rglob("*.php"))


def vendored(folder: Path) -> Path:
    """The folder, which is a copy of the package now."""
    spec = str(ROOT / "spec")
    assert main(["vendor", "--language", "php", "--spec", spec, str(folder)]) == 0
    return folder
