"""The smallest results that show something: one leaf alone, or a few together."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from toolresult_generator.model.result import Field, FieldKind, ResultSpec
from toolresult_generator.proof.leaves import leaves

MOST_TRIES = 300
"""Renderings that shrinking one result may take."""
MOST_OF_A_PATH = 3
"""Leaves of one path of one sample that are tried alone."""
LARGEST = 100_000
"""Characters of a result that is shrunk at all."""


def alone(value: dict[str, Any], spec: ResultSpec) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each leaf of a result with what it cannot be without: its path, and the smaller result."""
    counted: dict[str, int] = {}
    for leaf in leaves(value, spec):
        counted[leaf.path] = counted.get(leaf.path, 0) + 1
        if counted[leaf.path] <= MOST_OF_A_PATH:
            steps = leaf.pointer.split("/")[1:]
            fields = spec.record("result").fields
            kept = _kept(value, fields, (), steps, spec)
            yield leaf.path, {"format_version": value.get("format_version", 1), **kept}


def _kept(
    value: dict[str, Any],
    fields: tuple[Field, ...],
    one_of: tuple[str, ...],
    steps: list[str],
    spec: ResultSpec,
) -> dict[str, Any]:
    """The member that leads on, and those that have to be there."""
    wanted = steps[0] if steps else ""
    kept: dict[str, Any] = {}
    for field in fields:
        if field.name not in value:
            continue
        inner, kind = value[field.name], field.type.kind
        chosen = field.name in one_of and wanted not in one_of
        if field.name == wanted and len(steps) > 1 and kind is FieldKind.PARTS:
            kept[field.name] = [_part(inner[int(steps[1])], steps[2:], spec)]
        elif field.name == wanted and len(steps) > 1 and kind is FieldKind.RECORDS:
            below = spec.record(field.type.record or "").fields
            kept[field.name] = [_kept(inner[int(steps[1])], below, (), steps[2:], spec)]
        elif kind is FieldKind.RECORD and (field.name == wanted or field.required):
            below = spec.record(field.type.record or "").fields
            kept[field.name] = _kept(inner, below, (), steps[1:] if wanted else [], spec)
        elif field.name == wanted or field.required or chosen:
            kept[field.name] = inner
    return kept


def _part(part: dict[str, Any], steps: list[str], spec: ResultSpec) -> dict[str, Any]:
    own = next(one for one in spec.kinds if one.name == part["kind"])
    fields = own.fields + spec.record("part").fields
    return {"kind": part["kind"], **_kept(part, fields, own.one_of, steps, spec)}


def shrunk(value: dict[str, Any], fails: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """A smaller result that still fails: entries and members are left out while it does.

    ``fails`` says False for what is no result. Gives the value itself if nothing can go.
    """
    best = copy.deepcopy(value)
    tries = 0
    again = len(text_of(value)) <= LARGEST
    while again:
        again = False
        for pointer in sorted(_places(best), key=lambda one: (len(one), [str(s) for s in one])):
            if tries >= MOST_TRIES:
                return best
            smaller = copy.deepcopy(best)
            if not _leave_out(smaller, pointer):
                continue
            tries += 1
            if fails(smaller):
                best, again = smaller, True
                break
    return best


def _places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    entries: Any = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        if key not in ("format_version", "kind"):
            yield (*at, key)
            if len(at) < 4:
                yield from _places(inner, (*at, key))


def _leave_out(value: Any, pointer: tuple[str | int, ...]) -> bool:
    for step in pointer[:-1]:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    try:
        del value[pointer[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def text_of(value: Any) -> str:
    """JSON text by which results are told apart and measured."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
