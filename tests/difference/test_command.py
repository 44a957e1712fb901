"""`toolresult diff` as a program: exit codes, what goes where, and no trace of its own faults."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.difference.conftest import SPEC, Copy, git

from toolresult_generator.difference.answers import MAX_HELD, answer
from toolresult_generator.difference.ask import Asker, Vector
from toolresult_generator.director import load_model
from toolresult_generator.findings import FindingsError


def run(*arguments: str | Path, cwd: Path = SPEC.parent) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.run(
        [sys.executable, "-m", "toolresult_generator", "diff", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_change_between_two_commits(tmp_path: Path) -> None:
    spec = Copy(tmp_path / "repository" / "spec")
    root = spec.path.parent
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    done = run("HEAD", cwd=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "HEAD:spec → spec\n\nno byte of what was published changes; the rules of growth hold\n"
    )
    spec.edit("targets/legacy-envelope.yaml", "dryRun: {field", "isDryRun: {field")
    git(root, "commit", "-q", "-a", "-m", "second")
    done = run("HEAD~1", "HEAD", "--format", "json", cwd=root)
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert (document["old"], document["new"]) == ("HEAD~1:spec", "HEAD:spec")
    (change,) = document["changes"]
    assert change["old"]["file"] == "HEAD~1:spec/targets/legacy-envelope.yaml"
    assert change["new"]["file"] == "HEAD:spec/targets/legacy-envelope.yaml"
    assert {one["name"] for one in document["bindings"] if one["regenerate"]} == {
        "php",
        "python",
        "typescript",
        "vectors",
    }


@pytest.mark.parametrize("arguments", [("nope",), ("spec", "nope"), (), ("a", "b", "c")])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("toolresult")
    assert ": usage: " in done.stderr and done.stderr.count("\n") == 1


def test_a_spec_with_faults(tmp_path: Path) -> None:
    spec = Copy(tmp_path / "bad")
    spec.edit("result.yaml", "dry_run: {type: boolean", "dry_run: {type: bolean")
    done = run(spec.path, "spec")
    assert (done.returncode, done.stdout) == (1, "")
    first = done.stderr.splitlines()[0]
    assert first.startswith(f"{spec.path}/result.yaml:")
    assert ': bad_value: in the old version: "bolean" ' in first
    done = run("spec", spec.path, "--format", "json")
    (found,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, found["code"]) == (1, "bad_value")
    assert found["message"].startswith("in the new version: ")
    done = run(spec.path, spec.path)
    assert [" in the old version: " in line for line in done.stderr.splitlines()] == [False, True]
    done = run("spec", tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/result.yaml:1:1: missing_file: in the new version" in done.stderr


def test_an_output_that_is_too_long_to_be_held_has_a_digest() -> None:
    plans = [("a2a", "1.0", None), ("legacy-envelope", "1", None)]
    texts = [json.dumps({"format_version": 1, "summary": "x" * MAX_HELD + end}) for end in "ab"]
    ((kind, first), _), ((_, second), _) = (
        answer({"text": text, "options": {}, "plans": plans}) for text in texts
    )
    assert kind == "digest" and "bytes, sha256 " in first
    assert first != second
    short = answer({"text": '{"format_version":1}', "options": {}, "plans": plans})
    assert short[1] == ["bytes", '{"success":true}']
    refused = answer({"text": '{"format_version":1,"x":1}', "options": {}, "plans": plans})
    assert refused == [["refused", "unknown_field"]] * 2


def test_generated_code_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    """What ends early, and what fails at a result, is no answer."""
    plan = load_model(SPEC, history=False).model.targets[0].plans[0]
    (tmp_path / "toolresult_core.py").write_text("raise ImportError('half of a package')\n")
    with (
        Asker(tmp_path, tmp_path) as asker,
        pytest.raises(FindingsError, match="old version failed: ImportError: half of a package"),
    ):
        asker.ask([(plan, Vector.of({"format_version": 1}, {}))])
