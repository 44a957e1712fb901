"""The schemas that outputs are held against: our strict ones, and the official where present."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

import jsonschema_rs

from toolresult_generator import load
from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.file import load_file
from toolresult_generator.model.result import ResultSpec

OFFICIAL_VARIABLE = "TOOLRESULT_OFFICIAL_SCHEMAS"
_TIME = "2026-07-28T10:00:00Z"

Faults = Callable[[Any], "str | None"]
"""Tells what is wrong with a wire value, or None if nothing is."""


@dataclass(frozen=True)
class OfficialSchemas:
    """The folder of the protocols' own schemas, if there is one."""

    folder: Path | None

    @classmethod
    def beside(cls, spec_folder: Path) -> OfficialSchemas:
        """The folder that the environment names, or ``shared/schemas`` beside the checkout."""
        named = os.environ.get(OFFICIAL_VARIABLE)
        folder = Path(named) if named else spec_folder.resolve().parents[1] / "shared" / "schemas"
        return cls(folder if folder.is_dir() else None)

    def file(self, target: str, revision: str) -> Path | None:
        """The official schema of a revision, or None where it is not there."""
        if self.folder is None or target == "legacy-envelope":
            return None
        family = "a2a" if target == "a2a" else "mcp"
        file = self.folder / family / f"{revision}.json"
        return file if file.is_file() else None

    def validator(self, target: str, revision: str) -> Faults | None:
        """The official check of a revision, or None where its schema is not there.

        Raises FindingsError for a file that is no JSON Schema, or leads out of itself.
        """
        file = self.file(target, revision)
        if file is None:
            return None
        family = file.parent.name
        document = _document(file)
        if family == "mcp":
            return _checker(_rooted(document, "CallToolResult"), str(file))
        if revision == "0.3":
            check = _checker(_rooted(document, "Task"), str(file))
            return lambda wire: check(_as_task(wire, kind="task"))
        check = _checker(_bundled(document), str(file))
        return lambda wire: check(_as_task(wire))


def strict_validator(spec: load.Spec, result: ResultSpec, target: str, revision: str) -> Faults:
    """Our own check of a revision. Raises KeyError if the spec has no schema for it."""
    document = spec.wire_document(target, revision)
    if document is None:
        raise KeyError(f"{target}@{revision}")
    schema = cast("dict[str, Any]", filled(document.root.to_plain(), result))
    file = document.root.place.file
    if "contentSchema" not in schema:
        return _checker(schema, file)
    check = _checker(cast("dict[str, Any]", schema["contentSchema"]), file)
    return lambda wire: check(json.loads(wire))


def refuse(uri: str) -> NoReturn:
    """In place of the network and of other files. Raises ValueError."""
    raise ValueError(f"{uri} is outside of the file, and nothing is fetched")


def compiled(schema: dict[str, Any], file: str, **options: Any) -> Any:
    """A validator that fetches nothing. Raises FindingsError `bad_schema`, placed in the file.

    A format is an annotation here: a relative URI in a link is legal and stays as it is.
    """
    try:
        return jsonschema_rs.validator_for(
            schema, validate_formats=False, retriever=refuse, **options
        )
    except ValueError as error:  # also what the library raises for a schema that is none
        message = str(error).partition("\n")[0]
        raise FindingsError([Finding(Place(file), "bad_schema", message)]) from None


def _document(file: Path) -> dict[str, Any]:
    root, findings = load_file(file, file.as_posix())
    if root is None or findings:
        first = findings[0]
        message = f"cannot be read as JSON: {first.message}"
        raise FindingsError([Finding(first.place, "bad_schema", message)])
    document = root.to_plain()
    if not isinstance(document, dict):
        message = f"a protocol's schema is an object, not {root.kind}"
        raise FindingsError([Finding(root.place, "bad_schema", message)])
    return document


def _checker(schema: dict[str, Any], file: str) -> Faults:
    validator = compiled(schema, file)

    def faults(wire: Any) -> str | None:
        if validator.is_valid(wire):
            return None
        error = next(iter(validator.iter_errors(wire)))
        return f"/{'/'.join(map(str, error.instance_path))}: {error.message}"

    return faults


def filled(node: Any, result: ResultSpec) -> Any:
    """A schema with the settings of the spec in place of their placeholders."""
    if isinstance(node, dict):
        return {filled(key, result): filled(value, result) for key, value in node.items()}
    if isinstance(node, list):
        return [filled(entry, result) for entry in node]
    if isinstance(node, str):
        return (
            node.replace("{namespace}", result.namespace)
            .replace("{namespace_regex}", re.escape(result.namespace))
            .replace("{a2a_extension}", result.a2a_extension)
        )
    return node


def _rooted(document: dict[str, Any], name: str) -> dict[str, Any]:
    keyword = "$defs" if "$defs" in document else "definitions"
    return {**document, "$ref": f"#/{keyword}/{name}"}


def _bundled(document: dict[str, Any]) -> dict[str, Any]:
    """The bundle of A2A 1.0, whose definitions are keyed by title and refer to file names."""
    definitions = document.get("$defs") or document.get("definitions") or {}
    names = {}
    for title in definitions:
        package = "google.protobuf" if title in ("Struct", "Timestamp", "Value") else "lf.a2a.v1"
        names[f"{package}.{title.replace(' ', '')}.jsonschema.json"] = title.replace(" ", "")
    text = json.dumps({title.replace(" ", ""): one for title, one in definitions.items()})
    for file, name in names.items():
        text = text.replace(json.dumps(file), json.dumps(f"#/$defs/{name}"))
    return {"$ref": "#/$defs/Task", "$defs": json.loads(text)}


def _as_task(wire: Any, **more: Any) -> Any:
    """What the protocol layer makes of our output: a task with ids and a time."""
    status = {**wire["status"], "timestamp": _TIME}
    return {**wire, "status": status, "id": "t1", "contextId": "c1", **more}
