"""What is fixed while a target is resolved: the revision, the phase, the item, and where faults go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolresult_generator.findings import Finding, Place
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Form


@dataclass
class Faults:
    """Collects findings; the same fault seen from several revisions counts once."""

    found: dict[Finding, None] = field(default_factory=dict)

    def add(self, place: Place, code: str, message: str, advice: str = "") -> None:
        """Notes one finding."""
        self.found.setdefault(Finding(place, code, message, advice))


@dataclass(frozen=True)
class Capabilities:
    """What a target's revisions can do. ``holds`` maps a name to the revisions that have it."""

    holds: Mapping[str, frozenset[str]]

    def at(self, revision: str) -> frozenset[str]:
        """The capabilities of one revision."""
        return frozenset(name for name, revisions in self.holds.items() if revision in revisions)


@dataclass(frozen=True)
class TargetSource:
    """A target's document with what it takes over from another one merged in."""

    name: str
    root: Source
    revisions: tuple[str, ...]
    phases: tuple[str, ...]
    capabilities: Capabilities
    forms: Mapping[str, Source]
    facts: Mapping[str, Source]
    rules: Mapping[str, Source]


@dataclass
class Usage:
    """What was used while resolving, to find what never is."""

    forms: set[tuple[str, str]] = field(default_factory=set)
    capabilities: set[tuple[str, str]] = field(default_factory=set)
    facts: set[tuple[str, str]] = field(default_factory=set)
    taken: set[Place] = field(default_factory=set)
    """Alternatives that apply on some revision and phase."""
    skipped: dict[Place, None] = field(default_factory=dict)


@dataclass(frozen=True)
class Context:
    """Everything that a node's meaning depends on."""

    result: ResultSpec
    sources: Mapping[str, TargetSource]
    source: TargetSource
    revision: str
    phase: str | None
    can: frozenset[str]
    faults: Faults
    usage: Usage
    memo: dict[object, Form | None]
    item: str | None = None
    """``part``, ``stored`` or None outside of an ``each``."""
    kinds: tuple[str, ...] = ()
    """The part kinds that the item can be."""
    inside: tuple[tuple[str, str], ...] = ()
    """The forms and facts that are being resolved, to find one that contains itself."""

    def with_item(self, item: str | None, kinds: tuple[str, ...] = ()) -> Context:
        """The same, inside an ``each`` or a branch of a ``case``."""
        return replace(self, item=item, kinds=kinds)

    def entering(self, what: str, name: str) -> Context:
        """The same, one form or fact deeper."""
        return replace(self, inside=(*self.inside, (what, f"{self.source.name}/{name}")))

    def is_inside(self, what: str, name: str) -> bool:
        """Whether that form or fact is being resolved already."""
        return (what, f"{self.source.name}/{name}") in self.inside
