"""Compares what is not taken apart further: scalars, lists of values, bounds, maps."""

from __future__ import annotations

import json
from collections.abc import Iterable

from toolresult_generator.revision.changes import Fact, Found, Kind
from toolresult_generator.revision.contain import Answer, covers_at
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.likeness import best_pairs, likeness, plain
from toolresult_generator.revision.shape import Shape

_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LIKE_VALUES = 0.7


def compare(old_graph: Graph, new_graph: Graph, old: Shape, new: Shape) -> Found:
    """What changed between two shapes, decided by containment both ways."""
    if _is_same(old, new):
        return {}
    pointers = (old.pointer, new.pointer)
    if old.values and new.values and old.types & new.types:
        found = _values(old, new)
        if found:
            return found
    if old.is_any:
        wider = Answer.NO
    elif new.is_any:
        wider = Answer.YES
    else:
        wider = covers_at(new_graph, new.ref, old_graph, old.ref)
    back = covers_at(old_graph, old.ref, new_graph, new.ref)
    if wider is Answer.YES and back is Answer.YES:
        return {}
    told = f"{old.said()} before, {new.said()} now"
    if wider is Answer.YES:
        return {Fact(Kind.WIDENED, "", told, *pointers, at=new.ref): ("",)}
    if wider is Answer.NO:
        kind = Kind.NARROWED if back is Answer.YES else Kind.CHANGED
        if back is Answer.UNKNOWN and old.types == new.types:
            kind = Kind.NARROWED
        return {Fact(kind, "", told, *pointers): ("",)}
    told += "; whether all old values are still allowed could not be decided"
    return {Fact(Kind.UNKNOWN, "", told, *pointers): ("",)}


def _is_same(old: Shape, new: Shape) -> bool:
    """Whether two shapes without anything below them say the same; formats are no rule."""
    flat = not (old.members or old.items or old.alternatives or old.patterns or old.names)
    flat = flat and not (new.members or new.items or new.alternatives)
    flat = flat and not (new.patterns or new.names or isinstance(new.rest, tuple))
    return (
        flat
        and not isinstance(old.rest, tuple)
        and old.rest == new.rest
        and old.types == new.types
        and sorted(old.values) == sorted(new.values)
        and _without_notes(old) == _without_notes(new)
        and old.opaque == new.opaque
        and old.required == new.required
    )


def _without_notes(shape: Shape) -> dict[str, str]:
    return {key: value for key, value in shape.limits.items() if key != "format"}


def around(old: Shape, new: Shape) -> Found:
    """What changed about a list, map or object as a whole: how many, and rules not taken apart."""
    found: Found = {}
    pointers = (old.pointer, new.pointer)
    before, after = _without_notes(old), _without_notes(new)
    for key in sorted({*before, *after}):
        was, now = before.get(key), after.get(key)
        if was == now:
            continue
        kind = _limit_kind(key, was, now)
        told = f"{key} is {now} now" if now is not None else f"{key} no longer holds"
        told += f", and was {was}" if was is not None else ""
        found[Fact(kind, key, told, *pointers)] = ("",)
    for name in sorted((new.required - old.required) - {*new.members}):
        told = f"`{name}` must be there now"
        found[Fact(Kind.REQUIRED, name, told, *pointers)] = ("",)
    for key in sorted({*old.opaque, *new.opaque}):
        was, now = old.opaque.get(key), new.opaque.get(key)
        if was == now:
            continue
        kind = Kind.WIDENED if now is None else Kind.UNKNOWN
        told = f"the rule `{key}` is gone" if now is None else f"the rule `{key}` is new"
        told = told if was is None or now is None else f"the rule `{key}` says something else"
        found[Fact(kind, key, told, *pointers)] = ("",)
    if old.types != new.types:
        kind = Kind.WIDENED if old.types < new.types else Kind.CHANGED
        kind = Kind.NARROWED if new.types < old.types else kind
        told = f"{old.said()} before, {new.said()} now"
        found[Fact(kind, "", told, *pointers)] = ("",)
    return found


def _limit_kind(key: str, was: str | None, now: str | None) -> Kind:
    if was is None:
        return Kind.NARROWED
    if now is None:
        return Kind.WIDENED
    if key in (*_LEAST, *_MOST):
        grows = json.loads(now) > json.loads(was)
        return Kind.NARROWED if grows is (key in _LEAST) else Kind.WIDENED
    return Kind.UNKNOWN


def _values(old: Shape, new: Shape) -> Found:
    """Values that are gone, new or (a guess) renamed."""
    gone = [value for value in old.values if value not in new.values]
    fresh = [value for value in new.values if value not in old.values]
    pointers = (old.pointer, new.pointer)
    renamed = best_pairs(
        ((_alike(one, other), one, other) for one in gone for other in fresh), _LIKE_VALUES
    )
    found: Found = {}
    if renamed:
        told = ", ".join(f"{one} is {other}" for one, other, _ in renamed)
        before, after = _plainly(one for one, _, _ in renamed), _plainly(o for _, o, _ in renamed)
        detail = f"values seem to be renamed: {told}"
        found[Fact(Kind.RENAMED, before, detail, *pointers, True, after)] = ("",)
    pairs = {name for first, second, _ in renamed for name in (first, second)}
    left = [value for value in gone if value not in pairs]
    more = [value for value in fresh if value not in pairs]
    if left:
        found[
            Fact(Kind.NARROWED, _plainly(left), f"no longer takes {_listed(left)}", *pointers)
        ] = ("",)
    if more and not renamed:
        found[Fact(Kind.WIDENED, "", f"also takes {_listed(more)}", *pointers)] = ("",)
    elif more:
        found[Fact(Kind.WIDENED, "", f"new values are {_listed(more)}", *pointers)] = ("",)
    return found


def _plainly(values: Iterable[str]) -> str:
    return ", ".join(str(json.loads(value)) for value in values)


def _alike(first: str, second: str) -> float:
    """Values are often renamed by a prefix: `completed` and `TASK_STATE_COMPLETED`."""
    one, other = plain(first), plain(second)
    if (len(one) >= 3 and other.endswith(one)) or (len(other) >= 3 and one.endswith(other)):
        return 0.9 + len(min(one, other, key=len)) / 1000
    return likeness(first, second)


def _listed(values: Iterable[str]) -> str:
    shown = list(values)
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")
