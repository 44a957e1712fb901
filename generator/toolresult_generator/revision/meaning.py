"""What a change means for the results that we write: measured where it can be, never assumed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from toolresult_generator.model.result import FieldKind
from toolresult_generator.model.target import Plan, Status
from toolresult_generator.pointers import untoken
from toolresult_generator.proof.places import Found
from toolresult_generator.revision.changes import Change, Kind
from toolresult_generator.revision.compare import METADATA_MEMBERS as METADATA
from toolresult_generator.revision.concepts import Concepts, Concern, holds_keys
from toolresult_generator.revision.contain import Answer
from toolresult_generator.revision.judge import Refusal
from toolresult_generator.revision.layer import is_added
from toolresult_generator.revision.places import Written, above, generic, is_at_or_below, writers
from toolresult_generator.revision.trial import Trial


class Weight(Enum):
    """What a change asks for. The values are stable: reports for machines name them."""

    BREAKS = "breaks"
    """Outputs of ours are refused because of it."""
    RISK = "at_risk"
    """No sample is refused, but values of tools go there, and others may be."""
    UNDECIDED = "undecided"
    """Whether our outputs are still allowed is not known."""
    CHANCE = "chance"
    """Something is filled by a fallback that has a place of its own now."""
    NOTE = "note"
    """Nothing that we write is concerned."""

    @property
    def must_look(self) -> bool:
        """Whether nobody may adopt the revision without having looked at it."""
        return self in (Weight.BREAKS, Weight.RISK, Weight.UNDECIDED)


@dataclass(frozen=True)
class Chance:
    """A part or field in a phase that is valid as it is, and could arrive better."""

    path: str
    label: str
    """The plan."""
    now: str
    """How it goes today: the status, and what the rule says."""
    samples: tuple[str, ...]
    """Samples that show it, the first few."""


@dataclass(frozen=True)
class Judged:
    """A change with what it means."""

    change: Change
    weight: Weight
    means: str
    """For us, in one or two sentences."""
    paths: tuple[str, ...]
    """Parts and fields that it is about."""
    forms: tuple[str, ...]
    """Forms of the spec that write there."""
    chances: tuple[Chance, ...] = ()


def _is_why(refusal: Refusal, change: Change, place: str, told: frozenset[str]) -> bool:
    """Whether a refusal comes from a change at a place."""
    fact, where = change.fact, refusal.place
    named = any(f"`{name}`" in refusal.reason for name in (fact.name, fact.other) if name)
    if fact.name == "additionalProperties":
        names = re.findall(r"`([^`]+)`", refusal.reason)
        return where == place and "not allowed here" in refusal.reason and not told >= set(names)
    if where == above(place) and named and place:
        return True  # a member that is missing, or that is not allowed any more
    if change.kind in (Kind.KIND_REMOVED, Kind.MOVED_IN, Kind.MOVED_OUT):
        return where == above(place) and fact.name in refusal.reason
    by_rule = fact.new is not None and is_at_or_below(refusal.rule, fact.new)
    if not by_rule or not is_at_or_below(where, place):
        return False
    values = fact.name.split(", ") if fact.name else []
    if values and where == place and refusal.value.startswith('"'):
        return json.loads(refusal.value) in values or fact.name in _LIMITS
    return not values or where == place


_LIMITS = frozenset({"pattern", "minLength", "maxLength", "format", "propertyNames"})
_TIGHTER = frozenset(
    {Kind.REQUIRED, Kind.REMOVED, Kind.RENAMED, Kind.NARROWED, Kind.CHANGED, Kind.KIND_REMOVED}
    | {Kind.MOVED_IN, Kind.MOVED_OUT, Kind.METADATA}
)
_WITHOUT_MEANING = frozenset(
    {Kind.REMOVED, Kind.KIND_REMOVED, Kind.RENAMED, Kind.MOVED_IN, Kind.MOVED_OUT}
)
"""What is still written is read by nobody, even where it is allowed."""
_MOST_SAMPLES = 3


@dataclass(frozen=True)
class Judging:
    """What changes are judged by."""

    concepts: Concepts
    written: Written
    trial: Trial
    origin: str | None
    told: frozenset[str]
    """Members that are gone, renamed or moved: what is said of them is not said again."""
    ours: Mapping[str, Answer]
    """For places: whether all that our strict schema allows there is allowed by the new one."""

    def judged(self, change: Change) -> Judged:
        """The change with its weight."""
        concerns = self.concepts.of(change)
        paths = tuple(dict.fromkeys(one.path for one in concerns))
        if change.of != "result":
            return self._of_others(change, paths)
        name = untoken(generic(change.place).rpartition("/")[2])
        forms = tuple(writers(self.trial.plans, name, self.concepts.spec.namespace))
        chances = tuple(self._chances(change, concerns))
        if chances:
            paths = tuple(dict.fromkeys(one.path for one in chances))
        weight, means = self._weighed(change, paths, forms, bool(chances))
        return Judged(change, weight, means, paths, forms, chances)

    def _of_others(self, change: Change, paths: tuple[str, ...]) -> Judged:
        if change.kind is Kind.DIALECT:
            means = "a tool's schema that names no dialect is read as this one"
        elif paths and change.kind is Kind.WIDENED:
            means = "an output schema whose root is no object can be advertised as it is; the data "
            means += "of its tool then need not be wrapped"
        elif paths:
            means = "says what a tool may declare about its data; results are not concerned"
        else:
            means = "about the definition of a tool; results are not concerned"
        return Judged(change, Weight.NOTE, means, paths, ())

    def _weighed(
        self, change: Change, paths: tuple[str, ...], forms: tuple[str, ...], has_chance: bool
    ) -> tuple[Weight, str]:
        places = [generic(place) if place != "/" else "" for place in change.places]
        own = [place for place in places if self.written.has(place)]
        broken = self._broken_by(change, places)
        if broken:
            cells = "every cell" if broken == len(self.trial.cells) else cells_told(broken)
            told = f"breaks {cells}"
            if change.kind is Kind.REQUIRED:
                told += f": no form writes `{change.fact.name}`" if not forms else ""
            elif forms:
                told += f": written by {_forms(forms)}"
            return Weight.BREAKS, told
        if all(is_added(self.origin, place) for place in places):
            return Weight.NOTE, "the protocol layer writes it, not a form"
        if has_chance:
            return Weight.CHANCE, chance_told(paths)
        if change.kind is Kind.UNKNOWN:
            if own:
                return Weight.UNDECIDED, "we write there; hold the two schemas against each other"
            return Weight.NOTE, "not decided; no output of ours has anything there"
        if change.kind in _TIGHTER and own:
            return self._tighter(change, own)
        if change.kind in (Kind.ADDED, Kind.KIND_ADDED, Kind.METADATA):
            return Weight.NOTE, "the result has no field for it; nothing is written there"
        if not own and change.kind is not Kind.WIDENED:
            return Weight.NOTE, "no output of ours has anything there"
        return Weight.NOTE, "what we write is still allowed"

    def _tighter(self, change: Change, own: list[str]) -> tuple[Weight, str]:
        """No sample is refused. Where values of tools stand, another value may be."""
        leaves = [leaf for place in change.places for leaf in self.written.leaves_of(place)]
        free = [one for one in leaves if generic(one.place.pointer) in own]
        if change.kind in _WITHOUT_MEANING and change.fact.name not in METADATA:
            return Weight.RISK, "still allowed, but what we say there has no meaning any more"
        if change.kind is Kind.METADATA:
            free = leaves
        answers = [self.ours.get(place) for place in change.places if place in self.ours]
        if answers and all(one is Answer.YES for one in answers):
            return Weight.NOTE, "our strict schema allows less than that: what we write is allowed"
        counted = change.fact.name in ("maxItems", "maxProperties", "minItems", "minProperties")
        if counted or (free and change.kind is not Kind.REQUIRED):
            told = _listed(tuple(dict.fromkeys(one.leaf.path for one in free or leaves)))
            return Weight.RISK, f"no sample is refused, but {told or 'lists'} may hold what is"
        return Weight.NOTE, "what we write is still allowed"

    def _broken_by(self, change: Change, places: list[str]) -> int:
        """Cells of which something is refused because of a change."""
        if change.kind not in _TIGHTER and change.kind is not Kind.UNKNOWN:
            return 0
        return sum(
            any(
                _is_why(refusal, change, place, self.told)
                for refusal in cell.refusals
                for place in places
            )
            for cell in self.trial.broken()
        )

    def _chances(self, change: Change, concerns: tuple[Concern, ...]) -> Iterator[Chance]:
        test: Callable[[Concern, Plan], tuple[str, ...]]
        if change.kind is Kind.KIND_ADDED:
            test = lambda concern, plan: self._fallback(concern, plan, change.fact.name)  # noqa: E731
        elif change.kind in (Kind.ADDED, Kind.METADATA) and change.fact.at:
            test = self._fallback
        elif change.kind is Kind.WIDENED:
            places = [generic(place) for place in change.places]
            test = lambda concern, plan: self._around(concern, plan, places)  # noqa: E731
        else:
            return
        for concern in concerns:
            for plan in self.trial.plans:
                rule = plan.cell(concern.path).rule
                samples = test(concern, plan)
                if samples:
                    now = f"{rule.status.value}: {rule.how}"
                    yield Chance(concern.path, plan.label, now, samples[:_MOST_SAMPLES])

    def _fallback(self, concern: Concern, plan: Plan, kind: str = "") -> tuple[str, ...]:
        """Samples that have the leaf, where the rule says that it does not go natively.

        Of a new kind of block: those that go into another one, whatever the rule calls that.
        """
        rule = plan.cell(concern.path).rule
        native = rule.status is Status.NATIVE or rule.status is Status.WITHHELD
        if native and not kind:
            return ()
        found: dict[str, None] = {}
        owner = ".".join(concern.path.split(".")[:2]) + "."
        for one in self.written.seen:
            if kind and (not one.leaf.path.startswith(owner) or one.block == kind):
                continue
            if not kind and one.leaf.path != concern.path:
                continue
            if not concern.keys or holds_keys(one.leaf.value, concern.keys):
                found.setdefault(one.sample)
        return tuple(found)

    def _around(self, concern: Concern, plan: Plan, places: list[str]) -> tuple[str, ...]:
        """Samples where something is put around a value that may stand for itself now."""
        found: dict[str, None] = {}
        for outputs in self.trial.outputs:
            if outputs.plan != plan:
                continue
            for one in outputs.seen:
                where = generic(one.place.pointer)
                inside = any(is_at_or_below(where, place) and where != place for place in places)
                whole = one.place.found is Found.WHOLE
                free = one.leaf.type.kind is FieldKind.JSON  # what a form puts there whole
                if one.leaf.path == concern.path and inside and whole and free:
                    found.setdefault(one.sample)
        return tuple(found)


def chance_told(paths: tuple[str, ...]) -> str:
    """What to say of parts and fields that could arrive better."""
    return f"{_listed(paths)} could go there; today a fallback stands in"


def cells_told(count: int) -> str:
    """A number of cells in words."""
    return f"{count} cell{'' if count == 1 else 's'}"


def _forms(names: tuple[str, ...]) -> str:
    told = ", ".join(f"`{name}`" for name in names[:6])
    return f"the form{'s' if len(names) > 1 else ''} {told}"


def _listed(paths: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{path}`" for path in paths[:4])
    return shown + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
