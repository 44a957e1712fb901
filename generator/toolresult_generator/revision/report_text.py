"""The report as text: what changed, what breaks, what to write, the verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from toolresult_generator.findings import printable
from toolresult_generator.revision.contain import Answer
from toolresult_generator.revision.meaning import Judged, Weight
from toolresult_generator.revision.report import Report
from toolresult_generator.revision.shrink import text_of
from toolresult_generator.revision.trial import TriedCell

WIDTH = 100
_MOST_PLACES = 3
_MOST_CELLS = 12
_SAMPLE = 200
_TITLES = {
    Weight.BREAKS: "breaks outputs",
    Weight.RISK: "may break outputs",
    Weight.UNDECIDED: "not decided",
    Weight.CHANCE: "could be used",
    Weight.NOTE: "concerns nothing that is written",
}


def text(report: Report) -> str:
    """The report."""
    lines = [
        f"{report.schema}, tried with what {report.like} writes",
        f"compared with {report.old}"
        + (" (our own: the protocol's is not there)" if report.old_is_ours else ""),
    ]
    for one in report.definitions:
        lines.append(f"{one.name} allows all that it allowed: {_ANSWERS[one.allows_all]}")
    lines += ["", "What changed", *_changes(report.changes)]
    lines += ["", "What breaks", *_cells(report)]
    lines += ["", "What to write", *_proposal(report), "", verdict(report)]
    return "\n".join(map(printable, lines)) + "\n"


_ANSWERS = {Answer.YES: "yes", Answer.NO: "no", Answer.UNKNOWN: "not decided"}


def verdict(report: Report) -> str:
    """The last line."""
    broken = len(report.trial.broken())
    told = f"{broken} of {len(report.trial.cells)} cells break"
    undecided = sum(one.weight in (Weight.RISK, Weight.UNDECIDED) for one in report.changes)
    told += f", {undecided} changes are at risk or not decided" if undecided else ""
    told += f", {len(report.may)} could be used" if report.may else ""
    return f"{report.verdict.value}: {told}"


def _changes(changes: Iterable[Judged]) -> Iterator[str]:
    last: Weight | None = None
    for one in changes:
        if one.weight is not last:
            last = one.weight
            yield f"  {_TITLES[last]}:"
        guess = " (a guess)" if one.change.fact.guess else ""
        of = "" if one.change.of == "result" else f" of the {one.change.of}"
        yield f"    {one.change.kind.title}{of}{guess}: {', '.join(_places(one))}"
        yield from _wrapped(f"{one.change.fact.detail} ({one.change.pointer})", 6)
        yield from _wrapped(f"=> {one.means}", 6)
    if last is None:
        yield "  nothing"


def _places(one: Judged) -> list[str]:
    places = list(one.change.places[:_MOST_PLACES])
    more = len(one.change.places) - len(places)
    return [*places, f"and {more} more places"] if more else places


def _cells(report: Report) -> Iterator[str]:
    trial = report.trial
    labels = ", ".join(plan.label for plan in trial.plans)
    yield f"  {len(trial.cells)} cells of {labels}, {trial.renderings} renderings"
    states = [report.state(cell) for cell in trial.cells.values()]
    yield f"  still valid {states.count('valid')}, now invalid {states.count('breaks')}, " + (
        f"valid but a chance {states.count('chance')}"
    )
    for reason, cells in _by_reason(trial.broken()).items():
        paths = list(dict.fromkeys(cell.path for cell in cells))
        shown = ", ".join(paths[:_MOST_CELLS])
        shown += f" and {len(paths) - _MOST_CELLS} more" if len(paths) > _MOST_CELLS else ""
        shown = "every part and field" if trial.breaks_all and len(cells) == len(states) else shown
        evidence = min((c.evidence for c in cells if c.evidence), key=lambda e: len(text_of(e.value)))
        where = evidence.refusal.place or "the output itself"
        yield from _wrapped(f"{reason}, at {where} (rule {evidence.refusal.rule})", 4)
        yield from _wrapped(f"{len(cells)} cells: {shown}", 6)
        yield f"      sample {evidence.sample}, shrunk: {_cut(text_of(evidence.value))}"
    for one in report.may:
        by_path: dict[str, list[str]] = {}
        for chance in one.chances:
            by_path.setdefault(chance.now, []).append(chance.path)
        yield from _wrapped(f"chance: {one.change.fact.detail}", 4)
        for now, paths in by_path.items():
            listed = list(dict.fromkeys(paths))
            shown = ", ".join(listed[:_MOST_CELLS])
            shown += f" and {len(listed) - _MOST_CELLS} more" if len(listed) > _MOST_CELLS else ""
            yield from _wrapped(f"{shown}: today {now}", 6)


def _by_reason(cells: Iterable[TriedCell]) -> dict[str, list[TriedCell]]:
    found: dict[str, list[TriedCell]] = {}
    for cell in cells:
        assert cell.evidence is not None
        found.setdefault(cell.evidence.refusal.reason, []).append(cell)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def _proposal(report: Report) -> Iterator[str]:
    proposal = report.proposal
    left = len(proposal.gaps) + len(proposal.capabilities)
    yield f"  {proposal.target_file} ({left} gaps to fill):"
    yield from (f"    {line}" if line else "" for line in proposal.entry.splitlines())
    size = proposal.wire_text.count("\n")
    yield f"  {proposal.wire_file} ({size} lines, derived from the schema)"


def _wrapped(told: str, indent: int) -> list[str]:
    space = " " * indent
    return textwrap.wrap(
        told,
        WIDTH,
        initial_indent=space,
        subsequent_indent=f"{space}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cut(told: str) -> str:
    return told if len(told) <= _SAMPLE else f"{told[: _SAMPLE - 1]}…"
