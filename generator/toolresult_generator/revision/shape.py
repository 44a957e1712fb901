"""What a value may be at one place of a schema, with references followed and words left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Ref: TypeAlias = "tuple[str, ...]"
"""Schemas that hold together at one place, by their pointers in the normalised document."""

TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
ANY_TYPE = frozenset(TYPES)


@dataclass(frozen=True)
class Shape:
    """What a value may be. Compares by identity of its place, not by what it says."""

    ref: Ref
    pointer: str
    """Where it stands in the file."""
    name: str
    """The definition that it is, or empty."""
    types: frozenset[str] = ANY_TYPE
    """JSON types; a number stands for both `number` and `integer`."""
    values: tuple[str, ...] = ()
    """The values that are listed, as canonical JSON; of a choice of scalars, all listed ones."""
    members: Mapping[str, Ref] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    rest: Ref | bool = True
    """Members that are not named: any, none, or of a schema."""
    patterns: Mapping[str, Ref] = field(default_factory=dict)
    names: Ref | None = None
    """What names of members have to be."""
    items: Ref | None = None
    prefix: tuple[Ref, ...] = ()
    """The first entries of a list, where each has a schema of its own; compared as a whole."""
    alternatives: tuple[Ref, ...] = ()
    """Of a choice between objects: each of them."""
    limits: Mapping[str, str] = field(default_factory=dict)
    """Keywords that narrow a scalar, a list or a map, with their values as canonical JSON."""
    opaque: Mapping[str, str] = field(default_factory=dict)
    """Every other keyword, as canonical JSON: compared as a whole, never taken apart."""

    @property
    def is_object(self) -> bool:
        """Whether it is an object with named members."""
        return bool(self.members) and "object" in self.types

    @property
    def is_list(self) -> bool:
        """Whether it is a list whose entries are described."""
        return self.items is not None and "array" in self.types

    @property
    def is_any(self) -> bool:
        """Whether any JSON value will do."""
        return (
            self.types == ANY_TYPE
            and self.rest is True
            and not (self.values or self.members or self.required or self.patterns)
            and not (self.names or self.items or self.alternatives or self.limits or self.opaque)
        )

    def said(self) -> str:
        """The shape in a few words, such as `a list` or `text, one of "a" and "b"`."""
        if self.values:
            shown = ", ".join(self.values[:6]) + (", …" if len(self.values) > 6 else "")
            return f"one of {shown}" if len(self.values) > 1 else f"the value {shown}"
        if self.alternatives:
            return f"one of {len(self.alternatives)} kinds of object"
        if self.types == ANY_TYPE:
            if self.limits:
                return (
                    f"a value with {', '.join(f'{k} {v}' for k, v in sorted(self.limits.items()))}"
                )
            return "a value with rules of its own" if self.opaque else "any JSON value"
        names = [
            _NAMES[one]
            for one in TYPES
            if one in self.types and not (one == "integer" and "number" in self.types)
        ]
        limits = ", ".join(f"{key} {value}" for key, value in sorted(self.limits.items()))
        told = " or ".join(names) or "no value at all"
        if self.members:
            named = ", ".join(sorted(self.members)[:8])
            told += f" ({named}{', …' if len(self.members) > 8 else ''})"
        return f"{told} ({limits})" if limits else told


_NAMES = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
