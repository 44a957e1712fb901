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
_PARTS: Final = frozenset({"parts", "content"})
_HOLDERS: Final = _PARTS | frozenset(
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
"""Members of answers, of every revision and binding, that are objects of the protocol."""
_DEFAULTS: Final = frozenset(
    {
        "artifacts",
        "contextId",
        "description",
        "extensions",
        "filename",
        "history",
        "mediaType",
        "name",
        "referenceTaskIds",
        "taskId",
    }
)
"""Members of those that protobuf cannot tell from absent ones, and that may be absent."""


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


def drop_defaults(answer: Any) -> None:
    """Take out of a list of tasks, in place, the members that are there only to be empty.

    In that one answer the SDK prints every member, as the protocol wants it of the list; in
    a part, an empty name or media type would be taken for one.
    """
    result = answer.get("result", answer) if isinstance(answer, dict) else None
    if isinstance(result, dict) and isinstance(result.get("tasks"), list):
        for _, member in _members(result["tasks"]):
            for key in _DEFAULTS & member.keys():
                if member[key] in ("", []):
                    del member[key]


def _parts(wire: Any) -> Iterator[dict[str, Any]]:
    """The parts of an answer, a task, an artifact or a message."""
    return (member for key, member in _members(wire) if key in _PARTS)


def _members(wire: Any, key: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of the protocol in an answer, each with its key, never what data holds."""
    if isinstance(wire, list):
        for item in wire:
            yield from _members(item, key)
    elif isinstance(wire, dict):
        yield key, wire
        if key not in _PARTS:
            for inner in _HOLDERS & wire.keys():
                yield from _members(wire[inner], inner)
