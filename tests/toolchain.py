"""Programs of other languages and databases that tests drive."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def is_ci() -> bool:
    """Whether this is a run that has to have everything."""
    return os.environ.get("CI", "").lower() in ("true", "1")


def missing(what: str) -> None:
    """Skips the test with a clear line on a developer's machine, and fails it under CI."""
    if is_ci():
        pytest.fail(f"CI runs this, and {what}")
    pytest.skip(what)


def program(name: str, get: str, *, also: tuple[str, ...] = ()) -> Path:
    """Where a program is: on the PATH, or at one of the paths in ``also``.

    ``get`` says how one gets it, for whoever has it not (`Debian's package php-cli`).
    """
    found = shutil.which(name) or next((one for one in also if os.access(one, os.X_OK)), None)
    if found is None:
        missing(f"{name} is not installed: {get}")
    return Path(str(found))


def mark_folder(items: list[pytest.Item], folder: Path) -> None:
    """Marks the tests of a folder, of all that a run has: a ``conftest.py`` is handed those."""
    for item in items:
        if folder in item.path.parents:
            item.add_marker(pytest.mark.needs_toolchain)
