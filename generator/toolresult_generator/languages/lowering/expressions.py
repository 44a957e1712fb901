"""What a lowered function computes: values of fields, pieces of JSON, tests.

Three kinds of expressions, kept apart so that a typed language can be too:

- a **value** is what a field, an option or a variable holds;
- a **piece** is JSON text on its way to the output (``bytes`` in Python, a string elsewhere),
  and an empty piece stands for "nothing is written";
- a **test** is true or false.

Everything is frozen and compares by value. Names are those of the spec; how they are spelt, which
operators stand between and where a line breaks is a printer's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from toolresult_generator.model.target import Step

Plain: TypeAlias = "bool | int | float | str | tuple[Plain, ...] | None"
"""A fixed value that is handed to a function of the runtime."""


class Value:
    """What a field, an option or a variable holds."""

    __slots__ = ()


class Piece:
    """JSON text on its way to the output, or a part of it; empty for nothing."""

    __slots__ = ()


class Test:
    """What is true or false."""

    __slots__ = ()
    __test__ = False  # pytest collects classes of this name


# --------------------------------------------------------------- values


class Role(Enum):
    """What a variable stands for."""

    OUT = "out"
    """The list that pieces are appended to."""
    RESULT = "result"
    """The result that is written."""
    ITEM = "item"
    """The part or record that is written: a parameter, or the variable of a loop."""
    OPTIONS = "options"
    """The options of the request."""
    LAYOUT = "layout"
    """The roles and markers of the blocks written so far."""
    LOSSES = "losses"
    """Where losses are noted."""
    HOOKS = "hooks"
    """Whatever has the methods that the spec leaves to an adapter."""
    LOCAL = "local"
    """A record on the way to a field, bound by :class:`.Let`; absent where it may be."""
    MEMBERS = "members"
    """The members of an object by key, from :class:`.NewMembers`."""
    ENTRIES = "entries"
    """The entries of a list, from :class:`.NewEntries`."""


@dataclass(frozen=True)
class Variable(Value):
    """A parameter, a local or the variable of a loop, by its name in snake case.

    No two in one function have the same name. All names but those of locals are from a closed
    list: see :data:`.RESERVED`.
    """

    role: Role
    name: str


@dataclass(frozen=True)
class Field(Value):
    """A field of the result, of a part or of a record."""

    holder: Variable
    step: Step
    """Its name, whether it may be absent, and its type; no type for ``kind`` of a part."""
    of_result: bool
    """It is a field of the result itself; its name may be spelt otherwise than in a record."""
    if_holder: bool = False
    """The holder may be absent here, and then the value is absent too (``holder?.field``)."""


@dataclass(frozen=True)
class EntryAt(Value):
    """The entry of a list of records at an index; absent where the list is shorter."""

    field: Field
    index: int


@dataclass(frozen=True)
class Option(Value):
    """A text of the request's options, known to be given."""

    name: str


@dataclass(frozen=True)
class Constant(Value):
    """A fixed value; None stands for an absent one."""

    value: Plain


class PointerPart(Enum):
    """A part of a JSON pointer that is known at run time only."""

    INDEX = "index"
    """The index of the loop around, in decimal digits; see :class:`.ForEach`."""
    ITEM = "item"
    """The pointer of the item that is being written, as :class:`.SetLossItem` left it."""


@dataclass(frozen=True)
class Pointer(Value):
    """A JSON pointer into the serialized result: its parts one after the other."""

    parts: tuple[str | PointerPart, ...]


@dataclass(frozen=True)
class Computed(Value):
    """A text, map or members that a function of the runtime makes of others."""

    call: Call


# --------------------------------------------------------------- pieces


@dataclass(frozen=True)
class Fixed(Piece):
    """Fixed JSON text, or a part of one such as ``{"type":``. Not empty."""

    text: str


@dataclass(frozen=True)
class Empty(Piece):
    """The empty piece: nothing is written."""


@dataclass(frozen=True)
class Call(Piece):
    """A call of a function of the runtime; see :data:`.RUNTIME` for what it takes and gives.

    A printer may write what the function does instead, where its language has a word for it.
    Trailing arguments that are optional may be missing. It is a piece where the function gives
    one; a test or a text stands in :class:`Holds` or :class:`Computed`.
    """

    function: str
    arguments: tuple[Value | Piece, ...]


@dataclass(frozen=True)
class Invoke(Piece):
    """A call of another function of the module, with the caller's own variables.

    The arguments are those of the function's parameters, in their order; ``out`` is among them
    where it appends. Only one that returns a piece is a piece; see :class:`Written` and
    :class:`.Run` for the others.
    """

    function: str
    arguments: tuple[Variable, ...]
    appends: bool


@dataclass(frozen=True)
class Written(Piece):
    """What a function that appends would append, in one piece. Its arguments lack ``out``."""

    invoke: Invoke


@dataclass(frozen=True)
class HookCall(Piece):
    """What an adapter's method gives; called on the variable ``hooks``."""

    hooks: Variable
    name: str
    subject: Variable


@dataclass(frozen=True)
class PieceVariable(Piece):
    """The piece that :class:`.IfNotEmpty` bound."""

    name: str


@dataclass(frozen=True)
class Joined(Piece):
    """Pieces one after the other, as one."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Alternative:
    """A piece that is taken where its test holds."""

    test: Test
    piece: Piece


@dataclass(frozen=True)
class Conditional(Piece):
    """The first alternative whose test holds, else the last piece: one expression."""

    alternatives: tuple[Alternative, ...]
    otherwise: Piece


# ---------------------------------------------------------------- tests


class Presence(Enum):
    """How it is told that a value is there."""

    VALUE = "value"
    """It is not absent."""
    JSON = "json"
    """It is a JSON value: null is one, so that absence has a mark of its own."""
    NOT_EMPTY = "not empty"
    """It is a list or map with at least one entry: an empty one is the same as none."""


@dataclass(frozen=True)
class Present(Test):
    """A local, a field, or what was collected so far, is there."""

    value: Variable | Field
    how: Presence


@dataclass(frozen=True)
class IsOneOf(Test):
    """The text (known to be present) is one of these, at least one."""

    value: Field
    values: tuple[str, ...]


@dataclass(frozen=True)
class StartsWith(Test):
    """The text (known to be present) starts with one of these, at least one."""

    value: Field
    prefixes: tuple[str, ...]


@dataclass(frozen=True)
class HasJsonKind(Test):
    """The JSON value (known to be present) is of this type: object, array, string and so on."""

    value: Field
    kind: str


@dataclass(frozen=True)
class Holds(Test):
    """A function of the runtime says so."""

    call: Call


@dataclass(frozen=True)
class OptionGiven(Test):
    """The option of the request is on (a flag) or given (a text)."""

    name: str
    flag: bool


@dataclass(frozen=True)
class RolesEqual(Test):
    """The blocks written so far have exactly these roles, in this order."""

    roles: tuple[str, ...]


@dataclass(frozen=True)
class IsKind(Test):
    """The part is of this kind."""

    item: Variable
    kind: str


@dataclass(frozen=True)
class AllOf(Test):
    """Every one holds; two or more. Tested in order: a later one may need an earlier one."""

    tests: tuple[Test, ...]


@dataclass(frozen=True)
class AnyOf(Test):
    """At least one holds; two or more, tested in order."""

    tests: tuple[Test, ...]


@dataclass(frozen=True)
class Negation(Test):
    """It does not hold."""

    test: Test
