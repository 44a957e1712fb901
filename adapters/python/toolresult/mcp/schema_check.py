"""Says what is wrong with a schema, so that no client fails every call of a tool over it.

A client holds what it gets against the schema that the list shows; one that is no schema, that
refers to what it does not have, or whose pattern no engine reads makes that raise. The check is
bounded, and each schema is looked at once.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Final

from toolresult.mcp.counting import first_misfit, knows_pattern, validator_of
from toolresult_core import ResultError
from toolresult_core.runtime.canonical import canonical

MAX_SCHEMA_BYTES: Final = 256 * 1024
"""A larger schema is not looked at; its canonical text counts."""
_STEPS: Final = 50_000
"""About a third of a second, once for a schema. One that takes longer is shown."""
_MOST_SCHEMAS: Final = 5_000
"""Schemas within a schema whose references and patterns are looked at."""
_MOST_PATTERN: Final = 10_000
"""Characters of a pattern that is tried; a longer one is not judged."""
_REFERENCES: Final = ("$ref", "$dynamicRef")
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
"""Keywords whose schemas get the value itself, and nothing in it."""


def fault_of(schema: object) -> str | None:
    """What is wrong with a schema; None for a sound one, and for one too large to tell.

    Never raises.
    """
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, Mapping):
        return "it is no object"
    try:
        text = canonical(dict(schema))
    except ResultError:
        return "it is no JSON, or too deep"
    return None if len(text) > MAX_SCHEMA_BYTES else fault_of_text(text)


@lru_cache(maxsize=512)
def fault_of_text(text: bytes) -> str | None:
    """The same, of the canonical text of a schema; of a true or false too."""
    schema: Any = json.loads(text)
    if isinstance(schema, bool):
        return None
    if not isinstance(schema.get("$schema", ""), str):
        return "its $schema is no text"
    try:
        dialect, meta = _judge(schema)
        misfit = first_misfit(meta, schema, steps=_STEPS)
        if misfit is not None:
            return f"{misfit} (of the metaschema)"
        return _within(schema, dialect)
    except Exception:  # too large to tell, or of a dialect whose keywords are of other types
        return None


def _judge(schema: dict[str, Any]) -> tuple[Any, Any]:
    """The dialect of a schema, and what holds the schema against its metaschema."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    dialect = validator_for(schema, default=Draft202012Validator)
    return dialect, _meta(dialect)


@cache
def _meta(dialect: Any) -> Any:
    return validator_of(dialect.META_SCHEMA, _metaschemas())


def _metaschemas() -> Any:
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it says none

    return REGISTRY


def _within(schema: dict[str, Any], dialect: Any) -> str | None:
    """What is wrong with the references and patterns of a schema that is one."""
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import specification_with

    specification = specification_with(dialect.META_SCHEMA["$schema"])
    root = specification.create_resource(schema)
    address = root.id() or ""
    registry = _metaschemas().with_resource(address, root).crawl()
    left = _MOST_SCHEMAS
    sound: set[int] = set()
    waiting = [(root, registry.resolver(address))]
    while waiting:
        resource, resolver = waiting.pop()
        left -= 1
        if left < 0:
            return None
        inner: Any = resource.contents
        for reference in _local(inner):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                return f"it has no {reference[:80]!r}"
        if _goes_round(inner, resolver, sound):
            return "it goes round in circles"
        for pattern in _patterns(inner):
            if not _is_readable(pattern):
                return f"the pattern {pattern[:80]!r} cannot be read"
        waiting += [(one, resolver.in_subresource(one)) for one in resource.subresources()]
    return None


def _goes_round(schema: Any, resolver: Any, sound: set[int]) -> bool:
    """Whether a schema comes to itself without going into the value. Adds to ``sound``."""
    if id(schema) in sound:
        return False
    under_way = {id(schema)}
    path = [(schema, _in_place(schema, resolver))]
    while path:
        found = next(path[-1][1], None)
        if found is None:
            done, _ = path.pop()
            under_way.discard(id(done))
            sound.add(id(done))
        elif id(found[0]) in under_way:
            return True
        elif id(found[0]) not in sound:
            under_way.add(id(found[0]))
            path.append((found[0], _in_place(*found)))
    return False


def _in_place(schema: Any, resolver: Any) -> Iterator[tuple[Any, Any]]:
    """The schemas that the same value is held against, each with its resolver."""
    if not isinstance(schema, dict):
        return
    from referencing.exceptions import Unresolvable

    for reference in _local(schema):
        with suppress(Unresolvable):  # which is told when its own turn comes
            resolved = resolver.lookup(reference)
            yield resolved.contents, resolved.resolver
    for key in _IN_PLACE:
        held = schema.get(key)
        for inner in held if isinstance(held, list) else [held]:
            if isinstance(inner, dict):
                yield inner, resolver


def _local(schema: Any) -> Iterator[str]:
    """The references within the schema itself: nothing is fetched for another one."""
    if isinstance(schema, dict):
        for key in _REFERENCES:
            reference = schema.get(key)
            if isinstance(reference, str) and reference.startswith("#"):
                yield reference


def _patterns(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        if isinstance(schema.get("patternProperties"), dict):
            yield from schema["patternProperties"]


def _is_readable(pattern: str) -> bool:
    """Whether any engine reads a pattern: the one of our check, or Python's."""
    if len(pattern) > _MOST_PATTERN or knows_pattern(pattern):
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
