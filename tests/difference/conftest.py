"""Two versions of the spec of this repository, the newer one changed by the test."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from toolresult_generator.difference.compared import Comparison, compare
from toolresult_generator.difference.versions import NEW, OLD, opened

SPEC = Path(__file__).parents[2] / "spec"
Edit = Callable[[str, str, str], None]


class Copy:
    """A copy of the spec that can be edited."""

    def __init__(self, folder: Path) -> None:
        self.path = Path(shutil.copytree(SPEC, folder))

    def edit(self, name: str, old: str, new: str, count: int = 1) -> None:
        """Replace a text that stands in a file so many times."""
        file = self.path / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == count, f"{old!r} stands {text.count(old)} times in {name}"
        file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def newer(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "newer")


def compared(old: Path | str, new: Path | str, spec: Path = SPEC) -> Comparison:
    """The comparison of two versions, without a command line around it."""
    with opened(OLD, str(old), spec) as before, opened(NEW, str(new), spec) as after:
        return compare(before, after, lambda *_: None)


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody, and give what it prints."""
    options = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=m")
    done = subprocess.run(
        ["git", *options, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()
