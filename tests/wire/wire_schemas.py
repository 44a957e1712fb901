"""Our wire schemas and the official ones, as the tests of this folder use them."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.protocols import Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

ROOT = Path(__file__).parents[2]
WIRE = ROOT / "spec" / "wire"

NAMESPACE = "dev.toolresult"
A2A_EXTENSION = "https://toolresult.dev/extensions/a2a/result/v1"

REVISIONS = tuple(f"{path.parent.name}@{path.stem}" for path in sorted(WIRE.glob("*/*.yaml")))
"""Every revision that has a schema, as ``target@revision``."""


def substitute(node: Any) -> Any:
    """A copy of a schema document with the settings of the spec in place of their placeholders."""
    if isinstance(node, dict):
        return {substitute(key): substitute(value) for key, value in node.items()}
    if isinstance(node, list):
        return [substitute(item) for item in node]
    if isinstance(node, str):
        return (
            node.replace("{namespace}", NAMESPACE)
            .replace("{namespace_regex}", re.escape(NAMESPACE))
            .replace("{a2a_extension}", A2A_EXTENSION)
        )
    return node


@cache
def own_document(revision: str) -> dict[str, Any]:
    """The schema of ``target@revision`` as it stands in its file, settings filled in."""
    target, _, name = revision.partition("@")
    document = yaml.safe_load((WIRE / target / f"{name}.yaml").read_text(encoding="utf-8"))
    filled: dict[str, Any] = substitute(document)
    return filled


def own_schema(revision: str) -> dict[str, Any]:
    """The schema of the JSON value: of the envelope, that of what the string holds."""
    document = own_document(revision)
    held: dict[str, Any] = document.get("contentSchema", document)
    return held


@cache
def own_validator(revision: str) -> Validator:
    """A validator for ``own_schema(revision)``."""
    return Draft202012Validator(own_schema(revision))


def official_folder() -> Path:
    """Where the official schemas are: beside the checkout, or where the environment says."""
    named = os.environ.get("TOOLRESULT_OFFICIAL_SCHEMAS")
    return Path(named) if named else ROOT.parent / "shared" / "schemas"


def official_file(revision: str) -> Path:
    """The official schema of ``target@revision``; it may not be there."""
    target, _, name = revision.partition("@")
    family = "a2a" if target == "a2a" else "mcp"
    return official_folder() / family / f"{name}.json"


@cache
def official_validator(revision: str) -> Validator:
    """A validator of the official definition: CallToolResult, or Task for A2A.

    The bundle of A2A 1.0 names its definitions by title and refers to them by file name.
    """
    document = json.loads(official_file(revision).read_text(encoding="utf-8"))
    if revision == "a2a@1.0":
        registry: Registry[Any] = Registry()
        for title, definition in (document.get("$defs") or document["definitions"]).items():
            shared = title in {"Struct", "Timestamp", "Value"}
            package = "google.protobuf" if shared else "lf.a2a.v1"
            uri = f"{package}.{title.replace(' ', '')}.jsonschema.json"
            resource = Resource.from_contents(definition, default_specification=DRAFT202012)
            registry = registry.with_resource(uri, resource)
        return Draft202012Validator({"$ref": "lf.a2a.v1.Task.jsonschema.json"}, registry=registry)
    definitions = "$defs" if "$defs" in document else "definitions"
    name = "Task" if revision == "a2a@0.3" else "CallToolResult"
    dialect = Draft202012Validator if "2020-12" in document["$schema"] else Draft7Validator
    return dialect({**document, "$ref": f"#/{definitions}/{name}"})


def as_official(revision: str, value: dict[str, Any]) -> dict[str, Any]:
    """What the protocol layer makes of our value: for A2A a task with ids and a time."""
    if not revision.startswith("a2a@"):
        return value
    task = {**value, "id": "t1", "contextId": "c1"}
    task["status"] = {**value["status"], "timestamp": "2026-07-28T10:00:00Z"}
    if revision == "a2a@0.3":
        task["kind"] = "task"
    return task


def faults(validator: Validator, value: Any) -> list[str]:
    """Every fault of a value, as ``place: message``."""
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
