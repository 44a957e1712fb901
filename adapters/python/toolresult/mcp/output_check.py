"""Holds the data of a success against the output schema that its tool declares.

Most data fits, which is told at once where it can be; what does not is looked at again by the
check that counts its steps (:mod:`toolresult.mcp.counting`), which is the judge.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast, get_args

from toolresult.mcp.counting import Misfit, UncheckedError, first_misfit, validator_of
from toolresult.mcp.parsing import parsed
from toolresult.mcp.quick_check import Fits, quick
from toolresult.mcp.schema_check import MAX_SCHEMA_BYTES, fault_of_text
from toolresult.output_schema import advertised
from toolresult.request import OutputSchema
from toolresult_core import Json, ResultError
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.json_value import Kind

_ANY_SCHEMA: Final = ("mcp-stateless", "2026-07-28")
"""Where a schema is advertised as it is."""
_OF_ANY_MEMBERS: Final = frozenset(
    {"$schema", "title", "description", "type", "additionalProperties"}
)


def misfit(data: Json, schema: OutputSchema, *, steps: int) -> Misfit | None:
    """Where data does not fit a schema: ``/rows/3: type``, a JSON pointer and the keyword.

    None where it fits. ``steps`` bounds the work, about 5 to 10 microseconds each. Raises
    UncheckedError for a schema that is none, or asks for more steps.
    """
    prepared = _prepare(schema)
    if prepared.kind == data.kind:
        return None
    value = _value(data)
    if prepared.fits is not None and prepared.fits(value):
        return None
    return first_misfit(prepared.validator, value, steps=steps)


def _value(data: Json) -> Any:
    """The value, not frozen: it is looked at here alone."""
    try:
        return parsed(data.canonical)
    except ValueError:  # an integer of more digits than that takes
        return data.value


@dataclass(frozen=True)
class _Prepared:
    """A schema that data is held against."""

    validator: Any
    """Counts its steps, and says where data does not fit."""
    fits: Fits | None
    """Says at once that data fits, which most data does."""
    kind: Kind | None
    """All that the schema asks for, if that is the kind of the value alone."""


def _prepare(schema: OutputSchema) -> _Prepared:
    try:
        text = canonical(dict(schema) if isinstance(schema, Mapping) else schema)
    except ResultError as error:
        raise UncheckedError("it is no JSON Schema") from error
    if len(text) > MAX_SCHEMA_BYTES:
        raise UncheckedError(f"it has more than {MAX_SCHEMA_BYTES} bytes")
    return _prepared(text)


@lru_cache(maxsize=64)
def _prepared(text: bytes) -> _Prepared:
    usable = advertised(json.loads(text), *_ANY_SCHEMA)
    if usable is None:
        raise UncheckedError("it is no JSON Schema")
    fault = fault_of_text(text)
    if fault is not None:
        raise UncheckedError(fault)
    return _Prepared(_validator(usable), quick(usable), _kind_alone(usable))


def _kind_alone(schema: Mapping[str, Any]) -> Kind | None:
    """The kind, if nothing else of a value matters: the schema of ``dict[str, Any]``, say."""
    kind = schema.get("type")
    anything = schema.get("additionalProperties", True)
    if schema.keys() <= _OF_ANY_MEMBERS and anything in (True, {}) and kind in get_args(Kind):
        return cast("Kind", kind)
    return None


def _validator(schema: dict[str, Any]) -> Any:
    from referencing import Registry

    # An empty registry, since the default one fetches what it does not know.
    return validator_of(schema, Registry())
