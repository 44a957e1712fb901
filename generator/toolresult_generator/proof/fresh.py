"""Runs a command with the code of the spec that it was given, where another one is installed.

What renders is generated code. A team that tries a spec of its own has none installed for
it yet: then the package is generated into a temporary folder, and the command runs once
more with that folder in front.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from toolresult_generator.director import Loaded, plan
from toolresult_generator.languages.python.emitter import write_package
from toolresult_generator.model.digest import digest_of

_AGAIN = "TOOLRESULT_FRESH"
"""Set for the second run, so that there is no third."""


def run_with_own_code(loaded: Loaded, spec: Path, arguments: list[str]) -> int | None:
    """The exit code of the command run with the spec's own code; None if that is installed.

    Raises FindingsError if the code cannot be generated.
    """
    if os.environ.get(_AGAIN) == "1" or _installed("SPEC_DIGEST") == digest_of(loaded.model):
        return None
    return _run_again(spec, arguments)


def run_with_own_values(loaded: Loaded, spec: Path, arguments: list[str]) -> int | None:
    """As :func:`run_with_own_code`, for a command that needs the value classes alone: those are
    installed wherever the spec agrees on what a result is."""
    result = digest_of(loaded.model.result)
    if os.environ.get(_AGAIN) == "1" or _installed("RESULT_DIGEST") == result:
        return None
    return _run_again(spec, arguments)


def _run_again(spec: Path, arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="toolresult-fresh-") as name:
        root = write_package(plan(spec, ["python"])["python"], Path(name))
        folders = [str(root), *(entry for entry in sys.path if entry)]
        done = subprocess.run(
            [sys.executable, "-m", "toolresult_generator", *arguments],
            env={**os.environ, _AGAIN: "1", "PYTHONPATH": os.pathsep.join(folders)},
            check=False,
        )
    return done.returncode


def _installed(name: str) -> str | None:
    """A digest of the installed package; None without one."""
    try:
        from toolresult_core import spec_digest
    except ImportError:
        return None
    found: str | None = getattr(spec_digest, name, None)
    return found
