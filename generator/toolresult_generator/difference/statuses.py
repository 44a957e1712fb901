"""What becomes of each part and field on each plan, where the versions do not agree.

A rule may be for many parts, and a capability decides which rule applies; so this is read off
the resolved model, not off the text of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolresult_generator.difference.outputs import plans_of
from toolresult_generator.director import Loaded


@dataclass(frozen=True)
class StatusChange:
    """A part or field that arrives otherwise, and the plans on which it does."""

    row: str
    old: str
    new: str
    labels: tuple[str, ...]


def compare(old: Loaded, new: Loaded) -> list[StatusChange]:
    """The changes of status, in the order of the result."""
    before, after = plans_of(old), plans_of(new)
    found: dict[tuple[str, str, str], list[str]] = {}
    for label, plan in before.items():
        if label not in after:
            continue
        statuses = {cell.path: cell.rule.status.value for cell in after[label].cells}
        for cell in plan.cells:
            status = statuses.get(cell.path)
            if status is not None and status != cell.rule.status.value:
                found.setdefault((cell.path, cell.rule.status.value, status), []).append(label)
    return [StatusChange(*key, tuple(labels)) for key, labels in found.items()]
