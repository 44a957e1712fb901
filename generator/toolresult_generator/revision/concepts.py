"""Which parts and fields of the result something new in a protocol could be for.

Told from the model: names, types, and which kinds of parts go into which blocks today. What is
found is a candidate for a person to look at, never a rule that is applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from toolresult_generator.model.result import Field, FieldKind, ResultSpec
from toolresult_generator.model.rules import leaf_paths
from toolresult_generator.pointers import untoken
from toolresult_generator.revision.changes import Change, Kind
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.likeness import snake
from toolresult_generator.revision.places import Written, above, generic, kind_in
from toolresult_generator.revision.shape import Shape

_ALIKE = 0.6
"""Members in common, of all, from which on a new kind of block is like a kind of part."""


@dataclass(frozen=True)
class Concern:
    """A leaf of the result that a change may be about."""

    path: str
    keys: tuple[str, ...] = ()
    """Of a map of foreign values: the keys that the new place is for; empty for the whole leaf."""


@dataclass(frozen=True)
class Concepts:
    """What the result has, to find candidates in."""

    spec: ResultSpec
    written: Written
    new: Graph
    origin: str | None

    def of(self, change: Change) -> tuple[Concern, ...]:
        """The candidates for something new or wider; for other changes the leaves that stand
        there today."""
        found: Iterable[Concern]
        if change.of == "tool":
            found = self._of_tool(change)
        elif change.kind is Kind.KIND_ADDED:
            found = self._of_kind(change)
        elif change.kind in (Kind.ADDED, Kind.METADATA) and change.fact.at:
            found = self._of_member(change)
        else:
            places = [generic(place) for place in change.places]
            found = (
                Concern(seen.leaf.path)
                for place in places
                if place != "/"
                for seen in self.written.leaves_at(place)
            )
        return tuple(dict.fromkeys(found))

    def _of_tool(self, change: Change) -> Iterator[Concern]:
        """Of a tool's definition, what says how its output looks is about the data."""
        if any("output" in snake(step).split("_") for step in change.place.split("/")):
            yield Concern("data")

    def _of_kind(self, change: Change) -> Iterator[Concern]:
        """The part kinds that a new kind of block is like: by name, else by members."""
        name = snake(change.fact.name)
        shape = self.new.shape(change.fact.at)
        members = {snake(one) for one in shape.members if not _is_common(one, shape, self.new)}
        scored: list[tuple[float, str]] = []
        for kind in self.spec.kinds:
            fields = {field.name for field in kind.fields}
            shared = len(members & fields) / max(len(members | fields), 1)
            scored.append((1.0 if kind.name == name else shared, kind.name))
        named = any(kind.name == name for kind in self.spec.kinds)
        best = max(score for score, _ in scored)
        for score, name in scored:
            other = not named and name in self.written.kinds  # it has a block of its own name
            if score >= max(best, _ALIKE) and not other:
                common = {field.name for field in self.spec.record("part").fields}
                yield from (
                    Concern(path)
                    for path in leaf_paths(self.spec)
                    if path.startswith(f"content.{name}.") and path.split(".")[2] not in common
                )

    def _of_member(self, change: Change) -> Iterator[Concern]:
        for place in change.places:
            owner = generic(above(place))
            steps = [untoken(step) for step in above(place).split("/")[1:]]
            if any(step in ("_meta", "metadata") for step in steps[-1:]):
                yield from self._of_key(change.fact.name)
            elif self._part_place(owner) is not None:
                yield from self._in_part(place, owner, change.fact.name)
            elif not owner:
                yield from self._at_top(change)

    def _part_place(self, place: str) -> str | None:
        """The place of the content part that a place is in, or None."""
        found = [one for one in self.written.part_places if f"{place}/".startswith(f"{one}/")]
        return max(found, key=len, default=None)

    def _in_part(self, place: str, owner: str, name: str) -> Iterator[Concern]:
        """A field of that name, else the foreign values that had no place of their own."""
        kinds = self.written.kinds.get(_block_of(place), frozenset())
        part = self._part_place(owner) or ""
        inside = tuple(untoken(step) for step in owner[len(part) :].split("/")[1:])
        for kind in self.spec.kinds:
            if kind.name not in kinds:
                continue
            own = f"content.{kind.name}.{snake(name)}"
            if own in leaf_paths(self.spec):
                yield Concern(own)
            elif self.origin is not None and "annotations" not in inside:
                foreign = f"content.{kind.name}.foreign.{self.origin}"
                if foreign in leaf_paths(self.spec):
                    yield Concern(foreign, (*inside, name))

    def _of_key(self, key: str) -> Iterator[Concern]:
        """The metadata field that a key is called after."""
        own = f"metadata.{snake(key.rpartition('/')[2])}"
        for path in leaf_paths(self.spec):
            if path == own or path.startswith(f"{own}."):
                yield Concern(path)

    def _at_top(self, change: Change) -> Iterator[Concern]:
        """A field of that name, else the one that holds any JSON value, if the new one does."""
        name = snake(change.fact.name)
        for path in leaf_paths(self.spec):
            if path in (name, f"metadata.{name}") or path.startswith(f"metadata.{name}."):
                yield Concern(path)
                return
        if _is_open(self.new.shape(change.fact.at)):
            fields = self.spec.record("result").fields
            yield from (Concern(field.name) for field in fields if _holds_any(field))


def _block_of(place: str) -> str:
    """The kind of block that a place is in: the first kind that is named on the way."""
    first = place.split(")", maxsplit=1)[0]
    return kind_in(f"{first})") if "(" in first else ""


def _is_common(member: str, shape: Shape, graph: Graph) -> bool:
    """Whether every block has this member: its kind, annotations, metadata."""
    return member in ("_meta", "annotations", "icons") or bool(
        graph.shape(shape.members[member]).values
    )


def _is_open(shape: Shape) -> bool:
    """Whether any JSON value, or any object, fits."""
    return shape.is_any or (
        shape.types == frozenset({"object"}) and not shape.members and shape.rest is not False
    )


def _holds_any(field: Field) -> bool:
    return field.type.kind is FieldKind.JSON


def holds_keys(value: Any, keys: tuple[str, ...]) -> bool:
    """Whether a map of foreign values has a member at these keys."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True
