"""A spec that differs from the installed code is measured with code of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SPEC = Path(__file__).parents[2] / "spec"


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "toolresult_generator", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_a_code_of_a_team_is_proven_and_explained(tmp_path: Path) -> None:
    spec = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    result = spec / "result.yaml"
    code = "  rate_limited: {since: 1, meaning: Too many calls., use: Wait.}\n  tool_error:\n"
    result.write_text(result.read_text().replace("  tool_error:\n", code, 1))
    limited = '{"format_version":1,"error":{"code":"rate_limited","message":"m"}}'
    (spec / "samples" / "own.yaml").write_text(
        f"samples:\n  limited:\n    meaning: A code of our own.\n    result: {limited}\n"
    )
    done = run("matrix", "--spec", str(spec))
    assert (done.returncode, done.stderr) == (0, "")
    assert "all as declared" in done.stdout
    done = run("explain", "--spec", str(spec), "--to", "a2a@1.0", text=limited)
    assert (done.returncode, done.stderr) == (0, "")
    assert "/status/message/parts/1/data/code" in done.stdout
