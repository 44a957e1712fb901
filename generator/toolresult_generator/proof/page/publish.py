"""Writes the page: whole, or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from toolresult_generator.findings import Finding, FindingsError, Place


def write_page(file: Path, text: str) -> None:
    """Put a text in the place of a file by an atomic rename.

    Raises FindingsError with `blocked_output` if the system refuses; a file from before is then
    as it was.
    """
    staged: str | None = None
    try:
        if file.is_dir():
            raise IsADirectoryError(21, "a folder stands in its place", str(file))
        handle, staged = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(staged, 0o666 & ~_umask())
        os.replace(staged, file)
    except BaseException as error:
        if staged is not None:
            with contextlib.suppress(OSError):
                os.unlink(staged)
        if not isinstance(error, OSError):
            raise
        message = f"cannot be written: {error.strerror or error}"
        advice = "name a file in a folder that is there and can be written to"
        finding = Finding(Place(str(file)), "blocked_output", message, advice)
        raise FindingsError([finding]) from error


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
