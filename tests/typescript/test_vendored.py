"""A copy in an empty project compiles strictly and runs, with no package beside it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.typescript.package import ROOT, node, npx, run

from toolresult_generator.cli import main

APP = """\
import { read, render, Result, resultOf } from "./tools/adapters/typescript/src/index.js";

const result = Result.success({ ids: [1, 2n ** 60n] }, { summary: "two" });
const rendering = render(result, "mcp-stateless@2026-07-28", { phase: "final" });
console.log(read(rendering.bytes, "mcp-stateless@2026-07-28").equals(result));
console.log(resultOf('{"success":true,"data":1}').toJson());
"""


def test_a_copy_compiles_and_runs_by_itself(tmp_path: Path) -> None:
    copy = tmp_path / "tools"
    spec = str(ROOT / "spec")
    assert main(["vendor", "--language", "typescript", "--spec", spec, str(copy)]) == 0
    (tmp_path / "app.ts").write_text(APP)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = {
        "target": "ES2022",
        "module": "NodeNext",
        "lib": ["ES2023", "DOM"],
        "outDir": "out",
        "strict": True,
        "types": [],
        "exactOptionalPropertyTypes": True,
        "noUncheckedIndexedAccess": True,
    }
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": ["app.ts"]}))
    npx("tsc", "-p", str(config))
    said = run([str(node()), str(tmp_path / "out" / "app.js")], cwd=tmp_path)
    assert said.splitlines() == ["true", '{"data":1,"format_version":1}']
    assert main(["vendor", "--check", "--spec", spec, str(copy)]) == 0
