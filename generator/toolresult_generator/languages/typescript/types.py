"""The names of the value classes, and the types of their fields."""

from __future__ import annotations

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.classes import (
    ChoiceSet,
    ValueClass,
    choice_set,
    choice_sets,
)
from toolresult_generator.languages.typescript.names import LANGUAGE, pascal
from toolresult_generator.model.result import Field, FieldKind, ResultSpec

_TEXTS = (FieldKind.STRING, FieldKind.TIMESTAMP, FieldKind.BASE64)


class ValueTypes:
    """What the classes of a spec are called, and what their fields hold."""

    def __init__(self, spec: ResultSpec) -> None:
        self._spec = spec
        self.choices = {_choice(one): one.choices for one in choice_sets(spec)}
        """Enumerations by name; fields of one name and one set of choices share theirs."""

    def owner(self, one: ValueClass) -> str:
        """The class of a record or part kind."""
        return self.record(one.owner.name) if one.kind is None else self.kind(one.kind)

    def record(self, name: str) -> str:
        """The class of a record."""
        return LANGUAGE.convert(name, NameUse.RECORD)

    def kind(self, name: str) -> str:
        """The class of a part kind."""
        return LANGUAGE.convert(name, NameUse.KIND)

    def choice(self, field: Field) -> str:
        """The enumeration of a field of choices."""
        return _choice(choice_set(self._spec, field))

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


def _choice(found: ChoiceSet) -> str:
    return pascal(found.field) + ("" if found.owner is None else f"Of{pascal(found.owner)}")
