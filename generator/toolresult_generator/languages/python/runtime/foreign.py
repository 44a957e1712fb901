"""Members of a block that a reader kept: back to their own place, or into the marker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .canonical import canonical
from .json_value import Json
from .rendering import canonical_object

_DEPTH: Final = 200
_ICON_TEXTS: Final = ("src", "mimeType", "theme")
_ICON_KEYS: Final = frozenset({*_ICON_TEXTS, "sizes"})


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_entries(value: object) -> bool:
    """An object that says something: an empty map of metadata is the same as none."""
    return isinstance(value, dict) and bool(value)


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_icons(value: object) -> bool:
    """A list of icons (MCP 2025-11-25, definition Icon): src, and mimeType, sizes, theme."""
    return isinstance(value, list) and all(map(_is_icon, value))


def _is_icon(value: object) -> bool:
    if not isinstance(value, dict) or not value.keys() <= _ICON_KEYS or "src" not in value:
        return False
    sizes = value.get("sizes", [])
    return (
        all(isinstance(value[key], str) for key in _ICON_TEXTS if key in value)
        and value.get("theme") in (None, "light", "dark")
        and isinstance(sizes, list)
        and all(isinstance(size, str) for size in sizes)
    )


SHAPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": _is_object,
    "entries": _is_entries,
    "string": _is_string,
    "icons": _is_icons,
}
"""The named shapes that a member can be held against."""

Keys = tuple[str, ...]


def find(members: Mapping[str, Json] | None, keys: Keys, shape: str) -> Any:
    """The member under these keys where it has the shape; None if not (no shape allows null)."""
    if members is None or keys[0] not in members:
        return None
    value: Any = members[keys[0]].value
    for key in keys[1:]:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value if SHAPES[shape](value) else None


def foreign_member(members: Mapping[str, Json] | None, keys: Keys, shape: str) -> bytes:
    """The member under these keys as canonical JSON; empty where it is missing or does not fit."""
    value = find(members, keys, shape)
    return b"" if value is None else canonical(value, max_depth=_DEPTH)


def foreign_entries(members: Mapping[str, Json] | None, keys: Keys) -> Mapping[str, Json]:
    """The entries of the object under these keys; none where it is missing or no object."""
    value = find(members, keys, "object")
    return {} if value is None else {key: Json.of(entry) for key, entry in value.items()}


def foreign_rest(
    members: Mapping[str, Json] | None, without: tuple[tuple[Keys, str], ...]
) -> bytes:
    """The members less those that have a place of their own; empty if nothing is left."""
    if not members:
        return b""
    rest = {key: value.canonical for key, value in members.items()}
    for keys, shape in without:
        if find(members, keys, shape) is None:
            continue
        left = _without(members[keys[0]].value, keys[1:])
        if left is None:
            del rest[keys[0]]
        else:
            rest[keys[0]] = canonical(left, max_depth=_DEPTH)
    return canonical_object(rest) if rest else b""


def _without(value: Any, keys: Keys) -> Any:
    """The object less the member under these keys; None if that leaves it empty."""
    if not keys:
        return None
    left = {key: entry for key, entry in value.items() if key != keys[0]}
    inner = _without(value[keys[0]], keys[1:])
    if inner is not None:
        left[keys[0]] = inner
    return left or None


__all__ = ["SHAPES", "foreign_entries", "foreign_member", "foreign_rest"]
