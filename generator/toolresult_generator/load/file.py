"""One file to one node: whatever is wrong with the file is a finding, never an exception."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from toolresult_generator.findings import Finding, Place
from toolresult_generator.load.builder import Builder, StopLoadingError
from toolresult_generator.load.json_reader import read_json
from toolresult_generator.load.limits import MAX_BYTES
from toolresult_generator.load.node import Node

# What YAML 1.2 does not allow in its text, and the line breaks of YAML 1.1 that editors do not
# count and that the parser would fold into a space (U+0085, U+2028, U+2029).
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def load_file(path: Path, shown: str) -> tuple[Node | None, list[Finding]]:
    """The root of a YAML or (by its suffix) JSON file, and what is wrong with it.

    ``shown`` is how places name the file. The root is None where the file gives none; with
    findings, it is what could be read.
    """
    data = read_bytes(path, shown)
    if isinstance(data, Finding):
        return None, [data]
    return load_bytes(data, shown, is_json=path.suffix == ".json")


def load_bytes(data: bytes, shown: str, *, is_json: bool) -> tuple[Node | None, list[Finding]]:
    """As :func:`load_file`, for bytes that are in memory already."""
    builder = Builder(shown)
    try:
        text = _text(data, builder)
        if is_json:
            read_json(text, builder)
        else:
            from toolresult_generator.load.yaml_reader import read_yaml

            read_yaml(text, builder)
    except StopLoadingError:
        return None, builder.findings
    root = builder.root
    if root is None or (root.value is None and not is_json):
        finding = Finding(Place(shown), "empty_document", "the file says nothing")
        return None, [*builder.findings, finding]
    return root, builder.findings


def read_bytes(path: Path, shown: str) -> bytes | Finding:
    """The bytes of a regular file that is not too large, else the finding."""
    place = Place(shown)
    try:
        # without blocking: opening a pipe would wait for its writer
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return Finding(place, "missing_file", "there is no such file")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return Finding(place, "unreadable_file", f"cannot be read: {reason or 'bad path'}")
    try:
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return Finding(place, "unreadable_file", "this is no regular file")
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        return Finding(place, "unreadable_file", f"cannot be read: {error.strerror}")
    if len(data) > MAX_BYTES:
        return Finding(place, "too_large", f"the file has more than {MAX_BYTES} bytes")
    return data


def _text(data: bytes, builder: Builder) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise builder.stop(
            "not_utf8", _place_after(builder.file, before), "a byte here is not UTF-8"
        ) from None
    text = text[1:] if text.startswith("\ufeff") else text
    found = _FORBIDDEN.search(text)
    if found is not None:
        name = f"U+{ord(found[0]):04X}"
        raise builder.stop(
            "invalid_character",
            _place_after(builder.file, text[: found.start()]),
            f"the character {name} stands in the text",
            f'write it in a quoted text as "\\u{ord(found[0]):04x}"',
        )
    return text


def _place_after(file: str, before: str) -> Place:
    line = before.count("\n") + 1
    return Place(file, line, len(before) - (before.rfind("\n") + 1) + 1)
