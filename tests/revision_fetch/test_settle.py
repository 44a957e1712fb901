"""What was taken is put in place once, pinned, and held against the pin ever after."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from toolresult_generator.findings import FindingsError
from toolresult_generator.revision.fetch import Outcome, Taken, settle
from toolresult_generator.revision.fetch_lock import NAME, digest
from toolresult_generator.revision.fetch_names import BadNameError, Wanted, parse

MCP = Wanted("mcp", "2026-07-28")
ONE = b'{"$defs": {"CallToolResult": {}}}'
TWO = b'{"definitions": {"CallToolResult": {"type": "object"}}}'


def put(
    folder: Path, data: bytes, *, update: bool = False, wanted: Wanted = MCP, source: str = "file"
) -> Outcome:
    return settle(wanted, Taken(data, source), folder, folder / NAME, update=update).outcome


def refusal(folder: Path, data: bytes) -> tuple[str, str]:
    """The code and the line, and a check that nothing was written."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(FindingsError) as caught:
        put(folder, data)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    finding = caught.value.findings[0]
    return finding.code, str(finding)


def test_the_first_fetch_pins_and_the_second_verifies(tmp_path: Path) -> None:
    assert put(tmp_path, ONE) is Outcome.PINNED
    assert (tmp_path / "mcp" / "2026-07-28.json").read_bytes() == ONE
    text = (tmp_path / NAME).read_text()
    assert json.loads(text)["schemas"] == {
        "mcp@2026-07-28": {
            "sha256": digest(ONE),
            "size": len(ONE),
            "file": "mcp/2026-07-28.json",
            "source": "file",
        }
    }
    times = [path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))]
    # the same bytes from elsewhere are the same
    assert put(tmp_path, ONE, source="https://example.com/x") is Outcome.UNCHANGED
    assert (tmp_path / NAME).read_text() == text
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))] == times


def test_the_lock_is_sorted_whatever_the_order(tmp_path: Path) -> None:
    wanted = [MCP, Wanted("a2a", "1.0"), Wanted("mcp", "2025-11-25")]
    for folder, order in (("x", wanted), ("y", wanted[::-1])):
        for one in order:
            put(tmp_path / folder, ONE, wanted=one)
    x, y = ((tmp_path / folder / NAME).read_bytes() for folder in "xy")
    assert x == y
    assert list(json.loads(x)["schemas"]) == ["a2a@1.0", "mcp@2025-11-25", "mcp@2026-07-28"]


def test_a_changed_schema_is_refused_until_it_is_asked_for(tmp_path: Path) -> None:
    put(tmp_path, ONE)
    code, line = refusal(tmp_path, TWO)
    assert code == "changed_schema"
    assert digest(ONE) in line and digest(TWO) in line and "--update" in line
    assert put(tmp_path, TWO, update=True) is Outcome.UPDATED
    assert (tmp_path / "mcp" / "2026-07-28.json").read_bytes() == TWO
    assert put(tmp_path, TWO) is Outcome.UNCHANGED
    assert refusal(tmp_path, ONE)[0] == "changed_schema"


def test_a_file_that_was_edited_is_neither_used_nor_overwritten(tmp_path: Path) -> None:
    put(tmp_path, ONE)
    file = tmp_path / "mcp" / "2026-07-28.json"
    file.write_bytes(TWO)
    code, line = refusal(tmp_path, ONE)
    assert code == "changed_schema"
    assert line.startswith(f"{file}:") and digest(ONE) in line and digest(TWO) in line
    assert put(tmp_path, ONE, update=True) is Outcome.UPDATED
    assert file.read_bytes() == ONE
    file.unlink()
    assert put(tmp_path, ONE) is Outcome.RESTORED
    assert file.read_bytes() == ONE


def test_a_file_that_was_never_pinned_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "mcp" / "2026-07-28.json"
    file.parent.mkdir()
    file.write_bytes(TWO)
    assert refusal(tmp_path, ONE)[0] == "changed_schema"
    assert put(tmp_path, TWO) is Outcome.PINNED


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "invalid_json"),
        (b"<html>", "invalid_json"),
        (b'{"$defs": {"a": {}}, "$defs": {}}', "duplicate_key"),
        (b"\xff", "not_utf8"),
        (b"[" * 1000, "too_deep"),
        (b"[]", "not_a_schema"),
        (b"null", "not_a_schema"),
        (b'{"type": "object"}', "not_a_schema"),
        (b'{"$defs": {}}', "not_a_schema"),
        (b'{"definitions": [1]}', "not_a_schema"),
    ],
)
def test_what_is_no_schema_is_not_written(tmp_path: Path, data: bytes, code: str) -> None:
    assert refusal(tmp_path, data)[0] == code
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"format": 2, "schemas": {}}',
        '{"format": 1, "schemas": []}',
        '{"format": 1, "schemas": {"mcp@2026-07-28": {}}}',
        '{"format": 1, "schemas": {"a": {"sha256": "0", "size": 1, "file": "f", "source": "s"}}}',
        '{"format": 1, "schemas": {"a": {"sha256": 1, "size": 1, "file": "f", "source": "s"}}}',
    ],
)
def test_a_damaged_lock_file_is_said_and_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    code, line = refusal(tmp_path, ONE)
    assert code == "bad_lock" and line.startswith(f"{tmp_path / NAME}:")


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, ONE)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        put(tmp_path, TWO, update=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX")
def test_files_have_the_rights_that_files_have(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    put(tmp_path, ONE)
    for file in (tmp_path / NAME, tmp_path / "mcp" / "2026-07-28.json"):
        assert file.stat().st_mode == plain.stat().st_mode


def test_names() -> None:
    assert parse("mcp") == ("mcp", None)
    assert parse("mcp-stateless@2026-07-28") == ("mcp", "2026-07-28")
    assert parse("mcp@draft") == ("mcp", "draft")
    for name in ("", "@1.0", "xcp@1", "a2a@", "mcp@../x", "mcp@a/b", "mcp@.", "a2a@-x", "mcp@\n"):
        with pytest.raises(BadNameError):
            parse(name)
