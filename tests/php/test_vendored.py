"""A copy in an empty project of PHP runs with PHP alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.docs.pages import blocks
from tests.php.toolchain import ROOT, run, tool, vendored

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
    vendored(tmp_path / "lib" / "toolresult")
    (tmp_path / "main.php").write_text(PROJECT, encoding="utf-8")
    done = run(tool("php"), "main.php", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    output, read = done.stdout.splitlines()
    assert '"parts":[{"data":{"ids":[17,18]},"mediaType":"application/json"}' in output
    assert read == '{"data":{"ids":[17,18]},"format_version":1,"summary":"2 products updated"}'


def test_composer_takes_a_copy_by_the_lines_of_the_page(tmp_path: Path) -> None:
    copy = vendored(tmp_path / "third_party" / "toolresult")
    composer = tool("composer")
    valid = run(composer, "validate", "--strict", "--no-interaction", cwd=copy)
    assert valid.returncode == 0, valid.stdout + valid.stderr

    (lines,) = (one for one in blocks(ROOT / "docs" / "php.md") if one.language == "json")
    (tmp_path / "composer.json").write_text(lines.text, encoding="utf-8")
    env = {**os.environ, "COMPOSER_HOME": str(tmp_path / "home"), "COMPOSER_DISABLE_NETWORK": "1"}
    # In its own home: this test asks no index. The project's lines stay as the page has them.
    (tmp_path / "home").mkdir()
    alone = json.dumps({"repositories": [{"packagist.org": False}]})
    (tmp_path / "home" / "config.json").write_text(alone, encoding="utf-8")
    update = ("update", "--no-interaction", "--no-plugins")
    made = run(composer, *update, cwd=tmp_path, env=env)
    assert made.returncode == 0, made.stdout + made.stderr
    code = "require 'vendor/autoload.php'; " + PROJECT.partition("autoload.php';")[2]
    (tmp_path / "main.php").write_text(f"<?php {code}", encoding="utf-8")
    done = run(tool("php"), "main.php", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith('"summary":"2 products updated"}\n')


def test_a_copy_loads_nothing_from_outside_of_itself(tmp_path: Path) -> None:
    copy = vendored(tmp_path / "lib" / "toolresult")
    package = json.loads((copy / "composer.json").read_text(encoding="utf-8"))
    folders = package["autoload"]["psr-4"]
    assert all(
        isinstance(folder, str) and (copy / folder).resolve().is_relative_to(copy)
        for folder in folders.values()
    ), folders
    stray = tmp_path / "generated" / "php" / "Stray.php"
    stray.parent.mkdir(parents=True)
    stray.write_text("<?php echo 'from outside';", encoding="utf-8")
    code = (
        "require 'lib/toolresult/autoload.php'; var_dump(class_exists('Toolresult\\Core\\Stray'));"
    )
    assert run(tool("php"), "-r", code, cwd=tmp_path).stdout == "bool(false)\n"
