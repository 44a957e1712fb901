"""A JSON Schema of protobuf messages, as the JSON of protobuf writes them.

Source: protobuf's JSON mapping (ProtoJSON): names in lowerCamelCase, enumerations as names, 64 bit
integers as texts, bytes as base64, the well-known types in forms of their own.
"""

from __future__ import annotations

from typing import Any

from toolresult_generator.revision.protobuf import is_required

_INT32 = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
_UINT32 = {"type": "integer", "minimum": 0, "maximum": 2**32 - 1}
_INT64 = {"type": "string", "pattern": "^-?[0-9]+$"}
_SCALARS: dict[int, dict[str, Any]] = {
    1: {"type": "number"},
    2: {"type": "number"},
    3: _INT64,
    4: _INT64,
    5: _INT32,
    6: _INT64,
    7: _UINT32,
    8: {"type": "boolean"},
    9: {"type": "string"},
    12: {"type": "string", "contentEncoding": "base64"},
    13: _UINT32,
    15: _INT32,
    16: _INT64,
    17: _INT32,
    18: _INT64,
}
"""By the number of the type in a descriptor: `google.protobuf.FieldDescriptorProto.Type`."""
_MESSAGE, _ENUM = 11, 14
WELL_KNOWN: dict[str, dict[str, Any]] = {
    "google.protobuf.Struct": {"type": "object"},
    "google.protobuf.Value": {},
    "google.protobuf.ListValue": {"type": "array"},
    "google.protobuf.Empty": {"type": "object", "additionalProperties": False},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?s$"},
    "google.protobuf.FieldMask": {"type": "string"},
    "google.protobuf.Any": {"type": "object"},
}


def definitions(file: Any) -> dict[str, Any]:
    """The messages and enumerations of a `google.protobuf.descriptor.FileDescriptor`, by name.

    A name leaves out the package. Members of a oneof exclude each other; a member that the file
    marks as required is required.
    """
    found: dict[str, Any] = {}
    for enumeration in file.enum_types_by_name.values():
        found[_name(enumeration)] = _enumeration(enumeration)
    waiting = list(file.message_types_by_name.values())
    while waiting:
        message = waiting.pop()
        if message.GetOptions().map_entry:
            continue
        found[_name(message)] = _message(message)
        waiting += message.nested_types
        found |= {_name(one): _enumeration(one) for one in message.enum_types}
    return found


def _name(descriptor: Any) -> str:
    package = descriptor.file.package
    full: str = descriptor.full_name
    return full.removeprefix(f"{package}.") if package else full


def _enumeration(descriptor: Any) -> dict[str, Any]:
    return {"enum": [value.name for value in descriptor.values]}


def _message(descriptor: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field.json_name: _field(field) for field in descriptor.fields},
    }
    required = [field.json_name for field in descriptor.fields if is_required(field.GetOptions())]
    if required:
        schema["required"] = required
    apart = [
        {"required": [first.json_name, second.json_name]}
        for oneof in descriptor.oneofs
        for number, first in enumerate(oneof.fields)
        for second in oneof.fields[number + 1 :]
    ]
    if apart:
        schema["not"] = {"anyOf": apart}
    return schema


def _field(field: Any) -> dict[str, Any]:
    if field.type == _MESSAGE and field.message_type.GetOptions().map_entry:
        value = field.message_type.fields_by_name["value"]
        return {"type": "object", "additionalProperties": _single(value)}
    if _is_repeated(field):
        return {"type": "array", "items": _single(field)}
    return _single(field)


def _single(field: Any) -> dict[str, Any]:
    if field.type == _ENUM:
        return {"$ref": f"#/$defs/{_name(field.enum_type)}"}
    if field.type != _MESSAGE:
        return dict(_SCALARS[field.type])
    known = WELL_KNOWN.get(field.message_type.full_name)
    return {"$ref": f"#/$defs/{_name(field.message_type)}"} if known is None else dict(known)


def _is_repeated(field: Any) -> bool:
    """Newer versions of protobuf say it, and warn of the number that older ones have."""
    said = getattr(field, "is_repeated", None)
    return bool(field.label == field.LABEL_REPEATED if said is None else said)
