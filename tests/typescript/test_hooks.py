"""A spec of another team with a kind of part of its own: hooks, and an adapter that fills them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.docs.pages import blocks
from tests.growth import growths
from tests.growth.team import Team
from tests.typescript.package import ROOT, node, npx, run

from toolresult_generator.cli import main

GUIDE = ROOT / "docs" / "growing.md"
ADAPTERS = next(block.text for block in blocks(GUIDE) if block.language == "typescript")
"""The adapters that the guide shows."""
SOURCE = "./third_party/toolresult/adapters/typescript/src/index.js"
APP = f"""\
import {{
  MissingAdapterError,
  OldAdapterError,
  PositionPart,
  read,
  registerAdapters,
  render,
  Result,
}} from "{SOURCE}";
import {{ LegacyEnvelopeHooks }} from "{SOURCE.replace("adapters/typescript/src/index", "generated/typescript/targets/legacy-envelope")}";
import {{ registerPositions }} from "./acme-adapters.js";

const content = [new PositionPart({{ latitude: -90, longitude: 0.5, label: "South Pole" }})];
const result = Result.success(undefined, {{ content }});

function shown(format: string): string {{
  try {{
    return render(result, format, {{ phase: "final" }}).text;
  }} catch (error) {{
    if (error instanceof MissingAdapterError) return "missing";
    throw error;
  }}
}}
console.log(result.toJson());
console.log(shown("legacy-envelope@1"), shown("mcp-handshake@2025-11-25"));
console.log(read(shown("a2a@1.0"), "a2a@1.0").equals(result));

// Neither of another rule, nor of none, nor with a hook left open.
class Silent extends LegacyEnvelopeHooks {{
  override positionText(): string {{
    return "1";
  }}
}}
class Old extends Silent {{
  static readonly writtenFor = "0000000000000000";
}}
abstract class Open extends LegacyEnvelopeHooks {{
  static readonly writtenFor = "96265e9607fdd374";
}}
for (const adapter of [Silent, Old, Open] as (typeof Old)[]) {{
  try {{
    registerAdapters(adapter);
  }} catch (error) {{
    if (!(error instanceof TypeError)) throw error;
    console.log(error.name, error.message.includes("96265e9607fdd374"));
    console.log(error instanceof OldAdapterError);
  }}
}}
console.log(shown("legacy-envelope@1"));

registerPositions();
console.log(shown("legacy-envelope@1"));
console.log(read(shown("mcp-handshake@2025-11-25"), "mcp-handshake@2025-11-25").equals(result));
// A code belongs to a version, and a text that is spelled like one does not.
console.log(
  Result.failure("not_found", "rate_limited").formatVersion,
  Result.failure("rate_limited", "not_found").formatVersion,
  Result.failure("not_found", "constructor").formatVersion,
);
"""  # noqa: E501 - a path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a copy that a grown spec gives."""
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    for step in (growths.kind_alone, growths.kind_rules, growths.kind_cases, growths.kind_allowed):
        step(Team(tmp_path))
    growths.code(Team(tmp_path))
    spec, copy = str(tmp_path / "spec"), str(tmp_path / "third_party" / "toolresult")
    assert main(["vendor", "--language", "typescript", "--spec", spec, copy]) == 0
    (tmp_path / "app.ts").write_text(APP)
    (tmp_path / "acme-adapters.ts").write_text(ADAPTERS)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = {
        "target": "ES2022",
        "module": "NodeNext",
        "lib": ["ES2022", "DOM"],
        "outDir": "out",
        "strict": True,
        "types": [],
    }
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": ["app.ts"]}))
    npx("tsc", "-p", str(config))
    return tmp_path


def test_hooks_are_filled_by_adapters_that_are_registered(project: Path) -> None:
    said = run([str(node()), str(project / "out" / "app.js")], cwd=project).splitlines()
    part = '{"kind":"position","label":"South Pole","latitude":-90,"longitude":0.5}'
    assert said == [
        f'{{"content":[{part}],"format_version":2}}',
        "missing missing",
        "true",
        *["OldAdapterError true", "true"] * 2,
        *["MissingAdapterError false", "false"],
        "missing",
        '{"success":true,"_meta":{"content":["[position South Pole, 90.0° S, 0.5° E]"]}}',
        "true",
        "1 2 1",
    ]
