"""`toolresult explain`: where each part of a result goes, and what is lost."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from toolresult_generator.cli.render import add_target, given_result, known_phase

HEADS = ("part", "status", "where it went", "what is lost")
NOWHERE = "—"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_target(parser)
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the result (stdin)")


def run(args: argparse.Namespace) -> int:
    """Show the table."""
    from toolresult import registry, render
    from toolresult_generator.director import load_model
    from toolresult_generator.proof.leaves import leaves
    from toolresult_generator.proof.places import Places

    result = given_result(args)
    phase = known_phase(args, "toolresult explain")
    target, revision = registry.split(args.to)
    rendering = render(result, args.to, phase=phase)
    model = load_model(args.spec).model
    plan = model.target(target).plan(revision, phase)
    wire = rendering.wire
    if isinstance(wire, str) and wire.startswith("{"):
        wire = json.loads(wire)
    places = Places(wire, model.result.namespace)
    rows = [HEADS]
    for leaf in leaves(json.loads(result.to_json()), model.result):
        rule = plan.cell(leaf.path).rule
        losses = [
            loss.reason
            for loss in rendering.losses
            if leaf.pointer == loss.path or leaf.pointer.startswith(f"{loss.path}/")
        ]
        where = places.find(leaf.value).pointer if rule.status.arrives else ""
        rows.append(
            (
                leaf.pointer,
                rule.status.value,
                where or f"({rule.how})",
                "; ".join(losses) or NOWHERE,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS) - 1)]
    for row in rows:
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)]
        sys.stdout.write("  ".join([*cells, row[-1]]).rstrip() + "\n")
    return 0
