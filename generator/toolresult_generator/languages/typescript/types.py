"""The names of the value classes, and the types of their fields."""

from __future__ import annotations

from collections.abc import Iterator

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.schema import PART, RESULT
from toolresult_generator.languages.typescript.names import LANGUAGE, pascal
from toolresult_generator.model.result import Field, FieldKind, PartKind, Record, ResultSpec

_TEXTS = (FieldKind.STRING, FieldKind.TIMESTAMP, FieldKind.BASE64)


class ValueTypes:
    """What the classes of a spec are called, and what their fields hold."""

    def __init__(self, spec: ResultSpec) -> None:
        self.spec = spec
        self.choices = _choices(spec)
        """Enumerations by name; fields of one name and one set of choices share theirs."""

    def record(self, name: str) -> str:
        """The class of a record."""
        return LANGUAGE.convert(name, NameUse.RECORD)

    def kind(self, name: str) -> str:
        """The class of a part kind."""
        return LANGUAGE.convert(name, NameUse.KIND)

    def choice(self, field: Field) -> str:
        """The enumeration of a field of choices."""
        return next(
            name
            for name, choices in self.choices.items()
            if choices == field.type.choices and name.startswith(pascal(field.name))
        )

    def owners(self) -> Iterator[tuple[str, Record | PartKind, tuple[Field, ...]]]:
        """Class name, owner and all fields of every class, after those that the fields hold."""
        common = self.spec.record(PART).fields
        for record in self._records():
            yield self.record(record.name), record, record.fields
        for kind in self.spec.kinds:
            yield self.kind(kind.name), kind, (*kind.fields, *common)
        result = self.spec.record(RESULT)
        yield self.record(RESULT), result, result.fields

    def _records(self) -> list[Record]:
        """The records but those of all parts and of the result, none before one that it holds."""
        done: dict[str, Record] = {}

        def visit(record: Record) -> None:
            for field in record.fields:
                if field.type.record is not None and field.type.record not in done:
                    visit(self.spec.record(field.type.record))
            done[record.name] = record

        for record in self.spec.records:
            if record.name not in (PART, RESULT):
                visit(record)
        return list(done.values())

    def held(self, field: Field) -> str:
        """The type of a property."""
        kind, record = field.type.kind, field.type.record
        if kind in _TEXTS:
            return "string"
        if kind is FieldKind.BOOLEAN:
            return "boolean"
        if kind in (FieldKind.COUNT, FieldKind.NUMBER):
            return "Count" if kind is FieldKind.COUNT else "number | bigint"
        if kind is FieldKind.ERROR_CODE:
            return "ErrorCode"
        if kind is FieldKind.CHOICES:
            return f"readonly {self.choice(field)}[]"
        if kind is FieldKind.JSON_MAP:
            return "JsonMap"
        if kind is FieldKind.RECORD and record is not None:
            return self.record(record)
        if kind is FieldKind.RECORDS and record is not None:
            return f"readonly {self.record(record)}[]"
        return "readonly Part[]" if kind is FieldKind.PARTS else "Json"

    def given(self, field: Field) -> str:
        """The type of what a property is made of."""
        kind, record = field.type.kind, field.type.record
        if kind is FieldKind.JSON:
            return "unknown"
        if kind is FieldKind.JSON_OBJECT:
            return "Json | object"
        if kind is FieldKind.JSON_MAP:
            return "JsonMapInput"
        if kind is FieldKind.RECORD and record is not None:
            return f"{self.record(record)} | {self.record(record)}Fields"
        if kind is FieldKind.RECORDS and record is not None:
            return f"readonly ({self.record(record)} | {self.record(record)}Fields)[]"
        return "readonly PartInput[]" if kind is FieldKind.PARTS else self.held(field)


def _choices(spec: ResultSpec) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    owners: list[Record | PartKind] = [*spec.records, *spec.kinds]
    for owner in owners:
        for field in owner.fields:
            if field.type.kind is not FieldKind.CHOICES:
                continue
            name = pascal(field.name)
            if found.setdefault(name, field.type.choices) != field.type.choices:
                found[f"{name}Of{pascal(owner.name)}"] = field.type.choices
    return found
