"""What a target's readers are: functions that take members of a block into a draft."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from toolresult_generator.model.target import Hook, Target

Keys = tuple[str, ...]
"""The keys that lead to a member of the block, or the names that lead to a field of the draft."""

# ---------------------------------------------------------------- checks


class Check:
    """What a field accepts, as the runtime knows it."""

    __slots__ = ()


class CheckName(Enum):
    """The checks without arguments."""

    ANY = "any"
    STRING = "string"
    NON_EMPTY = "non_empty"
    BOOLEAN = "boolean"
    COUNT = "count"
    OBJECT = "object"
    MAP = "map"
    TIMESTAMP = "timestamp"
    BASE64 = "base64"


@dataclass(frozen=True)
class NamedCheck(Check):
    """A check without arguments."""

    name: CheckName


@dataclass(frozen=True)
class NumberBetween(Check):
    """A number in a range, both ends included; None is no bound."""

    minimum: int | None
    maximum: int | None


@dataclass(frozen=True)
class ChoicesOf(Check):
    """A list of some of these names, not empty."""

    names: tuple[str, ...]


# --------------------------------------------------------- entry readers


class EntryReader:
    """How a value is read that stands inside of another."""

    __slots__ = ()


@dataclass(frozen=True)
class ReadWhole(EntryReader):
    """By a function, with every member known: others are refused."""

    function: str


@dataclass(frozen=True)
class ReadOpen(EntryReader):
    """By a function that keeps foreign members itself."""

    function: str


@dataclass(frozen=True)
class ReadBareText(EntryReader):
    """A bare string, as a part of this kind with the text in this field."""

    kind: str
    field: str


# ----------------------------------------------------------------- steps


class ReadStep:
    """One step of reading a block: a method of ``Members`` in the runtime."""

    __slots__ = ()


@dataclass(frozen=True)
class Expect(ReadStep):
    """Takes a member that has just this value; refuses another one, or none."""

    keys: Keys
    value: object
    """A JSON value of plain Python values; the type counts (1 is not true)."""


@dataclass(frozen=True)
class DropConstant(ReadStep):
    """Takes a member without keeping it, where it has just this value."""

    keys: Keys
    value: object


@dataclass(frozen=True)
class Drop(ReadStep):
    """Takes a member without keeping it."""

    keys: Keys


@dataclass(frozen=True)
class Take(ReadStep):
    """Puts a member into a field where it is there and fits; where strict, refuses a misfit."""

    field: Keys
    keys: Keys
    check: Check
    strict: bool


@dataclass(frozen=True)
class Require(ReadStep):
    """Puts a member into a field; refuses a missing one, and one that does not fit."""

    field: Keys
    keys: Keys
    check: Check


@dataclass(frozen=True)
class TakeMap(ReadStep):
    """Adds the entries of an object to a map field."""

    field: Keys
    keys: Keys


@dataclass(frozen=True)
class TakeJson(ReadStep):
    """Puts into a field what the JSON text at the keys says."""

    field: Keys
    keys: Keys
    check: Check
    required: bool


@dataclass(frozen=True)
class TakeList(ReadStep):
    """Puts the entries of a list into a field, each read by itself."""

    field: Keys
    keys: Keys
    entry: EntryReader
    strict: bool


@dataclass(frozen=True)
class TakeRecord(ReadStep):
    """Puts an object into a field, where it can be read whole."""

    field: Keys
    keys: Keys
    entry: EntryReader
    strict: bool


@dataclass(frozen=True)
class TakeText(ReadStep):
    """Adds to the draft what the JSON text at the keys says, member by member."""

    keys: Keys
    entry: EntryReader
    required: bool


@dataclass(frozen=True)
class KeepForeign(ReadStep):
    """Keeps what was not taken, under this origin."""

    origin: str


# ----------------------------------------------------------------- tests


class ReadTest:
    """What tells a block from others."""

    __slots__ = ()


@dataclass(frozen=True)
class IsConstant(ReadTest):
    """The member has just this value."""

    keys: Keys
    value: object


@dataclass(frozen=True)
class HasMember(ReadTest):
    """There is a member under these keys, of whatever value."""

    keys: Keys


@dataclass(frozen=True)
class MarkedAs(ReadTest):
    """The marker names this kind; ``None``: there is no marker that names one."""

    kind: str | None


@dataclass(frozen=True)
class MarkedAsOrUnmarked(ReadTest):
    """The marker names this kind, or there is none that names one."""

    kind: str


@dataclass(frozen=True)
class MarkedAsOrImplied(ReadTest):
    """The marker names this kind; or none does, and a text member starts with one of these.

    A member that is no text starts with none of them.
    """

    kind: str
    keys: Keys
    prefixes: tuple[str, ...]


# ------------------------------------------------------------- functions


class ReadFunction:
    """A function that takes a block (``Members``) and gives a draft."""

    __slots__ = ()


@dataclass(frozen=True)
class ReadCase:
    """The function that reads a block for which all tests hold."""

    tests: tuple[ReadTest, ...]
    """None: always."""
    function: str


@dataclass(frozen=True)
class Dispatch(ReadFunction):
    """Finds out which shape a block has, and calls the function that reads it."""

    name: str
    """In snake case: ``read_part_0_3``."""
    public: bool
    """An adapter may call it, through the reader's class."""
    meaning: str
    by_kind: bool
    """It takes a second argument: the kind that a marker names, absent if none does."""
    cases: tuple[ReadCase, ...]
    """The first whose tests hold is it; if none is, the block is refused (``unknown_block``)."""
    known: str
    """The shapes that there are, for the refusal."""


@dataclass(frozen=True)
class ReadBlock(ReadFunction):
    """Starts an empty draft, takes the steps and returns the draft."""

    name: str
    public: bool
    meaning: str
    kind: str | None
    """The draft starts with this kind, if it is a part's."""
    steps: tuple[ReadStep, ...]


@dataclass(frozen=True)
class FormReader:
    """A function that an adapter may call."""

    form: str
    """As the adapter knows it, without a revision: ``part`` for ``read_part``."""
    function: str


@dataclass(frozen=True)
class ReaderClass:
    """What reads a target, or some revisions of it."""

    target: str
    revisions: tuple[str, ...]
    alone: bool
    """There is one reader for all revisions of the target; its name needs none of them."""
    hook: Hook | None
    """The method of an adapter that reads the wire value; None if functions alone do."""
    forms: tuple[FormReader, ...]
    """What the adapter may call."""
    function: str | None
    """Without a hook: reads the wire value, after which ``finish`` makes the result of it."""
    origin: str | None
    """Without a hook: under which origin foreign members are kept; None: they are refused."""


@dataclass(frozen=True)
class ReaderModule:
    """The readers of a target with the functions that they use."""

    target: Target
    """For its name, title, meaning and wire type; nothing else of it is needed."""
    readers: tuple[ReaderClass, ...]
    functions: tuple[ReadFunction, ...]
    """In an order for people: a function may call later ones."""

    @property
    def is_text(self) -> bool:
        """The wire value is a string."""
        return self.target.wire == "string"
