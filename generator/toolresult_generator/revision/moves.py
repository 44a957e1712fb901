"""Members that are gone and members that are new: renamed, moved, or neither.

That a member was renamed or moved is a guess, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolresult_generator.pointers import token
from toolresult_generator.revision import flatten
from toolresult_generator.revision.changes import Fact, Found, Kind, merge
from toolresult_generator.revision.likeness import ALIKE, best_pairs, likeness
from toolresult_generator.revision.shape import Ref, Shape

if TYPE_CHECKING:
    from toolresult_generator.revision.compare import Comparison


def compare(comparison: Comparison, old: Shape, new: Shape, *, metadata: bool) -> Found:
    """What became of the members that only one of two objects has."""
    found: Found = {}
    gone = {name: ref for name, ref in old.members.items() if name not in new.members}
    fresh = {name: ref for name, ref in new.members.items() if name not in old.members}
    if _is_freed(comparison, old, new):
        detail = "a schema of any shape is allowed: its root need not be `type: object`"
        found[Fact(Kind.WIDENED, "", detail, old.pointer, new.pointer)] = ("",)
        gone = {name: ref for name, ref in gone.items() if name not in _OF_OBJECTS}
    if gone and fresh and not metadata:
        merge(found, _renamed(comparison, gone, fresh, new))
        merge(found, _moved_in(comparison, gone, fresh))
        merge(found, _moved_out(comparison, gone, fresh, new))
    for name, ref in gone.items():
        shape = comparison.old.shape(ref)
        if new.rest is True and not metadata:
            told = f"`{name}` is no longer described, and was {shape.said()}"
        else:
            told = f"`{name}` is gone"
        merge(found, {Fact(Kind.REMOVED, name, told, shape.pointer, None): (f"/{token(name)}",)})
    for name, ref in fresh.items():
        shape = comparison.new.shape(ref)
        if name in new.required:
            told = f"`{name}` is new and must be there: {shape.said()}"
            fact = Fact(Kind.REQUIRED, name, told, None, shape.pointer, at=ref)
        else:
            told = f"`{name}` is new: {shape.said()}"
            fact = Fact(Kind.ADDED, name, told, None, shape.pointer, at=ref)
        merge(found, {fact: (f"/{token(name)}",)})
    return found


_OF_OBJECTS = ("type", "properties", "required")
"""What a schema says that describes an object and nothing else."""


def _is_freed(comparison: Comparison, old: Shape, new: Shape) -> bool:
    """Whether a place that held the schema of an object may hold any schema now."""
    root = old.members.get("type")
    return (
        root is not None
        and comparison.old.shape(root).values == ('"object"',)
        and {"type", "properties"} <= set(old.members)
        and "type" not in new.members
        and new.rest is not False
    )


def _renamed(
    comparison: Comparison, gone: dict[str, Ref], fresh: dict[str, Ref], new: Shape
) -> Found:
    found: Found = {}
    scored = [
        (_score(comparison, one, gone[one], other, fresh[other]), one, other)
        for one in gone
        for other in fresh
    ]
    for one, other, _ in best_pairs(scored, ALIKE):
        before, after = gone.pop(one), fresh.pop(other)
        shape, now = comparison.old.shape(before), comparison.new.shape(after)
        detail = f"`{one}` seems to be called `{other}` now"
        detail += ", which must be there" if other in new.required else ""
        fact = Fact(Kind.RENAMED, one, detail, shape.pointer, now.pointer, guess=True, other=other)
        merge(found, {fact: (f"/{token(one)}",)})
        merge(found, comparison.pair(before, after), f"/{token(other)}")
    return found


def _score(comparison: Comparison, one: str, old: Ref, other: str, new: Ref) -> float:
    """How likely it is that a member is another one renamed: by name, and by what it holds."""
    first, second = comparison.old.shape(old), comparison.new.shape(new)
    if not first.types & second.types:
        return 0.0
    names = likeness(one, other)
    changes = comparison.pair(old, new)
    told = bool(first.is_object or first.is_list or first.alternatives)
    if not changes and told:
        return max(names, 0.8)
    if not changes:
        return names if names >= ALIKE else 0.0
    return names * 0.8 if told and names >= 0.75 else 0.0


def _moved_in(comparison: Comparison, gone: dict[str, Ref], fresh: dict[str, Ref]) -> Found:
    """Members that stand in a new object now."""
    found: Found = {}
    for other, after in list(fresh.items()):
        shape = comparison.new.shape(after)
        inside = dict(shape.members)
        for ref in shape.alternatives:
            inside.update(comparison.new.shape(ref).members)
        moved = {
            one: one
            for one, before in gone.items()
            if one in inside
            and comparison.old.shape(before).types & comparison.new.shape(inside[one]).types
        }
        if not moved:
            continue
        fresh.pop(other)
        for one in moved:
            before = gone.pop(one)
            old = comparison.old.shape(before)
            detail = f"`{one}` stands in the new object `{other}` now"
            fact = Fact(Kind.MOVED_IN, one, detail, old.pointer, shape.pointer, True, other)
            merge(found, {fact: (f"/{token(one)}",)})
            merge(found, comparison.pair(before, inside[one]), f"/{token(other)}/{token(one)}")
    return found


def _moved_out(
    comparison: Comparison, gone: dict[str, Ref], fresh: dict[str, Ref], new: Shape
) -> Found:
    """Members of an object that is gone, which stand in its place now."""
    found: Found = {}
    for one, before in list(gone.items()):
        shape = comparison.old.shape(before)
        inner = dict(shape.members)
        for ref in shape.alternatives:
            inner.update(comparison.old.shape(ref).members)
        named = {name: ref for name, ref in inner.items() if name in fresh}
        if not named:
            continue
        pairs = flatten.match(comparison, inner, fresh)
        if not set(named) <= set(pairs):
            continue
        gone.pop(one)
        told = ", ".join(f"`{name}` as `{other}`" for name, other in pairs.items())
        detail = f"`{one}` is gone, and its members stand in its place: {told}"
        fact = Fact(
            Kind.MOVED_OUT, one, detail, shape.pointer, new.pointer, True, ", ".join(pairs.values())
        )
        merge(found, {fact: (f"/{token(one)}",)})
        for name, other in pairs.items():
            merge(found, comparison.pair(inner[name], fresh.pop(other)), f"/{token(other)}")
    return found
