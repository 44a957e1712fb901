"""The leaves of a serialized result: each present field with its pointer and its row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolresult_generator.model.result import Field, FieldKind, FieldType, ResultSpec
from toolresult_generator.pointers import untoken


@dataclass(frozen=True)
class Leaf:
    """One present field that holds a value of its own."""

    pointer: str
    """JSON pointer into the serialized result, such as ``/content/0/name``."""
    path: str
    """The row of the matrix, such as ``content.image.name``."""
    type: FieldType
    value: Any


def leaves(value: dict[str, Any], spec: ResultSpec) -> Iterator[Leaf]:
    """The leaves of a serialized result that can be constructed, in the order of the spec."""
    yield from _record(value, spec.record("result").fields, "", "", spec)


def _record(
    value: dict[str, Any], fields: tuple[Field, ...], pointer: str, path: str, spec: ResultSpec
) -> Iterator[Leaf]:
    for field in fields:
        if field.name not in value:
            continue
        inner = value[field.name]
        where, row = f"{pointer}/{field.name}", f"{path}{field.name}"
        kind = field.type.kind
        if kind is FieldKind.PARTS:
            for index, part in enumerate(inner):
                own = next(one for one in spec.kinds if one.name == part["kind"])
                common = spec.record("part").fields
                yield from _record(
                    part, own.fields + common, f"{where}/{index}", f"{row}.{own.name}.", spec
                )
        elif kind is FieldKind.RECORDS:
            below = spec.record(field.type.record or "").fields
            for index, entry in enumerate(inner):
                yield from _record(entry, below, f"{where}/{index}", f"{row}.", spec)
        elif kind is FieldKind.RECORD:
            below = spec.record(field.type.record or "").fields
            yield from _record(inner, below, where, f"{row}.", spec)
        else:
            yield Leaf(where, row, field.type, inner)


def at(value: Any, pointer: str) -> tuple[Any] | None:
    """What a pointer leads to, in a tuple; None if nothing is there."""
    for token in pointer.split("/")[1:]:
        name = untoken(token)
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return (value,)
