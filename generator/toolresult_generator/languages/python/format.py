"""Formats generated Python with ruff, all files in one go. Never skipped in silence."""

from __future__ import annotations

import importlib.metadata
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from toolresult_generator.findings import Finding, FindingsError, Place

LINE_LENGTH = 100
SUPPORTED = "0.17."
"""The minor version whose style the committed output has; another one could differ."""

_OPTIONS = ("--isolated", "--no-cache", "--target-version=py310", "--quiet")
_ISORT = 'lint.isort.known-first-party=["toolresult_core"]'
_SECONDS = 60


def format_python(files: Mapping[str, str]) -> dict[str, bytes]:
    """Python sources by path, with sorted imports and ruff's layout, as UTF-8.

    Raises FindingsError: `missing_tool` if ruff is not there in the right version,
    `unformattable` if a source is not Python.
    """
    if not files:
        return {}
    ruff = _ruff()
    with tempfile.TemporaryDirectory(prefix="toolresult-format-") as name:
        folder = Path(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8", newline="\n")
        width = f"--line-length={LINE_LENGTH}"
        isort = ("--select=I,F401", "--fix", "--config", _ISORT)
        _run([ruff, "check", *_OPTIONS, width, *isort, "."], folder)
        _run([ruff, "format", *_OPTIONS, width, "."], folder)
        return {path: (folder / path).read_bytes() for path in files}


def _ruff() -> str:
    try:
        version = importlib.metadata.version("ruff")
        from ruff import find_ruff_bin  # type: ignore[import-untyped]  # ships no types

        program = str(find_ruff_bin())
    except (ImportError, importlib.metadata.PackageNotFoundError, FileNotFoundError):
        raise _missing("ruff, which formats generated Python, is not installed") from None
    if not version.startswith(SUPPORTED):
        raise _missing(f"ruff is {version}; the generated files have the layout of {SUPPORTED}x")
    return program


def _missing(message: str) -> FindingsError:
    advice = "pip install 'toolresult[generator]'"
    return FindingsError([Finding(Place("ruff"), "missing_tool", message, advice)])


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()[:2000]
        finding = Finding(Place("ruff"), "unformattable", said or "ruff failed without a word")
        raise FindingsError([finding])
