"""Rendering in TypeScript beside the MCP SDK's result with its schema check, and the floor.

Needs Node, and the npm package built where it stands: ``npm ci && npm run build`` in
``adapters/typescript``.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench import data
from bench.cells import Cell

Times = dict[str, dict[str, float]]
"""Medians in seconds, by input and by way: ``ours``, ``sdk``, ``floor``."""

OVER_FLOOR: Final = {"100 KB": 2.0}
"""How many times the floor at most: the whole result, text copy included, by JSON.stringify."""

_PACKAGE: Final = Path(__file__).parents[2] / "adapters" / "typescript"
_PROGRAM: Final = Path(__file__).with_name("measure.mjs")


def main(arguments: Sequence[str]) -> None:
    """Measures, and prints the table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench typescript", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="whether it runs at all")
    asked = parser.parse_args(arguments)
    node = shutil.which("node")
    if node is None:
        raise SystemExit("bench: node is not on the path: install Node 20 or later")
    if not (_PACKAGE / "dist").is_dir():
        raise SystemExit(f"bench: {_PACKAGE} is not built: npm ci && npm run build")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    print(f"Node {version.stdout.strip()}, {platform.system()} {platform.machine()}\n")
    print(table(measured(node, 0.05 if asked.quick else 6), judged=not asked.quick))


def measured(node: str, seconds: float) -> Times:
    """The medians for every size. ``seconds`` is about how long each takes."""
    sizes = {"1 KB": data.KB, "100 KB": 100 * data.KB, "5 MB": 5 * data.MB}
    inputs = {name: json.dumps(data.mixed(size)) for name, size in sizes.items()}
    done = subprocess.run(
        [node, str(_PROGRAM)],
        input=json.dumps({"seconds": seconds, "inputs": inputs}),
        capture_output=True,
        text=True,
        check=True,
    )
    found: Times = json.loads(done.stdout)
    return found


def table(times: Times, *, judged: bool) -> str:
    """The ratios, a row for each size."""
    lines = ["| what | faster than the SDK | times the floor | ours |", "|---|---|---|---|"]
    for name, found in times.items():
        faster = Cell(found["sdk"] / found["ours"]).shown(judged=judged)
        over = Cell(found["ours"] / found["floor"], at_most=OVER_FLOOR.get(name))
        lines.append(
            f"| {name} | {faster} | {over.shown(judged=judged)} | {found['ours'] * 1e3:.3f} ms |"
        )
    return "\n".join(lines)
