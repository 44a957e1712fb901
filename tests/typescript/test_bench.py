"""The benchmark of TypeScript runs, and says how it is to be run where it cannot."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.typescript.package import ROOT, built


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", "typescript", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_quick_run() -> None:
    built()
    done = bench("--quick")
    assert (done.returncode, done.stderr) == (0, "")
    row = r"\| (.+) \| [0-9.]+x \| [0-9.]+x \| [0-9.]+ ms \|"
    assert re.findall(row, done.stdout) == ["1 KB", "100 KB", "5 MB"]


def test_what_it_does_not_know() -> None:
    done = bench("--fast")
    assert done.returncode == 2
    assert "unrecognized arguments: --fast" in done.stderr
