"""Places of outputs without their numbers, and what we write at them.

`/content/3/mimeType` of an output and `/content/*(image)/mimeType` of a change are one place,
`/content/*/mimeType`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from toolresult_generator.model.target import (
    Case,
    Choose,
    FormCall,
    List,
    Node,
    Object,
    Plan,
)
from toolresult_generator.pointers import token
from toolresult_generator.proof.places import Found
from toolresult_generator.revision.outputs import Outputs, Seen

_KIND = re.compile(r"\([^()/]*\)")
_NUMBER = re.compile(r"/[0-9]+(?=/|$)")
_LARGEST_LIST = 50
"""Entries of a list that are looked at: they are alike beyond that."""


def generic(pointer: str) -> str:
    """A pointer into an output, or the place of a change, without numbers and kinds."""
    return _NUMBER.sub("/*", _KIND.sub("", pointer.split("#", maxsplit=1)[0]))


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

    def leaves_of(self, place: str) -> list[Seen]:
        """As :meth:`leaves_at` for the place of a change: of a kind that is named, those in
        blocks of that kind, if blocks say their kind there."""
        found = self.leaves_at(generic(place) if place != "/" else "")
        kind = kind_in(place.partition(")")[0] + ")") if ")" in place else ""
        return [one for one in found if one.block == kind] if kind in self.kinds else found

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
                if leaf.block and leaf.place.found is Found.WHOLE:
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


def writers(plans: Iterable[Plan], member: str, namespace: str) -> list[str]:
    """The forms that write a member of that name, outside of what is our own."""
    found: set[str] = set()
    done: set[str] = set()
    waiting: list[tuple[str, Node]] = [(plan.output.name, plan.output.node) for plan in plans]
    while waiting:
        form, node = waiting.pop()
        if isinstance(node, FormCall):
            if node.form.name not in done:
                done.add(node.form.name)
                waiting.append((node.form.name, node.form.node))
        elif isinstance(node, Object):
            for one in node.members:
                if one.key == member:
                    found.add(form)
                if not one.key.startswith(f"{namespace}/"):
                    waiting.append((form, one.node))
        elif isinstance(node, List):
            items = node.items if node.if_empty is None else (*node.items, node.if_empty)
            waiting += [(form, item.node) for item in items]
        elif isinstance(node, (Choose, Case)):
            waiting += [(form, branch.node) for branch in node.branches]
    return sorted(found)
