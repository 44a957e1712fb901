"""What tells the shapes of a block apart when it is read back."""

from __future__ import annotations

import json
from collections.abc import Iterable

from toolresult_generator.languages.lowering.reading import (
    HasMember,
    IsConstant,
    MarkedAs,
    MarkedAsOrImplied,
    MarkedAsOrUnmarked,
    ReadCase,
    ReadTest,
)
from toolresult_generator.model.target import Implied, ReadForm, ReadShape


def in_order(form: ReadForm, shapes: list[tuple[ReadShape, str]]) -> list[tuple[ReadShape, str]]:
    """Marked shapes first, then those that something implies, then the rest."""
    implied = {one.kind for one in form.implied}

    def rank(entry: tuple[ReadShape, str]) -> int:
        shape = entry[0]
        return 0 if shape.marked else 1 if shape.kind in implied else 2

    return sorted(shapes, key=rank)


def tests_of(shape: ReadShape, implied: tuple[Implied, ...], by_kind: bool) -> Iterable[ReadTest]:
    if shape.kind is not None:
        yield _kind_test(shape, shape.kind, implied)
    elif by_kind:
        yield MarkedAs(None)
    for keys, value in shape.constants:
        yield IsConstant(keys, json.loads(value))
    for keys in shape.required:
        yield HasMember(keys)


def _kind_test(shape: ReadShape, kind: str, implied: tuple[Implied, ...]) -> ReadTest:
    if shape.marked:
        return MarkedAs(kind)
    rule = next((one for one in implied if one.kind == kind), None)
    member = next((m for m in shape.members if rule and m.field == (rule.field,)), None)
    if rule is None or member is None:
        return MarkedAsOrUnmarked(kind)
    return MarkedAsOrImplied(kind, member.keys, rule.prefixes)


def fallbacks(shapes: list[tuple[ReadShape, str]]) -> list[ReadCase]:
    """For a block that says its type but lacks a member: the reader that says which."""
    told: dict[object, ReadCase] = {}
    for shape, function in shapes:
        if shape.constants and not shape.marked:
            tests = tuple(IsConstant(keys, json.loads(value)) for keys, value in shape.constants)
            told.setdefault(shape.constants, ReadCase(tests, function))
    return list(told.values())


def label_of(shape: ReadShape) -> str:
    """How people know a shape: its constants, or the members that it cannot be without."""
    texts = [f"{keys[-1]} {json.loads(value)}" for keys, value in shape.constants]
    return " and ".join(texts or [".".join(keys) for keys in shape.required])


def name_of(form: ReadForm, shape: ReadShape) -> str:
    """A name for a shape that no other of its form has."""
    kind = shape.kind or "record"
    twins = [one for one in form.shapes if (one.kind or "record") == kind]
    return kind if len(twins) == 1 else f"{kind}_{twins.index(shape) + 1}"
