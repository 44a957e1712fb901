"""One sample in one revision and phase: what was measured, and what is at odds with the spec."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Plan, Rule, Status
from toolresult_generator.proof.leaves import Leaf, at, leaves
from toolresult_generator.proof.markers import is_marked
from toolresult_generator.proof.places import Found, Place, Places

Render = Callable[[dict[str, Any]], "Output"]
"""Renders a serialized result."""
ReadBack = Callable[["Output"], "dict[str, Any]"]
"""Reads an output back to a serialized result. Raises ValueError for what it cannot read."""


@dataclass(frozen=True)
class Output:
    """What a rendering gave."""

    text: str
    wire: Any
    losses: tuple[tuple[str, str], ...]
    """Pointer into the result, and status."""


@dataclass(frozen=True)
class Observation:
    """One leaf in one rendering."""

    sample: str
    pointer: str
    path: str
    place: Place | None
    """Where it stands; None for a value that cannot be told from others."""
    read_back: bool
    noted: bool
    """Whether the losses of the rendering name it."""
    below: tuple[tuple[str, bool], ...] = ()
    """For each channel that the rule names: whether the value stands there."""


@dataclass
class Report:
    """What one rendering showed."""

    observations: list[Observation] = field(default_factory=list)
    faults: list[tuple[str | None, str]] = field(default_factory=list)
    """The row that is at fault (None for the rendering as a whole), and what is wrong."""


def observe(
    plan: Plan,
    spec: ResultSpec,
    sample: str,
    value: dict[str, Any],
    render: Render,
    read_back: ReadBack,
    checks: Iterable[tuple[str, Callable[[Any], str | None]]],
    *,
    marked: bool,
) -> Report:
    """Renders a sample and measures every leaf. Never raises for what the renderer does.

    Leaves are looked for in the output where the sample is ``marked``; one as written
    may hold a value twice, so it is followed by reading back alone.
    """
    report = Report()
    try:
        output = render(value)
    except Exception as error:  # whatever altered code may raise is a finding, not a crash
        report.faults.append((None, f"rendering raised {type(error).__name__}: {error}"))
        return report
    for name, check in checks:
        fault = check(output.wire)
        if fault is not None:
            report.faults.append((None, f"not valid by the {name} schema: {fault}"))
    try:
        back = read_back(output)
    except Exception as error:
        told = str(error) if isinstance(error, ValueError) else type(error).__name__
        report.faults.append((None, f"cannot be read back: {told}"))
        return report
    places = Places(_opened(output.wire), spec.namespace)
    for leaf in leaves(value, spec):
        rule = plan.cell(leaf.path).rule
        followed = marked and is_marked(leaf, spec)
        seen = Observation(
            sample,
            leaf.pointer,
            leaf.path,
            places.find(leaf.value) if followed else None,
            _same(back, leaf),
            any(_covers(pointer, leaf.pointer) for pointer, _ in output.losses),
            tuple(
                (channel, places.stands_below(leaf.value, channel))
                for channel in (*rule.also, *rule.never)
            )
            if followed
            else (),
        )
        report.observations.append(seen)
        fault = judge(seen, rule)
        if fault is not None:
            report.faults.append((leaf.path, fault))
    report.faults += _additions(value, back, spec, plan)
    return report


def judge(seen: Observation, rule: Rule) -> str | None:
    """What is at odds between a leaf and its rule, or None."""
    if rule.status.arrives:
        return _judge_arrival(seen, rule)
    if seen.read_back:
        return f"is declared {rule.status.value} and reads back all the same"
    if not seen.noted:
        return f"is declared {rule.status.value}, but the losses of the rendering do not name it"
    found = seen.place.found if seen.place is not None else None
    field = seen.path.rsplit(".", 1)[-1]
    if rule.status is Status.TEXT_FORM and field not in rule.lost:
        return "is declared to be in the text form and is not" if found is Found.NOWHERE else None
    if found not in (None, Found.NOWHERE):
        assert seen.place is not None
        return f"is declared not to be sent and stands at {seen.place.pointer}"
    return None


def _judge_arrival(seen: Observation, rule: Rule) -> str | None:
    if not seen.read_back:
        return f"is declared {rule.status.value} and does not read back"
    if seen.noted:
        return f"is declared {rule.status.value}, and named among the losses"
    if seen.place is None:
        return None
    for channel, stands in seen.below:
        if stands and channel in rule.never:
            return f"must not stand below {channel}, and does"
        if not stands and channel in rule.also:
            return f"must also stand below {channel}, and does not"
    if seen.place.found is Found.NOWHERE:
        return f"is declared {rule.status.value} and stands nowhere"
    if (
        rule.status is Status.NATIVE
        and rule.sometimes is None
        and seen.place.found is not Found.WHOLE
    ):
        return f"is declared native and is only {seen.place.found.value} at {seen.place.pointer}"
    return None


def never_seen(observations: Iterable[Observation], rule: Rule) -> str | None:
    """What a rule declares and no sample shows: a re-encoding, or that it only happens at times."""
    if rule.status is not Status.RE_ENCODED and rule.sometimes is None:
        return None
    placed = [seen.place.found for seen in observations if seen.place is not None]
    if placed and all(found is Found.WHOLE for found in placed):
        return "is declared re-encoded and always stands whole: it is native"
    if rule.sometimes is not None and Found.WHOLE not in placed:
        return "is declared native and never stands whole"
    return None


def _opened(wire: Any) -> Any:
    """A wire value that is a string holds its JSON; that is what values are looked for in."""
    if isinstance(wire, str) and wire.startswith("{"):
        return json.loads(wire)
    return wire


def _same(back: dict[str, Any], leaf: Leaf) -> bool:
    found = at(back, leaf.pointer)
    return found is not None and _text(found[0]) == _text(leaf.value)


def _additions(
    value: dict[str, Any], back: dict[str, Any], spec: ResultSpec, plan: Plan
) -> Iterator[tuple[str | None, str]]:
    """What reading back gives that was not there: kinds that changed, fields that appeared."""
    if any(not cell.rule.status.arrives for cell in plan.cells):
        return  # a text that stands in for a part is such an addition
    before = {leaf.pointer for leaf in leaves(value, spec)}
    for leaf in leaves(back, spec):
        if leaf.pointer not in before:
            yield leaf.path, f"reads back at {leaf.pointer}, where the result had nothing"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _covers(loss: str, pointer: str) -> bool:
    return pointer == loss or pointer.startswith(f"{loss}/")
