"""Bytes in a folder: whole, unguessable, never outside of it, and gone when their time is."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import ClassVar

import obstore.store
import pytest
from tests.store.disks import disk

from toolresult.store import KeyRing, MemoryStore, ObjectStore, SqliteStore, StoredLink, StoreError
from toolresult.store.interface import StoreErrorCode
from toolresult.store.objects import place
from toolresult.store.objects.faults import classify
from toolresult.store.objects.names import Reference, covers, is_name
from toolresult.store.record import REFERENCE_TYPE, Cutoff

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
Put = Callable[..., StoredLink]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
def rows(path: Path, keys: KeyRing) -> Iterator[SqliteStore]:
    with SqliteStore(path, keys) as made:
        yield made


@pytest.fixture
def store(rows: SqliteStore, folder: Path) -> Iterator[ObjectStore]:
    with ObjectStore(rows, folder.as_uri()) as made:
        yield made


def check_answer(error: StoreError, code: str, folder: Path) -> None:
    assert error.is_fault
    assert error.code.value == code
    for inside in (str(folder), folder.name + "/", "os error", "Generic", "local", "s3"):
        assert inside.lower() not in str(error).lower()


def forge(store: ObjectStore, put: Put, reference: bytes) -> str:
    """The link of a row that somebody has written, with a check sum that is right."""
    return put(store._rows, reference, mime_type=REFERENCE_TYPE).uri


# Names


def test_bytes_are_in_the_folder_and_the_rest_in_the_row(
    store: ObjectStore, rows: SqliteStore, folder: Path, put: Put
) -> None:
    link = put(store, b"very private" * 1000, principal="anna@example.com")
    (file,) = folder.iterdir()
    assert re.fullmatch(r"1785236400_1785232800_[0-9a-f]{32}", file.name)
    assert file.read_bytes() == b"very private" * 1000
    row = rows.get_record(link.uri, principal="anna@example.com", now=NOW)
    assert json.loads(row.payload)["object"] == file.name
    assert rows.stats(now=NOW).payload_bytes < 400
    assert store.stats(now=NOW).payload_bytes == 12_000


def test_names_are_never_the_same(store: ObjectStore, folder: Path, put: Put) -> None:
    for _ in range(20):
        put(store, b"same")
    assert len({file.name.rpartition("_")[2] for file in folder.iterdir()}) == 20


def test_the_folder_is_the_owners_alone(store: ObjectStore, folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700


BAD_NAMES = [
    "",
    "..",
    "../secret",
    "/etc/passwd",
    "objects/../../secret",
    "1785236400_1785232800_" + "0" * 31,
    "1785236400_1785232800_" + "0" * 32 + "/../../secret",
    "1785236400_1785232800_" + "0" * 32 + "\n",
    "1785236400_1785232800_" + "0" * 32 + "#1",
    "%2e%2e%2fsecret",
    "1785236400_1785232800_" + "\u0660" * 32,
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_no_row_leads_out_of_the_folder(
    store: ObjectStore, folder: Path, put: Put, name: str
) -> None:
    secret = b"secret"
    (folder.parent / "secret").write_bytes(secret)
    assert not is_name(name)
    uri = forge(store, put, Reference.of(name, secret, "text/plain").to_bytes())
    with pytest.raises(StoreError) as caught:
        store.get(uri, principal="anna", now=NOW)
    check_answer(caught.value, "store_damaged", folder)


GOOD = "1785236400_1785232800_" + "0" * 32
BAD_REFERENCES = {
    "empty": b"",
    "text": b"not JSON",
    "bytes": b"\xff\xfe",
    "list": b"[]",
    "null": b"null",
    "deep": b"[" * 4000,
    "long": b" " * 5000,
    "missing": json.dumps({"object": GOOD, "bytes": 1, "sha256": "0" * 64}).encode(),
    "more": Reference.of(GOOD, b"1", "a/b").to_bytes()[:-1] + b', "x": 1}',
    "negative": json.dumps(
        {"object": GOOD, "bytes": -1, "sha256": "0" * 64, "media_type": "a/b"}
    ).encode(),
    "digest": json.dumps(
        {"object": GOOD, "bytes": 1, "sha256": "0" * 63 + "G", "media_type": "a/b"}
    ).encode(),
    "size": json.dumps(
        {"object": GOOD, "bytes": "1", "sha256": "0" * 64, "media_type": "a/b"}
    ).encode(),
}


@pytest.mark.parametrize("reference", BAD_REFERENCES.values(), ids=BAD_REFERENCES)
def test_what_is_no_reference(store: ObjectStore, put: Put, reference: bytes) -> None:
    uri = forge(store, put, reference)
    with pytest.raises(StoreError, match=r"^store_damaged: "):
        store.get(uri, principal="anna", now=NOW)


def test_a_reference_comes_back_as_it_was() -> None:
    reference = Reference.of(GOOD, b"payload", "text/plain; charset=ü")
    assert Reference.from_bytes(reference.to_bytes()) == reference


@pytest.mark.parametrize(
    ("limit", "covered"),
    [
        (Cutoff("expires_at", 99), False),
        (Cutoff("expires_at", 100), True),
        (Cutoff("stored_at", -6), False),
        (Cutoff("stored_at", -5), True),
    ],
)
def test_a_purge_goes_by_the_name(limit: Cutoff, covered: bool) -> None:
    assert covers(limit, "100_-5_" + "a" * 32) is covered
    assert not covers(limit, "100_-5_" + "a" * 31)


# Damage


def only(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def damaged(how: str, file: Path) -> None:
    whole = file.read_bytes()
    if how == "missing":
        file.unlink()
    elif how == "cut":
        file.write_bytes(whole[:-1])
    elif how == "longer":
        file.write_bytes(whole + b"x")
    else:
        file.write_bytes(whole[:500] + bytes([whole[500] ^ 1]) + whole[501:])


@pytest.mark.parametrize("how", ["missing", "cut", "longer", "bit"])
def test_an_object_that_is_not_what_was_put(
    store: ObjectStore, folder: Path, put: Put, how: str
) -> None:
    link = put(store, b"x" * 1000)
    damaged(how, only(folder))
    with pytest.raises(StoreError) as caught:
        store.get(link.uri, principal="anna", now=NOW)
    check_answer(caught.value, "store_damaged", folder)
    assert str(caught.value) == "store_damaged: The bytes of the result are missing or damaged."
    # Nobody else learns that there was something.
    with pytest.raises(StoreError, match=r"^not_found: "):
        store.get(link.uri, principal="otto", now=NOW)


class Huge:
    """An object of a terabyte, which obstore would try to read."""

    meta: ClassVar = {"size": 2**40}

    def bytes(self) -> None:
        pytest.fail("it was read")


def test_no_more_is_read_than_was_put(
    store: ObjectStore, folder: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever can write to the folder cannot make us read what fills the memory."""
    link = put(store, b"x" * 1000)
    monkeypatch.setattr(obstore, "get", lambda *_: Huge())
    with pytest.raises(StoreError, match=r"^store_damaged: "):
        store.get(link.uri, principal="anna", now=NOW)


def test_a_purge_between_row_and_object(
    store: ObjectStore, rows: SqliteStore, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result was there when the row was read, and is gone when the object is: not found."""
    link = put(store, b"x")
    real = place.Place.read

    def purged_first(self: place.Place, name: str, size: int) -> bytes | None:
        assert store.purge(now=NOW, older_than=timedelta(0)) == 1
        return real(self, name, size)

    monkeypatch.setattr(place.Place, "read", purged_first)
    with pytest.raises(StoreError, match=r"^not_found: "):
        store.get(link.uri, principal="anna", now=NOW)


# Left over


def test_a_row_that_fails_leaves_no_object(folder: Path, put: Put) -> None:
    rows = MemoryStore(max_count=1)
    with ObjectStore(rows, folder.as_uri()) as store:
        put(store)
        with pytest.raises(StoreError, match=r"^store_full: "):
            put(store)
        assert len(list(folder.iterdir())) == 1


def test_bad_arguments_leave_no_object(store: ObjectStore, folder: Path, put: Put) -> None:
    for changes in ({"principal": ""}, {"lifetime": -HOUR}, {"mime_type": ""}):
        with pytest.raises(ValueError, match="expected"):
            put(store, **changes)
    assert list(folder.iterdir()) == []


# Writes an object, and dies before its row is there.
HALF = """
import os, sys
from datetime import datetime, timedelta, timezone
from toolresult.store import KeyRing, MemoryStore, ObjectStore
class Dying(MemoryStore):
    def put(self, *a, **k):
        os.kill(os.getpid(), 9)
ObjectStore(Dying(), sys.argv[1]).put(b"orphan", principal="anna",
    now=datetime(2026, 7, 28, 10, tzinfo=timezone.utc), lifetime=timedelta(hours=1),
    format_version=1, mime_type="a/b")
"""


def test_what_a_killed_process_left_goes_in_its_time(
    store: ObjectStore, folder: Path, put: Put
) -> None:
    kept = put(store, b"kept", lifetime=2 * HOUR)
    done = subprocess.run(
        [sys.executable, "-c", HALF, folder.as_uri()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    # What obstore leaves when it is killed itself.
    (folder / f"{GOOD}#1").write_bytes(b"half")
    assert len(list(folder.iterdir())) == 3
    assert store.purge(now=NOW + HOUR - timedelta(seconds=1)) == 0
    assert len(list(folder.iterdir())) == 3
    assert store.purge(now=NOW + HOUR) == 0
    assert only(folder).read_bytes() == b"kept"
    assert store.get(kept.uri, principal="anna", now=NOW + HOUR).payload == b"kept"


def test_other_files_are_left_alone(store: ObjectStore, folder: Path, put: Put) -> None:
    put(store)
    others = ["notes.txt", "notes.txt#1", f"{GOOD}.bak", f"x{GOOD}"]
    for name in others:
        (folder / name).write_text("mine")
    (folder / "sub").mkdir()
    (folder / "sub" / GOOD).write_text("mine")
    assert store.purge(now=NOW + 9 * HOUR) == 1
    assert store.purge(now=NOW + 9 * HOUR, older_than=timedelta(0)) == 0
    assert sorted(one.name for one in folder.iterdir()) == sorted([*others, "sub"])
    assert (folder / "sub" / GOOD).exists()
    assert store.stats(now=NOW).payload_bytes == 0


@pytest.mark.parametrize("gone", [0, 15, 29])
def test_an_object_that_another_purge_took(
    store: ObjectStore, folder: Path, put: Put, gone: int
) -> None:
    for _ in range(30):
        put(store)
    names = sorted(file.name for file in folder.iterdir())
    (folder / names[gone]).unlink()
    store._place.delete(names)
    assert list(folder.iterdir()) == []


def test_a_failed_purge_goes_on_the_next_time(
    store: ObjectStore, folder: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store)

    def fail(self: place.Place, names: list[str]) -> None:
        raise StoreError(StoreErrorCode.UNAVAILABLE, "x")

    monkeypatch.setattr(place.Place, "delete", fail)
    with pytest.raises(StoreError, match=r"^store_unavailable: "):
        store.purge(now=NOW + HOUR)
    monkeypatch.undo()
    assert store.purge(now=NOW + HOUR) == 0
    assert list(folder.iterdir()) == []


# With and without objects


def test_rows_of_before_are_still_read(store: ObjectStore, rows: SqliteStore, put: Put) -> None:
    link = put(rows, b"before")
    assert store.get(link.uri, principal="anna", now=NOW).payload == b"before"


def test_without_its_objects_a_store_gives_no_reference(
    store: ObjectStore, rows: SqliteStore, put: Put
) -> None:
    link = put(store, b"x")
    with pytest.raises(StoreError) as caught:
        rows.get(link.uri, principal="anna", now=NOW)
    assert str(caught.value) == (
        "store_unavailable: The bytes of this result are in an object store,"
        " which is not open here."
    )


def test_a_payload_beyond_the_bound(rows: SqliteStore, folder: Path, put: Put) -> None:
    with ObjectStore(rows, folder.as_uri(), max_payload_bytes=10) as store:
        put(store, b"1234567890")
        with pytest.raises(StoreError, match=r"^too_large: "):
            put(store, b"12345678901")
    assert len(list(folder.iterdir())) == 1


def test_a_store_of_obstore_itself(rows: SqliteStore, put: Put) -> None:
    with ObjectStore(rows, obstore.store.MemoryStore()) as store:
        link = put(store, b"x")
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"x"
        assert store.purge(now=NOW + HOUR) == 1
        assert store.stats(now=NOW).payload_bytes == 0
    with pytest.raises(ValueError, match="expected a LocalStore with a folder"):
        ObjectStore(rows, obstore.store.LocalStore())


# Gone, full, closed to us


def every_call(store: ObjectStore, put: Put, uri: str) -> list[Callable[[], object]]:
    return [
        lambda: put(store),
        lambda: store.get(uri, principal="anna", now=NOW),
        lambda: store.purge(now=NOW),
        lambda: store.stats(now=NOW),
    ]


@pytest.mark.parametrize("how", ["moved", "replaced", "file"])
def test_a_folder_gone_in_the_middle(store: ObjectStore, folder: Path, put: Put, how: str) -> None:
    """obstore would make it anew, and nobody would notice what is lost."""
    link = put(store, b"kept")
    away = folder.with_name("away")
    folder.rename(away)
    if how == "replaced":
        folder.mkdir()
    elif how == "file":
        folder.touch()
    for call in every_call(store, put, link.uri):
        with pytest.raises(StoreError) as caught:
            call()
        check_answer(caught.value, "store_unavailable", folder)
    if how == "moved":
        assert not folder.exists()
    elif how == "replaced":
        assert list(folder.iterdir()) == []
        folder.rmdir()
    else:
        folder.unlink()
    away.rename(folder)
    assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_folder_gone_during_a_put(
    store: ObjectStore, folder: Path, put: Put, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Where obstore has made it anew, or somebody else has: no link is handed out."""
    real = obstore.put

    def moved(*arguments: object, **more: object) -> object:
        if when == "before":
            folder.rename(folder.with_name("away"))
        done = real(*arguments, **more)  # type: ignore[arg-type]  # handed on as they are
        if when == "after":
            folder.rename(folder.with_name("away"))
            folder.mkdir()
        return done

    monkeypatch.setattr(obstore, "put", moved)
    with pytest.raises(StoreError, match=r"^store_unavailable: "):
        put(store)
    assert store._rows.stats(now=NOW).count == 0


@pytest.mark.parametrize("create", [True, False])
def test_a_folder_in_a_missing_folder(rows: SqliteStore, tmp_path: Path, create: bool) -> None:
    folder = tmp_path / "missing" / "objects"
    with pytest.raises(StoreError) as caught:
        ObjectStore(rows, folder.as_uri(), create=create)
    check_answer(caught.value, "store_unavailable", folder)
    assert not folder.parent.exists()


def test_a_folder_that_is_not_there_is_not_made(rows: SqliteStore, folder: Path) -> None:
    with pytest.raises(StoreError, match=r"^store_unavailable: "):
        ObjectStore(rows, folder.as_uri(), create=False)
    assert not folder.exists()


def test_a_name_with_spaces(rows: SqliteStore, tmp_path: Path, put: Put) -> None:
    folder = tmp_path / "a b#c?d%"
    with ObjectStore(rows, folder.as_uri()) as store:
        put(store)
    assert len(list(folder.iterdir())) == 1


@pytest.fixture
def small_disk() -> Iterator[Path]:
    with disk("2m", instead="test_codes_from_text covers the answer") as folder:
        yield folder


def test_a_full_disk(rows: SqliteStore, small_disk: Path, put: Put) -> None:
    folder = small_disk / "objects"
    with ObjectStore(rows, folder.as_uri()) as store:
        kept = put(store, b"kept")
        with pytest.raises(StoreError) as caught:
            put(store, b"x" * 5_000_000)
        check_answer(caught.value, "store_full", folder)
        assert store.get(kept.uri, principal="anna", now=NOW).payload == b"kept"
        assert len(list(folder.iterdir())) == 1
        assert store.stats(now=NOW).count == 1
        put(store, b"small")


def test_a_read_only_folder(rows: SqliteStore, small_disk: Path, put: Put) -> None:
    folder = small_disk / "objects"
    with ObjectStore(rows, folder.as_uri()) as store:
        kept = put(store, b"kept")
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        with pytest.raises(StoreError) as caught:
            put(store)
        check_answer(caught.value, "store_unavailable", folder)
        assert store.get(kept.uri, principal="anna", now=NOW).payload == b"kept"


# As another user than root, to whom permissions mean nothing.
AS_NOBODY = """
import os, sys
from datetime import datetime, timedelta, timezone
from toolresult.store import MemoryStore, ObjectStore, StoreError
from toolresult.store.objects import place
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
store = ObjectStore(MemoryStore(), sys.argv[1])
try:
    store.put(b"x", principal="anna", now=datetime(2026, 7, 28, 10, tzinfo=timezone.utc),
        lifetime=timedelta(hours=1), format_version=1, mime_type="application/json")
except StoreError as error:
    print(error)
"""


def test_no_permission_to_write() -> None:
    folder = Path(tempfile.mkdtemp())  # Not in tmp_path, which other users cannot enter.
    try:
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, folder.as_uri()],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        assert done.stdout == "store_unavailable: The object store cannot be used.\n"
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


def test_a_folder_open_to_others_is_reported(
    rows: SqliteStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir()
    folder.chmod(0o750)
    with caplog.at_level(logging.WARNING, "toolresult.store"):
        ObjectStore(rows, folder.as_uri())
    assert [r.getMessage().split(": ")[:2] for r in caplog.records] == [
        [str(folder), "store_permissions"]
    ]


def test_a_link_is_handed_out_after_the_disk_has_it(
    store: ObjectStore, folder: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file and its name, before the row."""
    flushed: list[str] = []
    real = os.fsync

    def seen(opened: int) -> None:
        flushed.append(os.readlink(f"/proc/self/fd/{opened}"))
        assert store._rows.stats(now=NOW).count == 0
        real(opened)

    monkeypatch.setattr(os, "fsync", seen)
    put(store)
    assert flushed == [str(only(folder)), str(folder)]


# Forks


FORK = """
import os, sys
from datetime import datetime, timedelta, timezone
from toolresult.store import KeyRing, StoreError, open_store
def put():
    store.put(b"x", principal="anna", now=datetime(2026, 7, 28, 10, tzinfo=timezone.utc),
        lifetime=timedelta(hours=1), format_version=1, mime_type="application/json")
store = open_store(sys.argv[1], KeyRing.generate(), objects=sys.argv[2])
if sys.argv[3] == "used":
    put()
child = os.fork()
if child == 0:
    try:
        put()
        os.write(1, b"stored")
    except StoreError as error:
        os.write(1, error.code.value.encode())
    os._exit(0)
os.waitpid(child, 0)
put()
os.write(1, b" stored")
"""


@pytest.mark.parametrize(
    ("before", "answers"), [("opened", "stored stored"), ("used", "store_unavailable stored")]
)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forks(path: Path, folder: Path, before: str, answers: str) -> None:
    """A child of a process that has used obstore would wait for its threads for ever."""
    done = subprocess.run(
        [sys.executable, "-c", FORK, str(path), folder.as_uri(), before],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert done.stdout == answers


# Translation


def test_codes_from_text() -> None:
    """obstore gives no codes; these are its texts."""
    texts = {
        "No space left on device (os error 28)": StoreErrorCode.FULL,
        "Os { code: 28, kind: StorageFull }": StoreErrorCode.FULL,
        "Disk quota exceeded (os error 122)": StoreErrorCode.FULL,
        "response: <Error><Code>SlowDown</Code></Error>": StoreErrorCode.LOCKED,
        "Read-only file system (os error 30)": StoreErrorCode.UNAVAILABLE,
        "error sending request": StoreErrorCode.UNAVAILABLE,
    }
    for text, code in texts.items():
        assert classify(OSError(text)) is code, text
