"""The command ``python -m bench``: measures, and prints the tables in Markdown."""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.tables import Row

_LANGUAGES = ("php", "typescript")
"""Each is measured by a module of its own here, and needs no peer of Python."""
_PACKAGES = ("pydantic", "orjson", "mcp", "fastmcp", "a2a-sdk", "protobuf")


def main() -> None:
    """Measures what the arguments ask for."""
    if len(sys.argv) > 1 and sys.argv[1] in _LANGUAGES:
        importlib.import_module(f"bench.{sys.argv[1]}").main(sys.argv[2:])
        return
    # Imported when asked for: it needs all the peers of Python.
    from bench.tables import FULL, QUICK, TABLES

    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog=f"Another language is measured by its name alone: {', '.join(_LANGUAGES)}.",
    )
    parser.add_argument(
        "table", nargs="*", help=f"of {', '.join(one.name for one in TABLES)}; all by default"
    )
    parser.add_argument(
        "--quick", action="store_true", help="small inputs, few rounds: whether it runs at all"
    )
    asked = parser.parse_args()
    names = {one.name for one in TABLES}
    unknown = [name for name in asked.table if name not in names]
    if unknown:
        parser.error(f"unknown table '{unknown[0]}'; known are {', '.join(sorted(names))}")
    print(_versions())
    if asked.quick:
        print(
            "A quick run: inputs are small whatever they are called, and the numbers say nothing."
        )
    for table in TABLES:
        if asked.table and table.name not in asked.table:
            continue
        print(f"\n{table.title}\n\n| what | against | {' | '.join(table.columns)} |")
        print(f"|---|---|{'---|' * len(table.columns)}", flush=True)
        for row in table.rows(QUICK if asked.quick else FULL):
            print(_line(row, table.columns, judged=not asked.quick), flush=True)


def _versions() -> str:
    python = f"Python {platform.python_version()}"
    packages = (f"{name} {version(name)}" for name in _PACKAGES)
    return ", ".join((python, *packages, f"{platform.system()} {platform.machine()}"))


def _line(row: Row, columns: tuple[str, ...], *, judged: bool) -> str:
    cells = " | ".join(row.cells[column].shown(judged=judged) for column in columns)
    return f"| {row.name} | {row.against} | {cells} |"


if __name__ == "__main__":
    main()
