"""Whether one schema allows all that another allows: yes, no, or not known.

Decided by jsonschema-rs on canonical schemas. What it cannot decide stays undecided here too.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Any, NoReturn

import jsonschema_rs
from jsonschema_rs import canonical

from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Ref


class Answer(Enum):
    """Three values: nobody may take UNKNOWN for YES."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def covers(wide: dict[str, Any], narrow: dict[str, Any]) -> Answer:
    """Whether every value that ``narrow`` allows is allowed by ``wide`` too. Draft 2020-12."""
    try:
        found = _canonical(wide).covers(_canonical(narrow))
    except (canonical.CanonicalizationError, ValueError, TypeError):
        return Answer.UNKNOWN
    if found is canonical.Containment.YES:
        return Answer.YES
    return Answer.NO if found is canonical.Containment.NO else Answer.UNKNOWN


def _canonical(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.canonicalize(
        schema,
        draft=jsonschema_rs.Draft202012,
        validate_formats=False,
        retriever=refuse,
    )


def refuse(uri: str) -> NoReturn:
    """In place of the network. Raises ValueError."""
    raise ValueError(f"{uri} is outside of the file, and nothing is fetched")


def covers_at(wide: Graph, wide_ref: Ref, narrow: Graph, narrow_ref: Ref) -> Answer:
    """As :func:`covers`, for two places."""
    first, second = wide.alone(wide_ref).schema, narrow.alone(narrow_ref).schema
    if json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True):
        return Answer.YES
    return covers(first, second)
