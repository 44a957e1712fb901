"""Output schemas as they are advertised: valid, and true of what is sent."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
import pytest

from toolresult import Result, advertised, render

JUNE = ("mcp-handshake", "2025-06-18")
WRAPPING = [JUNE, ("mcp-handshake", "2025-11-25")]
STATELESS = ("mcp-stateless", "2026-07-28")
NODE = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}},
    "required": ["v"],
}
CASES: dict[str, tuple[Any, Any, Any]] = {
    "array": ({"type": "array", "items": {"type": "integer"}}, [1], ["a"]),
    "no type": ({"properties": {"a": {"type": "integer"}}}, {"a": 1}, {"a": "x"}),
    "list of types": ({"type": ["object", "null"]}, None, 3),
    "false": (False, None, 3),
    "defs": (
        {"$ref": "#/$defs/Node", "$defs": {"Node": NODE}},
        {"v": 1, "next": {"v": 2}},
        {"v": 1, "next": {"v": "x"}},
    ),
    "definitions": (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "array",
            "items": {"$ref": "#/definitions/A"},
            "definitions": {"A": {"type": "integer"}},
        },
        [1],
        ["x"],
    ),
    "root": (
        {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]},
        [[1], 2],
        [["x"]],
    ),
    "pointer": (
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/anyOf/0"}}]},
        ["a"],
        [1],
    ),
    "escaped pointer": (
        {"type": "array", "items": {"$ref": "#/%24defs/a~1b"}, "$defs": {"a/b": {"type": "null"}}},
        [None],
        [1],
    ),
    "anchor": (
        {
            "type": "array",
            "items": {"$ref": "#it"},
            "$defs": {"A": {"$anchor": "it", "type": "null"}},
        },
        [None],
        [1],
    ),
    "a property called $ref": (
        {"properties": {"$ref": {"type": "string"}}, "required": ["$ref"]},
        {"$ref": "#/x"},
        {"$ref": 1},
    ),
    "values that look like references": (
        {"enum": [{"$ref": "#"}, 7]},
        {"$ref": "#"},
        {"$ref": "#/properties/result"},
    ),
    "its own address": (
        {
            "$id": "https://example.com/s",
            "type": "array",
            "items": {"$ref": "#/$defs/A"},
            "$defs": {"A": {"type": "null"}},
        },
        [None],
        [1],
    ),
    "a resource inside": (
        {
            "type": "array",
            "items": {"$ref": "#/$defs/B"},
            "$defs": {
                "B": {
                    "$id": "https://example.com/b",
                    "$ref": "#/$defs/C",
                    "$defs": {"C": {"type": "null"}},
                }
            },
        },
        [None],
        [1],
    ),
}


def is_valid(schema: Any, value: Any) -> bool:
    return bool(jsonschema.validators.validator_for(schema)(schema).is_valid(value))


@pytest.mark.parametrize("revision", WRAPPING, ids=str)
@pytest.mark.parametrize(("schema", "good", "bad"), CASES.values(), ids=CASES.keys())
def test_wrapped_schema_says_the_same(
    schema: Any, good: Any, bad: Any, revision: tuple[str, str]
) -> None:
    before = copy.deepcopy(schema)
    shown = advertised(schema, *revision)
    assert schema == before
    assert shown is not None
    assert shown["type"] == "object"
    assert shown["dev.toolresult/wrapped"] is True
    jsonschema.validators.validator_for(shown).check_schema(shown)
    name = "@".join(revision)
    for value in (good, bad):
        sent = render(Result.success(value), name, phase="final", output_schema=schema).wire
        assert sent["structuredContent"] == {"result": value}
        assert is_valid(shown, sent["structuredContent"]) is is_valid(schema, value)
    assert is_valid(schema, good) is (schema is not False)
    assert not is_valid(schema, bad)
    assert not is_valid(shown, {})


def test_definitions_are_hoisted_and_the_dialect_kept() -> None:
    assert advertised(CASES["definitions"][0], *JUNE) == {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"$ref": "#/definitions/A"}}},
        "required": ["result"],
        "definitions": {"A": {"type": "integer"}},
        "dev.toolresult/wrapped": True,
    }


def test_recursive_reference_of_2019_09() -> None:
    shown = advertised({"anyOf": [{"items": {"$recursiveRef": "#"}}]}, *JUNE)
    assert shown is not None
    items = shown["properties"]["result"]["anyOf"][0]["items"]
    assert items == {"$ref": "#/properties/result"}


def test_an_object_schema_stays_as_it_is() -> None:
    schema = {"type": "object", "properties": {"b": {"type": "null"}, "a": {}}, "x": [1]}
    shown = advertised(schema, *JUNE)
    assert shown == schema
    assert shown is not None
    assert list(shown["properties"]) == ["b", "a"]
    shown["x"].append(2)
    assert schema["x"] == [1]


def test_boolean_properties_are_spelled_out() -> None:
    shown = advertised({"type": "object", "properties": {"a": True, "b": False}}, *JUNE)
    assert shown == {"type": "object", "properties": {"a": {}, "b": {"not": {}}}}


def test_stateless_takes_every_schema_as_it_is() -> None:
    for schema, _, _ in CASES.values():
        expected = {"not": {}} if schema is False else schema
        assert advertised(schema, *STATELESS) == expected


@pytest.mark.parametrize(
    "revision",
    [
        ("mcp-handshake", "2024-11-05"),
        ("mcp-handshake", "2025-03-26"),
        ("a2a", "1.0"),
        ("legacy-envelope", "1"),
    ],
    ids=str,
)
def test_not_advertised_elsewhere(revision: tuple[str, str]) -> None:
    assert advertised({"type": "object"}, *revision) is None


def _cycle() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array"}
    schema["items"] = schema
    return schema


def _deep() -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize("revision", [*WRAPPING, STATELESS], ids=str)
@pytest.mark.parametrize(
    "schema",
    [
        7,
        "object",
        [],
        {1: 2},
        {"const": float("nan")},
        {"const": {1, 2}},
        {"title": "\ud800"},
        {"$schema": 7},
        _cycle(),
    ],
    ids=repr,
)
def test_odd_schemas_are_left_out(schema: Any, revision: tuple[str, str]) -> None:
    assert advertised(schema, *revision) is None


def test_a_deep_schema_is_left_out() -> None:
    schema = _deep()
    assert advertised(schema, *JUNE) is None
    assert advertised(schema, *STATELESS) is None
    while schema:  # taken apart by hand: freeing it at once would recurse
        schema = schema.pop("not")


@pytest.mark.parametrize(
    "odd", [{"properties": []}, {"properties": {"a": 1}}, {"required": True}, {"required": [1]}]
)
def test_odd_object_schemas_are_left_out(odd: dict[str, Any]) -> None:
    assert advertised({"type": "object", **odd}, *JUNE) is None
