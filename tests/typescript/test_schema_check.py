"""What TypeScript's servers take for a schema is what Python's do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.languages.driver import Driver
from tests.languages.schemas import FAULTY, SOUND
from tests.typescript.package import driver as program

from toolresult.mcp.schema_check import fault_of

DIALECTS = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-04/schema#",
]
KEYWORDS = [
    *["$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef"],
    *["$id", "$recursiveAnchor", "$recursiveRef", "$ref", "$vocabulary"],
    *["additionalItems", "additionalProperties", "allOf", "anyOf", "const"],
    *["contains", "contentEncoding", "contentMediaType", "contentSchema", "default"],
    *["definitions", "dependencies", "dependentRequired", "dependentSchemas", "deprecated"],
    *["description", "else", "enum", "examples", "exclusiveMaximum"],
    *["exclusiveMinimum", "format", "id", "if", "items"],
    *["maxContains", "maxItems", "maxLength", "maxProperties", "maximum"],
    *["minContains", "minItems", "minLength", "minProperties", "minimum"],
    *["multipleOf", "not", "oneOf", "pattern", "patternProperties"],
    *["prefixItems", "properties", "propertyNames", "readOnly", "required"],
    *["then", "title", "type", "unevaluatedItems", "unevaluatedProperties"],
    *["uniqueItems", "writeOnly", "x-note"],
]
VALUES: list[Any] = [
    *[None, True, False, 0, 1, -1, 2.0, 1.5, "", "a", "object", "#", "#a", "a#b"],
    *[[], ["a"], ["a", "a"], ["object", "null"], ["object", "object"], [1], [{}], [{}, True]],
    *[[{"type": 1}], {}, {"a": True}, {"a": {}}, {"a": 1}, {"a": ["b"]}, {"a": ["b", "b"]}],
    *[{"a": [{}]}, {"a": []}, {"a": {"minLength": "x"}}, {"type": "integer"}, {"type": "x"}],
    *[{"$ref": "#"}, {"not": {"$ref": "#"}}, {"items": {"$ref": "#"}}, {"a": {"$ref": "#"}}],
    *[[{"$ref": "#"}], {"$ref": "#/properties/a"}, {"a": {"$ref": "#/$defs/a~1b"}}, 2**70],
]


# No client of the SDK takes draft-04, so that what it alone forbids is let through; and from
# 2019-09 on Python does not look for references in a keyword that is no longer one.
LET_THROUGH = {
    ("dependencies", "has no"),
    ("dependencies", "/dependencies/a: anyOf"),
    ("enum", "/enum: uniqueItems"),
    ("exclusiveMaximum", "(the whole): dependencies"),
    ("exclusiveMinimum", "(the whole): dependencies"),
}


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    with program("mapper-driver.js") as found:
        yield found


def fault(driver: Driver, schema: Any) -> str | None:
    found: str | None = driver.ask(do="schema fault", schema=schema)["is"]
    return found


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_no_schema(name: str, driver: Driver) -> None:
    assert fault(driver, FAULTY[name]) is not None


@pytest.mark.parametrize("name", SOUND)
def test_what_is_one(name: str, driver: Driver) -> None:
    assert fault(driver, SOUND[name]) is None


def test_what_is_said(driver: Driver) -> None:
    within = {"properties": {"a/b": {"minLength": -1}}}
    assert fault(driver, within) == "/properties/a~1b/minLength: expected an integer from 0 on"
    assert fault(driver, FAULTY["itself"]) == "it goes round in circles"
    assert fault(driver, FAULTY["reference"]) == "it has no '#/nope'"
    assert fault(driver, FAULTY["pattern"]) == "the pattern '(' cannot be read"
    assert fault(driver, []) == "it is no object"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_keyword_takes_what_it_takes_in_python(dialect: str, driver: Driver) -> None:
    differ = []
    for keyword in KEYWORDS:
        for value in VALUES:
            schema = {"$schema": dialect, keyword: value}
            theirs, ours = fault_of(schema), fault(driver, schema)
            said = f"{theirs or ''}{ours or ''}"
            known = any(keyword == one and words in said for one, words in LET_THROUGH)
            if (theirs is None) != (ours is None) and not known:
                differ.append((keyword, value, theirs, ours))
    assert not differ


def test_keywords_together_are_judged_as_in_python(driver: Driver) -> None:
    draw = random.Random(7)
    outcomes = {True: 0, False: 0}

    def made(depth: int) -> Any:
        schema: dict[str, Any] = {}
        for keyword in draw.sample(["allOf", "anyOf", "not", "if", "items", "$ref"], 2):
            inner = made(depth - 1) if depth else {}
            schema[keyword] = [inner] if keyword in ("allOf", "anyOf") else inner
            if keyword == "$ref":
                steps = [draw.choice(["$defs/a", "$defs/b", "$defs/b/not", "items"]), ""]
                schema[keyword] = "#/" + steps[0] if draw.random() < 0.9 else "#"
        return schema

    for _ in range(600):
        schema = {"type": "object", "items": made(1), "$defs": {"a": made(2), "b": made(1)}}
        schema["$defs"]["b"].setdefault("not", {})
        sound = fault_of(schema) is None
        outcomes[sound] += 1
        assert (fault(driver, schema) is None) == sound, schema
    assert min(outcomes.values()) > 50


def test_the_check_is_bounded(driver: Driver) -> None:
    wide: dict[str, Any] = {
        "properties": {f"p{i}": {"anyOf": [{"items": {}}] * 20} for i in range(500)}
    }
    assert fault(driver, wide) is None
    chain = {"allOf": [{"$ref": f"#/allOf/{i + 1}"} for i in range(2000)] + [{}]}
    assert fault(driver, chain) is None
    assert fault(driver, {**chain, "allOf": [*chain["allOf"], {"$ref": "#"}]}) is not None
    assert fault(driver, {"pattern": "(" * 10_001}) is None
    assert fault(driver, {"title": "a" * 300_000, "type": "x"}) is None
