"""The matrix: rows are parts and fields, columns are revisions and phases, all of it measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolresult_core import Result
from toolresult_core.runtime.rendering import Options
from toolresult_generator.director import Loaded
from toolresult_generator.model.rules import leaf_paths
from toolresult_generator.model.sample import Sample, build_samples
from toolresult_generator.model.target import Plan, Rule
from toolresult_generator.proof.cells import Observation, never_seen, observe
from toolresult_generator.proof.markers import fill
from toolresult_generator.proof.python import installed
from toolresult_generator.proof.schemas import OfficialSchemas, strict_validator

Progress = Callable[[int, int], None]
"""Is told how many renderings are done, and of how many."""


@dataclass
class MatrixCell:
    """One part or field on one revision and phase."""

    path: str
    plan: Plan
    status: str
    how: str
    lost: tuple[str, ...]
    observations: list[Observation] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def where(self) -> tuple[str, str] | None:
        """A sample that shows it, and the pointer where it went."""
        for seen in self.observations:
            if seen.place is not None and seen.place.pointer:
                return seen.sample, seen.place.pointer
        return None


@dataclass
class Matrix:
    """Everything that was measured."""

    rows: tuple[str, ...]
    plans: tuple[Plan, ...]
    cells: dict[tuple[str, str], MatrixCell]
    """By row and label of the plan."""
    faults: list[tuple[str, str, str]]
    """Of renderings as a whole: label of the plan, sample, what is wrong."""
    renderings: int
    official: bool
    """Whether the official schemas took part."""

    @property
    def is_proven(self) -> bool:
        """Whether nothing is at odds with the spec, and every cell was measured."""
        return not self.faults and not any(cell.faults for cell in self.cells.values())

    def all_faults(self) -> Iterator[str]:
        """Every fault as one line."""
        for label, sample, fault in self.faults:
            yield f"{label}: {sample}: {fault}"
        for cell in self.cells.values():
            for fault in cell.faults:
                yield f"{cell.plan.label}: {cell.path}: {fault}"


def measure(
    loaded: Loaded, *, spec_folder: Path, progress: Progress = lambda done, of: None
) -> Matrix:
    """Renders every sample, as written and with markers, to every revision and phase."""
    result, documents = loaded.model.result, loaded.documents
    plans = tuple(plan for target in loaded.model.targets for plan in target.plans)
    rows = leaf_paths(result)
    matrix = Matrix(rows, plans, _empty_cells(plans), [], 0, False)
    samples = build_samples(documents)
    official = OfficialSchemas.beside(spec_folder)
    total = len(plans) * len(samples)
    for plan in plans:
        checks = [("strict", strict_validator(documents, result, plan.target, plan.revision))]
        validator = official.validator(plan.target, plan.revision)
        if validator is not None:
            checks.append(("official", validator))
            matrix.official = True
        for sample in samples:
            render, read_back = installed(plan, options_of(sample))
            for value, marked in versions(sample, loaded):
                report = observe(
                    plan, result, sample.name, value, render, read_back, checks, marked=marked
                )
                for seen in report.observations:
                    matrix.cells[seen.path, plan.label].observations.append(seen)
                for row, fault in report.faults:
                    if row is None:
                        matrix.faults.append((plan.label, sample.name, fault))
                    else:
                        matrix.cells[row, plan.label].faults.append(f"{sample.name}: {fault}")
            matrix.renderings += 1
            progress(matrix.renderings, total)
    _check_rules(matrix)
    _check_codes(matrix, loaded, samples)
    return matrix


def _check_rules(matrix: Matrix) -> None:
    """What only shows over all samples: cells without a sample, rules that claim too much."""
    by_rule: dict[tuple[str, Rule], list[MatrixCell]] = {}
    for cell in matrix.cells.values():
        if not cell.observations:
            cell.faults.append("no sample has it, so nothing is proven")
        by_rule.setdefault((cell.plan.label, cell.plan.cell(cell.path).rule), []).append(cell)
    for (_, rule), cells in by_rule.items():
        fault = never_seen((seen for cell in cells for seen in cell.observations), rule)
        if fault is not None:
            cells[0].faults.append(f"{rule.key} {fault}")


def _check_codes(matrix: Matrix, loaded: Loaded, samples: tuple[Sample, ...]) -> None:
    """A code has no cell of its own, and is proven no less."""
    seen = {
        error.get("code")
        for sample in samples
        if isinstance(sample.value, dict) and isinstance(error := sample.value.get("error"), dict)
    }
    for code in loaded.model.result.error_codes:
        if code.name not in seen:
            fault = f"no sample has the error code {code.name}, so nothing is proven"
            matrix.faults.append(("every target", "samples", fault))


def versions(sample: Sample, loaded: Loaded) -> Iterator[tuple[dict[str, Any], bool]]:
    """The sample as written, for its edges, and filled with markers, to follow its leaves."""
    value = _canonical(sample.value)
    yield value, False
    yield fill(value, loaded.model.result), True


def _canonical(value: object) -> dict[str, Any]:
    """The serialized result as written again: without empty lists, integral floats as integers."""
    canonical: dict[str, Any] = json.loads(Result.from_value(value).to_json())
    return canonical


def options_of(sample: Sample) -> Options:
    """What the sample's request asks of a renderer. Limits are the mapper's."""
    return Options(**sample.options)


def _empty_cells(plans: tuple[Plan, ...]) -> dict[tuple[str, str], MatrixCell]:
    return {
        (cell.path, plan.label): MatrixCell(
            cell.path, plan, cell.rule.status.value, cell.rule.how, cell.rule.lost
        )
        for plan in plans
        for cell in plan.cells
    }
