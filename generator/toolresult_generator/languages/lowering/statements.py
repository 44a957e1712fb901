"""What a lowered function does, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from toolresult_generator.languages.lowering.expressions import (
    Call,
    Field,
    Invoke,
    Piece,
    Pointer,
    Test,
    Value,
    Variable,
)


class Statement:
    """One step of a function."""

    __slots__ = ()


Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Let(Statement):
    """Binds a local to a record or field; it may be absent, and is bound once.

    Stands at the start of the function, or of the loop whose item it belongs to.
    """

    local: Variable
    value: Value


@dataclass(frozen=True)
class Append(Statement):
    """Appends pieces to ``out``, one or more. None of them is known to be empty."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Run(Statement):
    """Calls a function that returns nothing: one that appends, or one that notes losses."""

    invoke: Invoke


@dataclass(frozen=True)
class Case:
    """What is done where a test holds."""

    test: Test
    body: Body


@dataclass(frozen=True)
class If(Statement):
    """The body of the first case whose test holds, else the last one (which may be empty)."""

    cases: tuple[Case, ...]
    otherwise: Body = ()


@dataclass(frozen=True)
class IfNotEmpty(Statement):
    """Makes a piece and binds it; the body runs where it is not empty.

    With a test, the piece is made only where that holds. ``name`` is bound in the body alone, as
    :class:`.PieceVariable`.
    """

    test: Test | None
    name: str
    piece: Piece
    body: Body


@dataclass(frozen=True)
class ForEach(Statement):
    """The body for every entry of a list field, in order."""

    item: Variable
    values: Field
    with_index: bool
    """The body has pointers with :attr:`.PointerPart.INDEX`; the index starts at 0."""
    body: Body
    kinds: tuple[str, ...] = ()
    """The kinds that the item can be; empty for a record."""


@dataclass(frozen=True)
class StartList(Statement):
    """Notes where in ``out`` a list begins whose entries each start with a comma."""

    name: str
    """The variable that holds the length of ``out``."""


@dataclass(frozen=True)
class FinishList(Statement):
    """Turns the comma of the first entry since :class:`StartList` into the opening bracket.

    Where nothing was appended, ``if_empty`` runs first and appends an entry with its comma; with
    an empty ``if_empty``, the bracket alone is appended instead. The closing bracket is fixed text
    after it. See the runtime's ``open_list``.
    """

    name: str
    if_empty: Body


@dataclass(frozen=True)
class NewMembers(Statement):
    """An empty collection of members by key, which keeps the order of insertion."""

    members: Variable


@dataclass(frozen=True)
class SetMember(Statement):
    """Adds a member; no key is set twice on one way through the function."""

    members: Variable
    key: str
    piece: Piece


@dataclass(frozen=True)
class SpreadMembers(Statement):
    """Adds the entries of a map as members: the runtime's ``spread``, with its arguments."""

    call: Call


@dataclass(frozen=True)
class NewEntries(Statement):
    """An empty list of pieces."""

    entries: Variable


@dataclass(frozen=True)
class AddEntry(Statement):
    """Adds an entry."""

    entries: Variable
    piece: Piece


@dataclass(frozen=True)
class AddToLayout(Statement):
    """Notes the role of the block that was just written, and its marker (which may be empty)."""

    layout: Variable
    role: str
    marker: Piece | None


@dataclass(frozen=True)
class SetLossItem(Statement):
    """Sets the pointer of the item that is written from here on: ``losses.item``."""

    losses: Variable
    pointer: Pointer


@dataclass(frozen=True)
class AddLoss(Statement):
    """Notes that something does not arrive."""

    losses: Variable
    pointer: Pointer
    status: str
    """The value of :class:`toolresult_generator.model.target.Status`."""
    reason: str


@dataclass(frozen=True)
class Return(Statement):
    """Leaves the function with a piece."""

    piece: Piece
