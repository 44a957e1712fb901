"""The report as text: what changed, what breaks, what to write, the verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from toolresult_generator.findings import printable
from toolresult_generator.revision.contain import Answer
from toolresult_generator.revision.meaning import Judged, Weight, cells_told, chance_told
from toolresult_generator.revision.report import Report
from toolresult_generator.revision.shrink import text_of
from toolresult_generator.revision.trial import TriedCell

WIDTH = 100
_MOST_PLACES = 3
_MOST_CELLS = 12
_SAMPLE = 200
TITLES = {
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
    grouped = grouped_changes(changes)
    if not grouped:
        yield "  nothing"
    for weight in Weight:
        own = [group for group in grouped if group[0].weight is weight]
        if own:
            yield f"  {TITLES[weight]}:"
            yield from (_notes if weight is Weight.NOTE else _weighty)(own)


def grouped_changes(changes: Iterable[Judged]) -> list[list[Judged]]:
    """Changes that say the same of different places, together: `_meta` on every block."""
    found: dict[object, list[Judged]] = {}
    for one in changes:
        fact = one.change.fact
        means = "" if one.chances else one.means  # chances are listed together
        key = (one.weight, one.change.of, fact.kind, fact.name, fact.detail, means)
        found.setdefault(key, []).append(one)
    return list(found.values())


def _weighty(groups: Iterable[list[Judged]]) -> Iterator[str]:
    for group in groups:
        yield from _wrapped(f"{_title(group[0])}: {_places(group)}", 4)
        yield from _wrapped(f"{group[0].change.fact.detail} ({group[0].change.pointer})", 6)
        yield from _wrapped(f"=> {means_of(group)}", 6)


def _notes(groups: Iterable[list[Judged]]) -> Iterator[str]:
    """What concerns nothing, by the reason why."""
    by_reason: dict[str, list[list[Judged]]] = {}
    for group in groups:
        by_reason.setdefault(means_of(group), []).append(group)
    for reason, own in by_reason.items():
        yield from _wrapped(f"{reason}:", 4)
        for group in own:
            detail = group[0].change.fact.detail
            yield from _wrapped(f"{_title(group[0])}: {_places(group)}: {detail}", 6)


def means_of(group: list[Judged]) -> str:
    """What a group of changes means."""
    if len(group) == 1 or not any(one.chances for one in group):
        return group[0].means
    paths = tuple(dict.fromkeys(path for one in group for path in one.paths))
    return chance_told(paths)


def _title(one: Judged) -> str:
    guess = " (a guess)" if one.change.fact.guess else ""
    return f"{one.change.kind.title}{' of a tool' if one.change.of == 'tool' else ''}{guess}"


def _places(group: list[Judged]) -> str:
    known = list(dict.fromkeys(place for one in group for place in one.change.places))
    more = len(known) - _MOST_PLACES
    shown = known if more <= 1 else [*known[:_MOST_PLACES], f"and {more} more places"]
    return ", ".join(shown)


def _cells(report: Report) -> Iterator[str]:
    trial = report.trial
    labels = ", ".join(plan.label for plan in trial.plans)
    yield f"  {len(trial.cells)} cells of {labels}, {trial.renderings} renderings"
    states = [report.state(cell) for cell in trial.cells.values()]
    yield f"  still valid {states.count('valid')}, now invalid {states.count('breaks')}, " + (
        f"valid but a chance {states.count('chance')}"
    )
    for cells in _by_reason(trial.broken()):
        paths = list(dict.fromkeys(cell.path for cell in cells))
        shown = ", ".join(paths[:_MOST_CELLS])
        shown += f" and {len(paths) - _MOST_CELLS} more" if len(paths) > _MOST_CELLS else ""
        shown = "every part and field" if trial.breaks_all and len(cells) == len(states) else shown
        known = [cell.evidence for cell in cells if cell.evidence is not None]
        evidence = min(known, key=lambda one: len(text_of(one.value)))
        where = evidence.refusal.place or "the output itself"
        yield from _wrapped(
            f"{evidence.refusal.told}, at {where} (rule {evidence.refusal.rule})", 4
        )
        yield from _wrapped(f"{cells_told(len(cells))}: {shown}", 6)
        yield f"      sample {evidence.sample}, shrunk: {_cut(text_of(evidence.value))}"
    for group in grouped_changes(report.may):
        by_now: dict[str, list[str]] = {}
        for one in group:
            for chance in one.chances:
                by_now.setdefault(chance.now, []).append(chance.path)
        yield from _wrapped(f"chance: {group[0].change.fact.detail}", 4)
        for now, paths in by_now.items():
            listed = list(dict.fromkeys(paths))
            shown = ", ".join(listed[:_MOST_CELLS])
            shown += f" and {len(listed) - _MOST_CELLS} more" if len(listed) > _MOST_CELLS else ""
            yield from _wrapped(f"{shown}: today {now}", 6)


def _by_reason(cells: Iterable[TriedCell]) -> list[list[TriedCell]]:
    """Cells that break by the same rule, the most first."""
    found: dict[tuple[str, str], list[TriedCell]] = {}
    for cell in cells:
        assert cell.evidence is not None
        refusal = cell.evidence.refusal
        found.setdefault((refusal.rule, refusal.reason), []).append(cell)
    return sorted(found.values(), key=lambda own: -len(own))


def _proposal(report: Report) -> Iterator[str]:
    proposal = report.proposal
    left = len(proposal.gaps) + len(proposal.capabilities)
    yield f"  {proposal.target_file} ({left} gap{'' if left == 1 else 's'} to fill):"
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
