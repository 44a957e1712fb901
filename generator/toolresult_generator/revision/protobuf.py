"""A protobuf descriptor set as a JSON Schema, by the JSON mapping of proto3.

A descriptor set is what `protoc --include_imports --descriptor_set_out=FILE` writes. Sources: the
language guide of proto3, "ProtoJSON Format"; google/api/field_behavior.proto for what is required.
That at most one member of a `oneof` may be there is not said: outputs of ours never have two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import descriptor_pb2, unknown_fields
from google.protobuf.message import DecodeError

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.revision.dialect import LATEST

_Field = descriptor_pb2.FieldDescriptorProto
_INTEGER = {"type": "integer"}
_LONG = {"type": ["integer", "string"], "pattern": "^-?[0-9]+$"}
_FLOAT = {"type": ["number", "string"]}
_SCALARS: dict[int, dict[str, Any]] = {
    _Field.TYPE_STRING: {"type": "string"},
    _Field.TYPE_BYTES: {"type": "string", "pattern": "^[A-Za-z0-9+/_-]*={0,2}$"},
    _Field.TYPE_BOOL: {"type": "boolean"},
    _Field.TYPE_DOUBLE: _FLOAT,
    _Field.TYPE_FLOAT: _FLOAT,
    _Field.TYPE_INT32: _INTEGER,
    _Field.TYPE_UINT32: _INTEGER,
    _Field.TYPE_SINT32: _INTEGER,
    _Field.TYPE_FIXED32: _INTEGER,
    _Field.TYPE_SFIXED32: _INTEGER,
    _Field.TYPE_INT64: _LONG,
    _Field.TYPE_UINT64: _LONG,
    _Field.TYPE_SINT64: _LONG,
    _Field.TYPE_FIXED64: _LONG,
    _Field.TYPE_SFIXED64: _LONG,
}
_WELL_KNOWN: dict[str, dict[str, Any]] = {
    "Struct": {"type": "object"},
    "Value": {},
    "ListValue": {"type": "array"},
    "Timestamp": {"type": "string", "format": "date-time"},
    "Duration": {"type": "string"},
    "FieldMask": {"type": "string"},
    "Empty": {"type": "object", "additionalProperties": False},
    "Any": {"type": "object"},
    "StringValue": {"type": ["string", "null"]},
    "BoolValue": {"type": ["boolean", "null"]},
    "Int32Value": {"type": ["integer", "null"]},
    "DoubleValue": {"type": ["number", "string", "null"]},
}
_BEHAVIOR, _REQUIRED = 1052, 2
"""The extension `google.api.field_behavior`, and its value REQUIRED."""


def schema_of(data: bytes, shown: str) -> dict[str, Any]:
    """The schema document: a definition for each message and enumeration, by its last name.

    Raises FindingsError for what is no descriptor set.
    """
    found = descriptor_pb2.FileDescriptorSet()
    try:
        found.ParseFromString(data)
    except DecodeError:
        message = "this is neither JSON nor a protobuf descriptor set"
        raise FindingsError([Finding(Place(shown), "invalid_json", message)]) from None
    definitions: dict[str, Any] = {}
    for file in found.file:
        for name, message_type in _messages(f".{file.package}", list(file.message_type)):
            definitions.setdefault(_short(name), _message(name, message_type))
        for enum in file.enum_type:
            definitions.setdefault(enum.name, _enum(enum))
    return {"$schema": LATEST, "$defs": definitions}


def _messages(
    package: str, messages: list[descriptor_pb2.DescriptorProto]
) -> Iterator[tuple[str, descriptor_pb2.DescriptorProto]]:
    for message in messages:
        name = f"{package}.{message.name}"
        yield name, message
        yield from _messages(name, list(message.nested_type))


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _message(name: str, message: descriptor_pb2.DescriptorProto) -> dict[str, Any]:
    if name.startswith(".google.protobuf.") and _short(name) in _WELL_KNOWN:
        return dict(_WELL_KNOWN[_short(name)])
    maps = {f"{name}.{one.name}": one for one in message.nested_type if one.options.map_entry}
    enums = {f"{name}.{one.name}": one for one in message.enum_type}
    properties = {}
    for field in message.field:
        one = _enum(enums[field.type_name]) if field.type_name in enums else _single(field)
        if field.type_name in maps:
            value = next(f for f in maps[field.type_name].field if f.name == "value")
            one = {"type": "object", "additionalProperties": _single(value)}
        elif field.label == _Field.LABEL_REPEATED:
            one = {"type": "array", "items": one}
        properties[field.json_name or _camel(field.name)] = one
    required = [
        f.json_name or _camel(f.name)
        for f in message.field
        if f.label == _Field.LABEL_REQUIRED or is_required(f.options)
    ]
    return {
        "type": "object",
        "additionalProperties": False,
        **({"required": required} if required else {}),
        "properties": properties,
    }


def _single(field: descriptor_pb2.FieldDescriptorProto) -> dict[str, Any]:
    if field.type in (_Field.TYPE_MESSAGE, _Field.TYPE_ENUM, _Field.TYPE_GROUP):
        if field.type_name.startswith(".google.protobuf."):
            return dict(_WELL_KNOWN.get(_short(field.type_name), {}))
        return {"$ref": f"#/$defs/{_short(field.type_name)}"}
    return dict(_SCALARS[field.type])


def _enum(enum: descriptor_pb2.EnumDescriptorProto) -> dict[str, Any]:
    return {"type": "string", "enum": [value.name for value in enum.value]}


def is_required(options: Any) -> bool:
    """Whether `google.api.field_behavior` says so in the options of a field.

    It is an option that is known where something in this process has imported the package of
    Google's annotations, and an unknown one elsewhere.
    """
    for option, values in options.ListFields():
        if option.number == _BEHAVIOR and _REQUIRED in values:
            return True
    found = unknown_fields.UnknownFieldSet(options)
    for one in (found[number] for number in range(len(found))):
        if one.field_number == _BEHAVIOR:
            values = one.data if isinstance(one.data, bytes) else (one.data,)
            if _REQUIRED in values:
                return True
    return False


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
