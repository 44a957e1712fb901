"""Puts the schemas that hold together at one place into one shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from toolresult_generator.pointers import token, untoken
from toolresult_generator.revision.shape import ANY_TYPE, Ref, Shape
from toolresult_generator.revision.steps import IN_PLACE, canonical

if TYPE_CHECKING:
    from toolresult_generator.revision.graph import Graph

_LIMITS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}
    | {"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)
_HANDLED = frozenset(
    {"$ref", "$defs", "type", "const", "enum", "properties", "required", "additionalProperties"}
    | {"patternProperties", "propertyNames", "items", "unevaluatedProperties", *IN_PLACE}
)


class Builder:
    """Puts the schemas that hold together at one place into one shape."""

    def __init__(self, graph: Graph, ref: Ref) -> None:
        self._graph = graph
        self._ref = ref
        self._types = ANY_TYPE
        self._values: list[str] | None = None
        self._members: dict[str, tuple[str, ...]] = {}
        self._required: set[str] = set()
        self._rest: Ref | bool = True
        self._patterns: dict[str, Ref] = {}
        self._names: Ref | None = None
        self._items: Ref | None = None
        self._prefix: tuple[Ref, ...] = ()
        self._choices: list[tuple[str, list[Any]]] = []
        self._limits: dict[str, str] = {}
        self._opaque: dict[str, str] = {}

    def shape(self) -> Shape:
        """The shape."""
        parts = self._graph.parts(self._ref)
        told = _conditional_kinds(parts)
        for pointer, node in parts:
            if pointer not in told:
                self._take(pointer, node)
        alternatives = tuple(told.values()) or self._alternatives()
        name = next((p for p, _ in reversed(parts) if p.count("/") == 2), "")
        return Shape(
            ref=self._ref,
            pointer=self._graph.stands(self._ref[0]),
            name=untoken(name.removeprefix("/$defs/")) if name.startswith("/$defs/") else "",
            types=self._types,
            values=tuple(self._values or ()),
            members=self._members,
            required=frozenset(self._required),
            rest=self._rest,
            patterns=self._patterns,
            names=self._names,
            items=self._items,
            prefix=self._prefix,
            alternatives=alternatives,
            limits=self._limits,
            opaque=self._opaque,
        )

    def _take(self, pointer: str, node: Mapping[str, Any]) -> None:
        if "type" in node:
            self._types &= _types_of(node["type"])
        listed = node.get("enum", [node["const"]] if "const" in node else None)
        if isinstance(listed, list):
            texts = [canonical(one) for one in listed]
            self._values = [t for t in texts if self._values is None or t in self._values]
            self._types &= frozenset(t for one in listed for t in _types_of(_type_of(one)))
        for name in _mapping(node.get("properties")):
            below = f"{pointer}/properties/{token(name)}"
            self._members[name] = (*self._members.get(name, ()), below)
        required = node.get("required")
        if isinstance(required, list):
            self._required |= {str(one) for one in required}
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            self._take_rest(node.get(keyword), f"{pointer}/{keyword}")
        for pattern in _mapping(node.get("patternProperties")):
            below = f"{pointer}/patternProperties/{token(pattern)}"
            self._patterns[pattern] = (*self._patterns.get(pattern, ()), below)
        if isinstance(node.get("propertyNames"), Mapping):
            self._names = (*(self._names or ()), f"{pointer}/propertyNames")
        if "items" in node and isinstance(node["items"], (Mapping, bool)):
            self._items = (*(self._items or ()), f"{pointer}/items")
        if isinstance(node.get("prefixItems"), list):
            self._prefix += tuple(
                (f"{pointer}/prefixItems/{n}",) for n in range(len(node["prefixItems"]))
            )
        for keyword in ("anyOf", "oneOf"):
            entries = node.get(keyword)
            if isinstance(entries, list) and len(entries) > 1:
                self._choices.append((f"{pointer}/{keyword}", entries))
        for key in sorted(node):
            if key in _LIMITS:
                self._limit(key, node[key])
            elif key not in _HANDLED:
                self._opaque[f"{key}"] = canonical([self._opaque.get(key), node[key]])

    def _take_rest(self, value: Any, pointer: str) -> None:
        if value is False:
            self._rest = False
        elif isinstance(value, Mapping) and value and self._rest is not False:
            before = self._rest if isinstance(self._rest, tuple) else ()
            self._rest = (*before, pointer)

    def _limit(self, key: str, value: Any) -> None:
        known = self._limits.get(key)
        text = canonical(value)
        if known is None or known == text:
            self._limits[key] = text
        elif key.startswith(("min", "max", "exclusive")) and isinstance(value, (int, float)):
            pick = max if "in" in key[:3] or key == "exclusiveMinimum" else min
            self._limits[key] = canonical(pick(value, json.loads(known)))
        else:
            self._limits[key] = canonical(sorted({known, text}))

    def _alternatives(self) -> tuple[Ref, ...]:
        """A choice between objects; what is no such choice is noted otherwise."""
        for number, (pointer, entries) in enumerate(self._choices):
            refs = [ref for n in range(len(entries)) for ref in self._flat((f"{pointer}/{n}",))]
            shapes = [self._graph.shape(ref) for ref in refs]
            if number == 0 and not self._members and all(s.is_object for s in shapes):
                self._types &= frozenset({"object"})
                if len(refs) > 1:
                    return self._rest_of_choices(refs)
            if number == 0 and not self._members and not any(s.members for s in shapes):
                self._types &= frozenset(t for s in shapes for t in s.types)
                listed = [value for s in shapes for value in s.values]
                if self._values is None and listed:
                    self._values = listed
            self._opaque[pointer.rsplit("/", 1)[-1]] = canonical(entries)
        return ()

    def _rest_of_choices(self, refs: list[Ref]) -> tuple[Ref, ...]:
        for pointer, entries in self._choices[1:]:
            self._opaque[pointer.rsplit("/", 1)[-1]] = canonical(entries)
        return tuple(dict.fromkeys(refs))

    def _flat(self, ref: Ref) -> Iterator[Ref]:
        """An alternative, or those of a choice that is nothing but a choice."""
        shape = self._graph.shape(ref)
        if shape.alternatives and not shape.opaque:
            yield from shape.alternatives
        else:
            yield ref


def _conditional_kinds(parts: list[tuple[str, Mapping[str, Any]]]) -> dict[str, Ref]:
    """Alternatives that are written as `if` a member has a value, `then` this: pointer to ref.

    Empty unless there are several, all told by the same member.
    """
    found: dict[str, Ref] = {}
    apart: set[str] = set()
    for pointer, node in parts:
        if set(node) != {"if", "then"} or not isinstance(node["then"], Mapping):
            continue
        named = _mapping(_mapping(node["if"]).get("properties"))
        if len(named) == 1 and "const" in _mapping(next(iter(named.values()))):
            found[pointer] = (f"{pointer}/then",)
            apart.update(named)
    return found if len(found) > 1 and len(apart) == 1 else {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _types_of(value: Any) -> frozenset[str]:
    names = value if isinstance(value, list) else [value]
    found = {str(one) for one in names}
    return frozenset(found | {"integer"}) if "number" in found else frozenset(found)


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    for types, name in (((int,), "integer"), ((float,), "number"), ((str,), "string")):
        if isinstance(value, types):
            return name
    return "array" if isinstance(value, list) else "object"
