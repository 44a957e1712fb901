"""A copy in an empty project of TypeScript compiles, strictly, and runs with nothing installed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.typescript.package import PACKAGE, installed, node, run

from toolresult_generator.cli import main

ROOT = Path(__file__).parents[2]
PROJECT = """import { Result, read, render } from "./lib/adapters/typescript/src/index.js";

const result = Result.success({ ids: [17, 18] }, { summary: "2 products updated" });
const a2a = render(result, "a2a@1.0");
console.log(a2a.text);
console.log(read(a2a.text, "a2a@1.0").toJson());
"""
OPTIONS = {
    "compilerOptions": {
        "target": "ES2022",
        "lib": ["ES2022", "DOM"],
        "module": "NodeNext",
        "types": [],
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "noUncheckedIndexedAccess": True,
        "outDir": "out",
        "rootDir": ".",
    },
    "files": ["main.ts"],
}


def test_a_copy_runs_in_an_empty_project(tmp_path: Path) -> None:
    installed()
    copy = tmp_path / "lib"
    arguments = ["vendor", "--language", "typescript", "--spec", str(ROOT / "spec"), str(copy)]
    assert main(arguments) == 0
    (tmp_path / "main.ts").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "tsconfig.json").write_text(json.dumps(OPTIONS), encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    compiler = PACKAGE / "node_modules" / "typescript" / "bin" / "tsc"
    run([str(node()), str(compiler), "-p", str(tmp_path)], cwd=tmp_path)
    output, read = run([str(node()), "out/main.js"], cwd=tmp_path).splitlines()
    assert '"parts":[{"data":{"ids":[17,18]},"mediaType":"application/json"}' in output
    assert read == '{"data":{"ids":[17,18]},"format_version":1,"summary":"2 products updated"}'
