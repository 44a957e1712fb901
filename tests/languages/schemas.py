"""Schemas that are none, and some that are, for every language that shows them to clients."""

from __future__ import annotations

from typing import Any

FAULTY: dict[str, dict[str, Any]] = {
    "type": {"type": "nonsense"},
    "type object": {"type": {}},
    "pattern": {"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}},
    "name pattern": {"patternProperties": {"[": {}}},
    "reference": {"$ref": "#/nope"},
    "deep reference": {"type": "object", "properties": {"a": {"items": {"$ref": "#/$defs/b"}}}},
    "anchor": {"properties": {"a": {"$ref": "#nope"}}},
    "old": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": 3},
    "within": {"type": "object", "properties": {"a": {"minLength": -1}}},
    "required": {"type": "object", "required": "a"},
    "itself": {"$ref": "#"},
    "in a circle": {"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#"}}}},
    "a circle within": {"properties": {"a": {"allOf": [{"$ref": "#/properties/a"}]}}},
}
SOUND: dict[str, Any] = {
    "true": True,
    "empty": {},
    "look-ahead": {"type": "object", "properties": {"a": {"pattern": "(?=a)a"}}},
    "unicode": {"properties": {"a": {"pattern": "^\\p{L}+$"}}},
    "definitions": {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}},
    "recursive": {"type": "object", "properties": {"a": {"$ref": "#"}}},
    "twice": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}},
    "trees": {"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}}]},
    "anchor": {"$defs": {"a": {"$anchor": "here"}}, "properties": {"a": {"$ref": "#here"}}},
    "elsewhere": {"$ref": "https://example.com/other"},
    "resource": {"$id": "https://example.com/a", "$ref": "#/$defs/b", "$defs": {"b": {}}},
    "draft 4": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "$ref": "#/definitions/a",
        "definitions": {"a": {"minimum": 1, "exclusiveMinimum": True}},
    },
    "a property of that name": {"properties": {"$ref": {"type": "string"}, "pattern": {}}},
    "values": {"enum": [{"$ref": "#/nope"}], "const": {"pattern": "("}, "default": {"type": 3}},
    "unknown keyword": {"x-note": {"$ref": "#/nope", "type": "nonsense"}},
    "an old dialect": {"$schema": "http://json-schema.org/draft-03/schema#", "definitions": None},
    "unknown dialect": {"$schema": "https://example.com/dialect", "type": "object"},
}
