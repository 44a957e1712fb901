"""The benchmark of PHP runs, and measures what it says."""

from __future__ import annotations

import json
import re
import sys

from bench.php import inputs
from tests.php.toolchain import ROOT, run, tool


def test_a_quick_run_prints_the_rows_of_the_page() -> None:
    tool("php")
    done = run(sys.executable, "-m", "bench", "php", "--quick")
    assert (done.returncode, done.stderr) == (0, "")
    row = re.compile(r"^\| (.+?) \| [0-9.e+]+ m?µ?s \| [0-9.e+]+ m?µ?s \| [0-9.]+x", re.M)
    names = row.findall(done.stdout)
    page = (ROOT / "docs" / "php.md").read_text(encoding="utf-8")
    assert names == row.findall(page) == list(inputs(1000))


def test_both_write_the_data_and_its_text() -> None:
    program = (
        "require 'adapters/php/autoload.php'; require 'bench/php/Ways.php'; "
        "$data = json_decode($argv[1], true); "
        "use Toolresult\\Bench\\Ways; echo json_encode([Ways::ours($data), Ways::floor($data)]);"
    )
    given = {"b": [1, 2.5, None, "ä"], "a": {"x": True}}
    done = run(tool("php"), "-r", program, json.dumps(given))
    ours, floor = map(json.loads, json.loads(done.stdout))
    for wire in (ours, floor):
        assert wire["structuredContent"] == given
        assert json.loads(wire["content"][0]["text"]) == given
