"""The whole matrix of one revision, rendered and held against another revision's schema.

A cell is a part or field in one phase. It breaks if a result that holds that leaf, and beside it
only what it cannot be without, is refused; so one bad leaf does not stain the others of its
sample. What is only refused together is shrunk, and charged to the leaves that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.rules import leaf_paths
from toolresult_generator.model.target import Plan
from toolresult_generator.proof.leaves import leaves
from toolresult_generator.revision.judge import Judge, Refusal
from toolresult_generator.revision.outputs import Given, Outputs, opened
from toolresult_generator.revision.places import generic
from toolresult_generator.revision.shrink import LARGEST, alone, shrunk, text_of

Complete = Callable[[Any], Any]
"""Adds what the protocol layer adds to an output."""
_TRIED_ALONE = 12
"""Results with one leaf that are tried for a cell, the smallest ones."""
_TRIED_TOGETHER = 20
"""Samples that are shrunk where only several leaves together are refused."""


@dataclass(frozen=True)
class Evidence:
    """A result that shows why a cell breaks: the smallest that was found."""

    sample: str
    value: dict[str, Any]
    wire: Any
    refusals: tuple[Refusal, ...]
    """Why it is refused; not empty."""

    @property
    def refusal(self) -> Refusal:
        """The first reason."""
        return self.refusals[0]


@dataclass
class TriedCell:
    """One part or field in one phase, as the new schema sees what is written for it."""

    path: str
    plan: Plan
    tried: int = 0
    """Results that were tried."""
    evidence: Evidence | None = None
    """None where everything is still valid."""
    refusals: dict[Refusal, None] = field(default_factory=dict)
    """Of everything that was tried: places are without numbers here."""

    @property
    def breaks(self) -> bool:
        """Whether something that is written for it is refused."""
        return self.evidence is not None

    def note(self, evidence: Evidence) -> None:
        """Takes evidence; the first one, which is the smallest, is shown."""
        self.evidence = self.evidence or evidence
        for one in evidence.refusals:
            self.refusals.setdefault(replace(one, place=generic(one.place)))


@dataclass
class Trial:
    """Everything that was tried."""

    plans: tuple[Plan, ...]
    cells: dict[tuple[str, str], TriedCell]
    """By path and label of the plan."""
    outputs: tuple[Outputs, ...]
    renderings: int = 0
    refused: int = 0
    """Whole samples that are refused."""

    def broken(self) -> list[TriedCell]:
        """The cells that break."""
        return [cell for cell in self.cells.values() if cell.breaks]

    @property
    def breaks_all(self) -> bool:
        """Whether every cell breaks."""
        return bool(self.cells) and all(cell.breaks for cell in self.cells.values())


def run_trial(
    outputs: tuple[Outputs, ...],
    spec: ResultSpec,
    judge: Judge,
    complete: Complete,
    step: Callable[[int, int], None],
) -> Trial:
    """Tries every cell of every plan."""
    cells = {
        (path, one.plan.label): TriedCell(path, one.plan)
        for one in outputs
        for path in leaf_paths(spec)
    }
    trial = Trial(tuple(one.plan for one in outputs), cells, outputs)
    total = sum(len(one.given) for one in outputs)
    done = 0
    for one in outputs:
        refused = {
            name for name, _, wire in one.wires if not judge.allows(complete(wire))
        }  # as written or with markers
        trial.renderings += len(one.wires)
        trial.refused += len(refused)
        candidates: dict[str, dict[str, tuple[Given, dict[str, Any]]]] = {}
        for given in one.given:
            step(done, total)
            done += 1
            if len(text_of(given.value)) > LARGEST:
                continue
            for path, value in alone(given.value, spec):
                key = text_of([value, sorted(given.sample.options.items(), key=str)])
                candidates.setdefault(path, {}).setdefault(key, (given, value))
        for path, found in candidates.items():
            cell = trial.cells[path, one.plan.label]
            for key in sorted(found, key=lambda text: (len(text), text))[:_TRIED_ALONE]:
                given, value = found[key]
                evidence = _tried(given, value, judge, complete)
                cell.tried += 1
                trial.renderings += 1
                if evidence is not None:
                    cell.note(evidence)
        _together(one, refused, trial, spec, judge, complete)
    return trial


def _tried(
    given: Given, value: dict[str, Any], judge: Judge, complete: Complete
) -> Evidence | None:
    """The evidence of one result, if it is refused; None also for what is no result."""
    try:
        wire = opened(given.render(value).wire)
    except ValueError:
        return None
    refusals = judge.refusals(complete(wire))
    return Evidence(given.sample.name, value, wire, refusals) if refusals else None


def _together(
    outputs: Outputs,
    refused: set[str],
    trial: Trial,
    spec: ResultSpec,
    judge: Judge,
    complete: Complete,
) -> None:
    """Charges what is only refused together."""
    label = outputs.plan.label
    left = [
        given
        for given in outputs.given
        if given.sample.name in refused
        and not any(trial.cells[path, label].breaks for path in _paths(given.value, spec))
    ]
    left.sort(key=lambda given: len(text_of(given.value)))
    for given in left[:_TRIED_TOGETHER]:
        if any(trial.cells[path, label].breaks for path in _paths(given.value, spec)):
            continue  # an earlier one has shown it

        def fails(value: dict[str, Any], given: Given = given) -> bool:
            return _tried(given, value, judge, complete) is not None

        value = shrunk(given.value, fails)
        evidence = _tried(given, value, judge, complete)
        if evidence is None:
            continue  # refused with markers alone
        for path in _paths(value, spec):
            trial.cells[path, label].note(evidence)


def _paths(value: dict[str, Any], spec: ResultSpec) -> Iterator[str]:
    return iter({leaf.path: None for leaf in leaves(value, spec)})
