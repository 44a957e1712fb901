"""Changes from one revision to the next, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from toolresult_generator.revision.shape import Ref


class Kind(Enum):
    """What sort of change it is. The values are stable: reports for machines name them."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    REQUIRED = "newly_required"
    OPTIONAL = "no_longer_required"
    WIDENED = "widened"
    NARROWED = "narrowed"
    CHANGED = "changed"
    """Some values are refused now, and others allowed."""
    UNKNOWN = "unknown"
    """Whether old values are still allowed could not be decided. Never taken for fine."""
    KIND_ADDED = "new_kind"
    KIND_REMOVED = "kind_removed"
    METADATA = "metadata_rule"
    MOVED_IN = "moved_in"
    """Into an object of its own."""
    MOVED_OUT = "moved_out"
    """Out of an object of its own, to where that stood."""
    DIALECT = "dialect"

    @property
    def title(self) -> str:
        """For people."""
        return _TITLES.get(self, self.value.replace("_", " "))


_TITLES = {
    Kind.KIND_ADDED: "new kind",
    Kind.KIND_REMOVED: "kind removed",
    Kind.METADATA: "metadata rule",
    Kind.MOVED_IN: "moved into an object",
    Kind.MOVED_OUT: "moved out of an object",
    Kind.DIALECT: "schema dialect",
    Kind.UNKNOWN: "not decided",
}


@dataclass(frozen=True)
class Fact:
    """A change as the comparison finds it, wherever it is seen."""

    kind: Kind
    name: str
    """The member, kind or value that it is about."""
    detail: str
    """What changed, in one sentence without a full stop."""
    old: str | None = None
    """Pointer into the old schema file; None for what is new."""
    new: str | None = None
    """Pointer into the new schema file; None for what is gone."""
    guess: bool = False
    """Told by likeness alone, such as a renaming."""
    other: str = ""
    """Of a renaming or a move: the other name."""
    at: Ref = ()
    """Of something new: where the new graph has it."""


Found: TypeAlias = "dict[Fact, tuple[str, ...]]"
"""Facts with the places where they are seen, relative to where the comparison began."""

MOST_PLACES = 12
"""Places of one fact that are kept."""


@dataclass(frozen=True)
class Change:
    """A fact with its places in an output (or in a tool's definition)."""

    fact: Fact
    of: str
    """`result`, `tool` or `schema`."""
    places: tuple[str, ...]
    """Such as `/content/*(image)/mimeType`: `*` is any entry, the kind stands in parentheses."""

    @property
    def kind(self) -> Kind:
        """What sort of change it is."""
        return self.fact.kind

    @property
    def place(self) -> str:
        """The first place."""
        return self.places[0]

    @property
    def pointer(self) -> str:
        """The pointer into the new schema file; of what is gone, into the old one."""
        return self.fact.new or self.fact.old or "/"


def merge(into: Found, found: Found, below: str = "") -> None:
    """Adds facts that were found at a place below."""
    for fact, places in found.items():
        known = into.get(fact, ())
        more = tuple(f"{below}{place}" for place in places)
        into[fact] = tuple(dict.fromkeys((*known, *more)))[:MOST_PLACES]
