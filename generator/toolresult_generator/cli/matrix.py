"""`toolresult matrix`: measure every sample in every revision and show the table."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolresult_generator.cli.given import use_adapters
from toolresult_generator.cli.progress import Progress

if TYPE_CHECKING:
    from toolresult_generator.director import Loaded
    from toolresult_generator.proof.matrix import Matrix, MatrixCell

SYMBOLS = {
    "native": "N",
    "re-encoded": "R",
    "text form": "T",
    "withheld": "W",
    "not expressible": "X",
}
FAULT = "!"
_MOST_FAULTS = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument("--json", action="store_true", help="everything that was measured, as JSON")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write the page for people as well"
    )


def run(args: argparse.Namespace) -> int:
    """Measure and show; 1 if something is not as the spec declares it."""
    from toolresult_generator.director import load_model
    from toolresult_generator.proof.fresh import run_with_own_code

    with Progress() as progress:
        loaded = load_model(args.spec, report=progress)
    code = run_with_own_code(loaded, args.spec, args.arguments)
    if code is not None:
        return code
    use_adapters()
    from toolresult_generator.proof.matrix import measure

    with Progress() as progress:
        matrix = measure(
            loaded,
            spec_folder=args.spec,
            progress=lambda done, total: progress("render", done, total),
        )
        if args.html is not None:
            progress("write the page")
            _write_page(args.html, matrix, loaded)
    if args.json:
        sys.stdout.write(json.dumps(to_json(matrix), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(table(matrix))
    return 0 if matrix.is_proven else 1


def _write_page(file: Path, matrix: Matrix, loaded: Loaded) -> None:
    from toolresult_generator.proof.page.document import of_matrix
    from toolresult_generator.proof.page.page import html
    from toolresult_generator.proof.page.publish import write_page

    write_page(file, html(of_matrix(matrix, loaded)))


def table(matrix: Matrix) -> str:
    """The matrix as text: a line for each part or field, a column for each revision and phase."""
    width = max(map(len, matrix.rows))
    lines: list[str] = []
    for number, plan in enumerate(matrix.plans, 1):
        lines.append(f"{number:>3}  {plan.label}")
    lines.append("")
    numbers = "".join(f"{number:>3}" for number in range(1, len(matrix.plans) + 1))
    lines.append(f"{'':{width}}{numbers}")
    for row in matrix.rows:
        cells = "".join(f"{_symbol(matrix.cells[row, plan.label]):>3}" for plan in matrix.plans)
        lines.append(f"{row:{width}}{cells}")
    lines.append("")
    lines.append(", ".join(f"{symbol} {name}" for name, symbol in SYMBOLS.items()))
    faults = list(matrix.all_faults())
    lines += [f"{FAULT} {fault}" for fault in faults[:_MOST_FAULTS]]
    if len(faults) > _MOST_FAULTS:
        lines.append(f"… and {len(faults) - _MOST_FAULTS} more (--json has them all)")
    lines.append(_verdict(matrix, len(faults)))
    return "\n".join(lines) + "\n"


def _verdict(matrix: Matrix, faults: int) -> str:
    schemas = "strict and official schemas" if matrix.official else "strict schemas alone"
    cells = f"{len(matrix.cells)} cells, {matrix.renderings} renderings, {schemas}"
    return f"{cells}: all as declared" if not faults else f"{cells}: {faults} at odds with the spec"


def _symbol(cell: MatrixCell) -> str:
    return FAULT if cell.faults else SYMBOLS[cell.status]


def to_json(matrix: Matrix) -> dict[str, Any]:
    """The matrix for machines."""
    return {
        "proven": matrix.is_proven,
        "official_schemas": matrix.official,
        "renderings": matrix.renderings,
        "columns": [
            {
                "label": plan.label,
                "target": plan.target,
                "revision": plan.revision,
                "phase": plan.phase,
            }
            for plan in matrix.plans
        ],
        "cells": [_cell(cell) for cell in matrix.cells.values()],
        "faults": [
            {"label": label, "sample": sample, "message": message}
            for label, sample, message in matrix.faults
        ],
    }


def _cell(cell: MatrixCell) -> dict[str, Any]:
    where = cell.where
    return {
        "path": cell.path,
        "label": cell.plan.label,
        "status": cell.status,
        "how": cell.how,
        "lost": list(cell.lost),
        "seen": len(cell.observations),
        "sample": where[0] if where else None,
        "pointer": where[1] if where else None,
        "faults": cell.faults,
    }
