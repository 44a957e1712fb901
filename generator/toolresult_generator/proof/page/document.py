"""What the page shows, as plain data: of the whole matrix, or of one result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolresult_generator.director import Loaded
from toolresult_generator.model.sample import Sample, build_samples
from toolresult_generator.model.target import Plan, Rule
from toolresult_generator.proof.cells import Observation
from toolresult_generator.proof.matrix import Matrix, MatrixCell, options_of, versions
from toolresult_generator.proof.page.follow import Render, View, follow
from toolresult_generator.proof.page.layout import Line
from toolresult_generator.proof.places import Found
from toolresult_generator.proof.python import installed

FAULT = "at odds"
"""The status that the page gives a cell where the measurement is at odds with the spec."""
_TELLING = 110
"""Characters of a sample that is more than a bare edge case such as ``{"data": 0}``."""


@dataclass(frozen=True)
class Column:
    """One revision and phase."""

    label: str
    target: str
    title: str
    """The target for people."""
    revision: str
    phase: str | None


@dataclass(frozen=True)
class PageCell:
    """One part or field on one revision and phase."""

    path: str
    label: str
    status: str
    how: str
    lost: tuple[str, ...]
    sometimes: str | None
    also: tuple[str, ...]
    never: tuple[str, ...]
    seen: int
    """Leaves of samples that were measured."""
    faults: tuple[str, ...]
    examples: tuple[int, ...]
    """Views that show it, by index."""


@dataclass(frozen=True)
class Example:
    """A view with the name and the meaning of its sample."""

    name: str
    meaning: str
    view: View


@dataclass(frozen=True)
class Document:
    """Everything on one page."""

    title: str
    verdict: str
    """One sentence on what was measured."""
    is_proven: bool | None
    """None where nothing was proven: a result of the user's own is only shown."""
    faults: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[str, ...]
    cells: Mapping[tuple[str, str], PageCell]
    """By row and label of the column."""
    examples: tuple[Example, ...]


def of_matrix(matrix: Matrix, loaded: Loaded) -> Document:
    """The page of the whole matrix. For each cell, the smallest samples that show it."""
    shelf = _Shelf(loaded)
    cells = {
        (cell.path, cell.plan.label): _matrix_cell(cell, shelf) for cell in matrix.cells.values()
    }
    faults = tuple(matrix.all_faults())
    schemas = "strict and official schemas" if matrix.official else "strict schemas alone"
    told = "all as declared" if not faults else f"{len(faults)} at odds with the spec"
    return Document(
        title="Where each part of a result goes",
        verdict=f"{len(cells)} cells, {matrix.renderings} renderings, {schemas}: {told}",
        is_proven=matrix.is_proven,
        faults=faults,
        columns=_columns(matrix.plans, loaded),
        rows=matrix.rows,
        cells=cells,
        examples=tuple(shelf.examples),
    )


def of_result(
    value: dict[str, Any], plan: Plan, loaded: Loaded, render: Render, *, name: str
) -> Document:
    """The page of one serialized result on one revision and phase: its own fields alone.

    Raises what the renderer raises.
    """
    view = follow(plan, loaded.model.result, value, render)
    counts: dict[str, int] = {}
    for leaf in view.leaves:
        counts[leaf.path] = counts.get(leaf.path, 0) + 1
    rows = tuple(cell.path for cell in plan.cells if cell.path in counts)
    cells = {(row, plan.label): _cell(row, plan, counts[row], (), (0,)) for row in rows}
    lost = sum(leaf.noted is not None for leaf in view.leaves)
    told = "nothing is lost" if not lost else f"{lost} do not arrive as they are"
    number = len(view.leaves) + view.more_leaves
    return Document(
        title=f"Where each part of {name} goes",
        verdict=f"{number} values on {plan.label}: {told}",
        is_proven=None,
        faults=(),
        columns=_columns((plan,), loaded),
        rows=rows,
        cells=cells,
        examples=(Example(name, "", view),),
    )


class _Shelf:
    """The samples, and the views that were made of them so far."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.samples: dict[str, Sample] = {}
        self.values: dict[str, dict[str, Any]] = {}
        self.sizes: dict[str, int] = {}
        self.examples: list[Example] = []
        self._index: dict[tuple[str, str], int] = {}
        for sample in build_samples(loaded.documents):
            self.samples[sample.name] = sample
            self.values[sample.name] = next(
                value for value, marked in versions(sample, loaded) if not marked
            )
            self.sizes[sample.name] = len(repr(self.values[sample.name]))

    def view(self, name: str, plan: Plan) -> int:
        """The index of the view of a sample in a revision and phase."""
        key = (name, plan.label)
        if key not in self._index:
            sample = self.samples[name]
            render, _ = installed(plan, options_of(sample))
            view = follow(plan, self.loaded.model.result, self.values[name], render)
            self._index[key] = len(self.examples)
            self.examples.append(Example(name, sample.meaning, view))
        return self._index[key]

    def best(self, seen: Iterable[Observation]) -> str | None:
        """The sample that shows a leaf best: followed rather than not, then small."""
        candidates = sorted(
            seen,
            key=lambda one: (
                one.place is None or one.place.found is Found.NOWHERE,
                max(_TELLING - self.sizes[one.sample], 0),
                self.sizes[one.sample],
                one.sample,
            ),
        )
        return candidates[0].sample if candidates else None


def _matrix_cell(cell: MatrixCell, shelf: _Shelf) -> PageCell:
    whole = [one for one in cell.observations if one.place and one.place.found is Found.WHOLE]
    other = [one for one in cell.observations if one.place and one.place.found is not Found.WHOLE]
    rule = cell.plan.cell(cell.path).rule
    names = [shelf.best(cell.observations)]
    if rule.sometimes is not None:
        # it arrives in one of two ways, so an example of each
        names = [shelf.best(whole), shelf.best(other)]
    views = []
    for name in dict.fromkeys(names):
        if name is None:
            continue
        try:
            views.append(shelf.view(name, cell.plan))
        except ValueError:
            continue  # a sample that cannot be rendered: the matrix has it among its faults
    faults = tuple(cell.faults)
    return _cell(cell.path, cell.plan, len(cell.observations), faults, tuple(views))


def _cell(
    path: str, plan: Plan, seen: int, faults: tuple[str, ...], examples: tuple[int, ...]
) -> PageCell:
    rule: Rule = plan.cell(path).rule
    return PageCell(
        path,
        plan.label,
        FAULT if faults else rule.status.value,
        rule.how,
        rule.lost,
        rule.sometimes.value if rule.sometimes else None,
        rule.also,
        rule.never,
        seen,
        faults,
        examples,
    )


def _columns(plans: Iterable[Plan], loaded: Loaded) -> tuple[Column, ...]:
    return tuple(
        Column(
            plan.label,
            plan.target,
            loaded.model.target(plan.target).title,
            plan.revision,
            plan.phase,
        )
        for plan in plans
    )


class _Table:
    """Equal things once, by index."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._index: dict[Any, int] = {}

    def add(self, key: Any, entry: Any) -> int:
        """The index of an entry; equal keys share one."""
        if key not in self._index:
            self._index[key] = len(self.entries)
            self.entries.append(entry)
        return self._index[key]


def to_json(document: Document) -> dict[str, Any]:
    """The data of the page's script, with sides, texts and pointers that are shared by index."""
    sides, texts = _Table(), _Table()
    views = [
        {
            "name": example.name,
            "meaning": example.meaning,
            "given": _side(example.view.given, sides, texts),
            "output": _side(example.view.output, sides, texts),
            "inText": example.view.output_is_text,
            "more": example.view.more_leaves,
            "leaves": [
                [
                    leaf.pointer,
                    leaf.path,
                    leaf.status,
                    [[place.pointer, place.found.value] for place in leaf.places],
                    leaf.needle,
                    leaf.sure,
                    leaf.noted,
                ]
                for leaf in example.view.leaves
            ],
        }
        for example in document.examples
    ]
    rules = _Table()
    cells = {}
    for column in document.columns:
        by_path = {}
        for row in document.rows:
            cell = document.cells.get((row, column.label))
            if cell is not None:
                rule = (cell.how, cell.lost, cell.sometimes, cell.also, cell.never)
                index = rules.add(rule, list(rule))
                by_path[row] = [cell.status, index, cell.seen, cell.examples, cell.faults]
        cells[column.label] = by_path
    return {
        "cells": cells,
        "rules": rules.entries,
        "views": views,
        "sides": sides.entries,
        "texts": texts.entries,
    }


def _side(lines: tuple[Line, ...], sides: _Table, texts: _Table) -> int:
    flat: list[int] = []
    for line in lines:
        flat += (
            line.depth * 2 + int(line.opens_text),
            texts.add(line.pointer, line.pointer),
            texts.add(line.text, line.text),
        )
    return sides.add(tuple(flat), flat)
