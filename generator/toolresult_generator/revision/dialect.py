"""One dialect for all: a schema document of any draft, rewritten as JSON Schema 2020-12.

Words for people are left out; what a place was called in the file is kept beside it. Sources:
the appendices "Change Log" of the drafts 06, 07, 2019-09 and 2020-12; for `nullable`,
OpenAPI 3.0.3, "Schema Object".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from toolresult_generator.findings import Finding, FindingsError, Place, quoted
from toolresult_generator.pointers import token, untoken

LATEST = "https://json-schema.org/draft/2020-12/schema"
_DRAFTS = {
    "draft-04": 4,
    "draft-06": 6,
    "draft-07": 7,
    "2019-09": 2019,
    "2020-12": 2020,
}
_WORDS = frozenset(
    {"title", "description", "$comment", "examples", "default", "deprecated", "readOnly"}
    | {"writeOnly", "$schema", "$id", "id", "$anchor", "$vocabulary", "errorMessage"}
)
_ONE = frozenset({"not", "if", "then", "else", "contains", "propertyNames", "contentSchema"}) | {
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
}
_MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
_PROTOBUF_FILE = re.compile(r"(?:[A-Za-z0-9_]+\.)*([A-Za-z0-9_]+)\.(?:jsonschema|schema)\.json")


@dataclass(frozen=True)
class Normal:
    """A document in the one dialect."""

    file: str
    draft: int
    """4, 6, 7, 2019 or 2020."""
    dialect: str
    """What `$schema` says; empty if it says nothing."""
    root: dict[str, Any]
    """With `$defs` alone for definitions, and references as `#/…` alone."""
    pointers: Mapping[str, str]
    """For each schema, by its pointer in ``root``: its pointer in the file."""
    texts: Mapping[str, str]
    """For each schema with a description, by its pointer in ``root``: the description."""


@dataclass
class _Work:
    file: str
    draft: int
    names: dict[str, str]
    """Pointer of a definition in the file, to its name in the result."""
    anchors: dict[str, str]
    """Identifier or file name, to the pointer in the file that it leads to."""
    pointers: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def normalise(document: Mapping[str, Any], file: str) -> Normal:
    """The document in the one dialect. Raises FindingsError for what is no schema.

    A reference that leads out of the file is kept as it is: it is a fault only where something
    that is looked at leads to it.
    """
    dialect = document.get("$schema", "")
    draft = _draft(dialect, document, file)
    work = _Work(file, draft, *_definitions(document))
    root = _schema(document, "", "", work)
    if not isinstance(root, dict):
        root = {}
    root["$defs"] = {
        name: _schema(_at(document, pointer), f"/$defs/{token(name)}", pointer, work)
        for pointer, name in work.names.items()
    }
    return Normal(file, draft, str(dialect), root, work.pointers, work.texts)


def _draft(dialect: object, document: Mapping[str, Any], file: str) -> int:
    if not dialect:
        return 2020 if "$defs" in document else 7
    for name, draft in _DRAFTS.items():
        if isinstance(dialect, str) and name in dialect:
            return draft
    message = f"$schema names {quoted(str(dialect))}, which is no draft of JSON Schema from 04 on"
    raise FindingsError([Finding(Place(file), "bad_schema", message)])


def _definitions(document: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """The definitions of a document by pointer, and what else they are called."""
    names: dict[str, str] = {}
    anchors: dict[str, str] = {}
    taken: set[str] = set()
    for keyword in ("$defs", "definitions"):
        definitions = document.get(keyword)
        if not isinstance(definitions, Mapping):
            continue
        for title, definition in definitions.items():
            pointer = f"/{keyword}/{token(title)}"
            name = title.replace(" ", "")
            name = title if name in taken else name
            if name in taken:
                continue
            taken.add(name)
            names[pointer] = name
            anchors.setdefault(name, pointer)
            if isinstance(definition, Mapping):
                for key in ("$id", "id", "$anchor"):
                    known = definition.get(key)
                    if isinstance(known, str) and known:
                        anchors.setdefault(known.rstrip("#"), pointer)
                        anchors.setdefault(known.rsplit("/", 1)[-1], pointer)
    return names, anchors


def _at(document: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        key = untoken(step)
        if isinstance(document, Mapping) and key in document:
            document = document[key]
        elif isinstance(document, list) and key.isdecimal() and int(key) < len(document):
            document = document[int(key)]
        else:
            return True
    return document


def _schema(node: Any, pointer: str, origin: str, work: _Work) -> Any:
    """A schema in the one dialect. It stood at ``origin``, and will stand at ``pointer``."""
    if isinstance(node, bool):
        work.pointers[pointer] = origin
        return node
    if not isinstance(node, Mapping):
        message = f"at {origin or '/'}: a schema is an object or a boolean"
        raise FindingsError([Finding(Place(work.file), "bad_schema", message)])
    work.pointers[pointer] = origin
    text = node.get("description")
    if isinstance(text, str):
        work.texts[pointer] = text
    if "$ref" in node and work.draft <= 7:
        # up to draft 07 a reference stands alone: what is beside it does not count
        return {"$ref": _reference(node["$ref"], work)}
    made: dict[str, Any] = {}
    for key, value in node.items():
        _keyword(key, value, node, made, pointer, origin, work)
    if node.get("nullable") is True and work.draft <= 7:
        return _nullable(made)
    return made


def _keyword(
    key: str,
    value: Any,
    node: Mapping[str, Any],
    made: dict[str, Any],
    pointer: str,
    origin: str,
    work: _Work,
) -> None:
    old = work.draft <= 2019
    if key in _WORDS or (key in ("$defs", "definitions") and not pointer):
        return
    if key == "definitions":
        key = "$defs"
    inside, stood = f"{pointer}/{key}", f"{origin}/{token(key)}"
    if key == "$ref":
        made[key] = _reference(value, work)
    elif key == "items" and old and isinstance(value, list):
        made["prefixItems"] = [
            _schema(one, f"{pointer}/prefixItems/{n}", f"{stood}/{n}", work)
            for n, one in enumerate(value)
        ]
        if "additionalItems" in node:
            stood = f"{origin}/additionalItems"
            made["items"] = _schema(node["additionalItems"], f"{pointer}/items", stood, work)
    elif key == "additionalItems" and old:
        return
    elif key == "items" or key in _ONE:
        made[key] = _schema(value, inside, stood, work)
    elif key in _MANY and isinstance(value, list):
        made[key] = [
            _schema(one, f"{inside}/{n}", f"{stood}/{n}", work) for n, one in enumerate(value)
        ]
    elif key in _NAMED and isinstance(value, Mapping):
        made[key] = {
            name: _schema(one, f"{inside}/{token(name)}", f"{stood}/{token(name)}", work)
            for name, one in value.items()
        }
    elif key == "dependencies" and isinstance(value, Mapping):
        _dependencies(value, made, pointer, stood, work)
    elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        limit = "minimum" if key == "exclusiveMinimum" else "maximum"
        if value and limit in node:
            made.pop(limit, None)
            made[key] = node[limit]
    elif key in ("minimum", "maximum") and node.get(f"exclusive{key.capitalize()}") is True:
        made[f"exclusive{key.capitalize()}"] = value
    elif key != "nullable":
        made[key] = value


def _dependencies(
    value: Mapping[str, Any], made: dict[str, Any], pointer: str, stood: str, work: _Work
) -> None:
    """`dependencies` of the older drafts: lists of names, or schemas."""
    for name, one in value.items():
        if isinstance(one, list):
            made.setdefault("dependentRequired", {})[name] = one
        else:
            below = f"{pointer}/dependentSchemas/{token(name)}"
            made.setdefault("dependentSchemas", {})[name] = _schema(
                one, below, f"{stood}/{token(name)}", work
            )


def _nullable(made: dict[str, Any]) -> dict[str, Any]:
    types = made.get("type")
    if isinstance(types, str):
        made["type"] = [types, "null"]
    elif isinstance(types, list) and "null" not in types:
        made["type"] = [*types, "null"]
    if isinstance(made.get("enum"), list) and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    return made


def _reference(reference: Any, work: _Work) -> str:
    """A reference as `#/…` into the result; one that leads out of the file as it is."""
    if not isinstance(reference, str):
        message = f"$ref is {quoted(json.dumps(reference)[:80])}, and has to be a text"
        raise FindingsError([Finding(Place(work.file), "bad_schema", message)])
    if reference in ("#", "#/"):
        return "#"
    if reference.startswith("#/"):
        pointer = unquote(reference[1:])
    else:
        known = work.anchors.get(reference.removeprefix("#"))
        if known is None:
            match = _PROTOBUF_FILE.fullmatch(reference)
            known = work.anchors.get(match[1]) if match else None
        if known is None:
            return reference
        pointer = known
    for origin, name in work.names.items():
        if pointer == origin or pointer.startswith(f"{origin}/"):
            return f"#/$defs/{token(name)}{_renamed(pointer[len(origin) :])}"
    return f"#{_renamed(pointer)}"


def _renamed(pointer: str) -> str:
    return pointer.replace("/definitions/", "/$defs/")
