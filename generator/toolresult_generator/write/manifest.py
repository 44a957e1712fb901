"""The manifest: what the last run read and what it wrote.

It stands in the output folder and is committed with it. It makes an unchanged run return at
once, says which files may be removed, and shows which were edited by hand. As everything on a
disk it may be damaged; then it counts as not there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAME = "manifest.json"
_FORMAT = 1
_MAX_BYTES = 16 * 1024 * 1024
_ABOUT = "Written by `toolresult generate`. Do not edit what is listed here."


@dataclass(frozen=True)
class Entry:
    """One emitter: the digest of what it read, and the digest of each file that it wrote."""

    inputs: str
    outputs: Mapping[str, str]


@dataclass(frozen=True)
class Manifest:
    """The entries by the emitter's name."""

    entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def outputs(self) -> dict[str, str]:
        """Every generated file with its digest."""
        return {
            path: digest
            for entry in self.entries.values()
            for path, digest in entry.outputs.items()
        }

    def to_bytes(self) -> bytes:
        """The file's content; equal for equal manifests."""
        document = {
            "about": _ABOUT,
            "format": _FORMAT,
            "emitters": {
                name: {"inputs": entry.inputs, "outputs": dict(sorted(entry.outputs.items()))}
                for name, entry in sorted(self.entries.items())
            },
        }
        return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def read_document(file: Path, form: int) -> Any:
    """The JSON of a manifest.

    Raises OSError, and ValueError, KeyError, TypeError or RecursionError if it is none of that
    format.
    """
    with file.open("rb") as stream:
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise ValueError("the manifest is too large")
    document = json.loads(data)
    if document["format"] != form:
        raise ValueError("the manifest has another format")
    return document


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def read_manifest(out: Path) -> Manifest:
    """The manifest in an output folder; an empty one if there is none that can be trusted."""
    try:
        document = read_document(out / NAME, _FORMAT)
        return Manifest(
            {
                name: Entry(str(entry["inputs"]), outputs_of(entry["outputs"]))
                for name, entry in document["emitters"].items()
            }
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest()


def is_safe(path: str) -> bool:
    """Whether a path stays inside of the folder that it is relative to."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts)


def outputs_of(listed: Mapping[str, str]) -> dict[str, str]:
    """Files with their digests, as a manifest lists them.

    Raises ValueError if a path leads out of the folder, AttributeError if it is no object.
    """
    outputs = {str(path): str(known) for path, known in listed.items()}
    if not all(is_safe(path) for path in outputs):
        raise ValueError("a path leads out of the output folder")
    return outputs
