"""A schema document as a graph of shapes: references are followed here and nowhere else.

Cycles stay references: a shape names what is below it by pointer, and is built when asked for.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place, quoted
from toolresult_generator.pointers import token, untoken
from toolresult_generator.revision.building import Builder
from toolresult_generator.revision.dialect import Normal
from toolresult_generator.revision.shape import Ref, Shape
from toolresult_generator.revision.steps import IN_PLACE, below_of
from toolresult_generator.revision.weight import Weight

MAX_SCHEMAS = 5_000
"""Schemas that a definition may lead to. MCP's tool result leads to some 120."""
MAX_TARGETS = 1_000
"""Of these, how many may be led to by references: libraries follow each with a call."""


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
            self._shapes[ref] = Builder(self, ref).shape()
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
            for keyword in IN_PLACE:
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
        Weight(self).check(seen)

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


def _shares_word(first: str, second: str) -> bool:
    return (len(second) > 3 and (second.casefold() in first.casefold())) or (
        len(first) > 3 and first.casefold() in second.casefold()
    )
