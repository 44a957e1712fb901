"""Edits the YAML of a target as text, so that its comments and its order stay.

An edit is checked by loading what came out: what was there is there still, and nothing more than
what was to be added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.file import load_bytes

_TOP = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*:", re.ASCII)


def add_entries(text: str, section: str, entries: Sequence[str], *, after: str, shown: str) -> str:
    """The text with entries (lines, indented) at the end of a top-level section.

    A section that is not there is made after another one. Raises FindingsError where a section is
    written in a way that has no lines to add to.
    """
    lines = text.splitlines()
    at = _heading(lines, section)
    if at is None:
        before = _heading(lines, after)
        if before is None:
            raise _refused(shown, f"there is no section {after} to write {section} after")
        end = _end(lines, before)
        return "\n".join([*lines[:end], "", f"{section}:", *entries, *lines[end:]]) + "\n"
    if lines[at].split(":", 1)[1].split("#")[0].strip():
        message = f"{section} is written on one line, so nothing can be added to it"
        raise _refused(shown, message, line=at + 1)
    end = _end(lines, at)
    return "\n".join([*lines[:end], *entries, *lines[end:]]) + "\n"


def section_text(text: str, section: str) -> str:
    """A top-level section as it stands, or an empty text."""
    lines = text.splitlines()
    at = _heading(lines, section)
    return "" if at is None else "\n".join(lines[at : _end(lines, at)])


@lru_cache(maxsize=8)
def plain_of(text: str, shown: str) -> dict[str, Any]:
    """The YAML as plain data, not to be changed. Raises FindingsError."""
    root, findings = load_bytes(text.encode(), shown, is_json=False)
    if findings or root is None:
        raise FindingsError(findings or [Finding(Place(shown), "empty_document", "it is empty")])
    plain = root.to_plain()
    return plain if isinstance(plain, dict) else {}


def check_added(
    before: str, after: str, added: Mapping[str, Mapping[str, Any]], shown: str
) -> None:
    """Raises FindingsError unless an edit added these entries to these sections, and no more."""
    expected = dict(plain_of(before, shown))
    for section, entries in added.items():
        expected[section] = {**expected.get(section, {}), **entries}
    if plain_of(after, shown) != expected:
        raise _refused(shown, "the file is laid out in a way that cannot be added to")


def quoted_text(text: str) -> str:
    """A text as YAML, in double quotes (of which JSON's are a part)."""
    return json.dumps(text, ensure_ascii=False)


def _heading(lines: Sequence[str], section: str) -> int | None:
    return next((n for n, line in enumerate(lines) if line.startswith(f"{section}:")), None)


def _end(lines: Sequence[str], start: int) -> int:
    """Where a section ends: before the next one, its comments, and the blank lines between."""
    end = start + 1
    while end < len(lines) and not _TOP.match(lines[end]):
        end += 1
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return end


def _refused(shown: str, message: str, line: int = 1) -> FindingsError:
    advice = "add the revision by hand; the report says what belongs there"
    return FindingsError([Finding(Place(shown, line), "bad_value", message, advice)])
