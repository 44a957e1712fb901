"""Data held against a schema: where it does not fit, and no more work than is allowed."""

from __future__ import annotations

import socket
import sys
import time
from types import FrameType
from typing import Any

import pytest
from referencing import Registry

from toolresult import Result
from toolresult.mcp import output_check
from toolresult.mcp.counting import Misfit, UncheckedError, first_misfit, validator_of
from toolresult.mcp.output_check import misfit
from toolresult.mcp.quick_check import quick
from toolresult.mcp.schema_check import MAX_SCHEMA_BYTES
from toolresult_core import Json

STEPS = 3000
ROW = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string", "pattern": "^[a-z]+$"}},
    "required": ["id"],
    "additionalProperties": False,
}
ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": ROW}}}
NAMED = {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}
DRAFT_7 = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$ref": "#/definitions/n",
    "definitions": {"n": {"type": "number"}},
}
TREE = {
    "$ref": "#/$defs/node",
    "$defs": {"node": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
}
CASES: list[tuple[Any, Any, str | None]] = [
    ({"rows": [{"id": 1, "name": "a"}]}, ROWS, None),
    ({"rows": [{"id": 1}, {"id": "secret"}]}, ROWS, "/rows/1/id: type"),
    ({"rows": [{"name": "a"}]}, ROWS, "/rows/0: required"),
    ({"rows": [{"id": 1, "secret": 2}]}, ROWS, "/rows/0: additionalProperties"),
    ({"rows": [{"id": 1, "name": "A"}]}, ROWS, "/rows/0/name: pattern"),
    ({"a/b": {"~": 1}}, {"additionalProperties": {"maxProperties": 0}}, "/a~1b: maxProperties"),
    ({"x-a": 1}, NAMED, None),
    ({"x-a": "secret"}, NAMED, "/x-a: type"),
    ({"y": 1}, NAMED, "(the whole): additionalProperties"),
    (2**70, {"type": "integer", "multipleOf": 2}, None),
    (None, {"type": "null"}, None),
    (True, {"type": "integer"}, "(the whole): type"),
    ([[], [[], [[]]]], TREE, None),
    ([[], [1]], TREE, "/1/0: type"),
    (1.5, DRAFT_7, None),
    ("secret", DRAFT_7, "(the whole): type"),
    ({"a": [1]}, {"type": "object", "additionalProperties": True, "title": "Any"}, None),
    ([], {"type": "object", "additionalProperties": True}, "(the whole): type"),
    ({}, {"type": "object", "additionalProperties": False}, None),
    (
        {"a": 1},
        {"type": "object", "additionalProperties": False},
        "(the whole): additionalProperties",
    ),
    ({"a": 1}, {"type": "object", "minProperties": 2}, "(the whole): minProperties"),
    ("a", {"type": "string"}, None),
    (1, {"type": "number"}, None),
    (1.5, {"type": "integer"}, "(the whole): type"),
    ([10**5000], {"items": {"type": "integer"}}, None),
    (1, True, None),
    (1, False, "(the whole): not"),
    ([1, 2, 1], {"uniqueItems": True}, "(the whole): uniqueItems"),
]


def told(found: Misfit | None) -> str | None:
    return None if found is None else str(found)


@pytest.mark.parametrize(("data", "schema", "where"), CASES, ids=range(len(CASES)))
def test_where_data_does_not_fit(data: Any, schema: Any, where: str | None) -> None:
    value = Result.from_value({"format_version": 1, "data": data}).data
    assert isinstance(value, Json)
    assert told(misfit(value, schema, steps=STEPS)) == where


def doubling(levels: int) -> dict[str, Any]:
    """Each level asks the next one twice."""
    defs: dict[str, Any] = {
        f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{levels}": {}}}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"allOf": [schema]}
    return schema


CYCLE: dict[str, Any] = {"type": "object"}
CYCLE["not"] = CYCLE
HOSTILE: dict[str, tuple[Any, Any]] = {
    "doubles": (1, doubling(40)),
    "refers_to_itself": (1, {"$ref": "#"}),
    "goes_round": (1, {"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}),
    "doubles_going_round": (1, {"anyOf": [{"not": {"$ref": "#"}}, {"not": {"$ref": "#"}}]}),
    "deep": (1, nested(300)),
    "cycle": ({}, CYCLE),
    "large": (1, {"description": "x" * MAX_SCHEMA_BYTES}),
    "odd_keyword": ({}, {"required": 7}),
    "odd_type": (1, {"type": 7}),
    "pairs": ([[n] for n in range(500)] + [[0]], {"uniqueItems": True}),
    "many_rows": ({"rows": [{"id": 1}] * 100_000 + [{}]}, ROWS),
    "unknown_reference": (1, {"$ref": "urn:example:other"}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_schema_ends_soon(name: str) -> None:
    data, schema = HOSTILE[name]
    start = time.perf_counter()
    with pytest.raises(UncheckedError) as caught:
        misfit(Json.of(data), schema, steps=STEPS)
    assert time.perf_counter() - start < 5, "far more than it takes on a slow machine"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["refers_to_itself", "goes_round", "doubles_going_round", "deep"])
def test_a_check_ends_before_the_room_for_calls_does(name: str) -> None:
    """A server's own calls need some of it, and where it ends in compiled code, a process may."""
    data, schema = HOSTILE[name]
    validator = validator_of(schema, Registry())
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_calls() + 750)
    try:
        with pytest.raises(UncheckedError) as caught:
            first_misfit(validator, data, steps=STEPS)
    finally:
        sys.setrecursionlimit(limit)
    assert not isinstance(caught.value.__cause__, RecursionError)


def _calls() -> int:
    """The calls that are under way."""
    frame: FrameType | None = sys._getframe()
    count = 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def test_data_may_be_as_deep_as_data_is() -> None:
    data: Any = []
    for _ in range(40):
        data = [data]
    assert misfit(Json.of(data), TREE, steps=STEPS) is None


def test_a_pattern_takes_no_time() -> None:
    """One on which Python's own engine would go on for years."""
    start = time.perf_counter()
    for keyword in ({"pattern": "^(a+)+$"}, {"patternProperties": {"^(a+)+$": False}}):
        for data in ("a" * 50 + "!", {"a" * 50 + "!": 1}):
            misfit(Json.of(data), keyword, steps=STEPS)
    assert time.perf_counter() - start < 5


def test_a_pattern_that_the_engine_lacks_is_not_held() -> None:
    ahead = "^(?=x)"
    assert misfit(Json.of("y"), {"pattern": ahead}, steps=STEPS) is None
    closed = {"patternProperties": {ahead: {"type": "string"}}, "additionalProperties": False}
    assert misfit(Json.of({"x": 1}), closed, steps=STEPS) is None


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def connect(*address: Any) -> None:
        asked.append(address)
        raise OSError

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "create_connection", connect)
    for address in ("http://127.0.0.1:1/schema", "https://example.invalid/s", "file:///etc/passwd"):
        for schema in ({"$ref": address}, {"$schema": address, "$dynamicRef": f"{address}#a"}):
            with pytest.raises(UncheckedError):
                misfit(Json.of({}), schema, steps=STEPS)
    assert asked == []


def test_a_pointer_has_an_end() -> None:
    data = Json.of({"k" * 5000: 1})
    where = told(misfit(data, {"additionalProperties": {"type": "null"}}, steps=STEPS))
    assert where is not None and len(where) < 220 and where.endswith("…: type")


WITHOUT = [case for case in CASES if isinstance(case[1], dict)]


@pytest.mark.parametrize(("data", "schema", "where"), WITHOUT, ids=range(len(WITHOUT)))
def test_without_the_compiled_validator_it_is_the_same(
    data: Any, schema: Any, where: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    output_check._prepared.cache_clear()
    value = Result.from_value({"format_version": 1, "data": data}).data
    assert isinstance(value, Json)
    assert told(misfit(value, schema, steps=STEPS)) == where
    monkeypatch.undo()
    output_check._prepared.cache_clear()
    assert told(misfit(value, schema, steps=STEPS)) == where


@pytest.mark.parametrize(
    ("schema", "is_quick"),
    [
        (ROWS, True),
        (NAMED, True),
        (DRAFT_7, True),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {}}}, True),
        (doubling(5), True),
        (doubling(40), False),
        (TREE, False),
        ({"$ref": "#"}, False),
        ({"$ref": "#/properties/a", "properties": {"a": {}}}, False),
        ({"$ref": "http://127.0.0.1:1/x"}, False),
        ({"items": {"$id": "http://example.com/", "$ref": "#/$defs/a"}, "$defs": {"a": {}}}, False),
        ({"$dynamicRef": "#a"}, False),
        ({"pattern": "^(?=x)"}, False),
        ({"type": 7}, False),
    ],
)
def test_which_schemas_the_compiled_validator_gets(schema: Any, is_quick: bool) -> None:
    assert (quick(schema) is not None) is is_quick


def test_what_fits_takes_no_steps() -> None:
    rows = Result.success({"rows": [{"id": n} for n in range(10_000)]}).data
    assert isinstance(rows, Json)
    assert misfit(rows, ROWS, steps=0) is None


@pytest.mark.parametrize("big", [2**70, -(2**200), 10**400, 1e308, -0.0])
def test_numbers_of_any_size(big: float) -> None:
    kind = "integer" if isinstance(big, int) else "number"
    assert misfit(Json.of([big]), {"items": {"type": kind}}, steps=STEPS) is None
    assert told(misfit(Json.of([big]), {"items": {"type": "string"}}, steps=STEPS)) == "/0: type"


def test_a_schema_within_that_names_its_dialect_is_bounded_too() -> None:
    inner = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "items": {"anyOf": [{"const": number} for number in range(50)]},
    }
    with pytest.raises(UncheckedError, match="too long"):
        misfit(Json.of({"a": [49] * 100 + [50]}), {"properties": {"a": inner}}, steps=500)
