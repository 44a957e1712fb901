"""A schema document as a graph of shapes: references are followed here and nowhere else.

Cycles stay references: a shape names what is below it by pointer, and is built when asked for.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place, quoted
from toolresult_generator.revision.dialect import Normal, token, untoken
from toolresult_generator.revision.shape import ANY_TYPE, Ref, Shape

MAX_SCHEMAS = 5_000
"""Schemas that a definition may lead to. MCP's tool result leads to some 120."""
MAX_TARGETS = 1_000
"""Of these, how many may be led to by references: libraries follow each with a call."""
MAX_TOGETHER = 2_000
"""Schemas that one value may have to be held against, choices and references counted out."""
MAX_CHAIN = 60
"""Choices and references inside of each other that one value goes through."""

_IN_PLACE = ("allOf", "anyOf", "oneOf")
_IN_PLACE_ONE = ("not", "if", "then", "else")
_LIMITS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}
    | {"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)
_HANDLED = frozenset(
    {"$ref", "$defs", "type", "const", "enum", "properties", "required", "additionalProperties"}
    | {"patternProperties", "propertyNames", "items", "unevaluatedProperties", *_IN_PLACE}
)


@dataclass(frozen=True)
class Alone:
    """A schema that stands by itself."""

    schema: dict[str, Any]
    origins: Mapping[str, str]
    """For each of its definitions: the pointer in the normalised document."""


class Graph:
    """The shapes of one document."""

    def __init__(self, normal: Normal) -> None:
        self.normal = normal
        self._shapes: dict[Ref, Shape] = {}

    @property
    def file(self) -> str:
        """The file as people named it."""
        return self.normal.file

    def names(self) -> list[str]:
        """The definitions."""
        return list(self.normal.root.get("$defs", {}))

    def definition(self, name: str) -> Ref:
        """A definition by name; `#` is the document itself.

        Raises FindingsError if there is none, naming the near ones.
        """
        if name == "#":
            return ("",)
        wanted = name.replace(" ", "")
        if wanted in self.normal.root.get("$defs", {}):
            return (f"/$defs/{token(wanted)}",)
        near = difflib.get_close_matches(wanted, self.names(), n=4, cutoff=0.5)
        inside = [one for one in self.names() if _shares_word(one, wanted)]
        found = list(dict.fromkeys([*near, *inside]))[:6]
        advice = f"near ones are {', '.join(found)}" if found else "it has no definition like it"
        if not self.names():
            advice = "it has no definitions; '#' names the document itself"
        message = f"the schema has no definition {quoted(name)}"
        raise FindingsError([Finding(Place(self.file), "missing_definition", message, advice)])

    def node(self, pointer: str) -> Any:
        """The schema at a pointer of the normalised document; None where nothing is."""
        node: Any = self.normal.root
        for step in pointer.split("/")[1:]:
            key = untoken(step)
            if isinstance(node, Mapping) and key in node:
                node = node[key]
            elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            else:
                return None
        return node

    def stands(self, pointer: str) -> str:
        """The pointer in the file, for one in the normalised document."""
        known = self.normal.pointers.get(pointer)
        if known is not None:
            return known or "/"
        above, _, last = pointer.rpartition("/")
        return f"{self.stands(above).rstrip('/')}/{last}" if last else "/"

    def resolved(self, ref: Ref) -> Ref:
        """The place itself, for one that does nothing but lead to another."""
        seen: set[str] = set()
        while len(ref) == 1 and ref[0] not in seen:
            seen.add(ref[0])
            node = self.node(ref[0])
            if not isinstance(node, Mapping) or list(node) != ["$ref"]:
                break
            if not str(node["$ref"]).startswith("#"):
                break
            ref = (str(node["$ref"])[1:],)
        return ref

    def text(self, ref: Ref) -> str:
        """The description at a place, or an empty text."""
        return next((t for one in ref if (t := self.normal.texts.get(one))), "")

    def shape(self, ref: Ref) -> Shape:
        """The shape at a place."""
        if ref not in self._shapes:
            self._shapes[ref] = _Builder(self, ref).shape()
        return self._shapes[ref]

    def parts(self, ref: Ref) -> list[tuple[str, Mapping[str, Any]]]:
        """All schemas that hold together at a place, references and `allOf` taken apart."""
        found: dict[str, Mapping[str, Any]] = {}
        waiting = list(ref)
        while waiting:
            pointer = waiting.pop(0)
            if pointer in found:
                continue
            node = self.node(pointer)
            if node is False:
                node = {"not": {}}
            if not isinstance(node, Mapping):
                continue
            found[pointer] = node
            target = node.get("$ref")
            if isinstance(target, str) and target.startswith("#"):
                waiting.append(target[1:])
            for keyword in _IN_PLACE:
                entries = node.get(keyword)
                if isinstance(entries, list) and (keyword == "allOf" or len(entries) == 1):
                    waiting += [f"{pointer}/{keyword}/{n}" for n in range(len(entries))]
        return list(found.items())

    def check(self, ref: Ref) -> None:
        """Follows everything that a place leads to.

        Raises FindingsError for references that lead nowhere or out of the file, for a schema
        that is defined by itself, and for more than the bounds of this module.
        """
        seen: set[str] = set()
        targets: set[str] = set()
        waiting = list(ref)
        while waiting:
            pointer = waiting.pop()
            if pointer in seen:
                continue
            seen.add(pointer)
            if len(seen) > MAX_SCHEMAS or len(targets) > MAX_TARGETS:
                message = f"the definition leads to more than {MAX_SCHEMAS} schemas"
                message += f", or {MAX_TARGETS} references"
                raise self.refused(pointer, "too_large", message)
            for below, reference in below_of(self.node(pointer), pointer):
                if reference is None:
                    waiting.append(below)
                    continue
                target = self._target(pointer, reference)
                targets.add(target)
                waiting.append(target)
        _Weight(self).check(seen)

    def _target(self, pointer: str, reference: str) -> str:
        if not reference.startswith("#"):
            message = f"{quoted(reference)} leads out of the file, and nothing is fetched"
            raise self.refused(pointer, "bad_schema", message)
        if self.node(reference[1:]) is None:
            raise self.refused(pointer, "bad_schema", f"{quoted(reference)} leads nowhere")
        return reference[1:]

    def refused(self, pointer: str, code: str, message: str) -> FindingsError:
        """The error for a fault at a place."""
        place = Place(self.file)
        return FindingsError([Finding(place, code, f"at {self.stands(pointer)}: {message}")])

    def alone(self, ref: Ref) -> Alone:
        """A schema of this place that stands by itself: 2020-12, with what it leads to."""
        names: dict[str, str] = {}
        definitions: dict[str, Any] = {}
        waiting: list[str] = []

        def named(pointer: str) -> str:
            if pointer not in names:
                names[pointer] = f"s{len(names)}"
                waiting.append(pointer)
            return f"#/$defs/{names[pointer]}"

        def copied(node: Any) -> Any:
            if isinstance(node, list):
                return [copied(one) for one in node]
            if not isinstance(node, Mapping):
                return node
            made = {key: copied(value) for key, value in node.items() if key != "$defs"}
            if isinstance(node.get("$ref"), str) and node["$ref"].startswith("#"):
                made["$ref"] = named(node["$ref"][1:])
            return made

        top = [{"$ref": named(pointer)} for pointer in ref]
        while waiting:
            pointer = waiting.pop()
            definitions[names[pointer]] = copied(self.node(pointer))
        root: dict[str, Any] = top[0] if len(top) == 1 else {"allOf": top}
        return Alone({**root, "$defs": definitions}, {name: p for p, name in names.items()})


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
        elif key in (*_IN_PLACE, "prefixItems") and isinstance(value, list):
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
    return keyword in (*_IN_PLACE, *_IN_PLACE_ONE)


class _Weight:
    """How many schemas one value may have to be held against, without going below it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, int] = {}
        self._depth: dict[str, int] = {}

    def check(self, pointers: set[str]) -> None:
        """Raises FindingsError for a circle, and for more than :data:`MAX_TOGETHER`."""
        for start in sorted(pointers):
            self._weigh(start)

    def _weigh(self, start: str) -> None:
        stack, open_ = [start], set[str]()
        while stack:
            pointer = stack[-1]
            if pointer in self._known:
                stack.pop()
                continue
            inside = list(self._in_place(pointer))
            if pointer not in open_:
                open_.add(pointer)
                for one in inside:
                    if one in open_:
                        message = "the schema is defined by itself"
                        raise self._graph.refused(pointer, "bad_schema", message)
                stack += [one for one in inside if one not in self._known]
                continue
            open_.discard(pointer)
            stack.pop()
            weight = 1 + sum(self._known[one] for one in inside)
            if weight > MAX_TOGETHER:
                message = f"one value would be held against more than {MAX_TOGETHER} schemas"
                raise self._graph.refused(pointer, "too_large", message)
            depth = 1 + max((self._depth[one] for one in inside), default=0)
            if depth > MAX_CHAIN:
                message = f"more than {MAX_CHAIN} references and choices inside of each other"
                raise self._graph.refused(pointer, "too_deep", message)
            self._known[pointer], self._depth[pointer] = weight, depth

    def _in_place(self, pointer: str) -> Iterator[str]:
        node = self._graph.node(pointer)
        if not isinstance(node, Mapping):
            return
        for below, reference in below_of(node, pointer):
            if reference is not None:
                yield reference[1:]
            elif is_in_place(below, pointer):
                yield below


class _Builder:
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


def canonical(value: Any) -> str:
    """JSON text that is the same for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


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


def _shares_word(first: str, second: str) -> bool:
    return (len(second) > 3 and (second.casefold() in first.casefold())) or (
        len(first) > 3 and first.casefold() in second.casefold()
    )
