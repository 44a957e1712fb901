"""What one version gives: the files of every emitter, its Python among them on disk.

``python -m toolresult_generator.difference.side`` does it for a version in a process of its own,
so that the two versions are generated side by side.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from toolresult_generator.difference.versions import Version, loaded
from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.languages.python.emitter import write_package

if TYPE_CHECKING:
    from toolresult_generator.director import Loaded

RECORDED = "vectors"
"""The emitter that is not run: its answers come from the Python that is compared here anyway."""
PYTHON = "python"
_SECONDS = 300

Digests = Mapping[str, Mapping[str, str]]
"""For each emitter, its files with their digests."""


@dataclass(frozen=True)
class Generated:
    """What the emitters gave for one version. ``package`` is the folder to import from."""

    digests: Digests
    package: Path


def generate(model: Loaded, folder: Path) -> Generated:
    """Run every emitter but the recorded one; write the Python. Raises FindingsError."""
    from toolresult_generator.languages import EMITTERS, emitter
    from toolresult_generator.languages.base import EmitRequest
    from toolresult_generator.write.manifest import digest

    request = EmitRequest(model.model, model.documents)
    digests: dict[str, dict[str, str]] = {}
    for name in sorted(set(EMITTERS) - {RECORDED}):
        files = emitter(name).emit(request)
        digests[name] = {path: digest(data) for path, data in files.items()}
        if name == PYTHON:
            write_package(files, folder)
    return Generated(digests, folder / PYTHON)


class Beside:
    """A version that another process generates from in the meantime. A context manager."""

    def __init__(self, version: Version, folder: Path) -> None:
        self._folder = folder
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._child = subprocess.Popen(
            [
                *(sys.executable, "-m", __name__),
                *(version.side, str(version.folder), version.shown, str(folder)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._said,
        )

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.kill()
        self._child.communicate()
        self._said.close()

    def result(self) -> Generated:
        """Waits for the process. Raises FindingsError with what it found."""
        try:
            out, _ = self._child.communicate(timeout=_SECONDS)
            answer: dict[str, Any] = json.loads(out)
        except (subprocess.TimeoutExpired, ValueError):
            self._said.seek(0)
            last = self._said.read()[-2000:].decode(errors="replace").strip().splitlines()
            message = f"generating failed: {last[-1] if last else 'it is silent'}"
            raise FindingsError([Finding(Place(__name__), "failed_vector", message)]) from None
        if "findings" in answer:
            raise FindingsError(_finding(one) for one in answer["findings"])
        return Generated(answer["digests"], self._folder / PYTHON)


def _finding(one: Mapping[str, Any]) -> Finding:
    place = Place(one["file"], one["line"], one["column"])
    return Finding(place, one["code"], one["message"], one["advice"])


def _main(side: str, folder: str, shown: str, out: str) -> int:
    version = Version(side, Path(folder), PurePosixPath(shown))
    answer: dict[str, Any]
    try:
        answer = {"digests": generate(loaded(version), Path(out)).digests}
    except FindingsError as error:
        answer = {"findings": [finding.to_json() for finding in error.findings]}
    sys.stdout.write(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
