"""PHP: every vector by its testee, and what PHP's own tools say of every file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.php.toolchain import FOLDERS, ROOT, TESTEE, run, sources, tool

from toolresult_generator.proof.testees import load_vectors, run_testee

VECTORS = load_vectors(ROOT / "generated" / "vectors")
HERE = Path(__file__).parent
BARE = ("-n", "-d", "extension=mbstring")
"""PHP with nothing but what the package says that it needs."""


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param((), id="as installed"),
        pytest.param(BARE, id="ext-json and ext-mbstring alone"),
        pytest.param(
            ("-d", "serialize_precision=17", "-d", "precision=3", "-d", "pcre.jit=0"),
            id="other settings",
        ),
        pytest.param(
            ("-d", "opcache.enable_cli=1", "-d", "opcache.jit=tracing"), id="compiled ahead"
        ),
    ],
)
def test_it_answers_every_vector(settings: tuple[str, ...]) -> None:
    assert len(VECTORS) > 2000
    assert run_testee([tool("php"), *settings, str(TESTEE)], VECTORS) == []


def test_a_wrong_answer_is_found() -> None:
    changed = [{**one, "output": one["output"] + " "} for one in VECTORS[:20] if "output" in one]
    assert len(run_testee([tool("php"), str(TESTEE)], changed)) == len(changed) > 0


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", {"id": None, "bad_request": "the line is no JSON in UTF-8"}),
        ("[]", {"id": None, "bad_request": "a request is an object"}),
        ('{"id":"a","do":"sing","text":""}', {"id": "a", "bad_request": "do is one of"}),
        ('{"id":"a","do":"check"}', {"id": "a", "bad_request": "either text or base64"}),
        ('{"id":"a","do":"check","text":"","x":1}', {"id": "a", "bad_request": "unknown member x"}),
        ('{"id":"a","do":"check","base64":"?"}', {"id": "a", "bad_request": "is no base64"}),
        (
            '{"id":"a","do":"read","target":"a2a","revision":"2","text":""}',
            {"id": "a", "bad_request": "known are a2a@0.3"},
        ),
        (
            '{"id":"\\ud800","do":"check","text":"{\\"format_version\\":1,\\"data\\":\\"\\udc00\\"}"}',
            {"id": "\ud800", "error": {"code": "invalid_text", "pointer": "/data"}},
        ),
        (
            '{"id":"a","do":"check","text":"\\udc00"}',
            {"id": "a", "error": {"code": "invalid_json", "pointer": ""}},
        ),
    ],
)
def test_other_lines_are_answered_too(line: str, answer: dict[str, object]) -> None:
    done = run(tool("php"), TESTEE, given=f"{line}\n{line}\n")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == second
    assert first.keys() == answer.keys()
    assert first["id"] == answer["id"]
    if "error" in answer:
        assert first["error"] == answer["error"]
    else:
        assert str(answer["bad_request"]) in first["bad_request"]


def test_every_file_compiles() -> None:
    files = sources()
    assert len(files) > 100
    for file in files:
        done = run(tool("php"), "-l", "-d", "error_reporting=-1", "-d", "display_errors=1", file)
        assert done.stdout.strip() == f"No syntax errors detected in {file}", done.stdout


def test_every_file_is_strict_and_holds_one_class() -> None:
    for file in sources():
        text = file.read_text(encoding="utf-8")
        assert "\ndeclare(strict_types=1);\n" in text, file
        found = re.findall(
            r"^(?:final |abstract |readonly )*(?:class|enum|interface|trait) (\w+)", text, re.M
        )
        assert found in ([], [file.stem]), file


def test_every_import_is_used_and_needed() -> None:
    for file in sources():
        text = file.read_text(encoding="utf-8")
        namespace = re.search(r"^namespace (.+);$", text, re.M)
        imports = re.findall(r"^use ([\\\w]+)( as \w+)?;$", text, re.M)
        assert imports == sorted(set(imports)), file
        body = re.sub(r"^use .+;$", "", text, flags=re.M)
        for one, other in imports:
            owner, _, name = one.rpartition("\\")
            used = other.removeprefix(" as ") or name
            assert re.search(rf"\b{used}\b", body), (file, one)
            assert other or namespace is None or owner != namespace[1], (file, one)


def test_every_file_has_the_layout_of_psr_12(tmp_path: Path) -> None:
    command = (tool("phpcs"), f"--standard={HERE / 'phpcs.xml'}", "--report=emacs", "-q")
    done = run(*command, *FOLDERS)
    assert (done.returncode, done.stdout) == (0, "")
    bad = tmp_path / "Bad.php"
    bad.write_text("<?php\n\nclass bad {\n}\n")
    assert run(*command, bad).returncode != 0


def test_the_tests_in_php_pass() -> None:
    done = run(tool("phpunit"), "-c", HERE / "phpunit.xml")
    assert done.returncode == 0, done.stdout[-4000:]
    count = re.search(r"^OK \((\d+) tests", done.stdout, re.M)
    assert count is not None, done.stdout[-4000:]
    assert int(count[1]) > len(VECTORS)
