"""Holds data against a JSON Schema, with work that is bounded whatever the schema says.

Steps are counted, keywords within keywords too, regular expressions run on pydantic's engine,
which takes linear time, and no reference is followed out of the schema. Two keywords that cannot
be counted are not held, ``unevaluatedItems`` and ``unevaluatedProperties``, nor is a pattern that
this engine lacks (a look-ahead, say).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema

from toolresult_core.runtime.errors import pointer_of

_NOT_HELD: Final = ("unevaluatedItems", "unevaluatedProperties")
_WALKS: Final = frozenset(
    {
        *("additionalItems", "additionalProperties", "contains", "items", "patternProperties"),
        *("prefixItems", "properties", "propertyNames", "uniqueItems"),
    }
)
"""Keywords that go through all members of an object or a list."""
_MEMBERS: Final = 4
"""Members that cost a step to go through, beside what their own schemas cost."""
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_LOOKUP: Final = 4
"""Steps that a reference costs."""
_MOST_POINTER: Final = 200
"""Characters of a pointer: its steps are keys of the data, which may be of any length."""

_MOST_NESTED: Final = 160
"""Keywords within keywords. Each takes up to four calls, and Python has room for a thousand. Where
that room ends within the registry, which is compiled, Python 3.10 does not raise RecursionError
but what no handler of exceptions takes."""
_TOO_DEEP: Final = "it goes round in circles, or too deep"


@dataclass
class _Work:
    """What a check may still do, and where it is."""

    left: int
    """Steps."""
    nested: int = 0
    """Keywords that are being held within one another."""


_work: ContextVar[_Work] = ContextVar("toolresult_mcp_output_check")


class UncheckedError(Exception):
    """The data cannot be held against this schema; the text says why, without any data."""


class Misfit(NamedTuple):
    """Where data does not fit a schema. Nothing of the data is told but the pointer."""

    pointer: str
    """A JSON pointer, empty for the whole; a long one is cut, and ends with an ellipsis."""
    keyword: str
    """The keyword of the schema."""

    def __str__(self) -> str:
        return f"{self.pointer or '(the whole)'}: {self.keyword}"


def first_misfit(validator: Any, data: Any, *, steps: int) -> Misfit | None:
    """Where data does not fit the schema of a validator that :func:`validator_of` has made.

    None where it fits. ``steps`` bounds the work, about 5 to 10 microseconds each. Raises
    UncheckedError for a schema that refers to what it does not hold, or asks for more steps.
    """
    token = _work.set(_Work(steps))
    try:
        return _first(validator, data)
    except UncheckedError:
        raise
    except RecursionError as error:
        raise UncheckedError(_TOO_DEEP) from error
    except Exception as error:  # a keyword with a value that it cannot have; an unknown reference
        raise UncheckedError(f"{type(error).__name__}") from error
    finally:
        _work.reset(token)


def _first(validator: Any, data: Any) -> Misfit | None:
    for error in validator.iter_errors(data):
        pointer = pointer_of(error.absolute_path)
        if len(pointer) > _MOST_POINTER:
            pointer = f"{pointer[:_MOST_POINTER]}…"
        return Misfit(pointer, str(error.validator))
    return None


def validator_of(schema: Mapping[str, Any], registry: Any) -> Any:
    """A validator that counts its steps and knows no other schema than those of the registry."""
    # Imported when needed: most servers are up before a tool with a schema returns.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    dialect = validator_for(schema, default=Draft202012Validator)
    return _counting(dialect)(schema, registry=registry)


@cache
def _counting(dialect: Any) -> Any:
    """A dialect whose keywords count their steps. One for each of the six that there are."""
    from jsonschema.validators import extend

    own: dict[str, Any] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items(dialect.VALIDATORS["uniqueItems"]),
    }
    keywords = {
        name: _counted(name, own.get(name, keyword))
        for name, keyword in dialect.VALIDATORS.items()
        if name not in _NOT_HELD
    }
    keywords |= {name: _nothing for name in _NOT_HELD}
    made: Any = extend(dialect, keywords)  # type: ignore[no-untyped-call]  # as it is there
    made.evolve = _evolving(dialect)
    return made


def _evolving(dialect: Any) -> Callable[..., Any]:
    """A validator for a schema within: it counts too, also where that names a dialect itself.

    The validator's own would take the plain one of that dialect, which is not bounded.
    """
    from attrs import fields
    from jsonschema.validators import validator_for

    def evolve(self: Any, **changes: Any) -> Any:
        schema = changes.setdefault("schema", self.schema)
        kept = {one.alias: getattr(self, one.name) for one in fields(type(self)) if one.init}
        return _counting(validator_for(schema, default=dialect))(**{**kept, **changes})

    return evolve


def _spend(steps: int) -> None:
    work = _work.get()
    work.left -= steps
    if work.left < 0:
        raise UncheckedError("that would take too long")


def _counted(name: str, keyword: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def count(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if name in _REFERENCES:
            _spend(_LOOKUP)
        elif name in _WALKS and isinstance(instance, (dict, list)):
            _spend(1 + len(instance) // _MEMBERS)
        else:
            _spend(1)
        work = _work.get()
        if work.nested == _MOST_NESTED:
            raise UncheckedError(_TOO_DEEP)
        work.nested += 1
        try:
            yield from keyword(validator, value, instance, schema) or ()
        finally:
            work.nested -= 1

    return count


def _nothing(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
    yield from ()


def _unique_items(keyword: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def unique_items(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if value and isinstance(instance, list):
            plain = all(isinstance(item, (str, int, float)) for item in instance)
            _spend(len(instance) if plain else len(instance) ** 2)  # compared in pairs
        yield from keyword(validator, value, instance, schema) or ()

    return unique_items


def _pattern(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError as Misfit

    if isinstance(instance, str) and not _matches(value, instance):
        yield Misfit("pattern")


def _pattern_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    for pattern, below in value.items():
        if _engine(pattern) is None:
            continue
        _spend(len(instance))
        for name, item in instance.items():
            if _matches(pattern, name):
                yield from validator.descend(item, below, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, value: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[Any]:
    from jsonschema import ValidationError as Misfit

    if not isinstance(instance, dict):
        return
    patterns = list(schema.get("patternProperties", {}))
    if any(_engine(pattern) is None for pattern in patterns):
        return  # nobody can say which are additional
    _spend(len(instance) * len(patterns))
    known = schema.get("properties", {})
    for name, item in instance.items():
        if name in known or any(_matches(pattern, name) for pattern in patterns):
            continue
        if value is False:
            yield Misfit("additional")  # at the object: the name may be anything
            return
        if isinstance(value, dict):
            yield from validator.descend(item, value, path=name)


def knows_pattern(pattern: str) -> bool:
    """Whether the engine of linear time has this pattern."""
    return _engine(pattern) is not None


def _matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text; True where the engine lacks the pattern."""
    engine = _engine(pattern)
    if engine is None:
        return True
    try:
        engine.validate_python(text)
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=256)
def _engine(pattern: str) -> SchemaValidator | None:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None
