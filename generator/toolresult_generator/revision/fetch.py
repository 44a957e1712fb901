"""Takes a protocol's own schema from somewhere, pins it, and refuses it once it changed.

What is taken is untrusted: bounded, strict JSON, an object with definitions; nothing in it is
followed or run. Only what passed all of that is written, and each file as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.file import load_bytes, read_bytes
from toolresult_generator.revision.fetch_lock import Lock, Pin, digest
from toolresult_generator.revision.fetch_names import Wanted
from toolresult_generator.write.whole import write_whole


class Outcome(Enum):
    """What a fetch did."""

    PINNED = "pinned"
    UNCHANGED = "unchanged"
    RESTORED = "restored"
    """The file was gone; what was taken is what was pinned."""
    UPDATED = "updated"


@dataclass(frozen=True)
class Taken:
    """A schema as it was taken, from wherever."""

    data: bytes
    source: str
    """Where it is from: a URL, ``file``, or a package with its version."""
    derived: str = ""
    """How it was made, where the source has no JSON Schema of its own."""


@dataclass(frozen=True)
class Fetched:
    """A schema that is in place and pinned."""

    wanted: Wanted
    file: Path
    pin: Pin
    outcome: Outcome


def from_file(path: Path) -> Taken:
    """The schema in a file. Raises FindingsError if it cannot be read."""
    data = read_bytes(path, path.as_posix())
    if isinstance(data, Finding):
        raise FindingsError([data])
    # the path would say where this machine has it, which is nobody else's business
    return Taken(data, "file")


def settle(wanted: Wanted, taken: Taken, folder: Path, lock_file: Path, *, update: bool) -> Fetched:
    """Put what was taken into ``folder`` and pin it in the lock file.

    Raises FindingsError for what is no schema, a lock file that is none, and without ``update``
    for what is not what was pinned. Then nothing is written.
    """
    check_schema(taken, wanted)
    lock = Lock.read(lock_file)
    file = folder / wanted.protocol / f"{wanted.revision}.json"
    pin = Pin.of(taken.data, lock.path_to(file), taken.source, taken.derived)
    before = lock.pins.get(wanted.label)
    if before is not None and before.sha256 == pin.sha256:
        pin = replace(before, file=pin.file)  # the same from elsewhere: where it is from stays
    there = _digest_of(file)
    if not update:
        _compare(wanted, pin, before, file, there)
    if before == pin and there == pin.sha256:
        return Fetched(wanted, file, pin, Outcome.UNCHANGED)
    if there != pin.sha256:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, taken.data)
    if before != pin:
        lock.with_pin(wanted.label, pin).write()
    if before is None:
        outcome = Outcome.PINNED
    elif before.sha256 != pin.sha256 or there not in (None, pin.sha256):
        outcome = Outcome.UPDATED
    else:
        outcome = Outcome.RESTORED if there is None else Outcome.UNCHANGED
    return Fetched(wanted, file, pin, outcome)


def _digest_of(file: Path) -> str | None:
    """The digest of the file that is in place; None if there is none. Raises FindingsError."""
    data = read_bytes(file, file.as_posix())
    if isinstance(data, bytes):
        return digest(data)
    if data.code == "missing_file":
        return None
    raise FindingsError([data])


def _compare(wanted: Wanted, pin: Pin, before: Pin | None, file: Path, there: str | None) -> None:
    """Raises FindingsError where the taken or the stored schema is not the pinned one."""
    advice = "look at what changed; --update takes the new one and pins it"
    if before is not None and before.sha256 != pin.sha256:
        message = f"was pinned as sha256 {before.sha256}, and what was taken is {pin.sha256}"
        raise _changed(wanted.label, message, advice)
    if there is not None and there != pin.sha256:
        was = "pinned" if before is not None else "taken"
        message = f"the file is sha256 {there}, and what was {was} is {pin.sha256}"
        raise _changed(file.as_posix(), message, "remove the file, or overwrite it with --update")


def _changed(place: str, message: str, advice: str) -> FindingsError:
    return FindingsError([Finding(Place(place), "changed_schema", message, advice)])


def check_schema(taken: Taken, wanted: Wanted) -> None:
    """Raises FindingsError for what is no JSON, or no JSON Schema with definitions."""
    shown = taken.source if taken.source.startswith("https://") else wanted.label
    root, findings = load_bytes(taken.data, shown, is_json=True)
    if findings:
        raise FindingsError(findings)
    definitions = root and (root.get("$defs") or root.get("definitions"))
    if not definitions or not definitions.mapping:
        place = root.place if root else Place(shown)
        message = "this is no JSON Schema of a protocol: it has no $defs and no definitions"
        advice = "name the protocol's schema.json"
        raise FindingsError([Finding(place, "not_a_schema", message, advice)])
