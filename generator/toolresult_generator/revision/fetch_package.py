"""A schema from a package that is installed: its file, or derived from its types.

The packages of the protocols ship no JSON Schema in their wheels today: mcp-types and mcp have
pydantic models, a2a-sdk has protobuf descriptors (1.0) and pydantic models (0.3). What is derived
says what those types say, which is not always what the protocol's own file says. So the pin names
what it was derived from.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.file import read_bytes
from toolresult_generator.revision.fetch import Taken
from toolresult_generator.revision.fetch_names import Wanted

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Derive = Callable[[ModuleType], "dict[str, Any]"]
"""Gives definitions by name."""


@dataclass(frozen=True)
class Types:
    """Where a package has the types of a protocol."""

    package: str
    module: str
    """``{revision}`` stands for the revision with underscores."""
    derive: Derive
    how: str
    revision: str | None = None
    """The only revision that it has; None where the module's name says it."""
    constant: str | None = None
    """The name in the module that says which revision it has."""
    attribute: str | None = None
    """What the module has to have, where another version of the package has another module."""


def _pydantic(module: ModuleType) -> dict[str, Any]:
    from toolresult_generator.revision.fetch_pydantic import definitions

    return definitions(module)


def _protobuf(module: ModuleType) -> dict[str, Any]:
    from toolresult_generator.revision.fetch_protobuf import definitions

    return definitions(module.DESCRIPTOR)


_MODELS = "the pydantic models"
_MESSAGES = "the protobuf descriptors"
TYPES: dict[str, tuple[Types, ...]] = {
    "mcp": (
        Types("mcp-types", "mcp_types._v{revision}", _pydantic, _MODELS),
        Types("mcp", "mcp.types", _pydantic, _MODELS, constant="LATEST_PROTOCOL_VERSION"),
    ),
    "a2a": (
        Types("a2a-sdk", "a2a.types.a2a_pb2", _protobuf, _MESSAGES, revision="1.0"),
        Types("a2a-sdk", "a2a.compat.v0_3.types", _pydantic, _MODELS, revision="0.3"),
        Types("a2a-sdk", "a2a.types", _pydantic, _MODELS, revision="0.3", attribute="FilePart"),
    ),
}


def from_package(wanted: Wanted) -> Taken:
    """The schema that an installed package has or gives. Raises FindingsError `no_schema`."""
    tried: list[str] = []
    for types in TYPES[wanted.protocol]:
        try:
            version = importlib.metadata.version(types.package)
        except importlib.metadata.PackageNotFoundError:
            tried.append(f"{types.package} is not installed")
            continue
        source = f"{types.package} {version}"
        found = _bundled(types.package, wanted.revision)
        if found is not None:
            return Taken(found, source)
        module = _module(types, wanted.revision)
        if isinstance(module, str):
            tried.append(f"{source} {module}")
            continue
        return Taken(_derived(types, module, wanted), source, f"from {_how(types, module)}")
    message = f"no package has a schema: {'; '.join(dict.fromkeys(tried))}"
    advice = "install one that has it, or take it --from a FILE"
    raise FindingsError([Finding(Place(wanted.label), "no_schema", message, advice)])


def _bundled(package: str, revision: str) -> bytes | None:
    """The protocol's own file, where the package has it."""
    for path in importlib.metadata.files(package) or ():
        if path.as_posix().endswith((f"schema/{revision}.json", f"{revision}/schema.json")):
            data = read_bytes(Path(str(path.locate())), str(path))
            if isinstance(data, bytes):
                return data
    return None


def _module(types: Types, revision: str) -> ModuleType | str:
    """The module with the types of that revision; why there is none, as a clause."""
    if types.revision not in (None, revision):
        return f"has no {revision}"
    name = types.module.format(revision=revision.replace("-", "_").replace(".", "_"))
    try:
        if importlib.util.find_spec(name) is None:
            return f"has no {revision}"
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        return f"has no {revision}" if name.startswith(error.name or "?") else f"lacks {error.name}"
    except Exception as error:  # code of a package, which may fail in any way when it is imported
        return f"cannot be imported: {type(error).__name__}"
    if types.constant is not None:
        has = getattr(module, types.constant, None)
        return module if has == revision else f"has {has}"
    if types.attribute is not None and not hasattr(module, types.attribute):
        return f"has no {revision}"
    return module


def _derived(types: Types, module: ModuleType, wanted: Wanted) -> bytes:
    try:
        definitions = types.derive(module)
    except Exception as error:  # whatever types another version of the package has
        message = f"no schema can be derived from {module.__name__}: {type(error).__name__}"
        raise FindingsError([Finding(Place(wanted.label), "no_schema", message)]) from None
    document = {"$schema": DIALECT, "$defs": dict(sorted(definitions.items()))}
    return (json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _how(types: Types, module: ModuleType) -> str:
    makers = {_MODELS: "pydantic", _MESSAGES: "protobuf"}
    maker = makers[types.how]
    return f"{types.how} of {module.__name__}, by {maker} {importlib.metadata.version(maker)}"
