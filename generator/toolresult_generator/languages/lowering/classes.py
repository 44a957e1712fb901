"""The value classes of a result: which there are, in which order, and what each holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolresult_generator.languages.schema import PART, RESULT
from toolresult_generator.model.result import Field, FieldKind, PartKind, Record, ResultSpec


@dataclass(frozen=True)
class ValueClass:
    """A record or part kind, as a class of immutable values."""

    owner: Record | PartKind
    """Its name, its meaning, and for a kind the format version that it came with."""
    fields: tuple[Field, ...]
    """All of them, those that every kind has last; the order of the constructor and of checks."""

    @property
    def kind(self) -> str | None:
        """The value of ``kind`` that tells it from other parts; None for a record."""
        return self.owner.name if isinstance(self.owner, PartKind) else None

    @property
    def is_result(self) -> bool:
        """It is the root, which has a format version and methods of its own."""
        return self.kind is None and self.owner.name == RESULT

    @property
    def one_of(self) -> tuple[str, ...]:
        """Exactly one of these fields is present; none for no such rule."""
        return self.owner.one_of if isinstance(self.owner, PartKind) else ()

    @property
    def holds_bytes(self) -> bool:
        """It is a part whose ``data`` is bytes, and may be made of bytes."""
        return self.kind is not None and any(
            one.name == "data" and one.type.kind is FieldKind.BASE64 for one in self.fields
        )


def value_classes(spec: ResultSpec) -> tuple[ValueClass, ...]:
    """The classes, none before one that its fields hold; the kinds before the root."""
    common = spec.record(PART).fields
    records = [ValueClass(record, record.fields) for record in _inside_out(spec)]
    kinds = [ValueClass(kind, (*kind.fields, *common)) for kind in spec.kinds]
    root = spec.record(RESULT)
    return (*records, *kinds, ValueClass(root, root.fields))


def _inside_out(spec: ResultSpec) -> list[Record]:
    """The records but those of all parts and of the root, none before one that it holds."""
    found: list[Record] = []
    seen = {PART, RESULT}

    def visit(record: Record) -> None:
        seen.add(record.name)
        for field in record.fields:
            if field.type.record is not None and field.type.record not in seen:
                visit(spec.record(field.type.record))
        found.append(record)

    for record in spec.records:
        if record.name not in seen:
            visit(record)
    return found


@dataclass(frozen=True)
class ChoiceSet:
    """The names that fields of choices allow, as an enumeration."""

    field: str
    """The name of the fields that share it."""
    owner: str | None
    """The record or kind, where another one has a field of this name with other choices."""
    choices: tuple[str, ...]


def choice_sets(spec: ResultSpec) -> tuple[ChoiceSet, ...]:
    """The enumerations, in the order of the spec."""
    found: dict[tuple[str, tuple[str, ...]], ChoiceSet] = {}
    names: set[str] = set()
    for owner, field in _fields(spec):
        if field.type.kind is FieldKind.CHOICES:
            key = (field.name, field.type.choices)
            set_apart = owner.name if field.name in names else None
            found.setdefault(key, ChoiceSet(field.name, set_apart, field.type.choices))
            names.add(field.name)
    return tuple(found.values())


def choice_set(spec: ResultSpec, field: Field) -> ChoiceSet:
    """The enumeration of a field of choices. Raises KeyError for another field."""
    for one in choice_sets(spec):
        if (one.field, one.choices) == (field.name, field.type.choices):
            return one
    raise KeyError(field.name)


def _fields(spec: ResultSpec) -> Iterator[tuple[Record | PartKind, Field]]:
    owners: list[Record | PartKind] = [*spec.records, *spec.kinds]
    for owner in owners:
        for field in owner.fields:
            yield owner, field
