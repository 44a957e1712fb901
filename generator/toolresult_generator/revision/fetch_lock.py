"""The lock file: which schema was taken, from where, and its digest.

Sorted and without times, so that it changes only where a schema does.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.file import load_bytes, read_bytes
from toolresult_generator.write.whole import write_whole

NAME = "schemas.lock.json"
_FORMAT = 1
_ABOUT = "Written by `toolresult revision fetch`."
_DIGEST = re.compile("[0-9a-f]{64}")


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Pin:
    """One schema. ``file`` is relative to the folder of the lock file, with ``/``."""

    sha256: str
    size: int
    """Bytes."""
    file: str
    source: str
    derived: str = ""

    @classmethod
    def of(cls, data: bytes, file: str, source: str, derived: str) -> Pin:
        """The pin of these bytes."""
        return cls(digest(data), len(data), file, source, derived)

    def to_json(self) -> dict[str, str | int]:
        """The pin as a JSON object; without ``derived`` where nothing is."""
        return {name: value for name, value in asdict(self).items() if value != ""}


@dataclass(frozen=True)
class Lock:
    """A lock file and its pins by their label."""

    file: Path
    pins: Mapping[str, Pin] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Lock:
        """The lock file, empty if there is none. Raises FindingsError for one that is damaged."""
        data = read_bytes(file, file.as_posix())
        if isinstance(data, Finding):
            if data.code == "missing_file":
                return cls(file)
            raise FindingsError([data])
        root, findings = load_bytes(data, file.as_posix(), is_json=True)
        if findings or root is None:
            raise FindingsError(findings)
        try:
            return cls(file, _pins(root.to_plain()))
        except (KeyError, TypeError, ValueError, AttributeError):
            message = "this is no lock file of schemas, or it was damaged"
            advice = "restore it, or remove it to pin everything anew"
            raise FindingsError(
                [Finding(Place(file.as_posix()), "bad_lock", message, advice)]
            ) from None

    def path_to(self, file: Path) -> str:
        """How the lock file names a file."""
        return Path(os.path.relpath(file, self.file.parent)).as_posix()

    def with_pin(self, label: str, pin: Pin) -> Lock:
        """The same lock with one pin set."""
        return replace(self, pins={**self.pins, label: pin})

    def write(self) -> None:
        """Write it, whole or not at all. Raises OSError."""
        schemas = {label: pin.to_json() for label, pin in sorted(self.pins.items())}
        document = {"about": _ABOUT, "format": _FORMAT, "schemas": schemas}
        text = json.dumps(document, indent=1, ensure_ascii=False)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.file, f"{text}\n".encode())


def _pins(document: Any) -> dict[str, Pin]:
    if document["format"] != _FORMAT:
        raise ValueError("another format")
    pins = {label: Pin(**entry) for label, entry in document["schemas"].items()}
    for pin in pins.values():
        texts = (pin.sha256, pin.file, pin.source, pin.derived)
        if not all(isinstance(text, str) for text in texts) or not _DIGEST.fullmatch(pin.sha256):
            raise ValueError("no pin")
    return pins
