"""Targets, as the generator sees them: rules and output forms, resolved and language-neutral.

A target's YAML is resolved once per revision and phase: what depends on a
capability or a phase is decided here, so that every language emits
straight-line code without dead branches. All nodes are frozen and compare by
value, which lets an emitter share one function between revisions that agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from toolresult_generator.model.result import FieldType, ResultSpec


class Status(Enum):
    """How a part or field arrives."""

    NATIVE = "native"
    RE_ENCODED = "re-encoded"
    TEXT_FORM = "text form"
    WITHHELD = "withheld"
    NOT_EXPRESSIBLE = "not expressible"

    @property
    def arrives(self) -> bool:
        """Whether reading the output gives the value back."""
        return self in (Status.NATIVE, Status.RE_ENCODED)


# ---------------------------------------------------------------- paths


@dataclass(frozen=True)
class Step:
    """One step of a path: a field, and whether it may be absent."""

    name: str
    optional: bool
    type: FieldType | None
    """None for ``kind``, which is no field of its own."""


@dataclass(frozen=True)
class Path:
    """A field of the result, or of the item of the enclosing ``each``."""

    root: str
    """``result`` or ``item``."""
    steps: tuple[Step, ...]
    index: int | None = None
    """For a list of records: which entry the last step is taken from."""

    @property
    def text(self) -> str:
        """The path as the spec writes it."""
        names = ".".join(step.name for step in self.steps)
        return f"item.{names}" if self.root == "item" else names

    @property
    def leaf(self) -> Step:
        """The last step."""
        return self.steps[-1]


# ----------------------------------------------------------- conditions


class Condition:
    """What must hold for a node to be written."""

    __slots__ = ()


@dataclass(frozen=True)
class Has(Condition):
    """The field is present."""

    path: Path


@dataclass(frozen=True)
class OneOf(Condition):
    """The field is present and its value is one of these texts."""

    path: Path
    values: tuple[str, ...]


@dataclass(frozen=True)
class Prefixed(Condition):
    """The field is present and its text starts with one of these."""

    path: Path
    prefixes: tuple[str, ...]


@dataclass(frozen=True)
class JsonKind(Condition):
    """The JSON value is present and of this JSON type."""

    path: Path
    kind: str


@dataclass(frozen=True)
class Inexact(Condition):
    """The JSON value would not survive a parser of doubles, or one that stops early."""

    path: Path


@dataclass(frozen=True)
class OptionSet(Condition):
    """The option of the request is on."""

    option: str


@dataclass(frozen=True)
class Fits(Condition):
    """A foreign member is there and has the shape that the wire wants."""

    path: Path
    keys: tuple[str, ...]
    shape: str


@dataclass(frozen=True)
class RolesAre(Condition):
    """The blocks written so far have exactly these roles."""

    roles: tuple[str, ...]


@dataclass(frozen=True)
class All(Condition):
    """Every one holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Any(Condition):
    """At least one holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Not(Condition):
    """It does not hold."""

    condition: Condition


@dataclass(frozen=True)
class Always(Condition):
    """Decided when the spec was resolved."""

    holds: bool


# ---------------------------------------------------------------- nodes


class Node:
    """What is written at one place of the output."""

    __slots__ = ()


@dataclass(frozen=True)
class Const(Node):
    """A fixed JSON value, as canonical text."""

    json: str


@dataclass(frozen=True)
class FieldValue(Node):
    """The value of a field, as its type is written in JSON."""

    path: Path


@dataclass(frozen=True)
class Convert(Node):
    """A named conversion to a text: of fields of the item, or of the whole result."""

    name: str
    arguments: tuple[Path | Const | None, ...]
    """What it takes, in its own order; None for a field that the item does not have."""
    prefix: str = ""


@dataclass(frozen=True)
class OptionValue(Node):
    """A text given with the request; absent where the request has none."""

    option: str


@dataclass(frozen=True)
class JsonText(Node):
    """A JSON string that holds the JSON text of another node."""

    node: Node


@dataclass(frozen=True)
class Member:
    """One member of an object."""

    key: str
    node: Node
    when: Condition | None = None


@dataclass(frozen=True)
class Spread:
    """The entries of a map, written as members; those whose key is taken or reserved are lost."""

    path: Path
    member: tuple[str, ...] = ()
    """Spread what stands under these keys of the map instead."""
    reserved: tuple[str, ...] = ()
    """Keys, and prefixes that end in a slash, that are not to be written here."""
    copy: bool = False
    """The values stand elsewhere too, so that nothing is lost by leaving one out."""


@dataclass(frozen=True)
class Object(Node):
    """An object. Members in the order given, or in canonical order."""

    members: tuple[Member, ...]
    spreads: tuple[Spread, ...] = ()
    canonical: bool = False
    omit_empty: bool = False
    exact_key: str | None = None
    """Values that a parser of doubles would spoil go as strings, their keys listed here."""
    marked: bool = False
    """A block that does not say its kind: read back by its marker, never guessed."""


@dataclass(frozen=True)
class Item:
    """What stands at one place of a list: one value, or one for each entry of a field."""

    node: Node
    when: Condition | None = None
    each: Path | None = None
    role: str | None = None
    marker: Form | None = None


@dataclass(frozen=True)
class List(Node):
    """A list. With ``layout`` the roles and markers of its items are collected."""

    items: tuple[Item, ...]
    if_empty: Item | None = None
    omit_empty: bool = False
    layout: bool = False


@dataclass(frozen=True)
class Roles(Node):
    """The roles of the blocks written so far, in order."""


@dataclass(frozen=True)
class Markers(Node):
    """The markers of the blocks written so far, by index; absent if there is none."""


@dataclass(frozen=True)
class Keys(Node):
    """The keys of a map, sorted; absent if it is empty."""

    path: Path


@dataclass(frozen=True)
class ForeignMember(Node):
    """A member that a reader kept, where it has the shape that the wire wants."""

    path: Path
    keys: tuple[str, ...]
    shape: str


@dataclass(frozen=True)
class ForeignRest(Node):
    """What a reader kept, less the members that this output has its own place for."""

    path: Path
    without: tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True)
class Branch:
    """One alternative; the last one of a choice may have no condition."""

    when: Condition | None
    node: Node


@dataclass(frozen=True)
class Choose(Node):
    """The first alternative whose condition holds; nothing if none does."""

    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class KindBranch:
    """What is written for one part kind."""

    kind: str
    node: Node


@dataclass(frozen=True)
class Case(Node):
    """One alternative for each part kind: total."""

    branches: tuple[KindBranch, ...]


@dataclass(frozen=True)
class Hook(Node):
    """Left to an adapter. The digest is that of the rule it was written for."""

    name: str
    subject: str
    rule: str
    digest: str


@dataclass(frozen=True)
class Form:
    """A named node: a function in the generated code."""

    name: str
    meaning: str
    node: Node
    kinds: tuple[str, ...] = ()
    """The kinds that the item can be; empty for a stored result or no item."""


@dataclass(frozen=True)
class FormCall(Node):
    """What a named form writes."""

    form: Form


# ------------------------------------------------------------- reading


@dataclass(frozen=True)
class ReadMember:
    """Where a field stands in a block."""

    keys: tuple[str, ...]
    field: tuple[str, ...]
    """The field, as a path below the record or part."""
    type: FieldType
    required: bool
    text: bool = False
    """The wire holds a string with the JSON text of the value."""
    needed: bool = False
    """Its record cannot be without it."""


@dataclass(frozen=True)
class ReadList:
    """Where a list stands whose entries are read one by one."""

    keys: tuple[str, ...]
    field: str
    shapes: tuple[ReadShape, ...]


@dataclass(frozen=True)
class ReadText:
    """Where a text stands that holds the JSON of an object, which is read member by member."""

    keys: tuple[str, ...]
    shapes: tuple[ReadShape, ...]
    required: bool


@dataclass(frozen=True)
class ReadShape:
    """How one shape of block or object is read back: the inverse of what is written."""

    kind: str | None
    """The part kind; None for a record."""
    constants: tuple[tuple[tuple[str, ...], str], ...]
    """Members with a fixed value, as canonical JSON; they tell the shapes apart."""
    members: tuple[ReadMember, ...]
    lists: tuple[ReadList, ...] = ()
    computed: tuple[tuple[str, ...], ...] = ()
    """Members that are derived from others when written, and dropped when read."""
    defaults: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Members that are dropped where they hold just this value, as canonical JSON."""
    marked: bool = False
    """Written with a marker that names the kind; never guessed from the block."""
    texts: tuple[ReadText, ...] = ()

    @property
    def required(self) -> tuple[tuple[str, ...], ...]:
        """The members that a block of this shape cannot be without."""
        return tuple(member.keys for member in self.members if member.required)


@dataclass(frozen=True)
class Implied:
    """A kind that is told by how a text field starts, where no marker names it."""

    kind: str
    field: str
    prefixes: tuple[str, ...]


@dataclass(frozen=True)
class ReadForm:
    """The inverse of a named form."""

    name: str
    meaning: str
    shapes: tuple[ReadShape, ...]
    implied: tuple[Implied, ...] = ()


# ---------------------------------------------------------------- rules


@dataclass(frozen=True)
class Rule:
    """What becomes of a part or field on one revision and phase."""

    key: str
    """As the spec writes it: ``data``, ``content.image``, ``content.*.priority``."""
    status: Status
    how: str
    """Where it goes, or why it does not."""
    lost: tuple[str, ...] = ()
    """With a text form: the fields that the text does not hold."""
    sometimes: Status | None = None
    """With native: for some values the part arrives re-encoded instead."""
    also: tuple[str, ...] = ()
    """Pointers into the output below which the value stands too: channels that must not lack it."""
    never: tuple[str, ...] = ()
    """Pointers into the output below which the value must not stand."""


@dataclass(frozen=True)
class Cell:
    """One leaf field of the result with the rule that governs it."""

    path: str
    """``data``, ``content.image.name``, ``metadata.pagination.total``."""
    rule: Rule


@dataclass(frozen=True)
class Plan:
    """Everything about one revision and phase of a target."""

    target: str
    revision: str
    phase: str | None
    output: Form
    cells: tuple[Cell, ...]
    capabilities: tuple[str, ...]

    @property
    def label(self) -> str:
        """``mcp-handshake@2025-06-18/final``."""
        phase = f"/{self.phase}" if self.phase else ""
        return f"{self.target}@{self.revision}{phase}"

    def cell(self, path: str) -> Cell:
        """The cell of a leaf field. Raises KeyError."""
        for cell in self.cells:
            if cell.path == path:
                return cell
        raise KeyError(path)


@dataclass(frozen=True)
class Reader:
    """How a target's output is read: by generated code alone, or by a hook that uses it."""

    hook: Hook | None
    forms: tuple[ReadForm, ...]


@dataclass(frozen=True)
class RevisionReader:
    """The reader of one revision, or of all where they are told apart by their content."""

    revisions: tuple[str, ...]
    reader: Reader


@dataclass(frozen=True)
class Target:
    """A protocol family."""

    name: str
    title: str
    meaning: str
    revisions: tuple[str, ...]
    phases: tuple[tuple[str, str], ...]
    wire: str
    """``object``, or ``string`` where the wire value is a JSON string that holds the output."""
    limit: int | None
    origin: str | None
    """The origin under which this family's foreign values are kept."""
    plans: tuple[Plan, ...]
    readers: tuple[RevisionReader, ...]
    sources: tuple[str, ...] = field(default=())

    def plan(self, revision: str, phase: str | None) -> Plan:
        """The plan of a revision and phase. Raises KeyError."""
        for plan in self.plans:
            if plan.revision == revision and plan.phase == phase:
                return plan
        raise KeyError(f"{self.name}@{revision}/{phase}")


@dataclass(frozen=True)
class Spec:
    """The whole model: the result object and every target."""

    result: ResultSpec
    targets: tuple[Target, ...]

    def target(self, name: str) -> Target:
        """The target of that name. Raises KeyError."""
        for target in self.targets:
            if target.name == name:
                return target
        raise KeyError(name)
