"""The emitter of PHP: specs that grew, texts that are hostile, lines that are long."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, blocks
from tests.growth import growths
from tests.growth.team import Team
from tests.php.toolchain import ADAPTERS, run, tool

from toolresult_generator.director import load_model
from toolresult_generator.languages import emitter
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.languages.php.text import comment_text, doc, literal

HERE = Path(__file__).parent
HOSTILE = "*/ echo 'in'; /* ?> <?php `x` $x {$y} ${z} \\ \\\\ ' \" // # @internal {@see} \u2028end"


def copied(team: Team) -> Path:
    """A vendored copy of what the team's spec gives: one folder that needs nothing else."""
    loaded = load_model(team.folder / "spec", report=lambda _: None)
    folder = team.folder / "copy"
    shutil.copytree(ADAPTERS, folder)
    emitted = emitter("php").emit(EmitRequest(loaded.model, loaded.documents))
    for path, data in emitted.items():
        file = folder / "core" / path.removeprefix("php/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder


def asked(folder: Path, *requests: dict[str, object]) -> list[dict[str, object]]:
    """The testee's answers."""
    lines = [json.dumps({"id": "", **request}) for request in requests]
    done = run(tool("php"), folder / "bin" / "testee.php", given="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy for a spec with a second version of the format, a kind of its own and a hook."""
    team = Team.at(tmp_path_factory.mktemp("grown"))
    for step in (growths.kind_alone, growths.kind_rules, growths.kind_cases):
        step(team)
    return copied(team)


POSITION = {"kind": "position", "latitude": 1.5, "longitude": 2}


def test_a_new_kind_comes_with_its_version(grown: Path) -> None:
    def check(version: int, *content: object) -> dict[str, object]:
        return {"do": "check", "text": json.dumps({"format_version": version, "content": content})}

    new, old, lower, wrong = asked(
        grown,
        check(2, POSITION),
        check(2, {"kind": "text", "text": "a"}),
        check(1, POSITION),
        check(2, {**POSITION, "latitude": 91}),
    )
    assert json.loads(str(new["output"])) == {"content": [POSITION], "format_version": 2}
    assert json.loads(str(old["output"]))["format_version"] == 1
    assert lower["error"] == {"code": "unknown_version", "pointer": "/format_version"}
    assert wrong["error"] == {"code": "out_of_range", "pointer": "/content/0/latitude"}


def test_a_hook_waits_for_its_adapter(grown: Path) -> None:
    program = """
    require 'autoload.php';
    use Toolresult\\Core;
    use Toolresult\\Wire;
    final class Adapter implements Core\\Targets\\McpHandshakeHooks
    {
        public const WRITTEN_FOR = '96265e9607fdd374';

        public function positionText(Core\\Part $item): string
        {
            return Core\\Runtime\\Canonical::quote("at {$item->latitude}");
        }
    }
    final class Silent implements Core\\Targets\\McpHandshakeHooks
    {
        public function positionText(mixed $item): string
        {
            return '';
        }
    }
    final class Old implements Core\\Targets\\McpHandshakeHooks
    {
        public const WRITTEN_FOR = ['positionText' => 'ffff'];

        public function positionText(mixed $item): string
        {
            return '';
        }
    }
    $result = Core\\Result::success(content: [new Core\\PositionPart(1.5, 2)]);
    try {
        Wire::render($result, 'mcp-handshake@2025-06-18', 'final');
    } catch (Toolresult\\MissingAdapterError $error) {
        echo $error->getMessage(), "\\n";
    }
    foreach ([Silent::class, Old::class, Adapter::class] as $adapter) {
        try {
            Toolresult\\Registry::registerAdapters($adapter);
        } catch (Toolresult\\OldAdapterError $error) {
            echo $error->getMessage(), "\\n";
        }
    }
    $wire = Wire::render($result, 'mcp-handshake@2025-06-18', 'final')->wire();
    echo json_encode($wire['content']), "\\n";
    """
    done = run(tool("php"), "-r", program, cwd=grown)
    missing, silent, old, rendered = done.stdout.splitlines()
    hook = "Toolresult\\Core\\Targets\\McpHandshakeHooks::positionText"
    assert silent.startswith(f"Silent does not say which rule of {hook} it was written for")
    assert "WRITTEN_FOR = '96265e9607fdd374'" in silent
    assert old.startswith(f"Old was written for 'ffff', and the rule of {hook} is at '96265e96")
    assert "implement Toolresult\\Core\\Targets\\McpHandshakeHooks" in missing
    assert json.loads(rendered) == [{"type": "text", "text": "at 1.5"}]
    (skipped,) = asked(
        grown,
        {
            "do": "render",
            "target": "mcp-handshake",
            "revision": "2025-06-18",
            "phase": "final",
            "text": json.dumps({"format_version": 2, "content": [POSITION]}),
        },
    )
    assert "an adapter is missing" in str(skipped["skipped"])


def test_the_adapter_of_the_guide_fills_the_hooks(grown: Path) -> None:
    (block,) = (one for one in blocks(ROOT / "docs" / "php.md") if "\n// adapters/php/" in one.text)
    (registers,) = (
        one for one in blocks(ROOT / "docs" / "php.md") if "registerAdapters(" in one.text
    )
    (grown / "PositionText.php").write_text(block.text, encoding="utf-8")
    program = f"""
    require 'autoload.php';
    require 'PositionText.php';
    use Toolresult\\Core;
    use Toolresult\\Wire;
    {registers.text}
    $pole = Core\\Result::success(content: [new Core\\PositionPart(-90, 0, 'The South Pole')]);
    foreach (['legacy-envelope@1', 'mcp-handshake@2025-06-18'] as $target) {{
        echo Wire::render($pole, $target, 'final')->bytes, "\\n";
    }}
    """
    done = run(tool("php"), "-r", program, cwd=grown)
    envelope, handshake = map(json.loads, done.stdout.splitlines())
    text = "[position The South Pole, 90.0° S, 0.0° E]"
    assert envelope["_meta"]["content"] == [text]
    assert handshake["content"][0]["text"] == text
    layout = run(tool("phpcs"), f"--standard={HERE / 'phpcs.xml'}", "-q", grown / "core")
    assert (layout.returncode, layout.stdout) == (0, "")


def test_texts_of_the_spec_are_only_texts(tmp_path: Path) -> None:
    team = Team.at(tmp_path / "team")
    quoted = json.dumps(HOSTILE)
    team.edit("spec/result.yaml", "meaning: What a tool returns.", f"meaning: {quoted}")
    team.edit(
        "spec/targets/legacy-envelope.yaml",
        'how: "an entry of _meta.content is a bare string"',
        f"how: {json.dumps(HOSTILE * 4)}",
        all_of_them=True,
    )
    folder = copied(team)
    for file in ("Result.php", "Targets/LegacyEnvelopeWriter.php"):
        done = run(tool("php"), "-l", folder / "core" / file)
        assert done.stdout.startswith("No syntax errors"), done.stdout
    layout = run(tool("phpcs"), f"--standard={HERE / 'phpcs.xml'}", "-q", folder / "core")
    assert (layout.returncode, layout.stdout) == (0, "")
    text = {"kind": "text", "text": "a", "audience": ["user"]}
    (answer,) = asked(
        folder,
        {
            "do": "render",
            "target": "legacy-envelope",
            "revision": "1",
            "text": json.dumps({"format_version": 1, "content": [text]}),
        },
    )
    losses = answer["losses"]
    assert isinstance(losses, list)
    assert losses[0]["reason"] == HOSTILE * 4


@pytest.mark.parametrize(
    "text", [HOSTILE, "", "'", "\\", "a\nb\r\t$x", "\u202e", "\x00\x1f", "é\U0001f600", "$" * 300]
)
def test_a_literal_is_the_text(text: str) -> None:
    done = run(tool("php"), "-r", f"echo json_encode({literal(text)});")
    assert json.loads(done.stdout) == text


def test_a_comment_is_only_a_comment() -> None:
    comment = "\n".join(doc(HOSTILE, "@throws X", indent=1))
    assert comment.count("*/") == 1
    assert comment.endswith("*/")
    assert "\u2028" not in comment
    assert comment_text("@internal") == "internal"
    done = run(tool("php"), "-r", f"{comment}\necho 'out';")
    assert done.stdout == "out"
