#!/usr/bin/env python3
"""From a fresh clone to proof, with nothing but Python, pip and git.

    python3 generator/bootstrap.py         install, generate, render the samples, show the table
    python3 generator/bootstrap.py test    run every test and check, as CI does

Standard library alone, and no syntax newer than Python 3.7, so that an old ``python3`` can still
find the newer one that the project needs. Everything is installed in ``.venv`` of the checkout;
remove that folder to begin anew. Progress goes to stderr, results to stdout.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")

VERSIONS = ((3, 10), (3, 11), (3, 12), (3, 13))
"""The Pythons that the project is tested on, oldest first."""

TOX = "tox>=4.30,<5"

_START = time.monotonic()


class BootstrapError(Exception):
    """Something is missing, or a step failed. The text says what to do."""


def main(arguments: list[str]) -> int:
    """Run the command and give the exit code: 0 fine, 1 a step failed, 2 wrong usage."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if arguments and arguments[0] != "test":
        say(f"usage: bootstrap.py [test [tox options]]; there is no {arguments[0]!r}")
        return 2
    try:
        return test(arguments[1:]) if arguments else show()
    except BootstrapError as error:
        say(f"error: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


def show() -> int:
    """Install the command, prove that nothing generated has drifted, and show the matrix."""
    make_venv(find_interpreters())
    install("generator,fast")
    program = BIN / "toolresult"
    step("generate: is the committed output what the spec gives?")
    run([program, "generate", "--check"], failed="the committed output is not what the spec gives")
    step("check: has the spec any faults?")
    run([program, "check"], failed="the spec has faults")
    step("matrix: render every sample to every target, and measure where each part went")
    run([program, "matrix"], failed="an output is not as the spec declares it")
    step("done; the command is " + os.path.relpath(program))
    return 0


def test(options: list[str]) -> int:
    """Run tox on every Python that there is; under CI every one of them has to be there."""
    is_ci = os.environ.get("CI", "").lower() in ("true", "1")
    found = find_interpreters()
    missing = [dotted(version) for version in VERSIONS if version not in found]
    if missing and is_ci:
        raise BootstrapError(f"CI tests every Python, and {', '.join(missing)} cannot be found")
    for version in missing:
        say(f"Python {version} is not installed: its tests are skipped")
    make_venv(found)
    install_tox()
    step("tox: " + ", ".join(map(dotted, sorted(found))))
    command = [BIN / "tox", "run", "--discover", *found.values()]
    command += ["--skip-missing-interpreters", "false" if is_ci else "true"]
    return subprocess.call([str(word) for word in command + options], cwd=str(ROOT))


# -- interpreters ------------------------------------------------------------


def find_interpreters() -> dict[tuple[int, int], str]:
    """Each version that can be run, with its program. Raises BootstrapError if there is none."""
    found = {}
    for version in VERSIONS:
        for candidate in candidates(version):
            if answers(candidate, version):
                found[version] = candidate
                break
    if not found:
        oldest, newest = dotted(VERSIONS[0]), dotted(VERSIONS[-1])
        raise BootstrapError(f"no Python from {oldest} to {newest} was found; install one of them")
    return found


def candidates(version: tuple[int, int]) -> list[str]:
    """Where a version may be: this very program, on the PATH, or among those of pyenv."""
    name = "python" + dotted(version)
    places = []
    if sys.version_info[:2] == version:
        # a virtual environment's own Python may vanish with it
        places.append(getattr(sys, "_base_executable", None) or sys.executable)
    for root in (os.environ.get("PYENV_ROOT"), os.path.join(os.path.expanduser("~"), ".pyenv")):
        if root:
            installed = Path(root).glob("versions/" + dotted(version) + ".*/bin/" + name)
            places += sorted(map(str, installed), reverse=True)
    places += [os.path.join(folder, name) for folder in os.get_exec_path()]
    return list(dict.fromkeys(place for place in places if os.access(place, os.X_OK)))


def answers(program: str, version: tuple[int, int]) -> bool:
    """Whether the program runs and is that version. A shim of pyenv may be there and not run."""
    code = "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"
    try:
        said = subprocess.run(
            [program, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0 and said.stdout.decode().strip() == dotted(version)


def dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


# -- installing --------------------------------------------------------------


def make_venv(found: dict[tuple[int, int], str]) -> None:
    """Make ``.venv`` with this Python if it will do, else with the newest that was found."""
    python = BIN / "python"
    if any(answers(str(python), version) for version in VERSIONS):
        return
    shutil.rmtree(str(VENV), ignore_errors=True)
    this = sys.version_info[:2]
    version = this if this in found else max(found)
    step(f"make .venv with Python {dotted(version)}")
    run([found[version], "-m", "venv", VENV], failed="cannot make a virtual environment")


def install(extras: str) -> None:
    """Install the checkout itself, so that a change of a file is a change of the command."""
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    install_once(f"toolresult[{extras}]", ["--editable", f"{ROOT}[{extras}]"], digest)


def install_tox() -> None:
    """Install what runs the tests."""
    install_once(TOX, [TOX], TOX)


def install_once(what: str, arguments: list[str], digest: str) -> None:
    """Install with pip, unless it was done before with the same ``digest``."""
    words = re.split(r"\W+", what, maxsplit=1)
    stamp = VENV / f"installed-{words[0]}"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return
    step(f"install {what}")
    command = [BIN / "python", "-m", "pip", "install", "--quiet", *arguments]
    run(command, failed="pip cannot install it; see its message above")
    stamp.write_text(digest, encoding="utf-8")


# -- running -----------------------------------------------------------------


def run(command: list[Any], *, failed: str) -> None:
    """Run a step to its end. Raises BootstrapError if it fails."""
    words = [str(word) for word in command]
    try:
        code = subprocess.call(words, cwd=str(ROOT))
    except OSError as error:
        raise BootstrapError(f"{words[0]}: {error.strerror}") from None
    if code:
        raise BootstrapError(f"{failed} (exit code {code} of {' '.join(words)})")


def step(message: str) -> None:
    """Say what comes next, and how many seconds have passed."""
    say(f"[{time.monotonic() - _START:4.0f}s] {message}")


def say(message: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
