"""`render`, `read`, `explain` and `targets`, run as programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolresult import Result, render
from toolresult.store import Key, open_store

ROOT = Path(__file__).parents[2]
JUNE = "mcp-handshake@2025-06-18"
RESULT = Result.success(
    {"ids": [1, 2**70]},
    summary="zwei Stück",
    content=({"kind": "link", "uri": "a/b", "title": "T", "priority": 0.5},),
    metadata={"dry_run": True, "presentation": {"com.example/p": 1}},
)


def run(
    *arguments: str, given: bytes = b"", code: int = 0, cwd: Path = ROOT
) -> subprocess.CompletedProcess[bytes]:
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        [sys.executable, "-m", "toolresult_generator", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        input=given,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    if code == 0:
        assert "--losses" in arguments or done.stderr == b""
    else:
        assert done.stdout == b""
        assert done.stderr.count(b"\n") == 1
    return done


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_render_from_stdin(arguments: tuple[str, ...]) -> None:
    done = run("render", "--to", JUNE, *arguments, given=RESULT.to_json())
    assert done.stdout == render(RESULT, JUNE, phase="final").bytes + b"\n"


def test_render_phases_files_and_the_lack_of_a_default_limit(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    large = Result.success("x" * 200_000)
    file.write_bytes(large.to_json() + b"\n")
    done = run("render", "--to", JUNE, "--phase", "transitional", str(file))
    assert done.stdout == render(large, JUNE, phase="transitional", limit=None).bytes + b"\n"
    assert run("render", "--to", JUNE, "--limit", "10", str(file)).stdout.count(b"x") >= 200_000


def test_losses_are_told_when_asked_and_are_no_fault() -> None:
    arguments = ("render", "--to", "legacy-envelope@1")
    told = run(*arguments, "--losses", given=RESULT.to_json())
    assert told.stdout == run(*arguments, given=RESULT.to_json()).stdout
    expected = [
        f"{loss.path}: {loss.status.replace(' ', '_')}: {loss.reason}"
        for loss in render(RESULT, "legacy-envelope@1").losses
    ]
    assert told.stderr.decode().splitlines() == expected
    assert any(": not_expressible: " in line for line in expected)
    assert any(line.startswith("/metadata/presentation: withheld: ") for line in expected)
    assert run("render", "--to", JUNE, "--losses", given=RESULT.to_json()).stderr == b""


def test_losses_say_why_a_result_over_the_limit_is_sent_whole() -> None:
    arguments = ("render", "--to", JUNE, "--limit", "10", "--losses")
    given = Result.success(1).to_json()
    told = run(*arguments, given=given)
    size = len(told.stdout) - 1
    assert told.stderr.decode() == (
        f"(result): inline: the output had {size} bytes and may have 10; "
        "it was sent whole (no_store)\n"
    )
    exact = run("render", "--to", JUNE, "--limit", str(size), "--losses", given=given)
    assert (exact.stdout, exact.stderr) == (told.stdout, b"")
    above = run("render", "--to", JUNE, "--limit", str(size - 1), "--losses", given=given)
    assert above.stderr.startswith(b"(result): inline: ")


def test_a_time_is_in_the_output_only_if_it_is_given() -> None:
    arguments = ("render", "--to", JUNE)
    given = Result.success({"a": 1}).to_json()
    assert b"generatedAt" not in run(*arguments, given=given).stdout
    stamped = run(*arguments, "--now", "2026-07-28T12:00:00Z", given=given).stdout
    back = Result.from_json(run("read", "--from", JUNE, given=stamped).stdout)
    assert back == Result.success({"a": 1}, metadata={"generated_at": "2026-07-28T12:00:00Z"})
    own = back.to_json()
    later = run(*arguments, "--now", "2030-01-01T00:00:00Z", given=own).stdout
    assert later == run(*arguments, given=own).stdout


def test_render_pretty() -> None:
    done = run("render", "--to", JUNE, "--format", "pretty", given=RESULT.to_json())
    assert json.loads(done.stdout) == render(RESULT, JUNE, phase="final").wire
    assert done.stdout.startswith(b'{\n  "content": [\n')
    assert "zwei Stück".encode() in done.stdout


def test_pretty_integers_of_any_length() -> None:
    given = b'{"format_version":1,"data":' + b"7" * 6_000 + b"}"
    done = run("render", "--to", JUNE, "--format", "pretty", given=given)
    assert b"7" * 6_000 in done.stdout


def test_the_envelope_is_the_string_itself() -> None:
    done = run("render", "--to", "legacy-envelope@1", given=RESULT.to_json())
    assert done.stdout.startswith(b'{"success":true,"data":{"ids":[1,1180591620717411303424]}')
    back = run("read", "--from", "legacy-envelope@1", given=done.stdout)
    assert Result.from_json(back.stdout).data == RESULT.data
    text = run("read", "--from", "legacy-envelope@1", given=b"plain\ntext").stdout
    assert Result.from_json(text) == Result.text("plain\ntext")


def test_render_a_legacy_string() -> None:
    arguments = ("render", "--to", "a2a@1.0", "--from", "legacy-envelope@1")
    done = run(*arguments, given=b'{"success":true,"data":[0]}')
    assert done.stdout == render(Result.success([0]), "a2a@1.0").bytes + b"\n"


@pytest.mark.parametrize("target", [JUNE, "mcp-stateless@2026-07-28", "a2a@0.3", "a2a@1.0"])
def test_read_gives_the_result_back(target: str) -> None:
    wire = run("render", "--to", target, given=RESULT.to_json()).stdout
    assert run("read", "--from", target, given=wire).stdout == RESULT.to_json() + b"\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["render"], "--to"),
        (["render", "--to", "mcp@1"], "unknown target 'mcp'"),
        (["render", "--to", "a2a@2.0"], "unknown revision '2.0'"),
        (["render", "--to", "a2a"], "unknown revision ''"),
        (["render", "--to", JUNE, "--phase", "last"], "unknown phase 'last'"),
        (["render", "--to", "a2a@1.0", "--phase", "last"], "unknown phase 'last'"),
        (["render", "--to", JUNE, "--from", "x@1"], "unknown target 'x'"),
        (["render", "--to", JUNE, "--limit", "-1"], "--limit"),
        (["render", "--to", JUNE, "--limit", "1k"], "number of bytes"),
        (["render", "--to", JUNE, "--format", "yaml"], "--format"),
        (["render", "--to", JUNE, "--now", "yesterday"], "a time such as 2026-07-28T12:00:00Z"),
        (["render", "--to", JUNE, "--now", "2026-02-30T12:00:00Z"], "a time such as"),
        (["render", "--to", JUNE, "--now", "2026-07-28T12:00:00+02:00"], "a time such as"),
        (
            [
                *("render", "--to", JUNE, "--now", "1969-12-31T00:00:00Z", "--limit", "1"),
                *("--store", "s", "--principal", "a", "--key-file", "k"),
            ],
            "--now: a link must end",
        ),
        (["render", "--to", JUNE, "--store", "s"], "--principal, --key-file, --limit"),
        (["render", "--to", JUNE, "--principal", ""], "--store, --principal"),
        (["read"], "--from"),
        (["read", "--from", "mcp-handshake@2026-01-01"], "unknown revision"),
        (["explain"], "--to"),
        (["explain", "--to", JUNE, "--phase", "last"], "unknown phase"),
        (["targets", "--format", "xml"], "--format"),
    ],
)
def test_wrong_usage(arguments: list[str], says: str) -> None:
    error = run(*arguments, code=2).stderr.decode()
    assert error.startswith(f"toolresult {arguments[0]}: usage: ")
    assert says in error


BAD = [
    (b"", "(stdin):1:1: invalid_json: "),
    (b'{"format_version":1,\n "data":\xff}', "(stdin):2:9: invalid_json: "),
    ('{"format_version":1,"data":"ä",x}'.encode(), "(stdin):1:32: invalid_json: "),
    (b'{"format_version":1,"data":NaN}', "(stdin):1:28: invalid_number: "),
    (b"[" * 100_000, "(stdin):1:201: too_deep: "),
    (b'{"format_version":1,"summary":3}', "/summary: wrong_type: "),
    (b'{"format_version":9}', "/format_version: unknown_version: "),
    (b'{"data":1}', "/format_version: missing_field: "),
    (b"[]", "(result): wrong_type: "),
    (b'{"format_version":1,"\\u001b[31m":1}', "/\\x1b[31m: unknown_field: "),
]


@pytest.mark.parametrize(("given", "starts"), BAD, ids=[starts for _, starts in BAD])
@pytest.mark.parametrize("command", ["render", "explain"])
def test_bad_data(command: str, given: bytes, starts: str) -> None:
    assert run(command, "--to", JUNE, given=given, code=1).stderr.decode().startswith(starts)


@pytest.mark.parametrize(
    ("given", "starts"),
    [
        (b'{"content":', "(stdin):1:12: invalid_json: "),
        (b'{"content":[{"type":"hologram"}]}', "/content/0: unknown_kind: "),
        (b"{}", "/content: missing_field: "),
    ],
)
def test_bad_wire(given: bytes, starts: str) -> None:
    assert run("read", "--from", JUNE, given=given, code=1).stderr.decode().startswith(starts)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    error = run("render", "--to", JUNE, str(missing), code=1).stderr.decode()
    assert error == f"{missing}: io: No such file or directory\n"
    error = run("read", "--from", JUNE, str(tmp_path), code=1).stderr.decode()
    assert error == f"{tmp_path}: io: Is a directory\n"
    broken = tmp_path / "b.json"
    broken.write_bytes(b"{\n}x")
    error = run("render", "--to", JUNE, str(broken), code=1).stderr.decode()
    assert error.startswith(f"{broken}:2:2: invalid_json: ")


def test_a_file_of_300_mb_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as stream:
        stream.truncate(300 * 1024 * 1024)  # a hole, so that no disk is filled
    error = run("render", "--to", JUNE, str(file), code=1).stderr.decode()
    assert error.startswith(f"{file}: out_of_range: expected at most ")


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_bytes(Result.success("x" * 1_000_000).to_json())
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "toolresult_generator", "render", "--to", JUNE, str(file)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_store_and_get(tmp_path: Path) -> None:
    keys, store, file = tmp_path / "keys", tmp_path / "s.db", tmp_path / "r.json"
    keys.write_text(Key.generate("first").line + "\n")
    keys.chmod(0o600)
    large = Result.success("x" * 5_000, metadata={"presentation": {"com.example/p": 1}})
    file.write_bytes(large.to_json())
    bound = ["--store", str(store), "--principal", "anna", "--key-file", str(keys)]
    whole = run("render", "--to", JUNE, "--limit", "20000", *bound, str(file)).stdout
    assert whole == render(large, JUNE, phase="final").bytes + b"\n"
    sent = run("render", "--to", JUNE, "--limit", "2000", *bound, str(file)).stdout
    (link,) = Result.from_json(run("read", "--from", JUNE, given=sent).stdout).stored
    assert link.expires_at is not None
    assert b"generatedAt" not in sent
    got = run("store", "get", link.uri, *bound).stdout
    assert Result.from_json(got) == Result.success("x" * 5_000)
    error = run(
        *("store", "get", link.uri, "--store", str(store), "--key-file", str(keys)),
        *("--principal", "bert"),
        code=1,
    )
    assert b": not_found: " in error.stderr
    timed = ["--limit", "2000", "--now", "2026-07-28T12:00:00Z", "--losses"]
    done = run("render", "--to", JUNE, *timed, *bound, str(file))
    shown = Result.from_json(run("read", "--from", JUNE, given=done.stdout).stdout)
    assert shown.stored[0].expires_at == "2026-07-28T13:00:00Z"
    assert shown.metadata is not None
    assert shown.metadata.generated_at == "2026-07-28T12:00:00Z"
    first, *losses = done.stderr.decode().splitlines()
    assert first.startswith("(result): stored: the output had ")
    assert first.endswith(" bytes and may have 2,000; it was sent as a link")
    assert any(line.startswith("/data: withheld: ") for line in losses)


def test_store_faults(tmp_path: Path) -> None:
    keys, store = tmp_path / "keys", tmp_path / "none" / "s.db"
    limited = ["render", "--to", JUNE, "--limit", "9", "--principal", "anna"]
    named = ["--store", str(store), "--key-file", str(keys)]
    error = run(*limited, *named, given=RESULT.to_json(), code=1).stderr.decode()
    assert error.startswith(f"{keys}: invalid_keys: ")
    keys.write_text(Key.generate("first").line + "\n")
    keys.chmod(0o600)
    error = run(*limited, *named, given=RESULT.to_json(), code=1).stderr.decode()
    assert error.startswith(f"{store}: store_unavailable: ")
    run(*limited, *named, given=b"{", code=1)
    assert not store.exists()


def test_bad_data_makes_no_store(tmp_path: Path) -> None:
    keys, store = tmp_path / "keys", tmp_path / "s.db"
    keys.write_text(Key.generate("first").line + "\n")
    keys.chmod(0o600)
    named = ["--store", str(store), "--key-file", str(keys), "--principal", "a", "--limit", "9"]
    run("render", "--to", JUNE, *named, given=b"{", code=1)
    assert not store.exists()
    with open_store(store, keys):
        assert store.exists()


def test_explain_for_people() -> None:
    done = run("explain", "--to", "mcp-handshake@2024-11-05", given=RESULT.to_json())
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "mcp-handshake@2024-11-05/final"
    assert lines[2].split() == ["part", "status", "where", "it", "went", "what", "is", "lost"]
    summary = next(line.split() for line in lines if line.startswith("/summary"))
    assert summary == ["/summary", "native", "/content/1/text", "nothing"]
    title = next(line for line in lines if line.startswith("/content/0/title"))
    assert "re-encoded" in title
    assert "/_meta/dev.toolresult~1parts/2/title" in title
    assert lines[-1].endswith("nothing is lost")


def test_explain_says_what_is_lost() -> None:
    arguments = ("explain", "--to", "legacy-envelope@1", "--format", "json")
    document = json.loads(run(*arguments, given=RESULT.to_json()).stdout)
    assert document["label"] == "legacy-envelope@1"
    rows = {row["part"]: row for row in document["parts"]}
    assert rows["/metadata/presentation"]["status"] == "withheld"
    assert rows["/metadata/presentation"]["places"] == []
    assert rows["/metadata/presentation"]["lost"]
    assert rows["/content/0/priority"]["status"] == "not expressible"
    assert rows["/data"]["lost"] == []
    assert "/metadata/presentation" in {loss["path"] for loss in document["losses"]}


def test_explain_as_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("explain", "--to", JUNE, "--html", str(page), given=RESULT.to_json())
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_explain_the_empty_result_and_a_missing_spec(tmp_path: Path) -> None:
    done = run("explain", "--to", JUNE, given=b'{"format_version":1}')
    assert done.stdout.decode().splitlines()[-1] == "0 parts: nothing is lost"
    arguments = ("explain", "--to", JUNE, "--spec", str(tmp_path / "none"))
    assert str(tmp_path) in run(*arguments, given=RESULT.to_json(), code=1).stderr.decode()


def test_targets() -> None:
    text = run("targets").stdout.decode()
    assert "  mcp-handshake@2024-11-05\n" in text
    assert "  phase final: Plain MCP." in text
    listed = json.loads(run("targets", "--format", "json").stdout)["targets"]
    names = {target["name"]: target for target in listed}
    assert list(names) == ["a2a", "legacy-envelope", "mcp-handshake", "mcp-stateless"]
    assert names["a2a"]["revisions"] == ["0.3", "1.0"]
    assert names["a2a"]["phases"] == []
    assert [one["name"] for one in names["mcp-stateless"]["phases"]] == ["transitional", "final"]
    assert names["mcp-stateless"]["limit"] == 100_000


def test_targets_without_a_spec(tmp_path: Path) -> None:
    with_spec = json.loads(run("targets", "--format", "json").stdout)["targets"]
    without = json.loads(run("targets", "--format", "json", cwd=tmp_path).stdout)["targets"]
    for one, other in zip(with_spec, without, strict=True):
        assert (one["name"], one["revisions"]) == (other["name"], other["revisions"])
        assert [p["name"] for p in one["phases"]] == [p["name"] for p in other["phases"]]
        assert one["limit"] == other["limit"]


@pytest.mark.parametrize(
    "arguments", [["--help"], *([c, "--help"] for c in ("render", "read", "explain", "targets"))]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom toolresult_generator.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "heavy = {'pydantic', 'yaml', 'jinja2', 'jsonschema', 'sqlite3', 'toolresult_core'}\n"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith("usage: toolresult")
    assert done.stderr == "[]\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("targets >&-", "(stdout): io: is closed; where nothing is wanted, use /dev/null\n"),
        (f"render --to {JUNE} <&-", "(stdin): io: is closed\n"),
        ("targets >&- 2>&-", ""),
    ],
)
def test_a_stream_that_is_closed(command: str, said: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m toolresult_generator {command}"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_explain_needs_no_spec_of_ones_own(tmp_path: Path) -> None:
    given = Result.success({"a": 1}).to_json()
    shown = run("explain", "--to", "a2a@1.0", given=given, cwd=tmp_path).stdout
    assert b"nothing is lost" in shown
    assert shown == run("explain", "--to", "a2a@1.0", given=given).stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere/s.db", "There is no such folder."),
        ("s.db", "There is no such file."),
        ("", "It is a folder."),
    ],
)
def test_why_a_store_cannot_be_used(tmp_path: Path, name: str, said: str) -> None:
    store = str(tmp_path / name)
    error = run("store", "stats", "--store", store, code=1).stderr.decode()
    assert error == f"{store}: store_unavailable: The store cannot be used. {said}\n"


def test_an_empty_text_is_no_name() -> None:
    for command in (("store", "new-key", "--id", ""), ("vendor", "--language", "php", "")):
        assert b"empty" in run(*command, code=2).stderr
