"""`toolresult vendor`: a copy that runs, whether it was edited, and what an update changes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from toolresult_generator.cli import main
from toolresult_generator.vendor.layout import LAYOUTS
from toolresult_generator.vendor.manifest import NAME

ROOT = Path(__file__).parents[2]
SPEC = str(ROOT / "spec")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "copy"
    assert main(["vendor", "--language", "python", "--spec", SPEC, str(folder)]) == 0
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def check(folder: Path, *more: str) -> int:
    return main(["vendor", "--check", "--spec", SPEC, str(folder), *more])


def update(folder: Path, *more: str) -> int:
    return main(["vendor", "--spec", SPEC, str(folder), *more])


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_a_copy_of_python_runs_by_itself(copy: Path, tmp_path: Path) -> None:
    code = (
        "import toolresult, toolresult_core, sys\n"
        "print(toolresult.__file__); print(toolresult_core.__file__)\n"
        "result = toolresult.Result.success({'ids': [1]})\n"
        "print(toolresult.render(result, 'a2a@1.0').wire['artifacts'][0]['parts'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(copy)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, second, parts = done.stdout.splitlines()
    assert Path(first) == copy / "toolresult" / "__init__.py"
    assert Path(second) == copy / "toolresult_core" / "__init__.py"
    assert parts == "[{'data': {'ids': [1]}, 'mediaType': 'application/json'}]"


@pytest.mark.parametrize("language", sorted(LAYOUTS))
def test_a_copy_has_code_adapters_licence_and_a_manifest(language: str, tmp_path: Path) -> None:
    assert main(["vendor", "--language", language, "--spec", SPEC, str(tmp_path / "copy")]) == 0
    held = contents(tmp_path / "copy")
    assert held["LICENSE"] == (ROOT / "LICENSE").read_bytes()
    manifest = json.loads(held.pop(NAME))
    assert manifest["language"] == language
    assert manifest["files"].keys() == held.keys()
    assert re.fullmatch(r"[0-9a-f]{16}", manifest["spec"])
    generated = contents(ROOT / "generated" / language)
    assert set(generated.values()) <= set(held.values())
    assert not [path for path in held if "node_modules" in path or "__pycache__" in path]


def test_a_fresh_copy_is_up_to_date(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(copy)
    assert check(copy) == 0
    assert update(copy) == 0
    said = capsys.readouterr().err.splitlines()
    assert "is up to date: python, toolresult" in said[0]
    assert "changed 0; python" in said[1]
    assert contents(copy) == before


def test_an_edited_file_is_told_and_not_overwritten(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = copy / "toolresult_core" / "values.py"
    text = file.read_text()
    file.write_text(text + "# mine\n")
    assert check(copy) == 1
    said = capsys.readouterr()
    assert f"{file.as_posix()}:1:1: edited_output: " in said.err
    assert "-# mine" in said.out
    assert update(copy) == 1
    assert "--force" in capsys.readouterr().err
    assert file.read_text() == text + "# mine\n"
    assert update(copy, "--force") == 0
    assert file.read_text() == text


def test_what_was_found_stands_behind_the_difference_in_one_stream(copy: Path) -> None:
    (copy / "LICENSE").write_text("mine\n")
    done = subprocess.run(
        [sys.executable, "-m", "toolresult_generator", "vendor", "--check", "--spec", SPEC, copy],
        env={
            **{name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith("--- LICENSE\n")
    assert "edited_output" in done.stdout.splitlines()[-1]


def test_a_file_that_is_gone_is_told(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "LICENSE").unlink()
    assert check(copy, "--format", "json") == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["code"], finding["file"]) == (
        "edited_output",
        (copy / "LICENSE").as_posix(),
    )


def _alter_manifest(copy: Path, change: Callable[[dict[str, object]], None]) -> None:
    document = json.loads((copy / NAME).read_text())
    change(document)
    (copy / NAME).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def test_a_copy_that_is_behind_is_told_what_an_update_changes(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    target = spec / "targets" / "mcp-stateless.yaml"
    text = target.read_text()
    assert "Done." in text + (spec / "targets" / "mcp-handshake.yaml").read_text()
    for file in spec.joinpath("targets").iterdir():
        file.write_text(file.read_text().replace("Done.", "Ready."))
    assert main(["vendor", "--check", "--spec", str(spec), str(copy)]) == 1
    said = capsys.readouterr()
    assert "drift: is behind" in said.err
    assert "edited_output" not in said.err
    assert any(line.startswith("+") and "Ready." in line for line in said.out.splitlines())
    before = contents(copy)
    assert main(["vendor", "--spec", str(spec), str(copy)]) == 0
    assert main(["vendor", "--check", "--spec", str(spec), str(copy)]) == 0
    assert before.keys() == contents(copy).keys()
    assert check(copy) == 1


def test_a_file_that_is_no_longer_part_of_it_goes(copy: Path) -> None:
    old = copy / "toolresult_core" / "old.py"
    old.write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    def add(document: dict[str, object]) -> None:
        files = document["files"]
        assert isinstance(files, dict)
        files["toolresult_core/old.py"] = empty

    _alter_manifest(copy, add)
    (copy / "mine.py").write_text("# stays\n")
    assert update(copy) == 0
    assert not old.exists()
    assert (copy / "mine.py").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 2}', "{" * 9999])
def test_a_damaged_manifest_is_no_copy(
    copy: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / NAME).write_text(text)
    assert check(copy) == 1
    assert f"{NAME}:1:1: no_copy: " in capsys.readouterr().err


def test_a_manifest_that_leads_out_of_the_copy_is_none(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "theirs.txt").write_text("x")

    def lead_out(document: dict[str, object]) -> None:
        document["files"] = {"../theirs.txt": "0"}

    _alter_manifest(copy, lead_out)
    assert check(copy) == 1
    assert "no_copy" in capsys.readouterr().err
    assert update(copy, "--language", "python", "--force") == 0
    assert (tmp_path / "theirs.txt").read_text() == "x"


def test_files_of_others_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "LICENSE").write_text("theirs")
    assert update(tmp_path, "--language", "python") == 1
    assert "foreign_output" in capsys.readouterr().err
    assert contents(tmp_path) == {"LICENSE": b"theirs"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--language is needed"),
        (["--language", "cobol"], "invalid choice: 'cobol'"),
    ],
)
def test_wrong_usage(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vendor", *arguments, str(tmp_path / "copy")]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()


def test_a_copy_keeps_its_language(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def rename(document: dict[str, object]) -> None:
        document["language"] = "cobol"

    _alter_manifest(copy, rename)
    assert update(copy, "--language", "python") == 2
    assert "is one for cobol" in capsys.readouterr().err
    assert update(copy) == 2
    assert "unknown here" in capsys.readouterr().err


def test_without_a_spec_of_its_own_a_project_gets_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["vendor", "--language", "python", "copy"]) == 0
    assert check(tmp_path / "copy") == 0


def test_a_spec_with_faults_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    (spec / "result.yaml").write_text("records: [\n")
    arguments = ["vendor", "--language", "python", "--spec", str(spec), str(tmp_path / "copy")]
    assert main(arguments) == 1
    assert "result.yaml:" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()
