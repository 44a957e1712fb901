"""How a tool's output schema is advertised, and whether its data is wrapped.

A handshake revision of MCP demands ``type: object`` at the root of an output schema. A
schema of any other root is advertised as that of ``{"result": …}``, and then the data is
sent like that. Nothing here raises: one tool's odd schema
must not spoil the list of all tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from toolresult_core.constants import NAMESPACE
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.errors import ResultError

MARKER: Final = f"{NAMESPACE}/wrapped"
"""The key that says of a schema, as of a result, that it is wrapped."""

_HANDSHAKE: Final = "mcp-handshake"
_STATELESS: Final = "mcp-stateless"
_FIRST: Final = "2025-06-18"
"""The first handshake revision with structured content and output schemas."""

_AT_RESULT: Final = "#/properties/result"
_HOISTED: Final = ("$defs", "definitions")
_REFERENCES: Final = ("$ref", "$dynamicRef")
_MAPS: Final = frozenset(
    {"properties", "patternProperties", "dependentSchemas", "dependencies", *_HOISTED}
)
"""Keywords whose keys are names, so that one called ``$ref`` is no reference."""
_DATA: Final = frozenset({"const", "enum", "default", "examples", "example", "required"})
"""Keywords that hold values and no schemas."""


def has_structured_content(target: str, revision: str) -> bool:
    """Whether results of this revision have structured content, which a schema describes."""
    return target == _STATELESS or wraps(target, revision)


def wraps(target: str, revision: str) -> bool:
    """Whether this revision takes nothing but objects as structured content."""
    return target == _HANDSHAKE and revision >= _FIRST


def is_wrapped(schema: object, target: str, revision: str) -> bool:
    """Whether a schema is advertised wrapped, and the tool's data with it."""
    return wraps(target, revision) and not _is_object_root(schema) and _usable(schema) is not None


def advertised(schema: object, target: str, revision: str) -> dict[str, Any] | None:
    """The output schema that a list of tools shows; None where it shows none.

    None before 2025-06-18, for a target without output schemas, and for what is no JSON
    Schema (no object and no boolean, not JSON, nested deeper than 100). Never raises.
    """
    if not has_structured_content(target, revision):
        return None
    usable = _usable(schema)
    if usable is None or not wraps(target, revision):
        return usable
    return _plain_object(usable) if _is_object_root(usable) else _wrapped(usable)


def _is_object_root(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "object"


def _usable(schema: object) -> dict[str, Any] | None:
    """A copy of a schema as an object; None for what is no JSON Schema."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    if not isinstance(schema, Mapping):
        return None
    copy = dict(schema)
    try:
        canonical(copy)  # refuses what is not JSON, cycles and deep nesting
    except ResultError:
        return None
    if not isinstance(copy.get("$schema", ""), str):
        return None
    return {key: _copy(value) for key, value in copy.items()}


def _plain_object(schema: dict[str, Any]) -> dict[str, Any] | None:
    """A schema of objects as the revisions take it; None where it cannot be one.

    Their definition of a tool has no boolean among the properties, so those are spelled out.
    """
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return None
    if not all(isinstance(name, str) for name in required):
        return None
    spelled = {name: _as_object(one) for name, one in properties.items()}
    if not all(isinstance(one, dict) for one in spelled.values()):
        return None
    return {**schema, "properties": spelled} if "properties" in schema else schema


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of ``{"result": …}``, its references still valid."""
    head: dict[str, Any] = {}
    hoisted: dict[str, Any] = {}
    inner = schema
    # A schema with an address of its own is a resource: its references are resolved
    # against its own root wherever it stands, so that nothing in it may change.
    if not _is_resource(schema):
        inner = _rerooted(schema)
        if "$schema" in inner:
            head["$schema"] = inner.pop("$schema")  # allowed at the root of a resource only
        hoisted = {key: inner.pop(key) for key in _HOISTED if isinstance(inner.get(key), dict)}
    return {
        **head,
        "type": "object",
        "properties": {"result": inner},
        "required": ["result"],
        **hoisted,
        MARKER: True,
    }


def _is_resource(schema: Mapping[str, Any]) -> bool:
    address = schema.get("$id")
    return isinstance(address, str) and address.partition("#")[0] != ""


def _rerooted(schema: dict[str, Any]) -> dict[str, Any]:
    """A copy whose references hold once the schema stands below the new root.

    Goes no deeper than the canonical writer, which has seen the schema already.
    """
    moved: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _REFERENCES and isinstance(value, str):
            moved[key] = _reference(value)
        elif key == "$recursiveRef" and value == "#" and "$ref" not in schema:
            # 2019-09 lets it name the root alone, which is now another one
            moved["$ref"] = _AT_RESULT
        elif key in _DATA:
            moved[key] = value
        elif key in _MAPS and isinstance(value, dict):
            moved[key] = {name: _below(inner) for name, inner in value.items()}
        else:
            moved[key] = _below(value)
    return moved


def _below(value: Any) -> Any:
    if isinstance(value, dict):
        return value if _is_resource(value) else _rerooted(value)
    if isinstance(value, list):
        return [_below(inner) for inner in value]
    return value


def _reference(reference: str) -> str:
    """A reference seen from the new root. Anchors and other documents stay as they are."""
    if reference == "#":
        return _AT_RESULT
    if not reference.startswith("#/"):
        return reference
    first, _, rest = unquote(reference[2:]).partition("/")
    if first in _HOISTED and rest:
        return reference
    return f"{_AT_RESULT}{reference[1:]}"


def _as_object(schema: Any) -> Any:
    """A boolean schema in the words of an object; any other as it is."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copy(inner) for inner in value]
    return value
