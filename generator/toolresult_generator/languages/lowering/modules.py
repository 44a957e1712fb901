"""What a target's renderers are: functions, and which of them writes which revision."""

from __future__ import annotations

from dataclasses import dataclass

from toolresult_generator.languages.lowering.expressions import Invoke, Variable
from toolresult_generator.languages.lowering.statements import Body
from toolresult_generator.model.target import Hook, Target

RESERVED = frozenset(
    {"entries", "entry", "first", "hooks", "index", "item", "layout", "losses", "members"}
    | {"options", "out", "part", "result", "value"}
)
"""The names of variables that are not locals.

Where one of ``first``, ``part`` and ``entry`` stands inside of another, it ends in a number.
"""


@dataclass(frozen=True)
class ItemType:
    """What an item can be: a part of some kinds, or a record."""

    kinds: tuple[str, ...]
    """The names of the part kinds; empty for a record."""
    every_kind: bool
    """The kinds are all that there are."""
    record: str | None
    """The name of the record, where it is one."""


@dataclass(frozen=True)
class Parameter:
    """Something that a function takes."""

    variable: Variable
    """Its role says the type; its name is that of the role."""
    item: ItemType | None = None
    """What the item can be, where that is the role."""


@dataclass(frozen=True)
class Function:
    """A function of a module, not seen outside.

    It either appends pieces to ``out`` (the first parameter) and returns nothing, or returns a
    piece. One that notes losses does neither: it returns nothing, and has no ``out``.
    """

    name: str
    """In snake case: ``content_2025_06_18_final``.

    Unique in the module, and no name of the runtime's or in :data:`RESERVED`. A local may have the
    same name (``error``): a printer sets functions apart, say with a prefix. Digits say revisions
    (``a_1_0`` is not ``a_10``): a spelling without underscores keeps those between digits.
    """
    meaning: str
    """A sentence for people, from the spec; empty with ``part_of``."""
    parameters: tuple[Parameter, ...]
    """In the order of :class:`.Role`."""
    appends: bool
    returns: bool
    """It returns a piece."""
    body: Body
    part_of: str | None = None
    """The function that it was taken out of, where it is no form of the spec."""


@dataclass(frozen=True)
class Renderer:
    """What writes one revision and phase of a target."""

    target: str
    revision: str
    phase: str | None
    limit: int | None
    """The default size limit of the format, in bytes."""
    new_layout: bool
    """An empty layout is made first."""
    output: Invoke
    """Writes everything; where it returns a piece, that is appended."""
    losses: Invoke | None
    """Notes what is declared lost, after that; None if nothing is."""


@dataclass(frozen=True)
class TargetModule:
    """The renderers of a target with the functions that they share."""

    target: Target
    """For its name, title, meaning and wire type; nothing else of it is needed."""
    hooks: tuple[Hook, ...]
    """What adapters write: each a method of ``hooks`` that takes its subject and gives a piece."""
    renderers: tuple[Renderer, ...]
    functions: tuple[Function, ...]
    """A function stands after those that it calls."""

    @property
    def is_text(self) -> bool:
        """The wire value is a string, and the output is its text."""
        return self.target.wire == "string"
