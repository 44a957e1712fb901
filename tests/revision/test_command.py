"""`toolresult revision check`, run as a program: formats, exit codes, `--write`, bad input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.revision.older import ROOT, older_spec
from tests.revision.protocol import DIALECT, protocol, written
from tests.revision.replay import needs_official, schema_of
from tests.revision.test_invented import content_renamed, optional_field, video

from toolresult_generator.load import load_spec

LIKE = "mcp-handshake@2025-11-25"


def run(
    *arguments: str | Path, code: int = 0, cwd: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command; asserts its exit code, and that nobody sees a traceback."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-m", "toolresult_generator", "revision", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr or done.stdout
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def schemas(tmp_path: Path) -> tuple[Path, Path]:
    """The invented protocol, and the same with a new kind of block."""
    return written(tmp_path, "old", protocol()), written(tmp_path, "2027-01-01", protocol(video))


def test_text_says_all_three_and_the_verdict(schemas: tuple[Path, Path]) -> None:
    old, new = schemas
    done = run("check", new, "--like", LIKE, "--against", old, code=1)
    headings = ("What changed", "What breaks", "What to write")
    assert [line for line in done.stdout.splitlines() if line in headings] == list(headings)
    assert "new kind: /content/*(video)" in done.stdout
    assert '      "2027-01-01": {meaning:' in done.stdout
    assert done.stdout.splitlines()[-1].startswith("needs rules: 0 of 156 cells break, 1 could")
    assert done.stderr == ""


def test_a_phase_alone(schemas: tuple[Path, Path]) -> None:
    old, new = schemas
    done = run("check", new, "--like", LIKE, "--against", old, "--phase", "final", code=1)
    assert "78 cells of mcp-handshake@2025-11-25/final," in done.stdout


def test_json_for_machines(tmp_path: Path) -> None:
    old = written(tmp_path, "old", protocol())
    new = written(tmp_path, "2027-01-01", protocol(content_renamed))
    arguments = ("check", new, "--like", LIKE, "--against", old, "--format", "json")
    told = json.loads(run(*arguments, code=1).stdout)
    assert (told["verdict"], told["must"], told["may"]) == ("needs rules", 1, 0)
    [change] = told["changes"]
    assert change["kind"] == "renamed" and change["guess"] is True
    assert (change["name"], change["other_name"]) == ("content", "parts")
    assert change["old_pointer"] == "/$defs/CallToolResult/properties/content"
    assert change["weight"] == "breaks" and change["forms"] == ["result"]
    assert {cell["state"] for cell in told["cells"]} == {"breaks"}
    evidence = told["cells"][0]["evidence"]
    assert evidence["result"] == {"format_version": 1, "data": 0}
    assert evidence["reason"] == "`parts` is missing"
    assert set(told["proposal"]["files"]) == {
        "targets/mcp-handshake.yaml",
        "wire/mcp-handshake/2027-01-01.yaml",
    }
    assert told == json.loads(run(*arguments, code=1).stdout), "the same every time"


def test_exit_code_0_where_nothing_has_to_be_done(tmp_path: Path) -> None:
    old = written(tmp_path, "old", protocol())
    new = written(tmp_path, "new", protocol(optional_field))
    done = run("check", new, "--like", LIKE, "--against", old)
    assert done.stdout.splitlines()[-1] == "adopt as is: 0 of 156 cells break"


def test_a_report_as_a_file(schemas: tuple[Path, Path], tmp_path: Path) -> None:
    old, new = schemas
    file = tmp_path / "report.html"
    arguments = ("check", new, "--like", LIKE, "--against", old, "--format", "html")
    done = run(*arguments, "--out", file, code=1)
    assert done.stdout == "" and file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    refused = run(*arguments, "--out", tmp_path / "no" / "r.html", code=1)
    assert "blocked_output" in refused.stderr


def test_without_the_protocols_schema_ours_is_compared_with(tmp_path: Path) -> None:
    new = written(tmp_path, "2027-01-01", protocol(video))
    env = {"TOOLRESULT_OFFICIAL_SCHEMAS": str(tmp_path / "none")}
    done = run("check", new, "--like", LIKE, "--format", "json", code=1, env=env)
    told = json.loads(done.stdout)
    assert told["compared_with"]["ours"] is True
    assert [(c["kind"], c["name"]) for c in told["changes"]] == [("new_kind", "video")]


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A copy of the spec that may be written to."""
    return Path(shutil.copytree(ROOT / "spec", tmp_path / "spec"))


def test_write_keeps_comments_and_order_and_generation_names_the_gaps(
    spec: Path, schemas: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = schemas
    file = spec / "targets" / "mcp-handshake.yaml"
    before = file.read_text(encoding="utf-8")
    run("check", new, "--like", LIKE, "--against", old, "--spec", spec, "--write", code=1)
    after = file.read_text(encoding="utf-8")
    added = [line for line in after.splitlines() if line not in before.splitlines()]
    assert added[0].startswith('  "2027-01-01": {meaning: ')
    assert added[1:3] == ["  video_blocks:", '    since: "2027-01-01"']
    assert [line for line in after.splitlines() if line not in added] == before.splitlines()
    path = os.pathsep.join(entry for entry in sys.path if entry)
    refused = subprocess.run(
        [
            *(sys.executable, "-m", "toolresult_generator", "generate"),
            *("--spec", str(spec), "--out", str(tmp_path / "out")),
        ],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1 and not (tmp_path / "out").exists()
    [line] = refused.stderr.splitlines()
    assert ": gap: capability video_blocks of mcp-handshake: " in line
    found = load_spec(spec)
    assert found.findings == ()
    assert found.wire_document("mcp-handshake", "2027-01-01") is not None


def test_write_a_target_of_its_own(spec: Path, schemas: tuple[Path, Path]) -> None:
    old, new = schemas
    before = (spec / "targets" / "mcp-handshake.yaml").read_bytes()
    name = ("--as", "mcp-video@2027.1")
    arguments = ("check", new, "--like", LIKE, "--against", old, "--spec", spec, *name, "--write")
    run(*arguments, code=1)
    text = (spec / "targets" / "mcp-video.yaml").read_text(encoding="utf-8")
    assert "extends: mcp-handshake@2025-11-25" in text and "adapter: read_result" in text
    assert (spec / "targets" / "mcp-handshake.yaml").read_bytes() == before
    again = run(*arguments, code=1)
    assert again.stderr.endswith("(give another name with --as)\n")
    assert ": same_name: " in again.stderr and again.stdout == ""


def test_write_is_whole_or_not_at_all(spec: Path, schemas: tuple[Path, Path]) -> None:
    old, new = schemas
    folder = spec / "wire" / "mcp-handshake"
    (folder / "2027-01-01.yaml").mkdir()  # stands where the schema has to go
    before = (spec / "targets" / "mcp-handshake.yaml").read_bytes()
    done = run("check", new, "--like", LIKE, "--against", old, "--spec", spec, "--write", code=1)
    assert done.stdout == ""
    assert (spec / "targets" / "mcp-handshake.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--like", "mcp@2025-11-25"), "--like: unknown target"),
        (("--like", "mcp-handshake@2025"), "--like: unknown revision"),
        (("--like", LIKE, "--phase", "finale"), "unknown phase"),
        (("--like", "legacy-envelope@1"), "--result"),
        (("--like", LIKE, "--as", "x"), "--as: expected TARGET@REVISION"),
        (("--like", LIKE, "--as", "../x@1"), "--as: expected TARGET@REVISION"),
        (("--like", LIKE, "--as", f"{'x' * 70}@1"), "--as: the name is too long"),
        ((), "--like"),
    ],
)
def test_usage(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    schema = written(tmp_path, "2027-01-01", protocol())
    done = run("check", schema, *arguments, code=2)
    assert told in done.stderr and done.stdout == ""
    assert done.stderr.startswith("toolresult revision check: usage: ")
    assert done.stderr.count("\n") == 1


def test_a_command_has_to_be_named() -> None:
    assert "usage" in run(code=2).stderr
    assert "usage" in run("chekc", code=2).stderr


@pytest.mark.parametrize(
    ("document", "code", "told"),
    [
        ({"$defs": {"ToolResult": {"type": "object"}}}, "missing_definition", "ToolResult"),
        ({"$defs": {"CallToolResult": {"type": "string"}}}, "bad_schema", "--result"),
        ({"$defs": {"CallToolResult": {"$ref": "#/x"}}}, "bad_schema", "leads nowhere"),
        ([1], "bad_schema", "a schema is a JSON object"),
    ],
)
def test_bad_schemas(document: Any, code: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "2027-01-01.json"
    file.write_text(json.dumps(document))
    done = run("check", file, "--like", LIKE, code=1)
    assert f": {code}: " in done.stderr and told in done.stderr
    assert done.stdout == "" and done.stderr.count("\n") == 1


def test_another_definition_can_be_named(tmp_path: Path) -> None:
    document = protocol()["$defs"]
    text = json.dumps(document["CallToolResult"])
    whole = {"$schema": DIALECT, **json.loads(text), "$defs": document}
    file = written(tmp_path, "2027-01-01", whole)
    named = ("--result", "#", "--tool", "Tool")
    run("check", file, "--like", LIKE, "--against", file, *named)


@needs_official
def test_a_check_takes_less_than_five_seconds(tmp_path: Path) -> None:
    """Of the processor, so that it is the same whatever else the machine does; on one that does
    nothing else, that is the time that passes.

    The spec is another one than the installed code was made from, which must not cost anything.
    """
    spec = older_spec(tmp_path / "spec", "mcp-handshake", "2025-11-25", ("mcp-stateless",))
    schema = schema_of("mcp-stateless", "2026-07-28")
    name = ("--as", "mcp-stateless@2026-07-28")
    before = os.times()
    run("check", schema, "--like", LIKE, "--spec", spec, *name, code=1)
    after = os.times()
    taken = after.children_user + after.children_system
    taken -= before.children_user + before.children_system
    assert taken < 5


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal to write to")
def test_progress_is_shown_on_a_terminal_and_gone_at_the_end(schemas: tuple[Path, Path]) -> None:
    old, new = schemas
    master, terminal = os.openpty()
    path = os.pathsep.join(entry for entry in sys.path if entry)
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "toolresult_generator", "revision", "check", str(new)),
            *("--like", LIKE, "--against", str(old)),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "TERM": "xterm"},
        stdout=subprocess.DEVNULL,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        told = b""
        while True:
            try:
                more = os.read(master, 4096)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            told += more
        assert process.wait() == 1
    os.close(master)
    for step in (b"read the schema", b"compare", b"render mcp-handshake", b"try", b"propose"):
        assert step in told
    assert told.endswith(b"\r\x1b[K")


def test_a_team_with_codes_of_its_own_tries_a_revision(
    spec: Path, schemas: tuple[Path, Path]
) -> None:
    """What a result is differs from the installed classes: those of the spec are made first."""
    result = spec / "result.yaml"
    own = "  rate_limited: {since: 1, meaning: Too many calls., use: Wait.}\n  tool_error:\n"
    result.write_text(result.read_text().replace("  tool_error:\n", own, 1))
    limited = '{"format_version":1,"error":{"code":"rate_limited","message":"m"}}'
    (spec / "samples" / "own.yaml").write_text(
        f"samples:\n  limited:\n    meaning: A code of our own.\n    result: {limited}\n"
    )
    old, new = schemas
    arguments = ("check", new, "--like", LIKE, "--against", old, "--spec", spec)
    done = run(*arguments, "--phase", "final", code=1)
    assert "0 of 78 cells break" in done.stdout


def test_a_revision_that_the_spec_has_is_tried_under_another_name(tmp_path: Path) -> None:
    file = written(tmp_path, "2025-11-25", protocol())
    done = run("check", file, "--like", LIKE, "--against", file)
    assert '"2025-11-25-next"' in done.stdout


def test_a_revision_that_is_adopted_as_is_is_proven_without_a_line_of_code(
    spec: Path, tmp_path: Path
) -> None:
    old = written(tmp_path, "old", protocol())
    new = written(tmp_path, "2027-01-01", protocol(optional_field))
    run("check", new, "--like", LIKE, "--against", old, "--spec", spec, "--write")
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-m", "toolresult_generator", "matrix", "--spec", str(spec)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert "mcp-handshake@2027-01-01/final" in done.stdout
    assert done.stdout.rstrip().endswith("all as declared")


def test_what_breaks_for_a_reason_that_no_change_tells_is_a_gap_all_the_same(
    tmp_path: Path,
) -> None:
    def change(definitions: dict[str, Any]) -> None:
        definitions["CallToolResult"]["dependentRequired"] = {"content": ["seal"]}

    new = written(tmp_path, "2027-01-01", protocol(change))
    env = {"TOOLRESULT_OFFICIAL_SCHEMAS": str(tmp_path / "none")}
    done = run("check", new, "--like", LIKE, "--format", "json", code=1, env=env)
    told = json.loads(done.stdout)
    assert told["changes"] == [], "our own schema has no such rule to compare with"
    assert {cell["state"] for cell in told["cells"]} == {"breaks"}
    [gap] = told["proposal"]["gaps"]
    assert gap.startswith("`seal` is missing (/$defs/CallToolResult/dependentRequired")
