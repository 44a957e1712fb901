"""Holds outputs against a schema, and says why one is refused: place, reason, rule.

Of a choice, the alternative that the value was meant to be is the one that tells the reason.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import jsonschema_rs

from toolresult_generator.findings import printable
from toolresult_generator.pointers import token
from toolresult_generator.proof.schemas import compiled
from toolresult_generator.revision.cost import affordable_depth, cut
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Ref

LONGEST_REASON = 200
THE_VALUE = "the value"
"""Stands for the value in a reason, so that equal reasons are equal texts."""
MOST_FAULTS = 50
"""Faults of one value that are looked at."""
_BACKTRACKING = 50_000
"""Steps back that a pattern may take on one text."""
_LONGEST_VALUE = 60


@dataclass(frozen=True)
class Refusal:
    """Why a value is not valid."""

    place: str
    """JSON pointer into the output; empty for the output itself."""
    reason: str
    rule: str
    """JSON pointer into the schema file."""
    value: str = ""
    """The value that is refused, as JSON, where it is a scalar and short."""

    @property
    def told(self) -> str:
        """The reason with the value in it, where that is short."""
        return self.reason.replace(THE_VALUE, self.value, 1) if self.value else self.reason


class Judge:
    """A definition of a schema, ready to hold values against."""

    def __init__(self, graph: Graph, ref: Ref) -> None:
        alone = graph.alone(ref)
        self._graph = graph
        self._origins = alone.origins
        self._root = ref[0]
        self._depth = affordable_depth(graph, ref)
        self._validator = compiled(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **alone.schema},
            graph.file,
            mask=THE_VALUE,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKING),
        )

    def allows(self, value: Any) -> bool:
        """Whether a value is valid."""
        return bool(self._validator.is_valid(value))

    def refusals(self, value: Any) -> tuple[Refusal, ...]:
        """Why a value is not valid: the first faults, those that stand highest first."""
        if self.allows(value):
            return ()
        shown = cut(value, self._depth)
        errors = islice(self._validator.iter_errors(shown), MOST_FAULTS)
        ordered = sorted(errors, key=lambda one: len(one.instance_path))
        # what was cut off is at fault itself, and no fault of the value
        told = [_telling(one) for one in ordered if len(one.instance_path) < self._depth]
        if not told:
            return (
                Refusal("", "what nests deep in it is not allowed", self._graph.stands(self._root)),
            )
        return tuple(dict.fromkeys(map(self._refusal, told)))

    def _refusal(self, error: Any) -> Refusal:
        place = "".join(f"/{token(str(step))}" for step in error.instance_path)
        scalar = not isinstance(error.instance, (dict, list))
        value = printable(json.dumps(error.instance, ensure_ascii=False)) if scalar else ""
        value = value if len(value) <= _LONGEST_VALUE else ""
        return Refusal(place, _reason(error), self._rule(error.schema_path), value)

    def _rule(self, path: Sequence[str | int]) -> str:
        steps = [str(step) for step in path]
        if steps[:1] == ["$defs"] and len(steps) > 1 and steps[1] in self._origins:
            below = "".join(f"/{token(step)}" for step in steps[2:])
            return self._graph.stands(f"{self._origins[steps[1]]}{below}")
        return "/" + "/".join(map(token, steps))


def _no_alternative(value: Any, branches: list[Sequence[Any]]) -> str:
    """What to say where a value is none of the alternatives: of a block, its kind."""
    for name in ("type", "kind"):
        own = value.get(name) if isinstance(value, dict) else None
        if isinstance(own, str):
            return f"`{name}` is {_short(own)}, and no alternative allows that"
    return f"none of {len(branches)} alternatives allows {THE_VALUE}"


def _short(value: Any) -> str:
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else f"{text[:59]}…"


def _telling(error: Any) -> Any:
    """Of a choice that nothing fits, the error of the alternative that was meant."""
    for _ in range(20):
        depth = len(error.instance_path)
        meant = [b for b in _branches(error) if not any(_is_miss(one, depth) for one in b)]
        if not meant:
            return error
        branch = sorted(meant, key=len)[0]
        error = min(branch, key=lambda one: len(one.instance_path))
    return error


def _branches(error: Any) -> list[Sequence[Any]]:
    """The alternatives of a choice, each with its errors; empty for another error."""
    return [branch for branch in getattr(error.kind, "context", None) or () if branch]


def _is_miss(error: Any, depth: int) -> bool:
    """Whether an error says that a value was not meant to be this alternative: it is another
    type of value, or a member of its own with a fixed value has another one."""
    below = len(error.instance_path) - depth
    if error.kind.name in ("const", "enum"):
        return below <= 1
    return below == 0 and error.kind.name in ("type", "pattern")


def _reason(error: Any) -> str:
    """The reason in words of ours where the validator's quote the whole value."""
    kind = error.kind
    if kind.name == "required":
        return f"`{kind.property}` is missing"
    if kind.name == "additionalProperties":
        names = ", ".join(f"`{name}`" for name in kind.unexpected[:5])
        return f"{names} {'is' if len(kind.unexpected) == 1 else 'are'} not allowed here"
    branches = _branches(error)
    if branches:
        return _no_alternative(error.instance, branches)
    text = printable(str(error.message))
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}…"
