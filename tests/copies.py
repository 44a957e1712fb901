"""Copies of folders of this repository, without what was installed or built in them."""

from __future__ import annotations

import shutil
from pathlib import Path

_NOT_COPIED = shutil.ignore_patterns("__pycache__", "build", "dist", "node_modules")


def copy_folder(source: Path, destination: Path) -> Path:
    """Copies a folder, and gives its copy."""
    return Path(shutil.copytree(source, destination, ignore=_NOT_COPIED))
