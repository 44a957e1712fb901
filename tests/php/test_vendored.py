"""A copy in an empty project of PHP runs with PHP alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.toolchain import program

from toolresult_generator.cli import main

ROOT = Path(__file__).parents[2]
PROJECT = """<?php

declare(strict_types=1);

require __DIR__ . '/lib/toolresult/autoload.php';

use Toolresult\\Core\\Result;
use Toolresult\\Wire;

$result = Result::success(['ids' => [17, 18]], summary: '2 products updated');
$a2a = Wire::render($result, 'a2a@1.0');
echo $a2a->bytes, "\\n", Wire::read($a2a->bytes, 'a2a@1.0')->toJson(), "\\n";
"""


def test_a_copy_runs_in_an_empty_project(tmp_path: Path) -> None:
    php = program("php", "Debian's packages php-cli and php-mbstring")
    copy = tmp_path / "lib" / "toolresult"
    assert main(["vendor", "--language", "php", "--spec", str(ROOT / "spec"), str(copy)]) == 0
    (tmp_path / "main.php").write_text(PROJECT, encoding="utf-8")
    done = subprocess.run(
        [php, "main.php"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    output, read = done.stdout.splitlines()
    assert '"parts":[{"data":{"ids":[17,18]},"mediaType":"application/json"}' in output
    assert read == '{"data":{"ids":[17,18]},"format_version":1,"summary":"2 products updated"}'
