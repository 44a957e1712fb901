"""Wire schemas are held against one document that says what the official one does."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from toolresult_generator.check.wire import _schema_of_schemas

ROOT = Path(__file__).parents[2]
WRONG: list[Any] = [None, 1, -1, 1.5, "(", "x", [], {}, True, ["a", "a"], [1], {"a": 1}, {"a": {}}]
"""Each is fine at some places of a schema and a fault at others."""


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if not isinstance(value, (dict, list)):
        return
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _paths(child, (*path, key))


def _faults(validator: Draft202012Validator, schema: Any) -> set[tuple[tuple[Any, ...], str]]:
    return {(tuple(e.absolute_path), str(e.validator)) for e in validator.iter_errors(schema)}


def test_it_finds_what_the_official_one_finds() -> None:
    official = Draft202012Validator(
        Draft202012Validator.META_SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    merged = _schema_of_schemas()
    file = ROOT / "spec" / "wire" / "legacy-envelope" / "1.yaml"
    schema = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert _faults(merged, schema) == _faults(official, schema) == set()
    chosen = random.Random(7)
    paths = list(_paths(schema))
    faulty = 0
    for path in chosen.sample(paths, k=min(len(paths), 40)):
        changed = copy.deepcopy(schema)
        owner = changed
        for step in path[:-1]:
            owner = owner[step]
        owner[path[-1]] = chosen.choice(WRONG)
        expected = _faults(official, changed)
        assert _faults(merged, changed) == expected, path
        faulty += bool(expected)
    assert faulty > 10


def test_every_vocabulary_is_in_it() -> None:
    """A keyword of each, with a value that none of them takes."""
    for keyword in ("$id", "allOf", "unevaluatedItems", "type", "title", "format", "contentSchema"):
        found = _faults(_schema_of_schemas(), {"properties": {"a": {keyword: 5}}})
        assert {path for path, _ in found} == {("properties", "a", keyword)}, keyword
