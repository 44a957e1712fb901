"""Compares choices between kinds of objects, such as the blocks of a content list.

A kind is told by a member with a fixed value of its own (`type: image`), else by the name of its
definition, else by its members.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from toolresult_generator.revision import flatten
from toolresult_generator.revision.changes import Fact, Found, Kind, merge
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.likeness import best_pairs, likeness
from toolresult_generator.revision.shape import Ref, Shape

if TYPE_CHECKING:
    from toolresult_generator.revision.compare import Comparison

_USUAL = ("type", "kind")


def is_choice(old: Shape, new: Shape) -> bool:
    """Whether this is a choice on either side, and objects on both."""
    objects = all(shape.alternatives or shape.is_object for shape in (old, new))
    return objects and bool(old.alternatives or new.alternatives)


def alternatives(shape: Shape) -> tuple[Ref, ...]:
    """The kinds; an object alone is the only one."""
    return shape.alternatives or (shape.ref,)


def discriminator(graph: Graph, refs: Iterable[Ref]) -> tuple[str, dict[str, Ref]] | None:
    """The member that tells the kinds apart, and the kinds by its value. None if none does."""
    shapes = [graph.shape(ref) for ref in refs]
    common = set.intersection(*(set(shape.members) for shape in shapes))
    for name in sorted(common, key=lambda one: (one not in _USUAL, one)):
        values = [graph.shape(shape.members[name]).values for shape in shapes]
        if all(len(one) == 1 and one[0].startswith('"') for one in values):
            by_value = {
                json.loads(one[0]): shape.ref for one, shape in zip(values, shapes, strict=True)
            }
            if len(by_value) == len(shapes):
                return name, by_value
    return None


def compare(comparison: Comparison, old: Shape, new: Shape) -> Found:
    """What changed between two choices."""
    told_old = discriminator(comparison.old, alternatives(old))
    told_new = discriminator(comparison.new, alternatives(new))
    found: Found = {}
    if told_old and not told_new and not new.alternatives:
        return flatten.compare(comparison, told_old[0], told_old[1], old, new)
    if told_old and told_new:
        if told_old[0] != told_new[0]:
            detail = f"kinds are told by `{told_new[0]}` now, and were by `{told_old[0]}`"
            pointers = (old.pointer, new.pointer)
            renamed = Fact(
                Kind.RENAMED, told_old[0], detail, *pointers, guess=True, other=told_new[0]
            )
            found[renamed] = (f"/{told_old[0]}",)
        first, second = told_old[1], told_new[1]
        apart = (told_old[0], told_new[0])
    else:
        first = _by_name(comparison.old, alternatives(old))
        second = _by_name(comparison.new, alternatives(new))
        apart = ("", "")
    pairs = [(name, name) for name in first if name in second]
    pairs += _matched(comparison, first, second, apart, found)
    for one, other in pairs:
        below = comparison.pair(first[one], second[other])
        merge(found, _without(below, one, other, apart), f"({other})")
    used = {other for _, other in pairs}
    for name, ref in second.items():
        if name not in used:
            shape = comparison.new.shape(ref)
            detail = f"the kind `{name}` is new: {_members(shape, apart[1])}"
            fact = Fact(Kind.KIND_ADDED, name, detail, None, shape.pointer, at=ref)
            merge(found, {fact: (f"({name})",)})
    gone = {one for one, _ in pairs}
    for name, ref in first.items():
        if name not in gone:
            shape = comparison.old.shape(ref)
            detail = f"the kind `{name}` is gone"
            fact = Fact(Kind.KIND_REMOVED, name, detail, shape.pointer, None)
            merge(found, {fact: (f"({name})",)})
    return found


def _members(shape: Shape, apart: str) -> str:
    names = [
        f"`{name}`{'' if name in shape.required else ' if any'}"
        for name in shape.members
        if name != apart
    ]
    return ", ".join(names[:10]) or "no members of its own"


def _by_name(graph: Graph, refs: Iterable[Ref]) -> dict[str, Ref]:
    named: dict[str, Ref] = {}
    for number, ref in enumerate(refs):
        shape = graph.shape(ref)
        name = shape.name or "/".join(sorted(shape.required or shape.members)) or str(number)
        named.setdefault(name, ref)
    return named


def _matched(
    comparison: Comparison,
    first: dict[str, Ref],
    second: dict[str, Ref],
    apart: tuple[str, str],
    found: Found,
) -> list[tuple[str, str]]:
    """Kinds that have another name and are alike. Where a value tells them, that is a renaming."""
    gone = [name for name in first if name not in second]
    fresh = [name for name in second if name not in first]
    scored = []
    for one in gone:
        for other in fresh:
            members = comparison.old.shape(first[one]).members
            others = comparison.new.shape(second[other]).members
            shared = len(set(members) & set(others)) / max(len(set(members) | set(others)), 1)
            below = comparison.pair(first[one], second[other])
            same = not _without(below, one, other, apart)
            score = 1.0 if same else shared * 0.6 + likeness(one, other) * 0.4
            if apart[0] and not same and likeness(one, other) < 0.6:
                score = 0.0  # kinds with much the same members are common; `video` is no `audio`
            scored.append((score, one, other))
    pairs = best_pairs(scored, 0.6)
    for one, other, _ in pairs:
        if apart[0]:
            pointers = (
                comparison.old.shape(first[one]).pointer,
                comparison.new.shape(second[other]).pointer,
            )
            detail = f"the kind `{one}` seems to be called `{other}` now"
            fact = Fact(Kind.RENAMED, one, detail, *pointers, guess=True, other=other)
            merge(found, {fact: (f"({other})",)})
    return [(one, other) for one, other, _ in pairs]


def _without(found: Found, one: str, other: str, apart: tuple[str, str]) -> Found:
    """What changed but for the value that tells the kind, where the kind was renamed."""
    if one == other and apart[0] == apart[1]:
        return found
    own = {f"/{name}" for name in apart if name}
    return {fact: places for fact, places in found.items() if not own.intersection(places)}
