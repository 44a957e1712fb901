"""Writes the page: whole, or not at all."""

from __future__ import annotations

from pathlib import Path

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.write.whole import write_whole


def write_page(file: Path, text: str) -> None:
    """Put a text in the place of a file by an atomic rename.

    Raises FindingsError with `blocked_output` if the system refuses; a file from before is then
    as it was.
    """
    try:
        if file.is_dir():
            raise IsADirectoryError(21, "a folder stands in its place", str(file))
        write_whole(file, text.encode())
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        advice = "name a file in a folder that is there and can be written to"
        finding = Finding(Place(str(file)), "blocked_output", message, advice)
        raise FindingsError([finding]) from error
