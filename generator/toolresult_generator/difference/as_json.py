"""A comparison for machines. Every list is there, be it empty."""

from __future__ import annotations

from typing import Any

from toolresult_generator.difference.ask import Outcome
from toolresult_generator.difference.compared import Comparison
from toolresult_generator.difference.outputs import Change
from toolresult_generator.findings import Place


def to_json(found: Comparison) -> dict[str, Any]:
    """The comparison as a JSON object."""
    made = found.outputs
    return {
        "old": found.old.shown,
        "new": found.new.shown,
        "safe": found.is_safe,
        "changes": [
            {
                "kind": one.kind,
                "name": one.name,
                "change": one.change,
                "details": list(one.details),
                "old": _place(one.old),
                "new": _place(one.new),
            }
            for one in found.differences
        ],
        "statuses": [
            {"row": one.row, "old": one.old, "new": one.new, "labels": list(one.labels)}
            for one in found.statuses
        ],
        "bytes": [_change(change) for change in made.changes],
        "cells": [
            {"row": row, "label": plan.label} for plan in found.plans for row in made.cells(plan)
        ],
        "added": list(made.added),
        "removed": list(made.removed),
        "unmeasured": [{"label": label, "reason": reason} for label, reason in made.unmeasured],
        "renderings": made.renderings,
        "growth": [finding.to_json() for finding in found.growth],
        "bindings": [
            {
                "name": one.name,
                "regenerate": one.is_stale,
                "files": list(one.files),
                "reason": one.reason,
            }
            for one in found.bindings
        ],
    }


def _place(place: Place) -> dict[str, str | int]:
    return {"file": place.file, "line": place.line, "column": place.column}


def _change(change: Change) -> dict[str, Any]:
    return {
        "label": change.plan.label,
        "rows": list(change.rows),
        "input": change.vector.text,
        "options": change.vector.asked,
        "old": _outcome(change.both.old),
        "new": _outcome(change.both.new),
    }


def _outcome(outcome: Outcome) -> dict[str, str]:
    """``bytes`` with the output, ``digest``, ``refused`` with a code, ``fault`` with a message."""
    return {outcome.kind: outcome.text}
