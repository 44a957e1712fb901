"""Compares what two schemas allow at one place after the other.

Words, the order of keys, names of helper types and the keyword for definitions are no change.
A pair of places is compared once, however often something leads to it.
"""

from __future__ import annotations

from dataclasses import replace

from toolresult_generator.pointers import token
from toolresult_generator.revision import kinds, leaves, moves
from toolresult_generator.revision.changes import Change, Fact, Found, Kind, merge
from toolresult_generator.revision.contain import Answer, covers_at
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Ref, Shape

METADATA_MEMBERS = frozenset({"_meta", "metadata"})
"""Members that hold a map of keys with rules of their own."""
_REST = "additionalProperties"
DEEPEST = 40
"""Places inside of each other; what is deeper is not decided."""


class Comparison:
    """One comparison of two graphs."""

    def __init__(self, old: Graph, new: Graph) -> None:
        self.old = old
        self.new = new
        self._known: dict[tuple[Ref, Ref, bool], Found] = {}
        self._open: list[tuple[Ref, Ref, bool]] = []

    def changes(self, of: str, old: Ref, new: Ref) -> list[Change]:
        """The changes between two definitions, in the order of their places."""
        found = self.pair(old, new)
        made = [Change(fact, of, tuple(p or "/" for p in places)) for fact, places in found.items()]
        return sorted(made, key=lambda one: (one.place, one.kind.value, one.fact.name))

    def pair(self, old: Ref, new: Ref, *, metadata: bool = False) -> Found:
        """What changed between two places. ``metadata``: both hold a map of metadata."""
        old, new = self.old.resolved(old), self.new.resolved(new)
        key = (old, new, metadata)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            return {}  # a circle: what it comes back to is compared further up
        first, second = self.old.shape(old), self.new.shape(new)
        if len(self._open) >= DEEPEST:
            detail = f"nested deeper than {DEEPEST}; not looked at"
            return {Fact(Kind.UNKNOWN, "", detail, first.pointer, second.pointer): ("",)}
        self._open.append(key)
        found = self._compared(first, second, metadata)
        self._open.pop()
        self._known[key] = found
        return found

    def _compared(self, old: Shape, new: Shape, metadata: bool) -> Found:
        if kinds.is_choice(old, new):
            return kinds.compare(self, old, new)
        maps = old.types == new.types == frozenset({"object"})
        if maps and (old.is_object or new.is_object or metadata):
            return self._objects(old, new, metadata)
        if old.is_list and new.is_list:
            found: Found = {}
            assert old.items is not None and new.items is not None
            merge(found, self.pair(old.items, new.items), "/*")
            merge(found, leaves.around(old, new))
            return found
        return leaves.compare(self.old, self.new, old, new)

    def _objects(self, old: Shape, new: Shape, metadata: bool) -> Found:
        found: Found = {}
        for name in old.members:
            if name in new.members:
                below = self.pair(
                    old.members[name], new.members[name], metadata=name in METADATA_MEMBERS
                )
                merge(found, below, f"/{token(name)}")
                merge(found, self._duty(name, old, new), f"/{token(name)}")
        merge(found, moves.compare(self, old, new, metadata=metadata))
        merge(found, self._rest(old, new))
        merge(found, leaves.around(old, new))
        return _as_rules(found) if metadata else found

    def _duty(self, name: str, old: Shape, new: Shape) -> Found:
        """Whether a member has to be there."""
        was, now = name in old.required, name in new.required
        if was == now:
            return {}
        kind = Kind.REQUIRED if now else Kind.OPTIONAL
        pointers = (
            self.old.shape(old.members[name]).pointer,
            self.new.shape(new.members[name]).pointer,
        )
        detail = f"`{name}` {'must be there now' if now else 'may be left out now'}"
        return {Fact(kind, name, detail, *pointers): ("",)}

    def _rest(self, old: Shape, new: Shape) -> Found:
        """Members that no name is given for: allowed, refused, or of a schema."""
        pointers = (old.pointer, new.pointer)
        found: Found = {}
        if isinstance(old.rest, tuple) and isinstance(new.rest, tuple):
            merge(found, self.pair(old.rest, new.rest), "/*")
        elif old.rest is not False and new.rest is False:
            but = ", ".join(f"`{pattern}`" for pattern in sorted(new.patterns)[:4])
            detail = "members that are not named are refused now"
            detail += f" (but for names like {but})" if but else ""
            return {Fact(Kind.NARROWED, _REST, detail, *pointers): ("",)}
        elif old.rest is False and new.rest is not False:
            detail = "members that are not named are allowed now"
            found[Fact(Kind.WIDENED, _REST, detail, *pointers)] = ("",)
        elif old.rest is not new.rest:
            narrowed = isinstance(new.rest, tuple)
            detail = f"members that are not named {'have' if narrowed else 'no longer have'} a type"
            kind = Kind.NARROWED if narrowed else Kind.WIDENED
            found[Fact(kind, _REST, detail, *pointers)] = ("",)
        merge(found, self._names(old, new))
        return found

    def _names(self, old: Shape, new: Shape) -> Found:
        """What names of members have to be."""
        pointers = (old.pointer, new.pointer)
        found: Found = {}
        if old.names and new.names:
            merge(found, self.pair(old.names, new.names))
        elif old.names or new.names:
            kind = Kind.NARROWED if new.names else Kind.WIDENED
            told = self.new.shape(new.names).said() if new.names else ""
            detail = f"names of members have to be {told} now" if told else ""
            detail = detail or "names of members no longer have to follow a rule"
            found[Fact(kind, "propertyNames", detail, *pointers)] = ("",)
        for pattern in sorted({*old.patterns, *new.patterns}):
            before, after = old.patterns.get(pattern), new.patterns.get(pattern)
            if before and after:
                merge(found, self.pair(before, after), "/*")
                continue
            # where other names are refused, a pattern allows; where not, it restricts
            allows = (new if after else old).rest is False
            kind = Kind.WIDENED if bool(after) is allows else Kind.NARROWED
            detail = f"{'a' if after else 'no'} rule for names like `{pattern}`"
            found[Fact(kind, pattern, f"{detail} now", *pointers)] = ("",)
        return found


def _as_rules(found: Found) -> Found:
    """What changed in a map of metadata is a rule for its keys, whatever else it is."""
    made: Found = {}
    for fact, places in found.items():
        own = all(place.count("/") <= 1 for place in places)
        kind = Kind.METADATA if own and fact.kind is not Kind.UNKNOWN else fact.kind
        detail = fact.detail
        if kind is Kind.METADATA and fact.kind is Kind.ADDED:
            detail = f"the key `{fact.name}` has a meaning and a type now"
        merge(made, {replace(fact, kind=kind, detail=detail): places})
    return made


def dialect_change(old: Graph, new: Graph) -> list[Change]:
    """The dialect that a protocol writes its own schema in, if it is another one."""
    if old.normal.draft == new.normal.draft:
        return []
    names = [f"{n.normal.draft}" for n in (old, new)]
    said = [_DRAFTS.get(name, f"draft {int(name):02}") for name in names]
    detail = f"the schema is written in JSON Schema {said[1]}; before it was {said[0]}"
    return [
        Change(
            Fact(Kind.DIALECT, "$schema", detail, "/$schema", "/$schema"), "schema", ("/$schema",)
        )
    ]


_DRAFTS = {"2019": "2019-09", "2020": "2020-12"}


def whole_answer(old: Graph, old_ref: Ref, new: Graph, new_ref: Ref) -> Answer:
    """Whether the new definition allows everything that the old one allowed."""
    return covers_at(new, new_ref, old, old_ref)
