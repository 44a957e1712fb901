"""From one schema to those directly below it: the one place that knows which keywords hold some."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolresult_generator.pointers import token

IN_PLACE = ("allOf", "anyOf", "oneOf")
"""Keywords with schemas of the same value."""
_IN_PLACE_ONE = ("not", "if", "then", "else")


def below_of(node: Any, pointer: str) -> Iterator[tuple[str, str | None]]:
    """The schemas directly below a schema: pointer, and the reference where it is one."""
    if not isinstance(node, Mapping):
        return
    for key, value in node.items():
        if key == "$ref":
            yield pointer, value
        elif key in ("properties", "patternProperties", "dependentSchemas") and isinstance(
            value, Mapping
        ):
            yield from ((f"{pointer}/{key}/{token(name)}", None) for name in value)
        elif key in (*IN_PLACE, "prefixItems") and isinstance(value, list):
            yield from ((f"{pointer}/{key}/{n}", None) for n in range(len(value)))
        elif isinstance(value, (Mapping, bool)) and key in _BELOW:
            yield f"{pointer}/{key}", None


_BELOW = frozenset(
    {"items", "additionalProperties", "propertyNames", "contains", "unevaluatedProperties"}
    | {"unevaluatedItems", "contentSchema", *_IN_PLACE_ONE}
)


def is_in_place(below: str, pointer: str) -> bool:
    """Whether a schema below another one speaks of the same value, not of a part of it."""
    keyword = below[len(pointer) + 1 :].split("/", maxsplit=1)[0]
    return keyword in (*IN_PLACE, *_IN_PLACE_ONE)


def canonical(value: Any) -> str:
    """JSON text that is the same for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
