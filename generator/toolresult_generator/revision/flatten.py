"""Compares kinds that are told by a member with one object that holds any of them.

So A2A 1.0 did with its parts: what was `{kind: file, file: {bytes, mimeType}}` became
`{raw, mediaType}`. Which of the old members is which of the new is a guess by name and type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolresult_generator.pointers import token
from toolresult_generator.revision.changes import Fact, Found, Kind, merge
from toolresult_generator.revision.likeness import best_pairs, likeness
from toolresult_generator.revision.shape import Ref, Shape

if TYPE_CHECKING:
    from toolresult_generator.revision.compare import Comparison

_ENOUGH = 0.5


def compare(
    comparison: Comparison, apart: str, old_kinds: dict[str, Ref], old: Shape, new: Shape
) -> Found:
    """What changed from the kinds of a choice to the members of one object."""
    found: Found = {}
    detail = f"parts no longer say their kind in `{apart}`: each is what its members say"
    fact = Fact(Kind.REMOVED, apart, detail, old.pointer, new.pointer)
    found[fact] = (f"/{token(apart)}",)
    used: set[str] = set()
    nested: list[tuple[str, str, Ref]] = []
    for kind, ref in old_kinds.items():
        for name, member in comparison.old.shape(ref).members.items():
            if name == apart:
                continue
            if name in new.members:
                used.add(name)
                below = comparison.pair(member, new.members[name])
                merge(found, below, f"({kind})/{token(name)}")
            else:
                nested.append((kind, name, member))
    for kind, name, member in nested:
        merge(found, _moved_out(comparison, kind, name, member, new, used))
    for name, member in new.members.items():
        if name not in used:
            shape = comparison.new.shape(member)
            told = f"`{name}` is new: {shape.said()}"
            fact = Fact(Kind.ADDED, name, told, None, shape.pointer, at=member)
            merge(found, {fact: (f"/{token(name)}",)})
    return found


def _moved_out(
    comparison: Comparison, kind: str, name: str, member: Ref, new: Shape, used: set[str]
) -> Found:
    """The members of an object that is gone, as far as they stand in the part itself now."""
    shape = comparison.old.shape(member)
    inner: dict[str, Ref] = {}
    for ref in shape.alternatives or (member,):
        for key, below in comparison.old.shape(ref).members.items():
            inner.setdefault(key, below)
    place = f"({kind})/{token(name)}"
    pairs = match(comparison, inner, {k: r for k, r in new.members.items() if k not in used})
    if not pairs:
        detail = f"`{name}` of {kind} is gone"
        return {Fact(Kind.REMOVED, name, detail, shape.pointer, None): (place,)}
    used.update(pairs.values())
    told = ", ".join(f"`{one}` as `{other}`" for one, other in pairs.items())
    left = [key for key in inner if key not in pairs]
    detail = f"`{name}` of {kind} is flattened: its members stand in the part itself, {told}"
    detail += f"; gone: {', '.join(left)}" if left else ""
    fact = Fact(
        Kind.MOVED_OUT,
        name,
        detail,
        shape.pointer,
        new.pointer,
        guess=True,
        other=", ".join(pairs.values()),
    )
    return {fact: (place,)}


def match(comparison: Comparison, old: dict[str, Ref], new: dict[str, Ref]) -> dict[str, str]:
    """Which old member is which new one: by name, and the last that is left by its type."""
    scored = [
        (likeness(one, other), one, other)
        for one in old
        for other in new
        if _fits(comparison, old[one], new[other])
    ]
    pairs = {one: other for one, other, _ in best_pairs(scored, _ENOUGH)}
    left = [one for one in old if one not in pairs]
    free = [other for other in new if other not in pairs.values()]
    fitting = [(o, f) for o in left for f in free if _fits(comparison, old[o], new[f])]
    if pairs and len(fitting) == 1:
        pairs[fitting[0][0]] = fitting[0][1]
    return {one: pairs[one] for one in old if one in pairs}


def _fits(comparison: Comparison, old: Ref, new: Ref) -> bool:
    """Whether two places have a type in common."""
    return bool(comparison.old.shape(old).types & comparison.new.shape(new).types)
