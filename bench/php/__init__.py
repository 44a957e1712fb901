"""Rendering in PHP beside PHP's own encoder: how many times json_encode alone takes."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench import data
from bench.cells import Cell

_PROGRAM: Final = Path(__file__).with_name("measure.php")
_SETTINGS: Final = ("-d", "memory_limit=2G", "-d", "zend.assertions=-1")
AT_MOST: Final[Mapping[str, float]] = {"100 KB": 3}
"""How many times the floor at most."""


def inputs(large: int) -> dict[str, Any]:
    """The data by its name: that of Python's tables."""
    return {
        "1 KB": data.mixed(data.KB),
        "100 KB": data.mixed(100 * data.KB),
        "5 MB": data.mixed(large),
        "5 MB floats": data.floats(large),
        "5 MB non-ASCII": data.strings(large),
        "100 KB nested": data.nested(100 * data.KB),
    }


def measured(given: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """What the program in PHP found. Raises SystemExit if PHP is not there or fails."""
    php = shutil.which("php")
    if php is None:
        raise SystemExit("bench: php is not installed: Debian's php-cli and php-mbstring")
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in given.items()}
    done = subprocess.run(
        [php, *_SETTINGS, str(_PROGRAM)],
        input=json.dumps({"seconds": seconds, "inputs": texts}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"bench: {done.stderr or done.stdout}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str]) -> None:
    """Measures, and prints the table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench php", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="small inputs, few rounds: whether it runs at all"
    )
    quick: bool = parser.parse_args(arguments).quick
    found = measured(inputs(100_000 if quick else 5 * data.MB), 0.02 if quick else 3)
    print(f"PHP {found['php']}")
    if quick:
        print(
            "A quick run: inputs are small whatever they are called, and the numbers say nothing."
        )
    print("\n| what | ours | json_encode | times the floor |\n|---|---|---|---|")
    for name, times in found["times"].items():
        over = Cell(times["ours"] / times["floor"], at_most=AT_MOST.get(name))
        shown = over.shown(judged=not quick)
        print(f"| {name} | {_time(times['ours'])} | {_time(times['floor'])} | {shown} |")


def _time(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"
