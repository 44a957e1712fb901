"""The strict wire schema of a revision, derived from the protocol's own schema.

Every object is closed; only the kinds of that revision are there; what the protocol layer adds is
left out. Where the revision that it is like has a stricter rule of ours (`isError` is only ever
true), and the new schema still allows that, our rule is kept: also our keys in maps of metadata.
Conditions between members are not carried over.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolresult_generator.pointers import token, untoken
from toolresult_generator.revision import kinds
from toolresult_generator.revision.compare import METADATA_MEMBERS
from toolresult_generator.revision.contain import Answer, covers
from toolresult_generator.revision.dialect import LATEST
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.layer import is_added
from toolresult_generator.revision.likeness import snake
from toolresult_generator.revision.places import generic
from toolresult_generator.revision.shape import Ref, Shape

_FOREIGN = "^(?!{namespace_regex}/)"
_COUNTS = ("minItems", "maxItems")


@dataclass(frozen=True)
class Strict:
    """Our strict schema of the revision that the new one is like."""

    raw: Mapping[str, Any]
    """As it stands in its file, with the settings as placeholders."""
    graph: Graph
    """The same with the settings filled in; the same pointers lead to the same places."""


@dataclass
class Deriving:
    """One derivation."""

    new: Graph
    strict: Strict | None
    origin: str | None
    widened: frozenset[str]
    """Places (without numbers) that allow more than before: there our old rules do not hold."""
    keys: Mapping[str, Ref]
    """Keys of metadata that the new schema names and that a form may write."""
    definitions: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    """For places of leaves: whether all that our old schema allows there is still allowed."""
    _names: dict[tuple[Ref, tuple[Ref, ...]], str] = field(default_factory=dict)

    def document(self, ref: Ref, target: str, revision: str) -> dict[str, Any]:
        """The schema document for a result definition."""
        ref = self.new.resolved(ref)
        body = self._object(self.new.shape(ref), (("",),) if self.strict else (), "")
        return {
            "$schema": LATEST,
            "$id": f"urn:toolresult:wire:{target}:{revision}",
            "title": f"Tool result, {target} {revision}",
            **body,
            "$defs": self.definitions,
        }

    def _schema(self, ref: Ref, ours: tuple[Ref, ...], place: str) -> Any:
        ref = self.new.resolved(ref)
        shape = self.new.shape(ref)
        if place.rpartition("/")[2] in METADATA_MEMBERS:
            return self._metadata(ours, is_root=place.count("/") == 1)
        if shape.alternatives or shape.is_object:
            key = (ref, ours)
            if key not in self._names:
                self._names[key] = self._name(shape.name or place.rpartition("/")[2])
                made = self._choice if shape.alternatives else self._object
                self.definitions[self._names[key]] = made(shape, ours, place)
            return {"$ref": f"#/$defs/{self._names[key]}"}
        if shape.is_list:
            return self._list(shape, ours, place)
        return self._leaf(shape, ours, place)

    def _name(self, wanted: str) -> str:
        name, number = snake(wanted), 1
        while name in self.definitions or name in self._names.values():
            number += 1
            name = f"{snake(wanted)}_{number}"
        return name

    def _object(self, shape: Shape, ours: tuple[Ref, ...], place: str) -> dict[str, Any]:
        members = {
            name: ref
            for name, ref in shape.members.items()
            if not is_added(self.origin, f"{place}/{token(name)}")
        }
        known = [self.strict.graph.shape(ref) for ref in self._flat(ours)] if self.strict else []
        duties = [one.required - METADATA_MEMBERS for one in known if one.members]
        also = frozenset.intersection(*duties) if duties else frozenset()
        required = [name for name in members if name in shape.required | also]
        return {
            "type": "object",
            "additionalProperties": False,
            **({"required": required} if required else {}),
            "properties": {
                name: self._schema(ref, self._below(ours, name), f"{place}/{token(name)}")
                for name, ref in members.items()
            },
        }

    def _choice(self, shape: Shape, ours: tuple[Ref, ...], place: str) -> dict[str, Any]:
        told = kinds.discriminator(self.new, shape.alternatives)
        by_kind = self._kinds(ours)
        entries = []
        for number, ref in enumerate(shape.alternatives):
            value = next((v for v, one in told[1].items() if one == ref), "") if told else ""
            own = by_kind.get(value, ()) if told else self._flat(ours)
            if not told and len(own) > 1:
                own = tuple(one for one in own if self._shares(one, ref)) or own
            entries.append(self._schema(ref, own, f"{place}({value or number})"))
        return {"anyOf": entries}

    def _kinds(self, ours: tuple[Ref, ...]) -> dict[str, tuple[Ref, ...]]:
        found: dict[str, tuple[Ref, ...]] = {}
        if self.strict is None:
            return found
        for ref in self._flat(ours):
            told = kinds.discriminator(self.strict.graph, (ref,))
            for value in told[1] if told else ():
                found[value] = (*found.get(value, ()), ref)
        return found

    def _flat(self, ours: Iterable[Ref]) -> tuple[Ref, ...]:
        if self.strict is None:
            return ()
        graph = self.strict.graph
        return tuple(one for ref in ours for one in graph.shape(ref).alternatives or (ref,))

    def _shares(self, ours: Ref, ref: Ref) -> bool:
        assert self.strict is not None
        return set(self.strict.graph.shape(ours).members) >= self.new.shape(ref).required

    def _below(self, ours: tuple[Ref, ...], name: str) -> tuple[Ref, ...]:
        """Where our schema speaks of a member."""
        if self.strict is None:
            return ()
        graph = self.strict.graph
        found = [graph.shape(ref).members.get(name) for ref in self._flat(ours)]
        return tuple(dict.fromkeys(graph.resolved(ref) for ref in found if ref is not None))

    def _list(self, shape: Shape, ours: tuple[Ref, ...], place: str) -> dict[str, Any]:
        assert shape.items is not None
        below: list[Ref] = []
        counts: dict[str, Any] = {}
        if self.strict is not None:
            lists = [self.strict.graph.shape(ref) for ref in ours]
            below = [one.items for one in lists if one.items is not None]
            below += [ref for one in lists for ref in one.prefix]
            if len(lists) == 1:
                counts = {k: int(v) for k, v in lists[0].limits.items() if k in _COUNTS}
        limits = {key: int(value) for key, value in shape.limits.items() if key in _COUNTS}
        items = self._schema(shape.items, tuple(below), f"{place}/*")
        return {"type": "array", **limits, **counts, "items": items}

    def _leaf(self, shape: Shape, ours: tuple[Ref, ...], place: str) -> Any:
        """Our rule where it is stricter and still allowed; else the protocol's."""
        theirs = self._plain(shape)
        if self.strict is None or not ours:
            return theirs
        kept = []
        wide = self.new.alone(shape.ref).schema
        found = {ref: covers(wide, self.strict.graph.alone(ref).schema) for ref in ours}
        self._answered(place, found.values())
        if Answer.NO in found.values() or generic(place) in self.widened:
            return theirs
        for ref, answer in found.items():
            raw = self._copied(ref)
            kept.append(raw if answer is Answer.YES else {"allOf": [theirs, raw]})
        return kept[0] if len(kept) == 1 else {"anyOf": kept}

    def _answered(self, place: str, answers: Iterable[Answer]) -> None:
        """Notes the worst answer for a place."""
        known = [*answers, *([self.answers[place]] if place in self.answers else [])]
        order = (Answer.NO, Answer.UNKNOWN, Answer.YES)
        self.answers[place] = min(known, key=order.index)

    def _plain(self, shape: Shape) -> Any:
        """A leaf as the protocol says it, in this document's own words."""
        alone = self.new.alone(shape.ref)
        schema = copy.deepcopy(alone.schema)
        definitions = schema.pop("$defs", {})
        while set(schema) == {"$ref"} and schema["$ref"].startswith("#/$defs/"):
            schema = copy.deepcopy(definitions[schema["$ref"].removeprefix("#/$defs/")])
            if not isinstance(schema, dict):
                return schema
        if not schema:
            return True
        if "#/$defs/" in repr(schema):  # leads further: its definitions come along
            named = {name: self._name(f"{shape.name or 'value'}_{name}") for name in definitions}
            for name, one in definitions.items():
                self.definitions[named[name]] = _referring(one, named)
            return _referring(schema, named)
        return schema

    def _metadata(self, ours: tuple[Ref, ...], *, is_root: bool) -> dict[str, Any]:
        """A map of metadata: our own keys are a closed list, others are foreign or an extension."""
        keys: dict[str, list[Any]] = {}
        patterns: dict[str, Any] = {}
        for ref in ours:
            raw = self._raw(ref)
            for name, schema in _keys_of(raw, self.strict.raw if self.strict else {}):
                copied = self._carried(schema)
                if copied not in keys.setdefault(name, []):
                    keys[name].append(copied)
            patterns.update(_mapping(_mapping(raw).get("patternProperties")))
        named = {} if not is_root else {key: ref for key, ref in self.keys.items()}
        properties = {name: s[0] if len(s) == 1 else {"anyOf": s} for name, s in keys.items()}
        for key, ref in named.items():
            properties.setdefault(key, self._schema(ref, (), f"/{token(key)}"))
        own = {name: one for name, one in patterns.items() if "namespace" in name}
        never_empty = bool(ours) and all("minProperties" in _mapping(self._raw(r)) for r in ours)
        return {
            "type": "object",
            **({"minProperties": 1} if never_empty else {}),
            "patternProperties": {name: True for name in own} or {_FOREIGN: True},
            "additionalProperties": False,
            "properties": properties,
        }

    def _raw(self, ref: Ref) -> Any:
        node: Any = dict(self.strict.raw) if self.strict else {}
        for _ in range(20):
            found: Any = dict(self.strict.raw) if self.strict else {}
            for step in ref[0].split("/")[1:]:
                key: Any = untoken(step)
                key = int(key) if isinstance(found, list) else key
                key = self._unfilled(found, key)
                found = found[key]
            node = found
            if isinstance(node, dict) and "$ref" in node and "patternProperties" not in node:
                ref = (str(node["$ref"])[1:],)
                continue
            break
        return node

    def _unfilled(self, node: Any, key: Any) -> Any:
        """The key of the raw document for one of the filled document."""
        if isinstance(node, dict) and key not in node:
            for raw in node:
                if "{namespace" in raw and str(key).endswith(raw.rpartition("}")[2]):
                    return raw
        return key

    def _copied(self, ref: Ref) -> Any:
        return self._carried(self._raw(ref))

    def _carried(self, schema: Any) -> Any:
        """A schema of ours in the new document, with the definitions that it leads to."""
        if isinstance(schema, list):
            return [self._carried(one) for one in schema]
        if not isinstance(schema, Mapping):
            return schema
        made = {key: self._carried(value) for key, value in schema.items()}
        reference = schema.get("$ref")
        if isinstance(reference, str) and self.strict is not None:
            name = reference.removeprefix("#/$defs/")
            own = f"our_{name}"
            if own not in self.definitions:
                self.definitions[own] = True  # against circles
                self.definitions[own] = self._carried(_mapping(self.strict.raw["$defs"])[name])
            made["$ref"] = f"#/$defs/{own}"
        return made


def _keys_of(raw: Any, document: Mapping[str, Any], depth: int = 0) -> Iterable[tuple[str, Any]]:
    """The keys that a schema of ours names in a map of metadata, whichever way it does."""
    if not isinstance(raw, Mapping) or depth > 10:
        return
    for name, schema in _mapping(raw.get("properties")).items():
        if schema is not False:
            yield name, schema
    for name, value in _mapping(raw.get("const")).items():
        yield name, {"const": value}
    reference = raw.get("$ref")
    if isinstance(reference, str):
        target = _mapping(document.get("$defs")).get(reference.removeprefix("#/$defs/"))
        yield from _keys_of(target, document, depth + 1)
    for keyword in ("allOf", "anyOf", "oneOf"):
        for one in raw.get(keyword) or ():
            yield from _keys_of(one, document, depth + 1)


def _referring(schema: Any, named: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_referring(one, named) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _referring(value, named) for key, value in schema.items()}
    if isinstance(schema.get("$ref"), str):
        made["$ref"] = f"#/$defs/{named[schema['$ref'].removeprefix('#/$defs/')]}"
    return made


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
