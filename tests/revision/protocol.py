"""A protocol of our own for tests, shaped like MCP: its schema, to be changed in one place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
Change = Callable[[Schema], None]
"""Alters the definitions in place."""


def _block(kind: str, required: list[str], **members: Any) -> Schema:
    return {
        "type": "object",
        "description": f"A block of kind {kind}.",
        "required": ["type", *required],
        "properties": {
            "type": {"const": kind, "type": "string"},
            **members,
            "annotations": {"$ref": "#/$defs/Annotations"},
            "_meta": {"type": "object", "additionalProperties": {}},
        },
    }


_TEXT = {"type": "string", "description": "A text."}
_DEFINITIONS: Schema = {
    "CallToolResult": {
        "type": "object",
        "description": "The result of a call.",
        "required": ["content"],
        "properties": {
            "content": {"type": "array", "items": {"$ref": "#/$defs/ContentBlock"}},
            "structuredContent": {"type": "object", "additionalProperties": {}},
            "isError": {"type": "boolean"},
            "_meta": {"type": "object", "additionalProperties": {}},
        },
    },
    "ContentBlock": {
        "anyOf": [
            {"$ref": "#/$defs/TextContent"},
            {"$ref": "#/$defs/ImageContent"},
            {"$ref": "#/$defs/AudioContent"},
            {"$ref": "#/$defs/ResourceLink"},
            {"$ref": "#/$defs/EmbeddedResource"},
        ]
    },
    "TextContent": _block("text", ["text"], text=_TEXT),
    "ImageContent": _block(
        "image", ["data", "mimeType"], data={"type": "string", "format": "byte"}, mimeType=_TEXT
    ),
    "AudioContent": _block(
        "audio", ["data", "mimeType"], data={"type": "string", "format": "byte"}, mimeType=_TEXT
    ),
    "ResourceLink": _block(
        "resource_link",
        ["uri", "name"],
        uri={"type": "string", "format": "uri"},
        name=_TEXT,
        title=_TEXT,
        description=_TEXT,
        mimeType=_TEXT,
        size={"type": "integer"},
        icons={"type": "array", "items": {"$ref": "#/$defs/Icon"}},
    ),
    "EmbeddedResource": _block(
        "resource",
        ["resource"],
        resource={
            "anyOf": [
                {"$ref": "#/$defs/TextResourceContents"},
                {"$ref": "#/$defs/BlobResourceContents"},
            ]
        },
    ),
    "TextResourceContents": {
        "type": "object",
        "required": ["uri", "text"],
        "properties": {"uri": _TEXT, "mimeType": _TEXT, "text": _TEXT, "_meta": {"type": "object"}},
    },
    "BlobResourceContents": {
        "type": "object",
        "required": ["uri", "blob"],
        "properties": {"uri": _TEXT, "mimeType": _TEXT, "blob": _TEXT, "_meta": {"type": "object"}},
    },
    "Annotations": {
        "type": "object",
        "properties": {
            "audience": {"type": "array", "items": {"$ref": "#/$defs/Role"}},
            "priority": {"type": "number", "minimum": 0, "maximum": 1},
            "lastModified": _TEXT,
        },
    },
    "Icon": {
        "type": "object",
        "required": ["src"],
        "properties": {
            "src": _TEXT,
            "mimeType": _TEXT,
            "sizes": {"type": "array", "items": _TEXT},
            "theme": {"enum": ["dark", "light"], "type": "string"},
        },
    },
    "Role": {"type": "string", "enum": ["assistant", "user"]},
    "Tool": {
        "type": "object",
        "required": ["name", "inputSchema"],
        "properties": {
            "name": _TEXT,
            "inputSchema": {"$ref": "#/$defs/ObjectSchema"},
            "outputSchema": {"$ref": "#/$defs/ObjectSchema"},
        },
    },
    "ObjectSchema": {
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"const": "object", "type": "string"},
            "properties": {"type": "object"},
            "required": {"type": "array", "items": {"type": "string"}},
        },
    },
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def protocol(change: Change = lambda definitions: None) -> Schema:
    """The schema document, changed."""
    definitions = copy.deepcopy(_DEFINITIONS)
    change(definitions)
    return {"$schema": DIALECT, "$defs": definitions}


def written(folder: Path, name: str, document: Schema) -> Path:
    """A schema as a file."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file
