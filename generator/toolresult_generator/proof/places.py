"""Where values stand in an output: as they are, under our own keys, inside texts, or not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any

from toolresult_generator.pointers import token

TEXT_DEPTH = 3
"""How many texts inside texts are opened: an envelope in a block in a legacy string."""
_DEEPEST = 200
"""Nesting of a text that is opened: some more than a result may have."""


class Found(Enum):
    """How a value stands in an output."""

    WHOLE = "whole"
    """As it is, in a place of the format's own."""
    KEPT = "kept"
    """As it is, under a key of ours or in the JSON of a text."""
    IN_TEXT = "in text"
    """Its text is part of another one."""
    NOWHERE = "nowhere"


@dataclass(frozen=True)
class Place:
    """Where a value was found. In ``pointer`` a ``#`` says that a text was opened."""

    found: Found
    pointer: str


class Places:
    """All values of one output, to look leaves up in."""

    def __init__(self, wire: Any, namespace: str) -> None:
        self._prefix = f"{namespace}/"
        self._whole: dict[str, list[str]] = {}
        self._kept: dict[str, list[str]] = {}
        self._texts: list[tuple[str, str]] = []
        self._index(wire, "", kept=False, depth=0)

    def find(self, value: Any) -> Place:
        """The best place of a value, or of all its parts where it was taken apart."""
        key = _key(value)
        if key in self._whole:
            return Place(Found.WHOLE, self._whole[key][0])
        if isinstance(value, dict) and value:
            return self._together([self.find(inner) for inner in value.values()])
        if key in self._kept:
            return Place(Found.KEPT, self._kept[key][0])
        text = value if isinstance(value, str) else key
        for pointer, inner in self._texts:
            if text in inner:
                return Place(Found.IN_TEXT, pointer)
        return Place(Found.NOWHERE, "")

    def everywhere(self, value: Any) -> list[Place]:
        """Every place of a value, the best ones first, or of its parts where it was taken apart.

        A text that was opened is not named beside the place inside of it.
        """
        key = _key(value)
        found = [Place(Found.WHOLE, pointer) for pointer in self._whole.get(key, ())]
        found += [Place(Found.KEPT, pointer) for pointer in self._kept.get(key, ())]
        if not found and isinstance(value, dict):
            parts = [place for inner in value.values() for place in self.everywhere(inner)]
            return list(dict.fromkeys(parts))
        text = value if isinstance(value, str) else key
        for pointer, inner in self._texts if text else ():
            if text in inner and not any(_is_below(one.pointer, pointer) for one in found):
                found.append(Place(Found.IN_TEXT, pointer))
        return found

    def _together(self, places: list[Place]) -> Place:
        """A map whose entries were spread stands as well as the worst of them."""
        order = list(Found)
        worst = max(places, key=lambda place: order.index(place.found))
        return worst if worst.found is not Found.WHOLE else places[0]

    def _index(self, value: Any, pointer: str, *, kept: bool, depth: int) -> None:
        into = self._kept if kept else self._whole
        into.setdefault(_key(value), []).append(pointer)
        if isinstance(value, dict):
            for key, inner in value.items():
                below = kept or key.startswith(self._prefix)
                self._index(inner, f"{pointer}/{token(key)}", kept=below, depth=depth)
        elif isinstance(value, list):
            for number, inner in enumerate(value):
                self._index(inner, f"{pointer}/{number}", kept=kept, depth=depth)
        elif isinstance(value, str):
            self._texts.append((pointer, value))
            if depth < TEXT_DEPTH:
                opened = opened_text(value)
                if opened is not None:
                    self._index(opened[0], f"{pointer}#", kept=True, depth=depth + 1)

    def stands_below(self, value: Any, pointer: str) -> bool:
        """Whether a value stands below a place of the output, as it is or inside a text.

        A map may have been taken apart: then all of its values stand there.
        """
        key = _key(value)
        found = [*self._whole.get(key, ()), *self._kept.get(key, ())]
        text = value if isinstance(value, str) else key
        found += [place for place, inner in self._texts if text in inner]
        if any(_is_below(place, pointer) for place in found):
            return True
        if isinstance(value, dict) and value:
            return all(self.stands_below(inner, pointer) for inner in value.values())
        return False


def _is_below(place: str, pointer: str) -> bool:
    return place == pointer or place.startswith((f"{pointer}/", f"{pointer}#"))


def opened_text(text: str) -> tuple[Any] | None:
    """The value that a text holds as JSON, in a tuple; None if it is no object and no array.

    A text nested so deep that walking through it could fail stays closed.
    """
    if text[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if text.count("[") + text.count("{") > _DEEPEST and _depth(value) > _DEEPEST:
        return None
    return (value,)


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                below += one.values()
            elif isinstance(one, list):
                below += one
        level = below
    return depth


def _key(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
