"""The manifest of a copy: what it is a copy of, and the digest of each of its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolresult_generator.write.manifest import outputs_of, read_document

NAME = "toolresult-vendored.json"
_FORMAT = 1
_ABOUT = "Written by `toolresult vendor`, which keeps what is listed here up to date."


@dataclass(frozen=True)
class Copied:
    """A copy as it was written."""

    language: str
    version: str
    """The version of toolresult that wrote it."""
    format_version: int
    """The newest format version of a result that its code reads."""
    spec: str
    """The digest of the spec that its code was generated from."""
    files: Mapping[str, str]
    """Each file, by its path in the copy, with its SHA-256 in hex."""

    def to_bytes(self) -> bytes:
        """The file's content; equal for equal copies."""
        document = {
            "about": _ABOUT,
            "format": _FORMAT,
            "language": self.language,
            "toolresult": self.version,
            "format_version": self.format_version,
            "spec": self.spec,
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def read_copied(folder: Path) -> Copied | None:
    """The manifest of a copy; None if there is none that can be trusted."""
    try:
        document = read_document(folder / NAME, _FORMAT)
        return Copied(
            language=str(document["language"]),
            version=str(document["toolresult"]),
            format_version=int(document["format_version"]),
            spec=str(document["spec"]),
            files=outputs_of(document["files"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
