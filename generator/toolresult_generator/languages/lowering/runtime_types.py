"""How the tables of the runtime say what a function takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The type of a parameter, or of what a function gives."""

    NOTHING = "nothing"
    TEST = "true or false"
    TEXT = "text"
    """Unicode text without lone surrogates."""
    TEXTS = "list of texts"
    NUMBER = "number"
    """A non-negative integer of any size, or a finite number."""
    BOOLEAN = "boolean"
    JSON = "JSON value"
    """A value of the user's, held as its canonical text."""
    MAP = "map of JSON values"
    PIECE = "piece"
    OUT = "list of pieces"
    MEMBERS = "pieces by key"
    RESULT = "result"
    OPTIONS = "options"
    LAYOUT = "layout"
    LOSSES = "losses"
    SHAPE = "name of a shape"
    """``object``, ``entries``, ``string`` or ``icons``."""
    PLACES = "list of keys with a shape"
    """Each a pair: the keys that lead to a member, and the name of its shape."""
    COUNT = "length"
    """A length of the list of pieces."""
    # What readers take and give beside these.
    VALUE = "wire value"
    DRAFT = "draft"
    BLOCK = "members of a block"
    CHECK = "check"
    READ = "reading function"
    """Takes a wire value and the pointer to it, and gives a draft."""


@dataclass(frozen=True)
class Takes:
    """One parameter of a function of the runtime."""

    name: str
    kind: Kind
    absent: bool = False
    """The argument may be an absent value."""
    optional: bool = False
    """It may be left out, with all after it."""


@dataclass(frozen=True)
class RuntimeFunction:
    """A function that every runtime has."""

    takes: tuple[Takes, ...]
    gives: Kind
    meaning: str
    may_be_empty: bool = False
    """The piece that it gives may be empty, which stands for nothing."""


@dataclass(frozen=True)
class RuntimeClass:
    """A class that every runtime has."""

    members: Mapping[str, str]
    """Its public members, each with what it is."""
    meaning: str
