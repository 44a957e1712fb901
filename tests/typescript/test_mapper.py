"""The mapper of TypeScript against Python's."""

from __future__ import annotations

<<<<<<< HEAD
=======
import base64
import json
import random
>>>>>>> ts
from collections.abc import Iterator

import pytest
from tests.languages.driver import Driver
from tests.languages.mappers import Given, Rendered, Schemas
from tests.typescript.package import driver as program


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    """TypeScript's mapper, whose driver asks `render` and `renderAsync` alike."""
    with program("mapper-driver.js") as found:
        yield found


class TestRendered(Rendered):
    pass


class TestGiven(Given):
    pass


<<<<<<< HEAD
class TestSchemas(Schemas):
    pass
=======
def test_every_sample_in_every_format(node: Driver) -> None:
    """All settings with all requests, spread over samples and formats; each is met many times."""
    texts = samples()
    assert len(texts) > 100
    outcomes: dict[str, int] = {}
    # drawn, so that the number of samples does not decide which of them meet
    draw = random.Random(1)
    for name in FORMATS:
        for text in texts:
            settings = draw.choice(SETTINGS)
            request = draw.choice(REQUESTS)
            phase = draw.choice(("final", "transitional"))
            answer = same(
                node,
                {
                    "do": "render",
                    "text": text,
                    "settings": {"phase": phase, **settings},
                    "request": {"target": name, **request},
                },
            )
            oversize = answer.get("is", {}).get("oversize") or {"outcome": "fits"}
            kind = answer.get("error") or oversize.get("reason") or oversize["outcome"]
            outcomes[kind] = outcomes.get(kind, 0) + 1
    # all that can become of a result has
    assert set(outcomes) == {
        "fits", "stored", "shortened", "no_store", "no_principal", "output_schema", "store_full",
        "store: store_full",
    }, outcomes  # fmt: skip
    assert all(count > 2 for count in outcomes.values()), outcomes


def failure(message: str) -> str:
    error = {"code": "not_found", "message": message, "details": {"a": "b" * 500}}
    foreign = {"mcp": {"x": 1}, "a2a": {"y": 2}, "legacy": {"z": 3}, "legacy_meta": {"w": 4}}
    part = {"kind": "text", "text": "t" * 400, "foreign": {"mcp": {"q": 1}}}
    metadata = {
        "query": [1],
        "dry_run": False,
        "response_size": 7,
        "extensions": {"com.example/a": 1},
        "presentation": {"com.example/b": [2]},
        "foreign": foreign,
    }
    value = {
        "format_version": 1,
        "summary": "s" * 100,
        "error": error,
        "content": [part],
        "metadata": metadata,
    }
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("message", ["m", "ü" * 2_000, "😀" * 2_001, "a😀" * 1_500])
@pytest.mark.parametrize("limit", [0, 900, 5_000])
def test_failures_that_are_too_large(node: Driver, message: str, limit: int) -> None:
    for name in FORMATS:
        for settings in ({**STORING}, {**STORING, "stamp": False}):
            same(
                node,
                {
                    "do": "render",
                    "text": failure(message),
                    "settings": {"phase": "final", **settings},
                    "request": {"target": name, "limit": limit},
                },
            )


def deep(depth: int) -> str:
    return "[" * depth + "]" * depth


GIVEN: list[dict[str, Any]] = [
    {"text": text}
    for text in (
        "",
        "plain words",
        "17",
        "null",
        '{"success":true,"data":null}',
        ' {"success": false, "error": {"message": "m", "code": "c", "x": 1}}\n',
        '{"success":"yes"}',
        '{"format_version":1,"data":9007199254740993}',
        '{"format_version":1.0,"data":1}',
        '{"format_version":"1.2"}',
        '{"format_version":null}',
        '{"format_version":99}',
        '{"format_version":10000000000000000000000000}',
        '{"format_version":-1}',
        '{"format_version":1,"data":1,"data":2}',
        '{"format_version":1,"data":NaN}',
        '{"format_version":1,"data":[-Infinity]}',
        '{"data":"NaN","format_version":1}',
        '{"a":NaN}',
        '{"format_version":1,"data":1e400}',
        '{"format_version":1,"data":"\\ud800"}',
        '{"format_version":1,"data":"a\\qb"}',
        '{"format_version":1,"data":1',
        '{"format_version":1,"data":01}',
        '{"format_version":1,"data":-NaN}',
        '{"format_version":1,"__proto__":1}',
        '{"format_version":1,"data":{"__proto__":{"a":1},"constructor":2}}',
        '\ufeff{"format_version":1}',
        '{"format_version":1,"data":' + deep(100) + "}",
        '{"format_version":1,"data":' + deep(101) + "}",
        '{"format_version":1,"data":' + deep(5_000) + "}",
        '{"format_version":1,"data":' + deep(5_000),
        '{"data":' + deep(5_000) + "}",
        '{"summary":"]}\\"","data":' + deep(5_000) + ',"format\\u005fversion":1}',
        '{"data":["format_version",' + deep(5_000) + "]}",
        '{"data":"format_version","x":' + deep(5_000) + "}",
        '{"format_version" : ' + deep(5_000) + ',"x}',
        deep(5_000),
        '{"success":true,"data":' + deep(150) + "}",
        "\x00",
    )
]
GIVEN += [
    {"base64": base64.b64encode(raw).decode()}
    for raw in (b"words", b'{"format_version":1}', b"\xff", '{"success":true,"data":"ü"}'.encode())
]
VALUES: list[Any] = [
    {},
    {"format_version": 1, "data": [1, {"a": None}]},
    {"format_version": 1, "datas": 1},
    {"success": True},
    {"format_version": 1, "content": [{"kind": "image", "data": "a", "mime_type": "x"}]},
    [],
    7,
    None,
    True,
]
GIVEN += [{"value": value} for value in VALUES]


@pytest.mark.parametrize("given", GIVEN, ids=lambda given: str(given)[:50])
def test_what_is_taken_for_a_result(node: Driver, given: dict[str, Any]) -> None:
    same(node, {"do": "result", **given})


@pytest.mark.parametrize(
    "request_",
    [
        {"target": "mcp-handshake"},
        {"target": "mcp-handshake@2025-06-18", "revision": "2025-11-25"},
        {"target": "mcp-handshake@2025-06-18", "revision": "2025-06-18"},
        {"target": "mcp-handshake@1999-01-01"},
        {"target": "nothing@1"},
        {"target": "mcp-handshake@2025-06-18"},
        {"target": "mcp-handshake@2025-06-18", "phase": "first"},
        {"target": "a2a@1.0", "phase": "first"},
        {"target": "a2a@1.0", "limit": -1},
        {"target": "a2a@1.0", "limit": 1.5},
        {"target": "a2a@1.0", "on_store_failure": "cry"},
        {"target": "a2a@1.0", "schema_results": "none"},
        {"target": "a2a@1.0", "store": "works"},
    ],
    ids=str,
)
def test_requests_that_are_refused(node: Driver, request_: dict[str, Any]) -> None:
    for settings in ({}, {"phase": "final"}):
        case = {"do": "render", "text": "words", "settings": settings, "request": request_}
        same(node, case)


def test_every_phase_and_format_is_asked() -> None:
    assert len(FORMATS) == 8
    assert phases("mcp-handshake", "2025-06-18") == ("transitional", "final")


SCHEMAS: list[Any] = [schema for schema, _, _ in CASES.values()]
SCHEMAS += [
    {},
    True,
    None,
    [],
    "x",
    7,
    {"$schema": 1},
    {"type": "object"},
    {"type": "object", "properties": {"a": True, "b": False, "c": {"type": "null"}}},
    {"type": "object", "properties": [1]},
    {"type": "object", "properties": {"a": 1}},
    {"type": "object", "required": "a"},
    {"type": "object", "required": [1]},
    {"type": "object", "required": ["a"], "properties": {"__proto__": True}},
    {"type": "array", "items": {"$recursiveRef": "#"}},
    {"type": "array", "items": {"$recursiveRef": "#", "$ref": "#/x"}},
    {"type": "array", "items": {"$dynamicRef": "#/$defs/a%2Fb"}, "$defs": {"a": True}},
    {"type": "array", "items": {"$ref": "#/$defs/"}},
    {"type": "array", "items": {"$ref": "#/$defs"}},
    {"type": "array", "items": {"$ref": "#/%24defs%2Fa%ZZ%C3%BC"}},
    {"$id": "#anchor", "type": "array", "items": {"$ref": "#"}},
    {"type": "array", "$defs": 7, "definitions": {"a": {"$ref": "#/b"}}},
    {"allOf": [{"default": {"$ref": "#"}}, {"$ref": "other.json#/a"}], "title": "T"},
    {"const": json.loads(deep(99))},
    {"const": json.loads(deep(100))},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: str(schema)[:50])
def test_output_schemas_are_shown_alike(node: Driver, schema: Any) -> None:
    for name in FORMATS:
        target, _, revision = name.partition("@")
        case = {"do": "advertise", "schema": schema, "target": target, "revision": revision}
        same(node, case)
>>>>>>> ts
