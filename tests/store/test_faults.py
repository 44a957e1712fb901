"""What goes wrong with a file: each fault is a StoreError with a code, never SQLite's own."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from tests.store.disks import disk

from toolresult.store import KeyRing, SqliteStore, StoredLink, StoreError
from toolresult.store.faults import classify
from toolresult.store.interface import StoreErrorCode

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
SHORT = timedelta(milliseconds=50)
Put = Callable[..., StoredLink]


@pytest.fixture
def store(path: Path, keys: KeyRing) -> Iterator[SqliteStore]:
    with SqliteStore(path, keys, busy_timeout=SHORT) as made:
        yield made


def check_answer(error: StoreError, path: Path, code: str | None = None) -> None:
    """A fault: a fixed message that shows nothing of the inside."""
    assert error.is_fault
    if code is not None:
        assert error.code.value == code
    for inside in (str(path), path.name, "sqlite", "database", "disk", "stored_result", "SELECT"):
        assert inside.lower() not in str(error).lower()


# Permissions


def test_the_files_are_the_owners_alone(store: SqliteStore, put: Put, path: Path) -> None:
    old = os.umask(0)
    try:
        put(store)
        other = path.with_name("other.db")
        with SqliteStore(other, KeyRing.generate()) as second:
            put(second)
            names = [path, other, *path.parent.glob("*-wal"), *path.parent.glob("*-shm")]
            assert len(names) == 6
            assert {file.stat().st_mode & 0o777 for file in names} == {0o600}
    finally:
        os.umask(old)


def test_a_store_open_to_others_is_reported(
    store: SqliteStore, path: Path, keys: KeyRing, caplog: pytest.LogCaptureFixture
) -> None:
    path.chmod(0o640)
    SqliteStore(path, keys).close()
    (record,) = caplog.records
    assert record.getMessage().startswith(f"{path}: store_permissions: ")


# Damage


def pages(path: Path) -> int:
    return path.stat().st_size // 4096


def test_overwritten_bytes_are_found_or_harmless(path: Path, keys: KeyRing, put: Put) -> None:
    """Every page, at its head, near it, in the middle and at its end: right bytes or an error."""
    payloads = [bytes([65 + i]) * size for i, size in enumerate([10, 3000, 40_000, 90_000])]
    with SqliteStore(path, keys) as store:
        links = [put(store, payload) for payload in payloads]
    whole = path.read_bytes()
    assert len(whole) > 100_000
    found = right = 0
    for page in range(0, len(whole) // 4096, 3):
        for offset in (0, 3, 8, 100, 2000, 4088):
            for noise in (b"\x00" * 8, b"\xff" * 8, b"Q" * 4):
                place = page * 4096 + offset
                path.write_bytes(whole[:place] + noise + whole[place + len(noise) :])
                try:
                    with SqliteStore(path, keys, create=False) as store:
                        for payload, link in zip(payloads, links, strict=True):
                            try:
                                got = store.get(link.uri, principal="anna", now=NOW).payload
                                assert got == payload
                                right += 1
                            except StoreError as error:
                                assert error.code.value in {
                                    "store_damaged",
                                    "not_found",
                                    "store_unavailable",
                                }
                                found += 1
                        for call in (store.stats, store.purge):
                            try:
                                call(now=NOW)
                            except StoreError as error:
                                check_answer(error, path)
                except StoreError as error:
                    check_answer(error, path)
                    found += 1
    assert found > 50
    assert right > 50


def test_one_bit_of_a_payload(path: Path, keys: KeyRing, put: Put) -> None:
    """SQLite does not notice; the check sum does."""
    with SqliteStore(path, keys) as store:
        link = put(store, b"x" * 50_000)
    whole = bytearray(path.read_bytes())
    whole[whole.index(b"x" * 2000) + 1000] ^= 1
    path.write_bytes(whole)
    with (
        SqliteStore(path, keys) as store,
        pytest.raises(StoreError, match=r"^store_damaged: ") as caught,
    ):
        store.get(link.uri, principal="anna", now=NOW)
    check_answer(caught.value, path)


@pytest.mark.parametrize(
    "change",
    [
        "format_version = 0",
        "mime_type = 'text/html'",
        "expires_at = expires_at + 1",
        "stored_at = 'x'",
        "payload = 'text'",
        "mime_type = cast(x'ff' as text)",
    ],
)
def test_a_changed_column(path: Path, keys: KeyRing, put: Put, change: str) -> None:
    with SqliteStore(path, keys) as store:
        link = put(store)
        db = sqlite3.connect(path)
        db.execute(f"UPDATE stored_result SET {change}")
        db.commit()
        db.close()
        with pytest.raises(StoreError, match=r"^store_damaged: "):
            store.get(link.uri, principal="anna", now=NOW)


def test_a_time_that_is_none(store: SqliteStore, put: Put, path: Path) -> None:
    put(store)
    for value in ("'x'", "9223372036854775807"):
        db = sqlite3.connect(path)
        db.execute(f"UPDATE stored_result SET stored_at = {value}")
        db.commit()
        db.close()
        with pytest.raises(StoreError, match=r"^store_damaged: "):
            store.stats(now=NOW)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (
            b"not a database at all, but longer than a header of one hundred bytes." * 3,
            "not_a_store",
        ),
        (b"SQLite format 3\x00" + bytes(200), "not_a_store"),
        (b"short", "not_a_store"),
    ],
    ids=["text", "header", "short"],
)
def test_a_file_that_is_no_database(path: Path, keys: KeyRing, content: bytes, code: str) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys)
    check_answer(caught.value, path, code)
    assert caught.value.__cause__ is not None
    assert path.read_bytes() == content


def test_a_truncated_file(path: Path, keys: KeyRing, put: Put) -> None:
    with SqliteStore(path, keys) as store:
        link = put(store, b"x" * 100_000)
    os.truncate(path, 4096 * 10)
    with pytest.raises(StoreError) as caught, SqliteStore(path, keys) as store:
        store.get(link.uri, principal="anna", now=NOW)
    check_answer(caught.value, path, "store_damaged")


def test_a_database_of_another_program(path: Path, keys: KeyRing) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE theirs (a)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys)
    assert caught.value.code.value == "not_a_store"
    assert path.read_bytes() == before


# Locks


def test_a_locked_store(store: SqliteStore, put: Put, path: Path) -> None:
    """A writer in the way: putting fails after the timeout, reading goes on."""
    link = put(store, b"kept")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    start = time.monotonic()
    with pytest.raises(StoreError) as caught:
        put(store)
    assert 0.04 < time.monotonic() - start < 2
    check_answer(caught.value, path, "store_locked")
    with pytest.raises(StoreError, match=r"^store_locked: "):
        store.purge(now=NOW)
    assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"
    db.execute("ROLLBACK")
    db.close()
    put(store)
    assert store.stats(now=NOW).count == 2


def test_a_store_held_exclusively(store: SqliteStore, put: Put, path: Path, keys: KeyRing) -> None:
    store.close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys, busy_timeout=SHORT)
    check_answer(caught.value, path, "store_locked")
    db.close()
    SqliteStore(path, keys).close()


def test_a_short_lock_is_waited_for(path: Path, keys: KeyRing, put: Put) -> None:
    with SqliteStore(path, keys, busy_timeout=timedelta(seconds=10)) as store:
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        db.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.2, lambda: db.execute("ROLLBACK"))
        timer.start()
        put(store)
        timer.join()
        db.close()


# Full


def test_a_bounded_file(path: Path, keys: KeyRing, put: Put) -> None:
    with SqliteStore(path, keys, max_file_bytes=400_000) as store:
        kept = [put(store, b"x" * 100_000) for _ in range(3)]
        with pytest.raises(StoreError) as caught:
            put(store, b"y" * 200_000)
        check_answer(caught.value, path, "store_full")
        assert [len(store.get(k.uri, principal="anna", now=NOW).payload) for k in kept] == [
            100_000
        ] * 3
        assert store.purge(now=NOW + HOUR) == 3
        put(store, b"y" * 200_000)


def test_a_payload_beyond_the_bound(path: Path, keys: KeyRing, put: Put) -> None:
    with SqliteStore(path, keys, max_payload_bytes=10) as store:
        put(store, b"1234567890")
        with pytest.raises(StoreError, match=r"^too_large: "):
            put(store, b"12345678901")


# A bound on the size of files, set by the system: writes beyond it fail with EFBIG.
LIMITED = """
import resource, sys
from datetime import datetime, timedelta, timezone
from toolresult.store import KeyRing, SqliteStore, StoreError
store = SqliteStore(sys.argv[1], KeyRing.parse(sys.argv[2]))
def put(size):
    return store.put(b"x" * size, principal="anna",
        now=datetime(2026, 7, 28, 10, tzinfo=timezone.utc), lifetime=timedelta(hours=1),
        format_version=1, mime_type="application/json")
print(put(1000).uri)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    put(1_000_000)
except StoreError as error:
    print(error.code.value)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(put(1_000_000).uri)
"""


def test_writes_that_fail(path: Path, keys: KeyRing) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), keys._keys[0].line],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    first, code, second = done.stdout.split()
    assert code in {"store_full", "store_unavailable"}
    with SqliteStore(path, keys) as store:
        assert len(store.get(first, principal="anna", now=NOW).payload) == 1000
        assert len(store.get(second, principal="anna", now=NOW).payload) == 1_000_000
        assert store.stats(now=NOW).count == 2


@pytest.fixture
def small_disk() -> Iterator[Path]:
    with disk("2m", instead="test_writes_that_fail covers the same") as folder:
        yield folder


def test_a_full_disk(small_disk: Path, keys: KeyRing, put: Put) -> None:
    path = small_disk / "results.db"
    with SqliteStore(path, keys) as store:
        kept = put(store, b"kept")
        with pytest.raises(StoreError) as caught:
            put(store, b"x" * 5_000_000)
        check_answer(caught.value, path, "store_full")
        assert store.get(kept.uri, principal="anna", now=NOW).payload == b"kept"
        small = [put(store, b"y" * 10_000) for _ in range(5)]
        for link in small:
            assert len(store.get(link.uri, principal="anna", now=NOW).payload) == 10_000
        assert store.purge(now=NOW + HOUR) == 6
    with SqliteStore(path, keys) as store:
        put(store)


def test_a_read_only_file_system(small_disk: Path, keys: KeyRing, put: Put) -> None:
    path = small_disk / "results.db"
    with SqliteStore(path, keys) as store:
        put(store, b"kept")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreError) as caught, SqliteStore(path, keys) as store:
        put(store)
    check_answer(caught.value, path, "store_unavailable")
    assert caught.value.message.endswith(" is read-only for this process.")


# As another user than root, to whom permissions mean nothing.
AS_NOBODY = """
import os, sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from toolresult.store import KeyRing, SqliteStore, StoreError
Path("/a").as_uri()  # Imports what it needs, which the other user may not be able to read.
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    store = SqliteStore(sys.argv[1], KeyRing.generate())
    store.put(b"x", principal="anna", now=datetime(2026, 7, 28, 10, tzinfo=timezone.utc),
        lifetime=timedelta(hours=1), format_version=1, mime_type="application/json")
except StoreError as error:
    print(error)
"""


@pytest.mark.parametrize("where", ["file", "folder", "folder of a store"])
def test_no_permission_to_write(keys: KeyRing, put: Put, where: str) -> None:
    folder = Path(tempfile.mkdtemp())  # Not in tmp_path, which other users cannot enter.
    try:
        path = folder / "results.db"
        if where != "folder":
            with SqliteStore(path, keys) as store:
                put(store)
            path.chmod(0o444 if where == "file" else 0o666)
        folder.chmod(0o755 if where == "file" else 0o555)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(path)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        assert done.stdout == (
            "store_unavailable: The store cannot be used."
            " The file or its folder is read-only for this process.\n"
        )
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


# Gone


def test_a_missing_folder(tmp_path: Path, keys: KeyRing) -> None:
    path = tmp_path / "missing" / "results.db"
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys)
    check_answer(caught.value, path, "store_unavailable")
    assert isinstance(caught.value.__cause__, FileNotFoundError)


@pytest.mark.parametrize("kind", ["folder", "pipe", "missing"])
def test_no_file_to_open(path: Path, keys: KeyRing, kind: str) -> None:
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys, create=False)
    check_answer(caught.value, path, "store_unavailable")
    assert path.exists() is (kind != "missing")


def every_call(store: SqliteStore, put: Put, uri: str) -> list[Callable[[], object]]:
    return [
        lambda: put(store),
        lambda: store.get(uri, principal="anna", now=NOW),
        lambda: store.purge(now=NOW),
        lambda: store.stats(now=NOW),
    ]


@pytest.mark.parametrize("how", ["file", "folder"])
def test_a_store_gone_in_the_middle(tmp_path: Path, keys: KeyRing, put: Put, how: str) -> None:
    """An open file that was deleted would take writes that nobody sees: refused instead."""
    path = tmp_path / "folder" / "results.db"
    path.parent.mkdir()
    with SqliteStore(path, keys) as store:
        link = put(store, b"kept")
        store.stats(now=NOW)
        away = tmp_path / "away"
        path.parent.rename(away)
        if how == "file":
            path.parent.mkdir()
        for call in every_call(store, put, link.uri):
            with pytest.raises(StoreError) as caught:
                call()
            check_answer(caught.value, path, "store_unavailable")
        assert not path.exists()
        if how == "file":
            path.parent.rmdir()
        away.rename(path.parent)
        # It is back, and so is the store.
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"
        put(store)


def test_a_store_replaced_in_the_middle(path: Path, keys: KeyRing, put: Put) -> None:
    """The new file is used, and the old one's leftovers do not harm it."""
    other = path.with_name("other.db")
    with SqliteStore(path, keys) as store, SqliteStore(other, keys) as second:
        old = put(store, b"old")
        second.close()
        for leftover in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            leftover.unlink(missing_ok=True)
        other.rename(path)
        new = put(store, b"new")
        assert store.get(new.uri, principal="anna", now=NOW).payload == b"new"
        with pytest.raises(StoreError, match=r"^not_found: "):
            store.get(old.uri, principal="anna", now=NOW)
    with SqliteStore(path, keys) as store:
        assert store.get(new.uri, principal="anna", now=NOW).payload == b"new"


def test_deleted_during_a_put(path: Path, keys: KeyRing, put: Put) -> None:
    """The commit succeeds, on a file that has gone: no link is handed out."""
    with SqliteStore(path, keys) as store:
        with store._connections.use() as db:

            def delete(statement: str) -> None:
                if statement == "COMMIT":
                    path.unlink()

            db.set_trace_callback(delete)
        with pytest.raises(StoreError, match=r"^store_unavailable: "):
            put(store)
        assert not path.exists()


def test_a_changed_working_folder(
    tmp_path: Path, keys: KeyRing, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with SqliteStore("a b#c?d%.db", keys) as store:
        monkeypatch.chdir("/")
        link = put(store, b"x")
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"x"
    assert (tmp_path / "a b#c?d%.db").exists()


# Translation


def test_codes_from_text_alone() -> None:
    """Python 3.10 gives no error code: the text leads to the same answers."""
    texts = {
        "database is locked": StoreErrorCode.LOCKED,
        "database table is locked": StoreErrorCode.LOCKED,
        "database or disk is full": StoreErrorCode.FULL,
        "database disk image is malformed": StoreErrorCode.DAMAGED,
        "file is not a database": StoreErrorCode.NOT_A_STORE,
        "no such table: stored_result": StoreErrorCode.DAMAGED,
        "Could not decode to UTF-8 column 'mime_type' with text": StoreErrorCode.DAMAGED,
        "string or blob too big": StoreErrorCode.TOO_LARGE,
        "disk I/O error": StoreErrorCode.UNAVAILABLE,
        "unable to open database file": StoreErrorCode.UNAVAILABLE,
        "attempt to write a readonly database": StoreErrorCode.UNAVAILABLE,
        "anything else": StoreErrorCode.UNAVAILABLE,
    }
    for text, code in texts.items():
        assert classify(sqlite3.OperationalError(text)) is code, text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no sqlite_errorname")
def test_codes_from_names() -> None:
    names = {
        "SQLITE_BUSY": StoreErrorCode.LOCKED,
        "SQLITE_BUSY_SNAPSHOT": StoreErrorCode.LOCKED,
        "SQLITE_FULL": StoreErrorCode.FULL,
        "SQLITE_CORRUPT_INDEX": StoreErrorCode.DAMAGED,
        "SQLITE_NOTADB": StoreErrorCode.NOT_A_STORE,
        "SQLITE_IOERR_WRITE": StoreErrorCode.UNAVAILABLE,
        "SQLITE_CANTOPEN": StoreErrorCode.UNAVAILABLE,
        "SQLITE_READONLY_DBMOVED": StoreErrorCode.UNAVAILABLE,
    }
    for name, code in names.items():
        error = sqlite3.OperationalError("x")
        setattr(error, "sqlite_errorname", name)  # noqa: B010 - unknown to types for 3.10
        assert classify(error) is code, name
