"""The JSON Schema (2020-12) of the serialized form, from the model.

It says what JSON Schema can: the unused bits of base64, days that do not exist,
nesting, and keys that are reserved stay with construction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from toolresult_generator.model.result import (
    Field,
    FieldKind,
    KeyRule,
    PartKind,
    Record,
    ResultSpec,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

RESULT: Final = "result"
"""The record that is the root."""
PART: Final = "part"
"""The record whose fields every kind has beside its own."""
TAG: Final = "kind"
"""The member that tells the kinds apart."""

_TIMESTAMP: Final = (
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?Z$"
)
_BASE64: Final = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"
_LABEL: Final = "[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?"

Schema = dict[str, Any]

FieldSchema = Callable[[Field], Schema]
"""The schema of a field's type."""


def emit_result_schema(spec: ResultSpec) -> Schema:
    """The schema of a serialized result, references under ``$defs``, field order kept."""
    known = [version.number for version in spec.format_versions if version.number > 0]
    schema = object_schema(spec.record(RESULT), _published(spec))
    version: Schema = {
        "description": "The version of this form; the lowest that has all that is here.",
        "type": "integer",
        "enum": known,
    }
    schema["properties"] = {"format_version": version, **schema["properties"]}
    schema["required"] = ["format_version", *schema.get("required", [])]
    names = {field.name for field in spec.record(RESULT).fields}
    if {"data", "error"} <= names:
        schema["not"] = {"required": ["data", "error"]}
    return {
        "$schema": DIALECT,
        "title": "Serialized tool result",
        **schema,
        "$defs": definitions(spec, _published(spec), def_name),
    }


def def_name(owner: Record | PartKind | str) -> str:
    """The name under ``$defs`` of a record, a kind, or one of the lists of names."""
    if isinstance(owner, PartKind):
        return f"{owner.name}_part"
    return owner.name if isinstance(owner, Record) else owner


def definitions(
    spec: ResultSpec,
    field_schema: FieldSchema,
    name_of: Callable[[Record | PartKind | str], str],
) -> dict[str, Schema]:
    """What stands under ``$defs``: error codes, records, one schema per kind, and their union."""
    codes: Schema = {
        "description": "Why a tool failed, as a stable code.",
        "type": "string",
        "enum": [code.name for code in spec.error_codes],
        "x-enum-varnames": [code.name.upper() for code in spec.error_codes],
        "x-enum-descriptions": [
            " ".join(
                text
                for text in (code.meaning, code.use, code.not_for and f"Not for: {code.not_for}")
                if text
            )
            for code in spec.error_codes
        ],
    }
    found = {name_of("error_code"): codes}
    for record in spec.records:
        if record.name not in (RESULT, PART):
            found[name_of(record)] = object_schema(record, field_schema)
    for kind in spec.kinds:
        found[name_of(kind)] = kind_schema(spec, kind, field_schema)
    found[name_of("any_part")] = {
        "description": "A part of the content, of any kind.",
        "oneOf": [{"$ref": f"#/$defs/{name_of(kind)}"} for kind in spec.kinds],
        "discriminator": {
            "propertyName": TAG,
            "mapping": {kind.name: f"#/$defs/{name_of(kind)}" for kind in spec.kinds},
        },
    }
    return found


def object_schema(record: Record, field_schema: FieldSchema) -> Schema:
    """A closed object with the fields of a record."""
    return _object(record.meaning, record.fields, field_schema)


def kind_schema(spec: ResultSpec, kind: PartKind, field_schema: FieldSchema) -> Schema:
    """A closed object with the tag, the fields of the kind, and those of every part."""
    schema = _object(kind.meaning, (*kind.fields, *spec.record(PART).fields), field_schema)
    tag: Schema = {"type": "string", "const": kind.name}
    schema["properties"] = {TAG: tag, **schema["properties"]}
    schema["required"] = [TAG, *schema.get("required", [])]
    if kind.one_of:
        schema["oneOf"] = [{"required": [name]} for name in kind.one_of]
    return schema


def _object(meaning: str, fields: tuple[Field, ...], field_schema: FieldSchema) -> Schema:
    schema: Schema = {
        "description": meaning,
        "type": "object",
        "additionalProperties": False,
        "properties": {
            field.name: {"description": field.meaning, **field_schema(field)} for field in fields
        },
    }
    required = [field.name for field in fields if field.required]
    if required:
        schema["required"] = required
    return schema


def _published(spec: ResultSpec) -> FieldSchema:
    def field_schema(field: Field) -> Schema:
        found = _type_schema(spec, field)
        # Whoever validates by an older version can tell what it did not have.
        return {**found, "x-since": field.since} if field.since > 1 else found

    return field_schema


_SIMPLE: Final[Mapping[FieldKind, Schema]] = {
    FieldKind.BOOLEAN: {"type": "boolean"},
    FieldKind.COUNT: {"type": "integer", "minimum": 0},
    FieldKind.TIMESTAMP: {"type": "string", "format": "date-time", "pattern": _TIMESTAMP},
    FieldKind.BASE64: {"type": "string", "contentEncoding": "base64", "pattern": _BASE64},
    FieldKind.ERROR_CODE: {"$ref": "#/$defs/error_code"},
    FieldKind.JSON: {},
    FieldKind.JSON_OBJECT: {"type": "object"},
    FieldKind.PARTS: {"type": "array", "items": {"$ref": "#/$defs/any_part"}},
}


def _type_schema(spec: ResultSpec, field: Field) -> Schema:
    kind = field.type.kind
    if kind in _SIMPLE:
        return dict(_SIMPLE[kind])
    if kind is FieldKind.STRING:
        return {"type": "string", **({"minLength": 1} if field.type.non_empty else {})}
    if kind is FieldKind.NUMBER:
        bounds = {"minimum": field.type.minimum, "maximum": field.type.maximum}
        return {"type": "number", **{k: v for k, v in bounds.items() if v is not None}}
    if kind is FieldKind.CHOICES:
        return {"type": "array", "items": {"type": "string", "enum": list(field.type.choices)}}
    if kind is FieldKind.JSON_MAP:
        return {"type": "object", **_key_schema(spec, field.type.keys)}
    reference = {"$ref": f"#/$defs/{field.type.record}"}
    return {"type": "array", "items": reference} if kind is FieldKind.RECORDS else reference


def _key_schema(spec: ResultSpec, keys: KeyRule) -> Schema:
    if keys is KeyRule.ANY:
        return {}
    own = f"{re.escape(spec.namespace)}/".replace("\\-", "-")
    name = "[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"
    return {"propertyNames": {"pattern": f"^(?!{own}){_LABEL}(\\.{_LABEL})*/{name}$"}}
