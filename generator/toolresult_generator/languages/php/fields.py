"""A field of a value class: its types, how it is checked, written, and known to be there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.classes import ChoiceSet, choice_set
from toolresult_generator.languages.php.layout import Chain, Expression, Prefixed, array, call
from toolresult_generator.languages.php.names import LANGUAGE, pascal
from toolresult_generator.languages.php.text import literal
from toolresult_generator.model.result import Field, FieldKind, KeyRule, ResultSpec

_LISTS: Final = frozenset({FieldKind.CHOICES, FieldKind.RECORDS, FieldKind.PARTS})
_NUMBERS: Final = {FieldKind.COUNT: "int|BigInteger", FieldKind.NUMBER: "int|float|BigInteger"}
_CHECKS: Final = {
    FieldKind.BOOLEAN: "boolean",
    FieldKind.COUNT: "count",
    FieldKind.TIMESTAMP: "timestamp",
    FieldKind.BASE64: "base64",
    FieldKind.JSON_OBJECT: "jsonObject",
}


@dataclass(frozen=True)
class PhpField:
    """A field with what its code needs to know."""

    field: Field
    name: str
    """The property, the parameter, and the key of what was given."""
    class_name: str | None
    """The class or enumeration of its value or its entries."""

    @property
    def kind(self) -> FieldKind:
        """The kind of its type."""
        return self.field.type.kind

    @property
    def null_is_absent(self) -> bool:
        """It holds null where it is absent."""
        return (
            not self.field.required
            and self.kind not in _LISTS
            and self.kind not in (FieldKind.JSON, FieldKind.JSON_MAP)
        )

    @property
    def default_given(self) -> str:
        """What stands for an absent value in calls."""
        if self.kind in _LISTS or self.kind is FieldKind.JSON_MAP:
            return "[]"
        return "Absent::Value" if self.kind is FieldKind.JSON else "null"

    @property
    def property_type(self) -> str:
        """The type of the property."""
        if self.kind in _LISTS:
            return "array"
        if self.kind is FieldKind.JSON_MAP:
            return "JsonMap"
        if self.kind is FieldKind.JSON:
            return "Json" if self.field.required else "Json|Absent"
        if self.kind is FieldKind.JSON_OBJECT:
            return self._nullable("Json")
        return self._nullable(self._scalar())

    @property
    def parameter_type(self) -> str:
        """The type of the constructor's parameter, which takes more."""
        if self.kind in _LISTS:
            return "iterable"
        if self.kind is FieldKind.JSON:
            return "mixed"
        if self.kind is FieldKind.JSON_MAP:
            return "JsonMap|JsonObject|\\stdClass|array"
        if self.kind is FieldKind.JSON_OBJECT:
            return "Json|JsonObject|\\stdClass|array" + ("" if self.field.required else "|null")
        if self.kind is FieldKind.ERROR_CODE:
            return "ErrorCode|string" + ("" if self.field.required else "|null")
        return self.property_type

    @property
    def item(self) -> str:
        """What the doc comment says of the type, where PHP's types say too little."""
        return f"list<{self.class_name}>" if self.kind in _LISTS else ""

    def given(self, variable: str) -> str:
        """The argument as the check takes it: an array is the object that the field holds."""
        if self.kind is FieldKind.JSON_MAP:
            return f"\\is_array({variable}) ? new JsonObject({variable}) : {variable}"
        if self.kind is FieldKind.JSON_OBJECT:
            return f"{variable} === [] ? new JsonObject() : {variable}"
        return variable

    def absent(self, value: str) -> str:
        """The test that it is not there."""
        if self.kind in _LISTS:
            return f"{value} === []"
        if self.kind is FieldKind.JSON_MAP:
            return f"{value}->isEmpty()"
        return f"{value} === {'Absent::Value' if self.kind is FieldKind.JSON else 'null'}"

    def present(self, value: str) -> str:
        """The test that it is there."""
        if self.kind is FieldKind.JSON_MAP:
            return f"!{value}->isEmpty()"
        return self.absent(value).replace(" === ", " !== ")

    def written(self, value: str) -> Expression:
        """Its canonical JSON, where it is there."""
        kind = self.kind
        if kind in (FieldKind.RECORD, FieldKind.JSON_MAP):
            return f"{value}->toJson()"
        if kind in (FieldKind.RECORDS, FieldKind.PARTS):
            return f"Runtime\\Writing::values({value})"
        if kind is FieldKind.CHOICES:
            return f"Runtime\\Writing::names({value})"
        if kind in (FieldKind.JSON, FieldKind.JSON_OBJECT):
            return f"{value}->canonical"
        if kind is FieldKind.BOOLEAN:
            return f"({value} ? 'true' : 'false')"
        if kind in _NUMBERS:
            return f"Runtime\\Numbers::text({value})"
        if kind is FieldKind.BASE64:
            return f"'\"' . {value} . '\"'"
        return (
            f"Runtime\\Canonical::quote({value}{'->value' if kind is FieldKind.ERROR_CODE else ''})"
        )

    def since_lines(self, newer_codes: bool) -> list[str]:
        """What raises the version of the serialized form where the field is there."""
        value, since = f"$this->{self.name}", self.field.since
        found: list[str] = []
        inner = [str(since)] if since > 1 else []
        if self.kind is FieldKind.RECORD or (self.kind is FieldKind.ERROR_CODE and newer_codes):
            inner.append(f"{value}->sinceVersion()")
        if inner:
            raised = f"$version = max($version, {', '.join(inner)});"
            if self.field.required:
                found.append(f"        {raised}")
            else:
                found += [
                    f"        if ({self.present(value)}) {{",
                    f"            {raised}",
                    "        }",
                ]
        if self.kind in (FieldKind.RECORDS, FieldKind.PARTS):
            found += [
                f"        foreach ({value} as $one) {{",
                "            $version = max($version, $one->sinceVersion());",
                "        }",
            ]
        return found

    def _scalar(self) -> str:
        if self.kind is FieldKind.RECORD:
            return str(self.class_name)
        if self.kind is FieldKind.ERROR_CODE:
            return "ErrorCode"
        if self.kind is FieldKind.BOOLEAN:
            return "bool"
        return _NUMBERS.get(self.kind, "string")

    def _nullable(self, name: str) -> str:
        if self.field.required:
            return name
        return f"{name}|null" if "|" in name else f"?{name}"


def field_of(field: Field, spec: ResultSpec) -> PhpField:
    """A field of the spec with its names."""
    class_name: str | None = None
    if field.type.record is not None:
        class_name = LANGUAGE.convert(spec.record(field.type.record).name, NameUse.RECORD)
    elif field.type.kind is FieldKind.PARTS:
        class_name = "Part"
    elif field.type.kind is FieldKind.CHOICES:
        class_name = choice_class(choice_set(spec, field))
    return PhpField(field, LANGUAGE.convert(field.name, NameUse.FIELD), class_name)


def callback(one: PhpField, fields: list[PhpField], holder: str) -> Expression:
    """The function that checks a value of the field; ``holder`` is how earlier fields are got."""
    kind, type_ = one.kind, one.field.type
    if kind is FieldKind.STRING:
        return f"Runtime\\Types::{'nonEmptyString' if type_.non_empty else 'string'}(...)"
    if kind is FieldKind.NUMBER:
        if (type_.minimum, type_.maximum) == (None, None):
            return "Runtime\\Types::number(...)"
        bounds = (_bound(type_.minimum), _bound(type_.maximum))
        return _closure("int|float|BigInteger", call("Runtime\\Types::number", ("$found", *bounds)))
    if kind is FieldKind.ERROR_CODE:
        arguments = ("$found", "ErrorCode::class", "ResultError::UNKNOWN_CODE")
        return _closure("ErrorCode", call("Runtime\\Types::member", arguments))
    if kind is FieldKind.CHOICES:
        return _closure(
            "array", call("Runtime\\Types::choices", ("$found", f"{one.class_name}::class"))
        )
    if kind in (FieldKind.RECORDS, FieldKind.PARTS):
        item = f"{one.class_name}::fromValue(...)"
        return _closure("array", call("Runtime\\Types::each", ("$found", item)))
    if kind is FieldKind.RECORD:
        return f"{one.class_name}::fromValue(...)"
    if kind is FieldKind.JSON:
        return f"Runtime\\Types::{'json' if one.field.required else 'optionalJson'}(...)"
    if kind is FieldKind.JSON_MAP:
        return _map(one, fields, holder)
    return f"Runtime\\Types::{_CHECKS[kind]}(...)"


def _map(one: PhpField, fields: list[PhpField], holder: str) -> Expression:
    if one.field.type.keys is not KeyRule.EXTENSION:
        return "Runtime\\Types::jsonMap(...)"
    before = fields[: fields.index(one)]
    others = [
        Prefixed(f"{literal(other.field.name)} => ", _other(holder, other))
        for other in before
        if other.kind is FieldKind.JSON_MAP and other.field.type.keys is KeyRule.EXTENSION
    ]
    arguments: list[Expression] = ["$found", "Constants::NAMESPACE"]
    if others:
        arguments.append(array(others))
    # Reads earlier fields, of this object in its constructor.
    keyword = "fn" if others and holder.startswith("$this") else "static fn"
    return _closure("JsonMap", call("Runtime\\Types::extensionMap", arguments), keyword)


def _other(holder: str, other: PhpField) -> str:
    got = holder.format(other.name)
    # What was not given at all is an empty list.
    return got if holder.startswith("$this") else f"Runtime\\Types::mapOf({got})"


def _closure(gives: str, body: Expression, keyword: str = "static fn") -> Expression:
    return Chain("=>", (f"{keyword} (mixed $found): {gives}", body))


def _bound(value: int | None) -> str:
    return "null" if value is None else str(value)


def choice_class(choices: ChoiceSet) -> str:
    """The name of an enumeration."""
    owner = "" if choices.owner is None else f"Of{pascal(choices.owner)}"
    return pascal(choices.field) + owner
