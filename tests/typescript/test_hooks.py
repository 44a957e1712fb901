"""A spec of another team with a kind of part of its own: hooks, and an adapter that fills them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import Team
from tests.typescript.package import ROOT, node, npx, run

from toolresult_generator.cli import main

APP = """\
import {
  MissingAdapterError,
  type Part,
  PositionPart,
  read,
  registerAdapters,
  render,
  Result,
} from "./tools/adapters/typescript/src/index.js";
import { LegacyEnvelopeHooks } from "./tools/generated/typescript/targets/legacy-envelope.js";
import { McpHandshakeHooks } from "./tools/generated/typescript/targets/mcp-handshake.js";

const content = [new PositionPart({ latitude: -90, longitude: 0.5, label: "South Pole" })];
const result = Result.success(undefined, { content });

function wordsOf(part: Part): string {
  if (part.kind !== "position") throw new TypeError(part.kind);
  return JSON.stringify(`${part.label}: ${part.latitude}, ${part.longitude}`);
}
class Words extends LegacyEnvelopeHooks {
  override positionText(item: Part): string {
    return wordsOf(item);
  }
}
class McpWords extends McpHandshakeHooks {
  override positionText(item: Part): string {
    return wordsOf(item);
  }
}

function shown(format: string): string {
  try {
    return render(result, format, { phase: "final" }).text;
  } catch (error) {
    if (error instanceof MissingAdapterError) return "missing";
    throw error;
  }
}
console.log(result.toJson());
console.log(shown("legacy-envelope@1"), shown("mcp-handshake@2025-11-25"));
console.log(read(shown("a2a@1.0"), "a2a@1.0").equals(result));
registerAdapters(Words, McpWords);
console.log(shown("legacy-envelope@1"));
console.log(read(shown("mcp-handshake@2025-11-25"), "mcp-handshake@2025-11-25").equals(result));
// A code belongs to a version, and a text that is spelled like one does not.
console.log(
  Result.failure("not_found", "rate_limited").formatVersion,
  Result.failure("rate_limited", "not_found").formatVersion,
  Result.failure("not_found", "constructor").formatVersion,
);
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a copy that a grown spec gives."""
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    for step in (growths.kind_alone, growths.kind_rules, growths.kind_cases, growths.kind_allowed):
        step(Team(tmp_path))
    growths.code(Team(tmp_path))
    spec, copy = str(tmp_path / "spec"), str(tmp_path / "tools")
    assert main(["vendor", "--language", "typescript", "--spec", spec, copy]) == 0
    (tmp_path / "app.ts").write_text(APP)
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
        '{"success":true,"_meta":{"content":["South Pole: -90, 0.5"]}}',
        "true",
        "1 2 1",
    ]
