"""A team's own folder: a copy of the spec in a git repository, grown and driven by the command."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 300
ADAPTERS = "acme_adapters"
"""The module of a team's own adapters, if it has any."""

Done = subprocess.CompletedProcess[str]


class Team:
    """A folder with `spec/`, and what was generated from it in `generated/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def at(cls, folder: Path) -> Team:
        """A new folder with the spec as it was published, committed."""
        shutil.copytree(ROOT / "spec", folder / "spec")
        team = cls(folder)
        team.git("init", "-q")
        team.commit("published")
        return team

    # ------------------------------------------------------------ files

    def edit(self, file: str, old: str, new: str, *, all_of_them: bool = False) -> None:
        """Replaces a text that must stand in the file, once unless ``all_of_them``."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        count = text.count(old)
        assert count == 1 or (all_of_them and count), f"{old!r} stands {count} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def add(self, file: str, after: str, text: str) -> None:
        """Adds lines after the line that begins with ``after``."""
        lines = (self.folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
        (at,) = [number for number, line in enumerate(lines) if line.startswith(after)]
        lines.insert(at + 1, text)
        (self.folder / file).write_text("".join(lines), encoding="utf-8")

    def write(self, file: str, text: str) -> None:
        """Writes a file, its folder too."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def place(self, file: str, text: str, *, last: bool = False) -> str:
        """`file:line:column` of a text in a file, as findings name it."""
        content = (self.folder / file).read_text(encoding="utf-8")
        at = content.rindex(text) if last else content.index(text)
        before = content[:at]
        return f"{file}:{before.count(chr(10)) + 1}:{at - (before.rfind(chr(10)) + 1) + 1}"

    # --------------------------------------------------------- commands

    def git(self, *arguments: str) -> None:
        """Runs git in the folder."""
        names = ["-c", "user.name=Acme", "-c", "user.email=acme@example.com"]
        subprocess.run(["git", *names, *arguments], cwd=self.folder, check=True, timeout=60)

    def commit(self, message: str) -> None:
        """Commits everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def run(
        self, *arguments: str, text: str = "", own: bool = False, adapters: bool = False
    ) -> Done:
        """`toolresult` in the folder.

        ``own``: with the generated code of this folder, as `PYTHONPATH=generated/python` gives it;
        ``adapters``: with the adapters in adapters/python, named in the environment.
        """
        return self._start(["-m", "toolresult_generator", *arguments], text, own, adapters)

    def python(self, program: str, *, adapters: bool = False) -> Done:
        """A program of the team, in a process of its own, with its own generated code."""
        return self._start(["-c", program], "", True, adapters)

    def _start(self, arguments: list[str], text: str, own: bool, adapters: bool) -> Done:
        first = [str(self.folder / "generated/python")] if own else []
        first += [str(self.folder / "adapters/python")] if adapters else []
        named = {"TOOLRESULT_ADAPTERS": ADAPTERS} if adapters else {}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={
                **{k: v for k, v in os.environ.items() if not k.startswith("TOOLRESULT_")},
                "PYTHONPATH": os.pathsep.join([*first, *filter(None, sys.path)]),
                **named,
            },
            input=text,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert "Traceback" not in done.stderr or arguments[0] == "-c", done.stderr
        return done

    def findings(self, *arguments: str) -> list[dict[str, Any]]:
        """What `toolresult check` finds."""
        done = self.run("check", "--format", "json", *arguments)
        found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
        assert done.returncode == (1 if found else 0)
        return found

    def generate(self, *, adapters: bool = False) -> None:
        """Generates, which checks too. The spec must have no findings."""
        done = self.run("generate", adapters=adapters)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    # ----------------------------------------------------------- vectors

    def vectors(self, name: str) -> dict[str, Any]:
        """The vectors of a file by their ids."""
        return vectors_of(self.folder / "generated/vectors" / f"{name}.jsonl")


def vectors_of(file: Path) -> dict[str, Any]:
    """The vectors of a file by their ids."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return {one["id"]: one for one in map(json.loads, lines)}


def published(name: str) -> dict[str, Any]:
    """The vectors of the spec as it was before it grew."""
    return vectors_of(ROOT / "generated/vectors" / f"{name}.jsonl")


def proven(done: Done) -> bool:
    """Whether a matrix found everything as declared, with no message beside."""
    ended = done.stdout.rstrip().endswith("all as declared")
    assert (done.returncode, done.stderr, ended) == (0, "", True), done.stdout + done.stderr
    return True


def row(matrix: str, name: str) -> list[str]:
    """The cells of a row of the table."""
    (line,) = [line for line in matrix.splitlines() if line.split(" ")[0] == name]
    return line.split()[1:]


Build = Callable[[Team], None]


def grown(name: str, factory: pytest.TempPathFactory, build: Build) -> Team:
    """A team whose spec was grown by ``build`` and generated from: once for all processes."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, mark = base / f"growth-{name}", base / f"growth-{name}.done"
    with (base / f"growth-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mark.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a process that failed before
            build(Team.at(folder))
            mark.touch()
    return Team(folder)
