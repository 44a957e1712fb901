"""Places of outputs without their numbers, and what we write at them.

`/content/3/mimeType` of an output and `/content/*(image)/mimeType` of a change are one place,
`/content/*/mimeType`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from toolresult_generator.model.target import FormCall, Member, Plan
from toolresult_generator.model.target import Object as ObjectNode
from toolresult_generator.revision.dialect import token
from toolresult_generator.revision.outputs import Outputs, Seen

_KIND = re.compile(r"\([^()/]*\)")
_NUMBER = re.compile(r"/[0-9]+(?=/|$)")
_LARGEST_LIST = 50
"""Entries of a list that are looked at: they are alike beyond that."""


def generic(pointer: str) -> str:
    """A pointer into an output, or the place of a change, without numbers and kinds."""
    return _NUMBER.sub("/*", _KIND.sub("", pointer.split("#")[0]))


def kind_in(place: str) -> str:
    """The kind that the place of a change is about: the last one named, or empty."""
    named = _KIND.findall(place)
    return named[-1][1:-1] if named else ""


def above(place: str) -> str:
    """The place one step up."""
    return place.rpartition("/")[0]


def is_at_or_below(place: str, other: str) -> bool:
    """Whether a place is another one or stands below it. The whole output is ``""``."""
    return not other or place == other or place.startswith(f"{other}/")


@dataclass(frozen=True)
class Written:
    """What the outputs of a revision have, and where the leaves of results stand in them."""

    places: frozenset[str]
    kinds: dict[str, frozenset[str]]
    """For each kind of block (`resource_link`): the part kinds (`link`) that go into it."""
    seen: tuple[Seen, ...]
    part_places: frozenset[str]
    """Where content parts stand: `/content/*`."""

    def leaves_at(self, place: str) -> list[Seen]:
        """The leaves that stand at a place or below it."""
        return [one for one in self.seen if is_at_or_below(generic(one.place.pointer), place)]

    def has(self, place: str) -> bool:
        """Whether some output has something at a place."""
        return not place or place in self.places


def written(outputs: Iterable[Outputs]) -> Written:
    """What a revision's outputs have."""
    places: set[str] = set()
    kinds: dict[str, set[str]] = {}
    seen: list[Seen] = []
    parts: set[str] = set()
    for one in outputs:
        for _, _, wire in one.wires:
            places.update(_places_of(wire, ""))
        for leaf in one.seen:
            seen.append(leaf)
            names = leaf.leaf.path.split(".")
            place = generic(leaf.place.pointer)
            if names[0] == "content" and "/*/" in f"{place}/":
                parts.add(place[: place.rindex("/*") + 2])
                if leaf.block:
                    kinds.setdefault(leaf.block, set()).add(names[1])
    return Written(
        frozenset(places),
        {block: frozenset(found) for block, found in kinds.items()},
        tuple(seen),
        frozenset(parts),
    )


def _places_of(value: Any, at: str) -> Iterator[str]:
    yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _places_of(inner, f"{at}/{token(key)}")
    elif isinstance(value, list):
        for inner in value[:_LARGEST_LIST]:
            yield from _places_of(inner, f"{at}/*")


def writers(plans: Iterable[Plan], member: str) -> list[str]:
    """The forms that write a member of that name."""
    from toolresult_generator.model.nodes import nodes_in

    found: dict[str, None] = {}
    for plan in plans:
        waiting = [plan.output]
        done = set()
        while waiting:
            form = waiting.pop()
            if form.name in done:
                continue
            done.add(form.name)
            for node in nodes_in(form):
                if isinstance(node, FormCall):
                    waiting.append(node.form)
                elif isinstance(node, ObjectNode) and _has(node.members, member):
                    found.setdefault(form.name)
    return sorted(found)


def _has(members: Iterable[Member], name: str) -> bool:
    return any(member.key == name for member in members)
