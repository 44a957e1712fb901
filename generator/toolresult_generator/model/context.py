"""What is fixed while a target is resolved: revision, phase, item, and where faults go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolresult_generator.findings import Finding, Place
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Form

MAX_STEPS = 100_000
"""Nodes, conditions and includes that are resolved for all targets together, a form once for each
revision and phase. The committed targets take 5,000."""
MAX_NESTING = 40
"""Forms, includes and facts inside of each other."""
MAX_SIZE = 20_000
"""Nodes that one form may come to with everything that it calls."""


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

    forms: set[Place] = field(default_factory=set)
    """Where the forms stand that something leads to."""
    capabilities: set[tuple[str, str]] = field(default_factory=set)
    facts: set[tuple[str, str]] = field(default_factory=set)
    taken: set[Place] = field(default_factory=set)
    """Alternatives that apply on some revision and phase."""
    skipped: dict[Place, None] = field(default_factory=dict)
    """Alternatives whose conditions do not hold on some revision and phase."""
    shadowed: dict[Place, None] = field(default_factory=dict)
    """Alternatives that come after one that applies on some revision and phase."""
    steps: int = 0
    """Nodes, conditions and includes resolved so far, to stop at documents that blow up."""
    sizes: dict[int, int] = field(default_factory=dict)
    """Nodes that a form comes to with all that it calls, by the form's identity."""

    def step(self, place: Place, faults: Faults) -> bool:
        """Counts one step; False, with a finding, once there were too many."""
        self.steps += 1
        if self.steps == MAX_STEPS + 1:
            message = f"the targets come to more than {MAX_STEPS} nodes"
            faults.add(place, "too_many_nodes", message, "use fewer forms, facts and includes")
        return self.steps <= MAX_STEPS


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
    in_text: bool = False
    """Inside a text that holds JSON."""
    embedded: bool = False
    """Inside a form of another target that stands in such a text: what it says is a copy, whose
    values the host carries by its own rules."""
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

    def is_too_deep(self, source: Source) -> bool:
        """Whether one more form or fact would nest too deep; then with a finding."""
        if len(self.inside) < MAX_NESTING:
            return False
        message = f"forms and facts are nested deeper than {MAX_NESTING}"
        self.faults.add(source.place, "too_deep", message)
        return True
