"""Which cells change bytes, and the shortest vector that shows each.

A cell is a part or field on a target, revision and phase. It changes where a vector needs it to
render to other bytes: dropped from the vector, the difference goes away. What needs several
parts together is found as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from toolresult_generator.difference.ask import Asker, Both, Vector
from toolresult_generator.difference.pieces import (
    VERSION,
    alone,
    rows_of,
    told_by,
    ways_out,
    without,
)
from toolresult_generator.difference.shrink import shrink
from toolresult_generator.director import Loaded
from toolresult_generator.model.digest import digest_of
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.sample import build_samples
from toolresult_generator.model.target import Plan
from toolresult_generator.proof.leaves import leaves

MAX_SEEDS = 3
"""Pieces of samples that are shrunk for one cell: the shortest ones."""
MAX_CAUSES = 40
"""Differences that need several parts and are looked for on one plan."""
_OPTIONS: tuple[dict[str, bool], ...] = ({}, {"wrap_output": True}, {"structured_errors": True})

Rows = frozenset[str]
Report = Callable[[str, "int | None", "int | None"], None]


@dataclass(frozen=True)
class Change:
    """Bytes that change on one plan."""

    plan: Plan
    rows: tuple[str, ...]
    """The parts and fields that it takes; empty where every output changes."""
    vector: Vector
    both: Both


@dataclass(frozen=True)
class Outputs:
    """What the rendering of both versions showed."""

    changes: tuple[Change, ...]
    added: tuple[str, ...]
    """Labels that the old version does not have."""
    removed: tuple[str, ...]
    unmeasured: tuple[tuple[str, str], ...]
    """Labels on which something could not be rendered, and why."""
    renderings: int

    def cells(self, plan: Plan) -> tuple[str, ...]:
        """The rows that change on a plan, in the order of the result; all where all outputs do."""
        changed = [change for change in self.changes if change.plan.label == plan.label]
        if any(not change.rows for change in changed):
            return tuple(cell.path for cell in plan.cells)
        rows = {row for change in changed for row in change.rows}
        return tuple(cell.path for cell in plan.cells if cell.path in rows)


def plans_of(model: Loaded) -> dict[str, Plan]:
    """The plans by their label."""
    return {plan.label: plan for target in model.model.targets for plan in target.plans}


def same_code(old: Loaded, new: Loaded) -> bool:
    """Whether both give the same code, but for the words in it."""
    return digest_of(old.model) == digest_of(new.model)


UNCHANGED = Outputs((), (), (), (), 0)
"""Of versions with the same code: no byte can differ."""


def compare(old: Loaded, new: Loaded, asker: Asker, report: Report) -> Outputs:
    """Render every sample of both versions with both, and find what each difference needs."""
    before, after = plans_of(old), plans_of(new)
    common = [plan for label, plan in before.items() if label in after]
    samples = _samples(old, new)
    changes: list[Change] = []
    known: dict[Rows, Vector] = {}
    step = 40
    for number in range(0, len(samples), step):
        report("render", number, len(samples))
        some = samples[number : number + step]
        asker.ask((plan, vector) for vector in some for plan in common)
    for number, plan in enumerate(common):
        report("find what changed", number, len(common))
        found = _Search(plan, old.model.result, asker).run(samples, known)
        for rows, vector in found.items():
            if rows not in known or vector.rank < known[rows].rank:
                known[rows] = vector
            ordered = tuple(cell.path for cell in plan.cells if cell.path in rows)
            changes.append(Change(plan, ordered, vector, asker.both(plan, vector)))
    return Outputs(
        tuple(changes),
        tuple(label for label in after if label not in before),
        tuple(label for label in before if label not in after),
        tuple(_unmeasured(old, new, common, samples, asker)),
        asker.renderings,
    )


def _samples(old: Loaded, new: Loaded) -> list[Vector]:
    """The samples of both and the empty result, each once, the shortest first."""
    found = [
        Vector.of(sample.value, sample.options)
        for one in (old, new)
        for sample in build_samples(one.documents)
    ]
    found += _empty(old.model.result)
    return sorted(dict.fromkeys(found), key=lambda vector: vector.rank)


def _empty(spec: ResultSpec) -> list[Vector]:
    version = spec.format_versions[-1].number
    return [Vector.of({VERSION: version}, options) for options in _OPTIONS]


def _unmeasured(
    old: Loaded, new: Loaded, common: list[Plan], samples: list[Vector], asker: Asker
) -> Iterable[tuple[str, str]]:
    after = plans_of(new)
    same_result = digest_of(old.model.result) == digest_of(new.model.result)
    for plan in common:
        if same_result and digest_of(plan) == digest_of(after[plan.label]):
            continue  # the same code on both sides, whatever an adapter adds
        for vector in samples:
            both = asker.both(plan, vector)
            if not both.is_measured:
                side = both.old if both.old.kind in ("hook", "fault") else both.new
                reason = "left to the hooks " if side.kind == "hook" else ""
                yield plan.label, f"{reason}{side.text}"
                break


class _Search:
    """Finds on one plan what its differences need."""

    def __init__(self, plan: Plan, spec: ResultSpec, asker: Asker) -> None:
        self._plan = plan
        self._spec = spec
        self._asker = asker
        self.found: dict[Rows, Vector] = {}

    def run(self, samples: list[Vector], known: dict[Rows, Vector]) -> dict[Rows, Vector]:
        """The rows of each difference, and the shortest vector that shows it."""
        differing = self._asker.differ(self._plan, samples)
        if not differing:
            return {}
        for vector in self._asker.differ(self._plan, _empty(self._spec)):
            self._note(vector)
        if frozenset() in self.found:
            return self.found  # every output differs: there is no telling what else does
        self._single(differing, known)
        self._together(differing)
        return self.found

    def _note(self, vector: Vector) -> None:
        rows = self._told(vector)
        if rows not in self.found or vector.rank < self.found[rows].rank:
            self.found[rows] = vector

    def _told(self, vector: Vector) -> Rows:
        return told_by(vector.value, self._spec)

    def _single(self, differing: list[Vector], known: dict[Rows, Vector]) -> None:
        """Differences that one leaf shows, with what its records cannot be without."""
        pieces: dict[str, dict[Vector, None]] = {}
        for vector in differing:
            value = vector.value
            for leaf in leaves(value, self._spec):
                piece = Vector.of(alone(value, self._spec, leaf.pointer), vector.asked)
                pieces.setdefault(leaf.path, {}).setdefault(piece)
        # what is the shortest on another plan is so here as well, most times
        there = {row for vector in differing for row in rows_of(vector.value, self._spec)}
        elsewhere = [vector for rows, vector in known.items() if rows <= there]
        self._asker.ask((self._plan, vector) for vector in elsewhere)
        for vector in elsewhere:
            if self._asker.both(self._plan, vector).differs:
                for row in self._told(vector):
                    own = [piece for piece in pieces.get(row, ()) if piece.rank < vector.rank]
                    pieces[row] = dict.fromkeys([*own, vector])
        self._asker.ask((self._plan, piece) for some in pieces.values() for piece in some)
        starts: dict[tuple[str, int], Vector] = {}
        for row, some in pieces.items():
            showing = [piece for piece in some if self._asker.both(self._plan, piece).differs]
            ranked = sorted(showing, key=lambda vector: vector.rank)
            starts |= {(row, number): one for number, one in enumerate(ranked[:MAX_SEEDS])}
        for vector in shrink(starts, self._still_differs).values():
            self._note(vector)

    def _still_differs(self, tried: Iterable[tuple[object, Vector]]) -> Sequence[bool]:
        vectors = [vector for _, vector in tried]
        self._asker.ask((self._plan, vector) for vector in vectors)
        return [self._asker.both(self._plan, vector).differs for vector in vectors]

    def _together(self, differing: list[Vector]) -> None:
        """Differences of samples that are left without what is known to differ."""
        ways = [ways_out(rows, self._spec) for rows in self.found]
        gone = frozenset(way[0] for way in ways if len(way) == 1)
        rests = [self._rest(vector, gone) for vector in differing]
        self._asker.ask((self._plan, rest) for rest in rests)
        for vector, rest in zip(differing, rests, strict=True):
            if self._asker.both(self._plan, rest).differs:
                self._within(vector, gone)

    def _within(self, vector: Vector, gone: Rows) -> None:
        """Differences of one sample: what is known is left out in every way, until none is left."""
        waiting = [gone]
        seen: set[Rows] = set()
        while waiting and len(self.found) < MAX_CAUSES:
            gone = waiting.pop()
            rest = self._rest(vector, gone)
            if gone in seen or not self._asker.differ(self._plan, [rest]):
                continue
            seen.add(gone)
            there = rows_of(rest.value, self._spec)
            cause = next((rows for rows in self.found if rows <= there), None)
            if cause is None:
                shortest = shrink({"": rest}, self._still_differs)[""]
                self._note(shortest)
                cause = self._told(shortest)
            waiting += [gone | {row} for row in ways_out(cause, self._spec)]

    def _rest(self, vector: Vector, gone: Rows) -> Vector:
        return Vector.of(without(vector.value, self._spec, gone), vector.asked)
