"""A serialized result cut down to some of its leaves, so that what is left is a result again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from toolresult_generator.model.result import Field, FieldKind, ResultSpec
from toolresult_generator.proof.leaves import Leaf, leaves

VERSION = "format_version"
Keep = Callable[[str, str], bool]
"""Told the pointer and the row of a leaf, says whether it is to stay."""


def rows_of(value: dict[str, Any], spec: ResultSpec) -> frozenset[str]:
    """The rows of the matrix that a serialized result has a value for."""
    return frozenset(leaf.path for leaf in leaves(value, spec))


def told_by(value: dict[str, Any], spec: ResultSpec) -> frozenset[str]:
    """The rows that a serialized result is about.

    Those that a record cannot be without count where it has nothing else: the text of a part with
    a priority is there only so that the priority can be.
    """
    optional = _optional(spec)
    by_record: dict[str, list[Leaf]] = {}
    for leaf in leaves(value, spec):
        by_record.setdefault(leaf.pointer.rsplit("/", 1)[0], []).append(leaf)
    rows: set[str] = set()
    for some in by_record.values():
        told = [leaf.path for leaf in some if leaf.path in optional]
        rows |= set(told or [leaf.path for leaf in some])
    return frozenset(rows)


def ways_out(rows: frozenset[str], spec: ResultSpec) -> tuple[str, ...]:
    """Rows to leave out, each of which takes something of these away, and none the same as another.

    Of those that one record cannot be without, leaving out any takes the record away.
    """
    owners = {row.rpartition(".")[0] for row in rows}
    if len(owners) == 1 and rows.isdisjoint(_optional(spec)):
        return (min(rows),)
    return tuple(sorted(rows))


@lru_cache(maxsize=2)
def _optional(spec: ResultSpec) -> frozenset[str]:
    """The rows that the record around them can be without."""
    found: set[str] = set()

    def collect(fields: tuple[Field, ...], path: str, one_of: tuple[str, ...] = ()) -> None:
        for field in fields:
            kind, below = field.type.kind, f"{path}{field.name}"
            if kind is FieldKind.PARTS:
                for own in spec.kinds:
                    both = own.fields + spec.record("part").fields
                    collect(both, f"{below}.{own.name}.", own.one_of)
            elif kind in (FieldKind.RECORD, FieldKind.RECORDS):
                collect(spec.record(field.type.record or "").fields, f"{below}.")
            elif not field.required and field.name not in one_of:
                found.add(below)

    collect(spec.record("result").fields, "")
    return frozenset(found)


def alone(value: dict[str, Any], spec: ResultSpec, pointer: str) -> dict[str, Any]:
    """The leaf at the pointer, with what its records cannot be without."""
    return _result(value, spec, lambda at, row: at == pointer, fill=True)


def without(value: dict[str, Any], spec: ResultSpec, rows: frozenset[str]) -> dict[str, Any]:
    """The result less these rows; a record that cannot be without one goes as a whole."""
    return _result(value, spec, lambda at, row: row not in rows, fill=False)


def _result(value: dict[str, Any], spec: ResultSpec, keep: Keep, *, fill: bool) -> dict[str, Any]:
    cut = _Cut(spec, keep, fill=fill)
    kept = cut.record(value, spec.record("result").fields, "", "")
    return {VERSION: value[VERSION], **(kept or {})} if VERSION in value else kept or {}


class _Cut:
    """``fill``: a record that keeps something keeps what it cannot be without as well."""

    def __init__(self, spec: ResultSpec, keep: Keep, *, fill: bool) -> None:
        self._spec = spec
        self._keep = keep
        self._fill = fill

    def record(
        self,
        value: dict[str, Any],
        fields: tuple[Field, ...],
        pointer: str,
        path: str,
        one_of: tuple[str, ...] = (),
    ) -> dict[str, Any] | None:
        """What stays of a record; None if nothing does."""
        kept: dict[str, Any] = {}
        for field in fields:
            if field.name in value:
                found = self._field(
                    value[field.name], field, f"{pointer}/{field.name}", f"{path}{field.name}"
                )
                if found is not None:
                    kept[field.name] = found[0]
        needed = [field.name for field in fields if field.required]
        if one_of and not any(name in kept for name in one_of):
            needed += [name for name in one_of if name in value]
        lacking = [name for name in needed if name not in kept]
        if not kept or (lacking and not self._fill):
            return None
        # in the order of the value, so that equal pieces have equal texts
        return {
            name: kept.get(name, value[name])
            for name in value
            if name in kept or name in lacking or name == "kind"
        }

    def _field(self, inner: Any, field: Field, pointer: str, row: str) -> tuple[Any] | None:
        kind = field.type.kind
        kept: Any
        if kind is FieldKind.PARTS:
            common = self._spec.record("part").fields
            kept = []
            for index, part in enumerate(inner):
                own = next(one for one in self._spec.kinds if one.name == part["kind"])
                where, path = f"{pointer}/{index}", f"{row}.{own.name}."
                kept.append(self.record(part, own.fields + common, where, path, own.one_of))
        elif kind is FieldKind.RECORDS:
            fields = self._spec.record(field.type.record or "").fields
            kept = [
                self.record(entry, fields, f"{pointer}/{index}", f"{row}.")
                for index, entry in enumerate(inner)
            ]
        elif kind is FieldKind.RECORD:
            fields = self._spec.record(field.type.record or "").fields
            kept = self.record(inner, fields, pointer, f"{row}.")
        else:
            return (inner,) if self._keep(pointer, row) else None
        if isinstance(kept, list):
            kept = [entry for entry in kept if entry is not None] or None
        return None if kept is None else (kept,)
