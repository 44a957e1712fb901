"""Says at once that data fits a schema, where a compiled validator is at hand and may be let loose.

``jsonschema-rs`` is a hundred times as fast as the check that counts its steps, and cannot be
stopped. So it gets schemas alone whose work is bounded by their size and that of the data: all
references are within the schema, and there are none that go round. What it takes for a misfit
is looked at again by the check that counts, which is the judge and says where.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Fits = Callable[[Any], bool]

_MOST_NODES: Final = 2_000
"""Schemas within a schema, each as often as it is referred to."""
_UNTAMED: Final = frozenset(
    {"$id", "id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"}
)
"""What changes where a reference leads to."""


def quick(schema: dict[str, Any]) -> Fits | None:
    """The quick check of a schema, where there may be one, and ``jsonschema-rs`` is installed.

    Never raises, and neither does the check. The schema is JSON, and not deeper than 100.
    """
    try:
        import jsonschema_rs
    except ModuleNotFoundError:
        return None
    if not _is_tame(schema):
        return None
    try:
        validator = jsonschema_rs.validator_for(
            schema,
            validate_formats=False,
            pattern_options=jsonschema_rs.RegexOptions(),  # of linear time
            retriever=_refuse,
        )
    except Exception:  # a schema that is none, a pattern with look-around
        return None

    def fits(data: Any) -> bool:
        try:
            return bool(validator.is_valid(data))
        except Exception:  # an integer that it cannot hold
            return False

    return fits


def _refuse(address: str) -> Any:
    raise ValueError("nothing is fetched")


def _is_tame(schema: dict[str, Any]) -> bool:
    try:
        return _size(schema, schema, {}) <= _MOST_NODES
    except _Untamed:
        return False


class _Untamed(Exception):
    """A schema whose work has no bound that could be told beforehand."""


def _size(node: Any, root: dict[str, Any], known: dict[str, int | None]) -> int:
    """How many nodes a validator may see, references followed. Raises _Untamed."""
    if isinstance(node, list):
        return sum(_size(item, root, known) for item in node)
    if not isinstance(node, dict):
        return 0
    if any(not isinstance(node[key], dict) for key in _UNTAMED.intersection(node)):
        raise _Untamed  # and no property of that name
    size = 1
    for key, value in node.items():
        if key == "$ref":
            size += _referred(value, root, known)
        elif key not in ("$defs", "definitions"):
            size += _size(value, root, known)
    if size > _MOST_NODES:
        raise _Untamed
    return size


def _referred(reference: Any, root: dict[str, Any], known: dict[str, int | None]) -> int:
    """The size of what a reference leads to; only to a definition at the root."""
    if not isinstance(reference, str):
        raise _Untamed
    start, _, name = reference.rpartition("/")
    found = root.get(start[2:], {}).get(name) if start in ("#/$defs", "#/definitions") else None
    if found is None or "~" in name or "%" in name:
        raise _Untamed
    if reference not in known:
        known[reference] = None  # until it is known: who comes here meanwhile goes round
        known[reference] = _size(found, root, known)
    size = known[reference]
    if size is None:
        raise _Untamed
    return size
