"""Makes the HTML file: everything inline, nothing from a network, all foreign text as text.

The look is that of the page of the matrix, whose style sheet comes first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolresult_generator.proof.page.page import environment, policy
from toolresult_generator.revision.contain import Answer
from toolresult_generator.revision.meaning import Judged, Weight
from toolresult_generator.revision.report import Report
from toolresult_generator.revision.report_text import TITLES, grouped_changes, means_of, verdict
from toolresult_generator.revision.shrink import text_of
from toolresult_generator.revision.trial import TriedCell

_FOLDER = Path(__file__).parent
_BASE = _FOLDER.parents[1] / "proof" / "page" / "page.css"
_MOST_SHOWN = 4_000
"""Characters of a result or an output that the page shows."""

CSS = {
    Weight.BREAKS: "fault",
    Weight.RISK: "textform",
    Weight.UNDECIDED: "inexpressible",
    Weight.CHANCE: "reencoded",
    Weight.NOTE: "withheld",
}
"""For each weight its class in the style sheet."""
_STATES = {
    "breaks": ("fault", "now invalid"),
    "chance": ("reencoded", "valid, and a chance"),
    "valid": ("native", "still valid"),
}


@dataclass(frozen=True)
class _Change:
    kind: str
    of: str
    guess: bool
    places: tuple[str, ...]
    detail: str
    pointers: tuple[str, ...]
    means: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class _Group:
    weight: str
    title: str
    css: str
    changes: tuple[_Change, ...]


@dataclass(frozen=True)
class _Cell:
    label: str
    state: str
    css: str
    reason: str
    place: str
    rule: str
    sample: str
    result: str
    output: str
    chances: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    path: str
    cells: tuple[_Cell, ...]


def html(report: Report) -> str:
    """The page. The same report gives the same text."""
    style = _BASE.read_text(encoding="utf-8") + (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    states = [report.state(cell) for cell in report.trial.cells.values()]
    return (
        environment(_FOLDER)
        .get_template("page.html.jinja2")
        .render(
            report=report,
            verdict=verdict(report),
            fine=not report.must and not report.may,
            style=style,
            script=script,
            policy=policy(style, script),
            groups=list(_groups(report.changes)),
            labels=[plan.label for plan in report.trial.plans],
            rows=list(_rows(report)),
            states=[
                (state, css, title, states.count(state)) for state, (css, title) in _STATES.items()
            ],
            answers={Answer.YES: "yes", Answer.NO: "no", Answer.UNKNOWN: "not decided"},
        )
    )


def _groups(changes: tuple[Judged, ...]) -> Iterator[_Group]:
    grouped = grouped_changes(changes)
    for weight in Weight:
        own = [_change(group) for group in grouped if group[0].weight is weight]
        if own:
            yield _Group(weight.value, TITLES[weight], CSS[weight], tuple(own))


def _change(group: list[Judged]) -> _Change:
    fact = group[0].change.fact
    return _Change(
        kind=fact.kind.title,
        of=group[0].change.of,
        guess=fact.guess,
        places=tuple(dict.fromkeys(place for one in group for place in one.change.places)),
        detail=fact.detail,
        pointers=tuple(dict.fromkeys(one.change.pointer for one in group)),
        means=means_of(group),
        paths=tuple(dict.fromkeys(path for one in group for path in one.paths)),
    )


def _rows(report: Report) -> Iterator[_Row]:
    by_path: dict[str, list[_Cell]] = {}
    for cell in report.trial.cells.values():
        by_path.setdefault(cell.path, []).append(_cell(report, cell))
    yield from (_Row(path, tuple(cells)) for path, cells in by_path.items())


def _cell(report: Report, cell: TriedCell) -> _Cell:
    state = report.state(cell)
    evidence = cell.evidence
    refusal = evidence.refusal if evidence is not None else None
    return _Cell(
        label=cell.plan.label,
        state=state,
        css=_STATES[state][0],
        reason=refusal.told if refusal else "",
        place=(refusal.place or "the output itself") if refusal else "",
        rule=refusal.rule if refusal else "",
        sample=evidence.sample if evidence else "",
        result=_shown(evidence.value) if evidence else "",
        output=_shown(evidence.wire) if evidence else "",
        chances=tuple(
            f"{change.fact.detail}. Today {chance.now}. Samples: {', '.join(chance.samples)}"
            for change, chance in report.chances_of(cell)
        ),
    )


def _shown(value: Any) -> str:
    if len(text_of(value)) > _MOST_SHOWN:
        return text_of(value)[:_MOST_SHOWN] + "…"
    return json.dumps(value, ensure_ascii=False, indent=1)
