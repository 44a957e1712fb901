"""Reads what a command is given: a file, or standard input for ``-`` or nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import DataError

if TYPE_CHECKING:
    from toolresult_core import ResultError

LARGEST = 128 * 1024 * 1024
"""Bytes that are read at most; the parser takes no more either."""


def read_input(name: str) -> tuple[bytes, str]:
    """The bytes and how places name them. Raises DataError."""
    shown = "<stdin>" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(LARGEST + 1)
    except OSError as error:
        raise DataError(shown, "unreadable_file", error.strerror or "cannot be read") from None
    if len(data) > LARGEST:
        raise DataError(shown, "too_large", f"expected at most {LARGEST} bytes")
    return data, shown


def read_text(name: str) -> tuple[str, str]:
    """The text and how places name it; a line break at the end is not part of it. Raises DataError."""
    data, shown = read_input(name)
    try:
        return data.decode(), shown
    except UnicodeDecodeError as error:
        raise DataError(
            place_at(data, error.start, shown), "invalid_json", "expected UTF-8"
        ) from None


def place_at(data: bytes, offset: int, shown: str) -> str:
    """``file:line:column`` of a byte offset; the column counts code points."""
    line = data.count(b"\n", 0, offset) + 1
    start = data.rfind(b"\n", 0, offset) + 1
    column = len(data[start:offset].decode(errors="replace")) + 1
    return f"{shown}:{line}:{column}"


def bad_result(error: ResultError, text: str, shown: str) -> DataError:
    """What to say of an input that is no result: where in the text, or which member."""
    if error.offset is not None:
        return DataError(
            place_at(text.encode("utf-8", "replace"), error.offset, shown),
            error.code,
            error.message,
        )
    return DataError(error.pointer or "(result)", error.code, error.message)
