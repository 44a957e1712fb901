"""Tells our own blocks from those that someone changed on the way.

Some blocks of a result repeat for the model what stands elsewhere in it, and the reader takes
it from there. A block that says something else is not as we wrote it, and what it says would be
lost without a word; so it, and with it the layout that names its role, is not ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolresult.drafts import OWN_PREFIX
from toolresult_core import (
    AudioPart,
    BinaryPart,
    ImagePart,
    LinkPart,
    Part,
    ResultError,
    StoredResult,
)
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.conversions import link_text
from toolresult_core.runtime.reading import Draft
from toolresult_core.runtime.rendering import WIRE_DEPTH

ROLES = frozenset(
    {"envelope", "data", "message", "error", "summary", "part", "stored", "metadata", "placeholder"}
)
PLACEHOLDER = "Done."
"""The text of the only block of a result that has nothing to say."""
_ADDRESS = "ni:///sha-256;"
"""How the address of bytes by their content starts, which we give to bytes without one."""
_MANY = frozenset({"part", "stored"})


class Unfit(ResultError):
    """A block does not fit its role, or says what stands nowhere else."""

    def __init__(self, pointer: str) -> None:
        super().__init__("wrong_type", pointer, "expected the block that the layout names")


def roles_fit(roles: Sequence[Any], *, failed: bool) -> bool:
    """Whether we write blocks of these roles beside each other."""
    if not all(isinstance(role, str) and role in ROLES for role in roles):
        return False
    once = [role for role in roles if role not in _MANY]
    if len(set(once)) < len(once):
        return False
    if "envelope" in once:
        return len(once) == 1
    if failed:
        return "message" in once and "data" not in once
    return "message" not in once and "error" not in once


def same(first: Any, second: Any) -> bool:
    """Whether two JSON values are equal. Raises ResultError for what is none."""
    if first is second:
        return True
    return canonical(first, max_depth=WIRE_DEPTH) == canonical(second, max_depth=WIRE_DEPTH)


def is_error(value: Any, error: Draft) -> bool:
    """Whether a JSON value is how we write code and details of a failure, if it has any."""
    return bool(error) and same(value, {"error": error})


def is_metadata(value: Any, meta: Mapping[str, Any]) -> bool:
    """Whether a JSON value is the metadata that ``_meta`` says too."""
    if not isinstance(value, dict) or value.keys() != {"_meta"}:
        return False
    return isinstance(value["_meta"], dict) and _repeats(value["_meta"], meta, {})


def is_envelope(envelope: Mapping[str, Any], known: Draft, meta: Mapping[str, Any]) -> bool:
    """Whether an envelope says what the reader takes from it, or what stands elsewhere.

    ``known`` is what the reader has, by the names in the envelope and in its ``_meta``.
    """
    beside, inner = dict(envelope), envelope.get("_meta")
    if isinstance(inner, dict):
        del beside["_meta"]
        if not _repeats(inner, meta, known):
            return False
    return _repeats(beside, meta, known)


def _repeats(members: Mapping[str, Any], meta: Mapping[str, Any], known: Draft) -> bool:
    """Whether each member stands in ``_meta`` too, or is known under its name."""
    own = {key.removeprefix(OWN_PREFIX): v for key, v in meta.items() if key.startswith(OWN_PREFIX)}
    foreign = _object(own.get("foreign"))
    places: list[Mapping[str, Any]] = [
        known,
        own,
        _object(own.get("pagination")),
        meta,
        _object(foreign.get("legacy_meta")),
        _object(foreign.get("legacy")),
    ]
    return all(
        any(key in place and same(value, place[key]) for place in places)
        for key, value in members.items()
    )


def is_part(block: Mapping[str, Any], part: Part) -> bool:
    """Whether a block that stands in for a part says what we write for it."""
    if isinstance(part, LinkPart) and block.get("type") == "text":
        text = link_text(part.uri, part.name, part.mime_type, part.size, part.description)
        return bool(block.get("text") == text)
    if isinstance(part, (ImagePart, AudioPart, BinaryPart)) and block.get("type") == "resource":
        return str(_object(block.get("resource")).get("uri")).startswith(_ADDRESS)
    return True


def is_stored(block: Mapping[str, Any], stored: StoredResult) -> bool:
    """Whether a block that stands in for a stored result says what we write for it."""
    if block.get("type") != "text":
        return True
    text = link_text(stored.uri, stored.name, stored.mime_type, stored.size, None)
    return bool(block.get("text") == text)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
