"""Where our JSON meets the SDK's protobuf types.

They hold a task's artifacts and messages as revision 1.0 spells them, but for one thing: to
protobuf an empty file name is none. Such a part is marked on its way in, and the answers are
put right on their way out (:mod:`toolresult.a2a.exact`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from toolresult.drafts import OWN_PREFIX

M = TypeVar("M", bound=Message)

_EMPTY_NAME: Final = OWN_PREFIX + "emptyName"
_HOLDERS: Final = frozenset(
    {
        "artifact",
        "artifactUpdate",
        "artifacts",
        "history",
        "message",
        "msg",
        "result",
        "status",
        "statusUpdate",
        "task",
        "tasks",
        "update",
    }
)
"""Members of answers, of every revision and binding, below which there are parts."""
_PARTS: Final = frozenset({"parts", "content"})


def to_message(wire: dict[str, Any], message: M) -> M:
    """Fill a protobuf message with an artifact, a message or a task of revision 1.0.

    ``wire`` is changed. Raises google.protobuf.json_format.ParseError for what is none.
    """
    ParseDict(mark_empty_names(wire), message)
    return message


def to_wire(message: Message) -> dict[str, Any]:
    """A protobuf message as JSON of revision 1.0, empty names included.

    Integers that protobuf holds as doubles are floats here, as it writes them.
    """
    wire: dict[str, Any] = MessageToDict(message)
    restore_empty_names(wire)
    return wire


def mark_empty_names(wire: dict[str, Any]) -> dict[str, Any]:
    """Mark, in place, the parts whose name is empty. Returns ``wire``."""
    for part in _parts(wire):
        owner, key = _name_of(part)
        if owner.get(key) == "":
            part["metadata"] = {**part.get("metadata", {}), _EMPTY_NAME: True}
    return wire


def restore_empty_names(wire: Any) -> None:
    """Put back, in place, the names that :func:`mark_empty_names` has marked."""
    for part in _parts(wire):
        metadata = part.get("metadata")
        if isinstance(metadata, dict) and metadata.pop(_EMPTY_NAME, False):
            owner, key = _name_of(part)
            owner[key] = ""
            if not metadata:
                del part["metadata"]


def _name_of(part: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The object that has the name of a part, and its key: nested on 0.3, flat on 1.0."""
    file = part.get("file")
    return (file, "name") if isinstance(file, dict) else (part, "filename")


def _parts(wire: Any) -> Iterator[dict[str, Any]]:
    """The parts of an answer, a task, an artifact or a message, never what data holds."""
    if isinstance(wire, list):
        for item in wire:
            yield from _parts(item)
    elif isinstance(wire, dict):
        for key, value in wire.items():
            if key in _PARTS and isinstance(value, list):
                yield from (part for part in value if isinstance(part, dict))
            elif key in _HOLDERS:
                yield from _parts(value)
