"""Stage 5: everything is published, or nothing is touched."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolresult_generator.findings import FindingsError
from toolresult_generator.write.compare import (
    MAX_DIFF_LINES,
    Change,
    compare,
    diff,
    findings,
    unchanged,
)
from toolresult_generator.write.manifest import NAME, Entry, Manifest, is_safe, read_manifest
from toolresult_generator.write.publish import STAGING, publish

FIRST = {"a": {"a/one.py": b"1\n", "a/two.py": b"2\n"}, "b": {"b/three.json": b"3\n"}}


def write(out: Path, outputs: Mapping[str, Mapping[str, bytes]], *, force: bool = False) -> int:
    changes, _ = compare(out, outputs, "inputs", read_manifest(out))
    publish(out, changes, force=force)
    return len(changes)


def tree(out: Path) -> dict[str, bytes]:
    """Every file and folder, hidden ones included."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes() if path.is_file() else b"<folder>"
        for path in sorted(out.rglob("*"))
    }


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "generated"
    write(folder, FIRST)
    return folder


def test_files_and_manifest(out: Path) -> None:
    found = tree(out)
    manifest = json.loads(found.pop(NAME))
    assert found == {
        "a": b"<folder>",
        "a/one.py": b"1\n",
        "a/two.py": b"2\n",
        "b": b"<folder>",
        "b/three.json": b"3\n",
    }
    assert list(manifest["emitters"]) == ["a", "b"]
    assert list(manifest["emitters"]["a"]["outputs"]) == ["a/one.py", "a/two.py"]
    assert (out / "a/one.py").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_only_changed_files_are_touched(out: Path) -> None:
    before = {path: (out / path).stat() for path in ("a/one.py", "a/two.py", "b/three.json", NAME)}
    assert write(out, FIRST) == 0
    assert write(out, {"a": {**FIRST["a"], "a/two.py": b"new\n"}, "b": FIRST["b"]}) == 2
    touched = [
        path for path, stat in before.items() if (out / path).stat().st_mtime_ns != stat.st_mtime_ns
    ]
    assert touched == ["a/two.py", NAME]
    assert (out / "a/one.py").stat().st_ino == before["a/one.py"].st_ino


def test_files_that_are_no_longer_generated_go(out: Path) -> None:
    (out / "a/mine.txt").write_text("kept")
    (out / "b/__pycache__").mkdir()
    write(out, {"a": {"a/one.py": b"1\n"}, "b": {}})
    found = tree(out)
    found.pop(NAME)
    assert found == {"a": b"<folder>", "a/mine.txt": b"kept", "a/one.py": b"1\n"}


def test_one_emitter_leaves_the_files_of_the_others(out: Path) -> None:
    write(out, {"a": {"a/one.py": b"new\n"}})
    found = tree(out)
    assert found["b/three.json"] == b"3\n"
    assert "a/two.py" not in found
    assert list(read_manifest(out).entries) == ["a", "b"]


@pytest.mark.parametrize("path", ["a/one.py", "b/three.json"])
def test_an_edited_file_is_not_overwritten(out: Path, path: str) -> None:
    (out / path).write_bytes(b"edited\n")
    before = tree(out)
    nothing: dict[str, dict[str, bytes]] = {"a": {}, "b": {}}
    for outputs in (FIRST, nothing):
        with pytest.raises(FindingsError) as caught:
            write(out, outputs)
        assert [(f.code, f.place.file) for f in caught.value.findings] == [
            ("edited_output", (out / path).as_posix())
        ]
        assert tree(out) == before
    write(out, FIRST, force=True)
    assert (out / path).read_bytes() == dict(**FIRST["a"], **FIRST["b"])[path]


def test_a_foreign_file_is_not_overwritten(out: Path) -> None:
    (out / "a/new.py").write_bytes(b"mine\n")
    outputs = {"a": {**FIRST["a"], "a/new.py": b"generated\n"}, "b": FIRST["b"]}
    with pytest.raises(FindingsError) as caught:
        write(out, outputs)
    assert [f.code for f in caught.value.findings] == ["foreign_output"]
    assert (out / "a/new.py").read_bytes() == b"mine\n"


def test_a_file_that_is_as_it_should_be_is_no_edit(out: Path) -> None:
    (out / NAME).unlink()
    assert write(out, FIRST) == 1
    (out / "a/one.py").unlink()
    assert write(out, FIRST) == 1


@pytest.mark.parametrize(
    "damage",
    [
        *(b"", b"{", b"[]", b"null", b'{"format": 2}', b"<<<<<<< ours\n", b"\xff", b"[" * 200_000),
        b'{"format": 1, "emitters": {"a": {"inputs": "x", "outputs": {"../../x": "y"}}}}',
    ],
)
def test_a_damaged_manifest_counts_as_none(out: Path, damage: bytes) -> None:
    (out / NAME).write_bytes(damage)
    assert read_manifest(out) == Manifest()
    assert write(out, FIRST) == 1


def test_a_manifest_cannot_remove_what_is_outside(out: Path) -> None:
    outside = out.parent / "precious"
    outside.write_bytes(b"x")
    bad = Manifest({"a": Entry("x", {"../precious": ""})})
    (out / NAME).write_bytes(bad.to_bytes())
    write(out, FIRST, force=True)
    assert outside.read_bytes() == b"x"


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a//b", "", ".", "a\\b", "a\0b"])
def test_paths_stay_inside(out: Path, path: str) -> None:
    assert not is_safe(path)
    changes, _ = compare(out, {}, "i", read_manifest(out))
    changes += [Change(path, None, b"x", edited=False)]
    with pytest.raises(ValueError, match="leads out"):
        publish(out, changes)


# ------------------------------------------------------------------ faults

CHANGED = {
    "a": {"a/one.py": b"new\n", "a/added.py": b"added\n", "deep/er/four.py": b"4\n"},
    "b": {"b/three.json": b"new\n"},
}
"""Two changed files, two new ones in part in new folders, one that goes."""


def refused(out: Path) -> str:
    before = tree(out)
    with pytest.raises(FindingsError) as caught:
        write(out, CHANGED)
    (finding,) = caught.value.findings
    assert finding.code == "blocked_output"
    assert tree(out) == before
    return finding.message


class Countdown:
    """Stands for a function of the system and fails at its n-th call."""

    def __init__(self, real: Any, calls: int, error: BaseException) -> None:
        self.real = real
        self.left = calls
        self.error = error

    def __call__(self, *args: Any, **options: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise self.error
        return self.real(*args, **options)


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("calls", range(1, 6))
def test_a_rename_that_fails_is_taken_back(
    out: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    monkeypatch.setattr(os, "replace", Countdown(os.replace, calls, FULL))
    assert "No space left" in refused(out)


def test_a_removal_that_fails_is_taken_back(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = PermissionError(errno.EPERM, "Operation not permitted")
    monkeypatch.setattr(os, "unlink", Countdown(os.unlink, 1, error))
    assert "not permitted" in refused(out)


@pytest.mark.parametrize("calls", range(1, 9))
def test_a_disk_that_is_full_while_staging(
    out: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    monkeypatch.setattr(os, "fsync", Countdown(os.fsync, calls, FULL))
    assert "No space left" in refused(out)


@pytest.mark.parametrize("calls", [1, 3])
def test_an_interrupt_leaves_nothing_half_done(
    out: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    before = tree(out)
    monkeypatch.setattr(os, "replace", Countdown(os.replace, calls, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write(out, CHANGED)
    assert tree(out) == before


@pytest.mark.parametrize("blocker", ["deep", "deep/er"])
def test_a_file_where_a_folder_has_to_be(out: Path, blocker: str) -> None:
    (out / blocker).parent.mkdir(exist_ok=True)
    (out / blocker).write_bytes(b"x")
    refused(out)


def test_a_folder_where_a_file_has_to_be(out: Path) -> None:
    (out / "a/added.py").mkdir()
    refused(out)


def test_the_output_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "generated").write_bytes(b"x")
    with pytest.raises(FindingsError) as caught:
        write(tmp_path / "generated", FIRST)
    assert [f.code for f in caught.value.findings] == ["blocked_output"]
    assert (tmp_path / "generated").read_bytes() == b"x"


def test_a_new_folder_is_gone_again_after_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", Countdown(os.fsync, 2, FULL))
    with pytest.raises(FindingsError):
        write(tmp_path / "new/generated", FIRST)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to read-only folders")
def test_a_folder_without_permission(out: Path) -> None:
    out.chmod(0o555)
    try:
        refused(out)
    finally:
        out.chmod(0o755)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system is not allowed here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    out = small_disk / "generated"
    write(out, FIRST)
    before = tree(out)
    with pytest.raises(FindingsError) as caught:
        write(out, {"a": {"a/one.py": b"x" * 40_000, "a/big.py": b"y" * 40_000}})
    assert [f.code for f in caught.value.findings] == ["blocked_output"]
    assert tree(out) == before


def test_a_disk_that_is_really_read_only(small_disk: Path) -> None:
    out = small_disk / "generated"
    write(out, FIRST)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert "Read-only" in refused(out)


def test_two_runs_at_once(out: Path) -> None:
    before = tree(out)
    descriptor = os.open(out, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        with pytest.raises(FindingsError) as caught:
            write(out, CHANGED)
    finally:
        os.close(descriptor)
    assert [f.code for f in caught.value.findings] == ["busy_output"]
    assert tree(out) == before


def test_what_a_killed_run_left_is_removed(out: Path) -> None:
    (out / f"{STAGING}old").mkdir()
    (out / f"{STAGING}old/0.after").write_bytes(b"x")
    write(out, CHANGED)
    assert [path for path in tree(out) if path.startswith(".")] == []


def test_a_symbolic_link_is_replaced_and_not_followed(out: Path) -> None:
    outside = out.parent / "precious"
    outside.write_bytes(b"1\n")
    (out / "a/one.py").unlink()
    (out / "a/one.py").symlink_to(outside)
    write(out, CHANGED)
    assert outside.read_bytes() == b"1\n"
    assert not (out / "a/one.py").is_symlink()


# -------------------------------------------------------------- unchanged


def test_an_unchanged_run_is_seen(out: Path) -> None:
    both = frozenset({"a", "b"})
    manifest = read_manifest(out)
    assert unchanged(out, manifest, "inputs", both)
    assert unchanged(out, manifest, "inputs", frozenset({"a"}))
    assert not unchanged(out, manifest, "other inputs", both)
    assert not unchanged(out, manifest, None, both)
    assert not unchanged(out, manifest, "inputs", frozenset({"a", "c"}))
    for path in ("a/one.py", "b/three.json"):
        data = (out / path).read_bytes()
        (out / path).write_bytes(b"edited")
        assert not unchanged(out, manifest, "inputs", both)
        (out / path).unlink()
        assert not unchanged(out, manifest, "inputs", both)
        (out / path).write_bytes(data)
    assert unchanged(out, manifest, "inputs", both)
    (out / NAME).write_bytes((out / NAME).read_bytes() + b"\n")
    assert not unchanged(out, manifest, "inputs", both)


# -------------------------------------------------------------------- diff


def test_the_difference(out: Path) -> None:
    changes, _ = compare(out, CHANGED, "inputs", read_manifest(out))
    lines = list(diff(changes))
    assert lines[:4] == ["--- /dev/null", "+++ a/added.py", "@@ -0,0 +1 @@", "+added"]
    assert "--- a/two.py" in lines and "-2" in lines
    found = [(f.code, Path(f.place.file).name, f.message) for f in findings(out, changes)]
    assert found[0] == ("drift", "added.py", "is missing")
    assert ("drift", "one.py", "is out of date") in found
    assert ("drift", "two.py", "is no longer generated") in found


def test_the_difference_is_bounded_and_printable(out: Path) -> None:
    outputs = {
        "a": {
            "a/one.py": "".join(f"\x1b[31m{n}{'x' * 300}\n" for n in range(1000)).encode(),
            "a/two.py": b"x" * 1_000_000,
        },
        "b": {"b/three.json": b"\xff\xfe\n"},
    }
    changes, _ = compare(out, outputs, "inputs", read_manifest(out))
    lines = list(diff(changes))
    assert len(lines) == MAX_DIFF_LINES + 1
    assert all(len(line) < 210 and line.isprintable() for line in lines)
    assert "differs (2 and 1000000 bytes)" in list(diff(changes[1:]))
