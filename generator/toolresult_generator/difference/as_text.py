"""A comparison for people: what changed, what it does to bytes, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from toolresult_generator.difference.ask import Outcome
from toolresult_generator.difference.compared import Comparison
from toolresult_generator.difference.meaning import WORDS, Difference
from toolresult_generator.difference.outputs import Change
from toolresult_generator.findings import printable
from toolresult_generator.model.target import Plan

MAX_LISTED = 40
"""Changes of one section that are listed."""
MAX_TEXT = 300
"""Characters of an input or output that are shown."""
_BEFORE = 80
"""Characters before the first byte that differs."""


def to_text(found: Comparison) -> str:
    """The comparison as lines, each section after its heading."""
    sections = (
        ("what changed", _differences(found.differences)),
        ("what becomes of parts", _statuses(found)),
        ("what changes bytes", _outputs(found)),
        ("what is against the rules of growth", map(str, found.growth)),
        ("what has to be generated anew", _bindings(found)),
    )
    lines = [f"{printable(found.old.shown)} → {printable(found.new.shown)}"]
    for title, made in sections:
        listed = list(made)
        if listed:
            lines += ["", f"{title}:"]
            lines += [f"  {line}" for line in listed]
    return "\n".join([*lines, "", _verdict(found)]) + "\n"


def _differences(differences: tuple[Difference, ...]) -> Iterator[str]:
    meant = [one for one in differences if one.change != WORDS]
    for one in meant[:MAX_LISTED]:
        details = [printable(detail) for detail in one.details]
        first = f": {details[0]}" if len(details) == 1 else ""
        yield f"{one.kind} {printable(one.name)} {one.change}{first}"
        if not first:
            yield from (f"    {detail}" for detail in details)
        yield f"    {one.old} → {one.new}"
    if len(meant) > MAX_LISTED:
        yield f"… and {len(meant) - MAX_LISTED} more (--format json has them all)"
    words = len(differences) - len(meant)
    if words:
        yield f"and texts for people at {words} place{'s' if words > 1 else ''}"


def _statuses(found: Comparison) -> Iterator[str]:
    listed = found.statuses
    for one in listed[:MAX_LISTED]:
        yield f"{one.row}: {one.old} → {one.new}, on {_labels(one.labels, found.plans)}"
    if len(listed) > MAX_LISTED:
        yield f"… and {len(listed) - MAX_LISTED} more (--format json has them all)"


def _outputs(found: Comparison) -> Iterator[str]:
    made = found.outputs
    # what needs the same parts stands together, with the shortest vector of all plans
    by_rows = sorted(made.changes, key=lambda change: change.rows)
    groups = [list(some) for _, some in groupby(by_rows, key=lambda change: change.rows)]
    for changes in groups[:MAX_LISTED]:
        rows = ", ".join(changes[0].rows) or "every output"
        yield f"{rows}, on {_labels([one.plan.label for one in changes], found.plans)}"
        yield from _vector(min(changes, key=lambda change: change.vector.rank))
    if len(groups) > MAX_LISTED:
        yield f"… and {len(groups) - MAX_LISTED} more (--format json has them all)"
    if made.removed:
        yield f"nothing is rendered any more to {_labels(made.removed, found.plans)}"
    if made.added:
        yield f"new, and so without bytes that could change: {', '.join(made.added)}"
    for label, reason in made.unmeasured:
        yield f"{label} changed, and could not be measured: {printable(reason)}"


def _vector(change: Change) -> Iterator[str]:
    options = "" if change.vector.options == "{}" else f"  with {change.vector.options}"
    old, new = change.both.old, change.both.new
    at = 0
    if old.kind == new.kind == "bytes":
        pairs = enumerate(zip(old.text, new.text, strict=False))
        shorter = min(len(old.text), len(new.text))
        at = next((number for number, (a, b) in pairs if a != b), shorter)
    yield f"    {change.plan.label}"
    yield f"      in   {_cut(change.vector.text, 0)}{options}"
    yield f"      old  {_outcome(old, at)}"
    yield f"      new  {_outcome(new, at)}"


def _outcome(outcome: Outcome, at: int) -> str:
    if outcome.kind == "bytes":
        return _cut(outcome.text, at)
    said = {"refused": "refused as ", "fault": "fails: ", "digest": ""}.get(outcome.kind, "hooks: ")
    return f"({said}{printable(outcome.text)})"


def _cut(text: str, at: int) -> str:
    """The text around a place, with marks where something is left out."""
    if len(text) <= MAX_TEXT:
        return printable(text)
    start = max(0, min(at - _BEFORE, len(text) - MAX_TEXT))
    end = start + MAX_TEXT
    before, after = "…" if start else "", "…" if end < len(text) else ""
    return f"{before}{printable(text[start:end])}{after}"


def _labels(labels: Iterable[str], plans: tuple[Plan, ...]) -> str:
    """The labels, those of a whole target as its name."""
    wanted = set(labels)
    said: list[str] = []
    for target, some in groupby(plans, key=lambda plan: plan.target):
        own = [plan.label for plan in some]
        taken = [label for label in own if label in wanted]
        said += [target] if len(taken) == len(own) > 1 else taken
    return ", ".join(said)


def _bindings(found: Comparison) -> Iterator[str]:
    for one in found.bindings:
        if one.files:
            yield f"{one.name}: {len(one.files)} file{'s' if len(one.files) > 1 else ''}"
        elif one.reason:
            yield f"{one.name}: {one.reason}"


def _verdict(found: Comparison) -> str:
    made = found.outputs
    cells = sum(len(made.cells(plan)) for plan in found.plans)
    told = []
    if cells:
        told.append(f"{cells} cells change bytes" if cells > 1 else "1 cell changes bytes")
    if made.removed:
        told.append(f"{len(made.removed)} of {len(found.plans)} renderings are gone")
    if made.unmeasured:
        told.append(f"{len(made.unmeasured)} could not be measured")
    if not told:
        told.append("no byte of what was published changes")
    broken = len(found.growth)
    told.append(
        f"{broken} change{'s' if broken > 1 else ''} against the rules of growth"
        if broken
        else "the rules of growth hold"
    )
    return "; ".join(told)
