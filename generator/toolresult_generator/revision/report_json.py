"""The report for machines."""

from __future__ import annotations

from typing import Any

from toolresult_generator.revision.meaning import Judged
from toolresult_generator.revision.report import Report
from toolresult_generator.revision.trial import TriedCell


def to_json(report: Report) -> dict[str, Any]:
    """One JSON object. Its keys and the names of kinds, weights and states are stable."""
    proposal = report.proposal
    return {
        "verdict": report.verdict.value,
        "must": len(report.must),
        "may": len(report.may),
        "schema": {"file": report.schema, "sha256": report.digest},
        "compared_with": {"file": report.old, "ours": report.old_is_ours},
        "like": report.like,
        "definitions": [
            {"of": one.of, "name": one.name, "allows_all": one.allows_all.value}
            for one in report.definitions
        ],
        "changes": [_change(one) for one in report.changes],
        "renderings": report.trial.renderings,
        "cells": [_cell(report, cell) for cell in report.trial.cells.values()],
        "proposal": {
            "target": proposal.target,
            "revision": proposal.revision,
            "gaps": list(proposal.gaps),
            "capabilities": [
                {"name": one.name, "meaning": one.meaning, "gap": one.gap}
                for one in proposal.capabilities
            ],
            "entry": proposal.entry,
            "files": {
                proposal.target_file.as_posix(): proposal.target_text,
                proposal.wire_file.as_posix(): proposal.wire_text,
            },
        },
    }


def _change(one: Judged) -> dict[str, Any]:
    fact = one.change.fact
    return {
        "kind": fact.kind.value,
        "of": one.change.of,
        "name": fact.name,
        "other_name": fact.other or None,
        "guess": fact.guess,
        "places": list(one.change.places),
        "old_pointer": fact.old,
        "new_pointer": fact.new,
        "detail": fact.detail,
        "weight": one.weight.value,
        "means": one.means,
        "paths": list(one.paths),
        "forms": list(one.forms),
    }


def _cell(report: Report, cell: TriedCell) -> dict[str, Any]:
    made: dict[str, Any] = {
        "path": cell.path,
        "label": cell.plan.label,
        "state": report.state(cell),
        "tried": cell.tried,
    }
    if cell.evidence is not None:
        made["evidence"] = {
            "sample": cell.evidence.sample,
            "result": cell.evidence.value,
            "output": cell.evidence.wire,
            "place": cell.evidence.refusal.place,
            "reason": cell.evidence.refusal.told,
            "rule": cell.evidence.refusal.rule,
        }
    chances = report.chances_of(cell)
    if chances:
        made["chances"] = [
            {"change": change.fact.detail, "now": chance.now, "samples": list(chance.samples)}
            for change, chance in chances
        ]
    return made
