"""Adapters against the rules that they were written for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.copies import copy_folder
from tests.generator.test_target_document import A2A, ENVELOPE, copied_to

from toolresult_generator.check import adapters, check_spec
from toolresult_generator.cli import main
from toolresult_generator.findings import Finding
from toolresult_generator.load import load_spec

ROOT = Path(__file__).parents[2]
DIGEST = re.compile("[0-9a-f]{16}")
LEGACY = "python/toolresult/legacy.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with copies of the spec and the adapters beside each other."""
    copied_to(tmp_path / "spec")
    copy_folder(ROOT / "adapters" / "python", tmp_path / "adapters" / "python")
    return tmp_path


def check(project: Path) -> list[Finding]:
    spec = load_spec(project / "spec")
    return check_spec(spec, history=False, adapters=(project / "adapters",))


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def written_for(file: Path) -> tuple[str, int, int]:
    """The digest that an adapter names, and where it stands."""
    text = file.read_text(encoding="utf-8")
    found = re.search(r'written_for = (")([0-9a-f]{16})"', text)
    assert found is not None
    before = text[: found.start(1)]
    return found[2], before.count("\n") + 1, len(before) - before.rfind("\n")


def test_the_committed_adapters_fit(project: Path) -> None:
    assert check(project) == []


def test_without_a_folder_nothing_is_compared(project: Path) -> None:
    shutil.rmtree(project / "adapters")
    assert check_spec(load_spec(project / "spec"), history=False) == []


def test_an_adapter_for_an_older_rule(project: Path) -> None:
    replace(project / "spec" / ENVELOPE, "A string that is no envelope", "Any other string")
    old, line, column = written_for(project / "adapters" / LEGACY)
    (found,) = check(project)
    assert found.code == "old_adapter"
    assert found.place.file.endswith(f"adapters/{LEGACY}")
    assert (found.place.line, found.place.column) == (line, column)
    assert f"was written for {old}, and read_envelope is at" in found.message
    new = DIGEST.findall(found.message)[-1]
    assert new != old
    assert f'set written_for to "{new}"' in found.advice
    assert "spec/targets/legacy-envelope.yaml" in found.advice
    # and doing what it says makes it go
    replace(project / "adapters" / LEGACY, old, new)
    assert check(project) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("      nextCursor: {field", "      next: {field"),
        ("      resourceUri: {field: stored.0.uri}\n", ""),
        ("      uri: {field: item.uri}\n", "      url: {field: item.uri}\n"),
        ("  subject: text", "  subject: wire"),
    ],
    ids=["another-key", "a-field-less", "in-a-list", "subject"],
)  # fmt: skip
def test_what_the_adapter_is_handed_counts(project: Path, old: str, new: str) -> None:
    """The generated readers that a hook calls read something else now."""
    replace(project / "spec" / ENVELOPE, old, new)
    files = {Path(f.place.file).name for f in check(project) if f.code == "old_adapter"}
    assert "legacy.py" in files


def test_a_revision_of_its_own_has_a_digest_of_its_own(project: Path) -> None:
    old = "{kind: {const: text}, text: {field: item.text}, metadata: {form: text_metadata}}"
    replace(project / "spec" / A2A, old, old.replace("text: {field", "words: {field"))
    messages = [f.message.split()[0] for f in check(project) if f.code == "old_adapter"]
    assert messages == ["TaskReader03"]


def test_better_words_make_no_adapter_old(project: Path) -> None:
    replace(project / "spec" / ENVELOPE, "meaning: A stored result.", "meaning: What was stored.")
    replace(
        project / "spec" / ENVELOPE,
        "meaning: What the envelope says beside its data or error.",
        "meaning: The rest.",
    )
    assert check(project) == []


def test_a_hook_without_an_adapter(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the package that is installed is this very folder, as far as the check can see
    monkeypatch.setattr(adapters, "_installed", lambda: ())
    replace(project / "adapters" / LEGACY, "(LegacyEnvelopeReader)", "(Object)")
    (found,) = check(project)
    assert found.code == "missing_adapter"
    text = (project / "spec" / ENVELOPE).read_text(encoding="utf-8")
    before = text[: text.index("read_envelope\n")]
    assert found.place.file.endswith(ENVELOPE)
    assert found.place.line == before.count("\n") + 1
    assert found.place.column == len(before) - before.rfind("\n")
    assert "LegacyEnvelopeReader" in found.message
    assert "read_envelope" in found.advice and DIGEST.search(found.advice)


def test_adapters_of_other_languages_alone_are_not_held_against_rules_of_python(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(adapters, "_installed", lambda: ())
    shutil.rmtree(project / "adapters")
    own = project / "adapters" / "typescript" / "node_modules" / "gyp" / "setup.py"
    own.parent.mkdir(parents=True)
    own.write_text("", encoding="utf-8")
    (project / "adapters" / "typescript" / "own.ts").write_text("", encoding="utf-8")
    assert main(["check", "--spec", str(project / "spec")]) == 0
    assert "missing_adapter" not in capsys.readouterr().err
    (project / "adapters" / "own.py").write_text("", encoding="utf-8")
    assert main(["check", "--spec", str(project / "spec")]) == 1
    assert "missing_adapter" in capsys.readouterr().err


def test_adapters_that_are_installed_need_not_be_repeated(project: Path) -> None:
    shutil.rmtree(project / "adapters")
    own = project / "adapters/python/own.py"
    own.parent.mkdir(parents=True)
    own.write_text("class Other: pass\n", encoding="utf-8")
    assert check(project) == []
    # nor are they compared with a rule that a team has changed: it could not change them
    replace(project / "spec" / ENVELOPE, "A string that is no envelope", "Any other string")
    assert check(project) == []


@pytest.mark.parametrize("said", ["written_fro = 'x'", "written_for = DIGEST", "written_for = 5"])
def test_an_adapter_that_does_not_say_its_rule(project: Path, said: str) -> None:
    digest, _, _ = written_for(project / "adapters" / LEGACY)
    replace(project / "adapters" / LEGACY, f'written_for = "{digest}"', said)
    (found,) = check(project)
    assert found.code == "old_adapter"
    assert f'"{digest}"' in found.advice


def test_adapters_behind_a_module_and_below_a_condition(project: Path) -> None:
    file = project / "adapters" / LEGACY
    digest, _, _ = written_for(file)
    file.write_text(
        "import core\nif True:\n    class Other(core.LegacyEnvelopeReader, object):\n"
        f"        written_for: str = '{digest}'\n",
        encoding="utf-8",
    )
    assert check(project) == []


@pytest.mark.parametrize(
    ("source", "line"),
    [(b"def f(:\n", 1), (b"x = 1\n\xff\xfe\n", 1), (b"x = 1\x00", 1), (b"-" * 200_000 + b"1", 1)],
    ids=["syntax", "encoding", "nul", "deep"],
)
def test_a_file_that_cannot_be_parsed(project: Path, source: bytes, line: int) -> None:
    (project / "adapters/python/other.py").write_bytes(source)
    (found,) = check(project)
    assert found.code == "unreadable_file"
    assert found.place.file.endswith("other.py")


def test_no_adapter_is_imported(project: Path) -> None:
    file = project / "adapters/python/other.py"
    file.write_text(f"open({str(project / 'ran')!r}, 'w')\nraise SystemExit(3)\n", "utf-8")
    assert check(project) == []
    assert not (project / "ran").exists()


HOOK = "      error: {adapter: to_error, rule: The message in capitals.}\n"
# the MCP targets embed the envelope, and so have its hooks too
ADAPTER = (
    "class Writer({base}, McpHandshakeHooks, McpStatelessHooks):\n    written_for = {digests}\n"
)


def test_hooks_in_output_forms(project: Path) -> None:
    spec = project / "spec" / ENVELOPE
    replace(spec, "      error: {field: error.message}\n", HOOK)
    found, *others = [f for f in check(project) if f.code == "missing_adapter"]
    assert [f.place.file.rpartition("/")[2] for f in others] == [
        "mcp-handshake.yaml",
        "mcp-stateless.yaml",
    ]
    assert "LegacyEnvelopeHooks" in found.message and "to_error" in found.advice
    line = spec.read_text(encoding="utf-8").splitlines()[found.place.line - 1]
    assert line[found.place.column - 1 :].startswith("to_error")
    digest = DIGEST.findall(found.advice)[0]
    other = project / "adapters/python/other.py"
    for base in ("LegacyEnvelopeHooks", "LegacyEnvelope1"):
        for digests in (f'"{digest}"', f'{{"to_error": "{digest}"}}'):
            other.write_text(ADAPTER.format(base=base, digests=digests), encoding="utf-8")
            assert check(project) == []
    replace(spec, "in capitals", "in small letters")
    found, *others = check(project)
    assert found.code == "old_adapter" and digest in found.message and len(others) == 2


def test_hooks_of_a_target_have_a_digest_each(project: Path) -> None:
    spec = project / "spec" / ENVELOPE
    replace(spec, "      error: {field: error.message}\n", HOOK)
    start = "    meaning: The envelope itself.\n    object:\n"
    replace(spec, start, f"{start}      more: {{adapter: to_more, rule: More.}}\n")
    found, *others = [f for f in check(project) if f.code == "missing_adapter"]
    assert [f.place.file.rpartition("/")[2] for f in others] == [
        "mcp-handshake.yaml",
        "mcp-stateless.yaml",
    ]
    digests = dict(re.findall('"(to_[a-z]+)": "([0-9a-f]{16})"', found.advice))
    assert set(digests) == {"to_error", "to_more"}
    other = project / "adapters/python/other.py"
    said = ADAPTER.format(
        base="LegacyEnvelopeHooks", digests=repr({**digests, "to_more": "0" * 16})
    )
    other.write_text(said, encoding="utf-8")
    found, *others = check(project)
    assert found.code == "old_adapter" and f"to_more is at {digests['to_more']}" in found.message


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    paths = ":".join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-m", "toolresult_generator", "check", *arguments],
        cwd=cwd, env={"PYTHONPATH": paths}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_command_looks_beside_the_spec(project: Path) -> None:
    replace(project / "adapters" / LEGACY, "written_for =", "was_written_for =")
    beside = run(cwd=project)
    assert beside.returncode == 1
    assert beside.stderr.startswith(f"adapters/{LEGACY}:") and "old_adapter" in beside.stderr
    (project / "adapters").rename(project / "elsewhere")
    assert run(cwd=project).returncode == 0
    named = run("--adapters", "elsewhere", cwd=project)
    assert named.returncode == 1 and named.stderr.startswith(f"elsewhere/{LEGACY}:")
    assert run("--adapters", "nowhere", cwd=project).returncode == 2
