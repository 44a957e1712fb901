"""`toolresult explain`: where each part of one result goes, and what is lost."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolresult_generator.cli.given import (
    add_file,
    add_source,
    add_target,
    any_integer,
    check_source,
    check_target,
    faults_of,
    result_of,
    take,
)
from toolresult_generator.cli.progress import Progress
from toolresult_generator.cli.specs import add_spec, spec_or_bundled
from toolresult_generator.findings import printable

if TYPE_CHECKING:
    from toolresult_core.runtime.rendering import Loss
    from toolresult_generator.model.target import Plan
    from toolresult_generator.proof.page.follow import Followed

_PLACE = "toolresult explain"
_WIDEST = 60
"""Characters of a pointer that the table shows."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_target(parser)
    add_source(parser)
    add_spec(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the page for people too")
    add_file(parser, "a serialized result")


def run(args: argparse.Namespace) -> int:
    """Render, follow each leaf, and show the table."""
    from toolresult_generator.director import load_model
    from toolresult_generator.proof.fresh import run_with_own_code

    spec = spec_or_bundled(args.spec)
    with Progress() as progress:
        loaded = load_model(spec, report=progress)
    # before the input is read: standard input can be read once only
    code = run_with_own_code(loaded, spec, args.arguments)
    if code is not None:
        return code
    target, revision, phase = check_target(args, _PLACE)
    check_source(args.source, _PLACE)
    given = take(args.file)
    result = result_of(given, args.source)

    from toolresult import registry
    from toolresult_core.runtime.rendering import Options
    from toolresult_generator.proof.page.follow import follow
    from toolresult_generator.proof.python import installed

    any_integer()
    value = json.loads(result.to_json())
    with Progress() as progress, faults_of(given):
        plan = loaded.model.target(target).plan(revision, phase)
        render, _ = installed(plan, Options())
        progress("follow")
        view = follow(plan, loaded.model.result, value, render)
        losses = registry.renderer(target, revision, phase).render(result).losses
        if args.html is not None:
            progress("write the page")
            from toolresult_generator.proof.page.document import of_result
            from toolresult_generator.proof.page.page import html
            from toolresult_generator.proof.page.publish import write_page

            page = of_result(value, plan, loaded, render, name=given.name)
            write_page(args.html, html(page))
    rows = [_row(leaf, plan, losses) for leaf in view.leaves]
    if args.format == "json":
        document = {
            "label": plan.label,
            "parts": rows,
            "more": view.more_leaves,
            "losses": [loss.to_value() for loss in losses],
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(_text(plan.label, rows, view.more_leaves))
    return 0


def _row(leaf: Followed, plan: Plan, losses: Sequence[Loss]) -> dict[str, Any]:
    from toolresult_generator.proof.places import Found

    rule = plan.cell(leaf.path).rule
    status = leaf.noted or leaf.status
    if not leaf.noted and rule.sometimes and leaf.places and leaf.places[0].found is Found.KEPT:
        status = rule.sometimes.value
    reasons = [loss.reason for loss in losses if _touches(loss.path, leaf.pointer)]
    return {
        "part": leaf.pointer,
        "row": leaf.path,
        "status": status,
        "places": [place.pointer or "/" for place in leaf.places],
        "how": rule.how,
        "lost": list(dict.fromkeys(reasons)),
    }


def _touches(loss: str, pointer: str) -> bool:
    """Whether a loss is of a leaf, of what holds it, or of something in it."""
    return loss == pointer or pointer.startswith(f"{loss}/") or loss.startswith(f"{pointer}/")


def _text(label: str, rows: Sequence[dict[str, Any]], more: int) -> str:
    table = [("part", "status", "where it went", "what is lost")]
    for row in rows:
        where = ", ".join(row["places"][:2]) or f"({row['how']})"
        further = len(row["places"]) - 2
        if further > 0:
            where += f" and {further} more"
        lost = "; ".join(row["lost"]) or "nothing"
        table.append((_short(row["part"]), row["status"], _short(where, 2 * _WIDEST), lost))
    widths = [max(len(line[column]) for line in table) for column in range(3)]
    lines = [label, ""]
    for *cells, last in table:
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        lines.append("  ".join([*padded, printable(last)]))
    if more:
        lines.append(f"and {more} parts more")
    losing = sum(bool(row["lost"]) for row in rows)
    told = f"{losing} of them lose something" if losing else "nothing is lost"
    lines += ["", f"{len(rows) + more} parts: {told}"]
    return "\n".join(lines) + "\n"


def _short(text: str, most: int = _WIDEST) -> str:
    shown = printable(text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"
