"""Fills a sample with marker values: every leaf gets one that stands nowhere else."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta, timezone
from itertools import count
from typing import Any

from toolresult_generator.model.result import Field, FieldKind, ResultSpec
from toolresult_generator.proof.leaves import Leaf

_EPOCH = datetime(2031, 1, 1, tzinfo=timezone.utc)
_URIS = ("uri",)
_KEPT = ("mime_type",)
"""Fields whose value decides where a part goes; they are followed by reading back alone."""
_FIRST_NUMBER = 700_000_000


class _Filler:
    def __init__(self, spec: ResultSpec) -> None:
        self.spec = spec
        self.next = count(1)

    def record(self, value: dict[str, Any], fields: tuple[Field, ...]) -> dict[str, Any]:
        known = {field.name: field for field in fields}
        return {
            name: self.field(known[name], inner) if name in known else inner
            for name, inner in value.items()
        }

    def field(self, field: Field, value: Any) -> Any:
        kind = field.type.kind
        if kind is FieldKind.PARTS:
            return [self.part(part) for part in value]
        if kind is FieldKind.RECORDS:
            below = self.spec.record(field.type.record or "").fields
            return [self.record(entry, below) for entry in value]
        if kind is FieldKind.RECORD:
            return self.record(value, self.spec.record(field.type.record or "").fields)
        if kind is FieldKind.JSON_MAP:
            return {key: self.json(inner) for key, inner in value.items()}
        if kind in (FieldKind.JSON, FieldKind.JSON_OBJECT):
            return self.json(value)
        return self.scalar(field, value)

    def part(self, part: dict[str, Any]) -> dict[str, Any]:
        own = next(one for one in self.spec.kinds if one.name == part["kind"])
        return self.record(part, own.fields + self.spec.record("part").fields)

    def scalar(self, field: Field, value: Any) -> Any:
        kind, number = field.type.kind, next(self.next)
        if kind is FieldKind.STRING and field.name not in _KEPT:
            return f"file:///marker-{number:05}" if field.name in _URIS else f"marker {number:05}"
        if kind is FieldKind.COUNT:
            return _FIRST_NUMBER + number
        if kind is FieldKind.NUMBER:
            return (field.type.minimum or 0) + (500_000 + number) / 1_000_000
        if kind is FieldKind.TIMESTAMP:
            return (_EPOCH + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        if kind is FieldKind.BASE64:
            return base64.b64encode(f"marker {number:05}".encode()).decode()
        return value

    def json(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.json(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.json(inner) for inner in value]
        if isinstance(value, str):
            return f"marker {next(self.next):05}"
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2**53:
            return _FIRST_NUMBER + next(self.next)
        return value


def fill(value: dict[str, Any], spec: ResultSpec) -> dict[str, Any]:
    """The serialized result with a distinct marker for every leaf that can hold one."""
    return _Filler(spec).record(value, spec.record("result").fields)


def is_marked(leaf: Leaf, spec: ResultSpec) -> bool:
    """Whether a leaf holds a value that can be looked for.

    Codes and audiences stand for themselves; the default code may be what a missing one means.
    """
    if leaf.type.kind is FieldKind.ERROR_CODE:
        return bool(leaf.value != spec.default_code.name)
    if leaf.type.kind is FieldKind.CHOICES:
        return True
    if leaf.type.kind in (FieldKind.JSON, FieldKind.JSON_OBJECT, FieldKind.JSON_MAP):
        return _holds_marker(leaf.value)
    if leaf.type.kind is FieldKind.STRING:
        return "marker" in leaf.value
    return leaf.type.kind in (
        FieldKind.COUNT,
        FieldKind.NUMBER,
        FieldKind.TIMESTAMP,
        FieldKind.BASE64,
    )


def _holds_marker(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_marker, value.values()))
    if isinstance(value, list):
        return any(map(_holds_marker, value))
    if isinstance(value, str):
        return "marker" in value
    return isinstance(value, int) and not isinstance(value, bool) and value > _FIRST_NUMBER
