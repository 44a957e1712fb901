"""The command: its frame, `generate` and `check`, run as a program."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
from tests.generator.spec_folder import SpecFolder

from toolresult_generator import languages
from toolresult_generator.cli import main
from toolresult_generator.cli.frame import COMMANDS
from toolresult_generator.codes import (
    CODES,
    HISTORY,
    LOAD,
    NAMES,
    OUTPUT,
    RESULT,
    SAMPLES,
    STRUCTURE,
)
from toolresult_generator.findings import FindingsError
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.languages.python.format import format_python
from toolresult_generator.load import load_spec

ROOT = Path(__file__).parents[2]
SECONDS = 60


def run(
    *arguments: str, cwd: Path = ROOT, env: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(p for p in sys.path if p)
    return subprocess.run(
        [sys.executable, "-m", "toolresult_generator", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        **options,
    )


# ------------------------------------------------------------------- frame


def imported_by(*arguments: str) -> list[str]:
    """Which heavy modules a run of the command has imported at its end."""
    code = (
        "import sys\nfrom toolresult_generator.cli import main\n"
        "try:\n main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "heavy = {'yaml', 'jsonschema', 'jinja2', 'pydantic', 'datamodel_code_generator',"
        " 'difflib', 'subprocess', 'asyncio', 'toolresult'}\n"
        "print(*sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    # without `site`, since editable installs import things of their own there
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *arguments],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.split()


def test_help_names_every_command_and_imports_nothing_heavy() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"    {name}" in done.stdout for name in COMMANDS)
    assert imported_by("--help") == []


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_its_module(name: str) -> None:
    assert importlib.util.find_spec(f"toolresult_generator.cli.{name}") is not None
    done = run(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "place", "words"),
    [
        ([], "toolresult", "name a command"),
        (["chek"], "toolresult", "chek"),
        (["--nope"], "toolresult", "--nope"),
        (["check", "--nope"], "toolresult", "--nope"),
        (["check", "--format", "xml"], "toolresult check", "xml"),
        (["generate", "--language", "cobol"], "toolresult generate", "cobol"),
        (["generate", "--spec"], "toolresult generate", "--spec"),
        (["check", "a\x1bb"], "toolresult", "a\\x1bb"),
    ],
)
def test_wrong_usage(arguments: list[str], place: str, words: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{place}: usage: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("toolresult 0.")


def plug(monkeypatch: pytest.MonkeyPatch, action: Any) -> None:
    """Make `toolresult matrix` a command that does this."""
    module = ModuleType("toolresult_generator.cli.matrix")
    module.__dict__.update(add_arguments=lambda parser: None, run=lambda args: action())
    monkeypatch.setitem(sys.modules, module.__name__, module)


def fails(error: BaseException) -> Any:
    def action() -> int:
        raise error

    return action


def test_a_fault_of_ours_gives_a_line_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plug(monkeypatch, fails(RuntimeError("secret\nwords")))
    assert main(["matrix"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("internal: fault: RuntimeError; please report it")
    assert said.err.count("\n") == 1
    monkeypatch.setenv("TOOLRESULT_DEBUG", "1")
    assert main(["matrix"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_exhausted_recursion_and_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for error in (RecursionError("deep"), MemoryError()):
        plug(monkeypatch, fails(error))
        assert main(["matrix"]) == 1
        assert capsys.readouterr().err.startswith(f"internal: fault: {type(error).__name__}")


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plug(monkeypatch, fails(ModuleNotFoundError("No module named 'jinja2'", name="jinja2")))
    assert main(["matrix"]) == 1
    assert capsys.readouterr().err.startswith("internal: missing_module: jinja2 is not installed")


def test_an_interrupt_ends_the_program_as_one() -> None:
    code = (
        "import os, signal, sys, types\n"
        # a shell without job control starts what is in the background with interrupts ignored
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from toolresult_generator.cli import main\n"
        "module = types.ModuleType('toolresult_generator.cli.matrix')\n"
        "module.add_arguments = lambda parser: None\n"
        "module.run = lambda args: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.modules[module.__name__] = module\n"
        "sys.argv = ['toolresult', 'matrix']\n"
        "sys.exit(main())\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_an_interrupt_of_a_call_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, fails(KeyboardInterrupt()))
    monkeypatch.setattr(sys, "argv", ["pytest"])
    assert main(["matrix"]) == 130


def test_a_reader_that_has_enough(spec: SpecFolder) -> None:
    spec.write("samples/s.yaml", "\n".join(f"k{n}: 1" for n in range(20_000)))
    command = f"{sys.executable} -m toolresult_generator check --spec {spec.path} --format json"
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        ["bash", "-c", f"{command} | true; exit ${{PIPESTATUS[0]}}"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_an_output_that_is_full(spec: SpecFolder) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "toolresult_generator", "check", "--format", "json"),
                *("--spec", str(spec.path)),
            ],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "system: io: No space left on device"
    assert "Traceback" not in done.stderr


def test_output_is_utf8_whatever_the_locale_says(spec: SpecFolder) -> None:
    spec.edit("dry_run: {type: boolean", "«dry_run: {type: bölean")
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = run("check", "--spec", str(spec.path), env=env)
    assert done.returncode == 1
    assert '"bölean"' in done.stderr


# ------------------------------------------------------------------- check


def test_check_says_findings_on_stderr(spec: SpecFolder) -> None:
    file, line, column = spec.edit("dry_run: {type: boolean", "dry_run: {type: «bolean")
    done = run("check", "--spec", str(spec.path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f'{file}:{line}:{column}: bad_value: "bolean" is not one of those known here '
        f'(did you mean "boolean"?)\n{no_history(spec)}'
    )


def no_history(spec: SpecFolder) -> str:
    """What the check says of a spec that is in no repository: silence would look like a proof."""
    return (
        f"{spec.path}: no_history: nothing is compared with what was published: the spec is in no "
        "git repository (--against names a revision or folder)\n"
    )


def test_check_as_json(spec: SpecFolder) -> None:
    done = run("check", "--spec", str(spec.path), "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"findings": []})
    assert done.stderr == no_history(spec)
    file, line, column = spec.edit("com.example", "«com.mcp.x")
    done = run("check", "--spec", str(spec.path), "--format", "json")
    (found,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, done.stderr) == (1, no_history(spec))
    assert (found["file"], found["line"], found["column"]) == (file, line, column)
    assert (found["code"], bool(found["advice"])) == ("bad_namespace", True)


def test_check_is_silent_when_all_is_well(spec: SpecFolder) -> None:
    done = run("check", "--spec", str(spec.path), "--against", str(spec.path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = run("check", "--spec", str(spec.path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", no_history(spec))


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([], "the spec is in no git repository"),
        ([["init", "-q"]], "the git repository has no commit"),
        (
            [["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]],
            "HEAD has no result.yaml in this folder",
        ),
    ],
    ids=["no-repository", "no-commit", "not-committed"],
)
def test_check_says_why_there_is_no_history(
    spec: SpecFolder, steps: list[list[str]], why: str
) -> None:
    for step in steps:
        names = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
        subprocess.run(["git", *names, *step], cwd=spec.path, check=True, timeout=SECONDS)
    done = run("check", "--spec", str(spec.path))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"{spec.path}: no_history: ") and why in done.stderr


def test_check_without_git_says_so(spec: SpecFolder, tmp_path: Path) -> None:
    done = run("check", "--spec", str(spec.path), env={"PATH": str(tmp_path)})
    assert (done.returncode, "git is not installed" in done.stderr) == (0, True)


def test_check_without_a_spec(tmp_path: Path) -> None:
    done = run("check", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("spec/result.yaml:1:1: missing_file: there is no such folder")


# ---------------------------------------------------------------- generate


class Emitter:
    """Writes a file per error code, and counts how often it was asked."""

    def __init__(self) -> None:
        self.calls = 0

    def emit(self, request: EmitRequest) -> Mapping[str, bytes]:
        self.calls += 1
        codes = request.model.result.error_codes
        return {f"toy/{code.name}.txt": code.meaning.encode() + b"\n" for code in codes}


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Emitter:
    """The only thing that can be generated."""
    table = cast("dict[str, str]", languages.EMITTERS)
    for name in list(table):
        monkeypatch.delitem(table, name)
    monkeypatch.setitem(table, "toy", "toy_emitter")
    emitter = Emitter()
    monkeypatch.setitem(sys.modules, "toy_emitter", cast("ModuleType", emitter))
    return emitter


def generate(spec: SpecFolder, out: Path, *options: str) -> int:
    return main(["generate", "--spec", str(spec.path), "--out", str(out), *options])


def test_generate_writes_and_then_has_nothing_to_do(
    spec: SpecFolder, toy: Emitter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert generate(spec, out) == 0
    assert sorted(p.name for p in (out / "toy").iterdir()) == ["not_found.txt", "tool_error.txt"]
    assert generate(spec, out) == 0
    assert toy.calls == 1
    assert generate(spec, out, "--check") == 0
    assert toy.calls == 2
    spec.edit("meaning: Gone.", "«meaning: Lost.")
    assert generate(spec, out) == 0
    assert toy.calls == 3
    assert (out / "toy/not_found.txt").read_text() == "Lost.\n"
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")


def test_generate_check_shows_the_difference_and_writes_nothing(
    spec: SpecFolder, toy: Emitter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert generate(spec, out, "--check") == 1
    assert not out.exists()
    generate(spec, out)
    capsys.readouterr()
    (out / "toy/not_found.txt").write_text("Edited.\n")
    assert generate(spec, out, "--check") == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[:5] == [
        "--- toy/not_found.txt",
        "+++ toy/not_found.txt",
        "@@ -1 +1 @@",
        "-Edited.",
        "+Gone.",
    ]
    assert said.err.startswith(f"{out}/toy/not_found.txt:1:1: edited_output: was changed by hand")
    assert generate(spec, out, "--check", "--format", "json") == 1
    assert [f["code"] for f in json.loads(capsys.readouterr().out)["findings"]] == ["edited_output"]
    assert (out / "toy/not_found.txt").read_text() == "Edited.\n"
    assert generate(spec, out) == 1
    assert "--force" in capsys.readouterr().err
    assert (out / "toy/not_found.txt").read_text() == "Edited.\n"
    assert generate(spec, out, "--force") == 0
    assert (out / "toy/not_found.txt").read_text() == "Gone.\n"


def test_a_spec_with_faults_writes_nothing(
    spec: SpecFolder, toy: Emitter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    generate(spec, out)
    before = {path: path.read_bytes() for path in out.rglob("*.*")}
    for old, new in (("dry_run:", "«class:"), ("com.example", "«[com"), ("Gone.", "«*gone")):
        spec.edit(old, new)
        capsys.readouterr()
        assert generate(spec, out) == 1
        assert capsys.readouterr().err.startswith(f"{spec.path}/result.yaml:")
        assert {path: path.read_bytes() for path in out.rglob("*.*")} == before
    assert toy.calls == 1


def test_two_emitters_cannot_write_one_file(
    spec: SpecFolder,
    toy: Emitter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(cast("dict[str, str]", languages.EMITTERS), "twin", "toy_emitter")
    assert generate(spec, tmp_path / "out") == 1
    assert capsys.readouterr().err.startswith("internal: fault: ValueError")
    assert not (tmp_path / "out").exists()


def test_the_committed_output_is_what_the_spec_gives() -> None:
    done = run("generate", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_unchanged_run_does_no_work(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("generate", "--out", str(out)).returncode == 0
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert imported_by("generate", "--out", str(out)) == []
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    trees = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        env = {"PYTHONHASHSEED": seed, "TZ": f"UTC-{seed}", "LC_ALL": "C"}
        done = run("generate", "--out", str(out), env=env)
        assert (done.returncode, done.stderr) == (0, "")
        trees.append({p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()})
    assert trees[0] == trees[1]


FOR_PEOPLE = frozenset({"how", "meaning", "not_for", "rule", "title", "use"})

BREAKOUTS = [
    '"""',
    "'''",
    "\\",
    'ends with a quote"',
    "ends with a backslash\\",
    "*/ alert(1) /*",
    "?> <script>",
    "${jndi:x}",
    "{{ 7 * 7 }} {% raw %}",
    "#{x} %s {0}",
    "\u202eright to left",
    "\u2028line separator\u2029",
    "a\n\nimport os\n",
    '"""\nimport os\nos._exit(3)\n"""',
    "\\N{BULLET} \\x41 \\u0041",
]


def test_a_description_cannot_become_code(tmp_path: Path) -> None:
    """Every text of the spec is replaced by one that tries to break out. The code still compiles,
    and apart from its texts it is what the spec without the attempts gives."""
    clean, out, spec_dir = tmp_path / "clean", tmp_path / "out", tmp_path / "spec"
    assert run("generate", "--out", str(clean)).returncode == 0
    shutil.copytree(ROOT / "spec", spec_dir)
    attempts = itertools.cycle(BREAKOUTS)
    loaded = load_spec(spec_dir)
    assert loaded.result is not None
    for document in (loaded.result, *loaded.targets):
        # JSON is YAML, and its escapes keep line separators out of the text
        text = json.dumps(poisoned(document.root.to_plain(), attempts))
        (spec_dir / document.path).write_text(text)
    done = run("generate", "--spec", str(spec_dir), "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    sources = sorted(path.relative_to(out) for path in out.rglob("*.py"))
    assert Path("python/toolresult_core/values.py") in sources
    for path in sources:
        code = (out / path).read_text()
        assert not set(code) & {"\u202e", "\u2028", "\u2029"}, path
        compile(code, str(path), "exec")
        assert shape(code) == shape((clean / path).read_text()), path


def poisoned(value: Any, attempts: Iterator[str]) -> Any:
    """The document with an attempt in the place of each text that is for people."""
    if isinstance(value, list):
        return [poisoned(entry, attempts) for entry in value]
    if not isinstance(value, dict):
        return value
    return {
        key: next(attempts)
        if key in FOR_PEOPLE and isinstance(entry, str)
        else poisoned(entry, attempts)
        for key, entry in value.items()
    }


def shape(code: str) -> list[str]:
    """The kinds of all nodes but texts, in order."""
    return [
        type(node).__name__
        for node in ast.walk(ast.parse(code))
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str))
    ]


# -------------------------------------------------------------- formatting


def test_python_is_formatted_and_imports_are_sorted() -> None:
    text = "import sys\nimport os\nx = { 'a':os, 'b':sys }\n"
    wanted = b'import os\nimport sys\n\nx = {"a": os, "b": sys}\n'
    assert format_python({"a/b.py": text}) == {"a/b.py": wanted}
    assert format_python({}) == {}


def test_what_is_no_python_is_said() -> None:
    with pytest.raises(FindingsError) as caught:
        format_python({"a.py": "def (:\n"})
    assert [f.code for f in caught.value.findings] == ["unformattable"]


def test_formatting_is_never_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.1.0")
    with pytest.raises(FindingsError) as caught:
        format_python({"a.py": "x = 1\n"})
    assert [f.code for f in caught.value.findings] == ["missing_tool"]
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "ruff", None)
    with pytest.raises(FindingsError) as caught:
        format_python({"a.py": "x = 1\n"})
    assert [f.code for f in caught.value.findings] == ["missing_tool"]


# ------------------------------------------------------------------- codes


def test_every_code_has_a_test() -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    own = {**LOAD, **STRUCTURE, **RESULT, **NAMES, **HISTORY, **SAMPLES, **OUTPUT}
    assert [code for code in own if f'"{code}"' not in tests] == []
    assert set(own) <= set(CODES)
