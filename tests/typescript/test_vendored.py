"""A copy in an empty project of TypeScript compiles, strictly, and runs with nothing installed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.docs.pages import blocks
from tests.typescript.package import PACKAGE, installed, node, run

from toolresult_generator.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "vendoring.md"
SECTION = list(blocks(PAGE))
AT = next(index for index, block in enumerate(SECTION) if block.language == "typescript")
PROGRAM, PRINTED, OPTIONS = (block.text for block in SECTION[AT : AT + 3])
"""What the page shows: a program, what it prints, and the options of the compiler."""


def test_the_options_name_nothing_newer_than_the_page_says() -> None:
    options = json.loads(OPTIONS)["compilerOptions"]
    assert options["lib"] == ["ES2022", "DOM", "DOM.Iterable"]
    assert (options["target"], options["types"], options["strict"]) == ("ES2022", [], True)


def test_a_copy_runs_in_an_empty_project(tmp_path: Path) -> None:
    installed()
    copy = tmp_path / "third_party" / "toolresult"
    arguments = ["vendor", "--language", "typescript", "--spec", str(ROOT / "spec"), str(copy)]
    assert main(arguments) == 0
    (tmp_path / "main.ts").write_text(PROGRAM, encoding="utf-8")
    options = json.loads(OPTIONS)
    # a project may be stricter than the page
    options["compilerOptions"] |= {"exactOptionalPropertyTypes": True, "noUnusedLocals": True}
    options["compilerOptions"] |= {"noUncheckedIndexedAccess": True, "noImplicitOverride": True}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options), encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    compiler = PACKAGE / "node_modules" / "typescript" / "bin" / "tsc"
    run([str(node()), str(compiler), "-p", str(tmp_path)], cwd=tmp_path)
    assert run([str(node()), "out/main.js"], cwd=tmp_path) == PRINTED
