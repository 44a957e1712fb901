"""Stores of Python and another language: both use one file, and refuse others alike.

A folder of tests derives a ``Test…`` class from each class here, and has a fixture ``driver``.
"""

from __future__ import annotations

import base64
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.languages.driver import Driver
from tests.languages.pointers import HOUR, NOW, answered, stamp, text

from toolresult import ResultError
from toolresult.store import (
    KeyRing,
    SqliteStore,
    Store,
    StoredPayload,
    StoreError,
    open_result,
    open_store,
)
from toolresult.store.interface import NOT_FOUND_MESSAGE
from toolresult.store.record import REFERENCE_TYPE
from toolresult.store.schema import MIGRATIONS, migrate
from toolresult.store.times import expiry, rfc3339

PAYLOADS = [b"", b"{}", '{"data":"ü😀"}'.encode(), bytes(range(256)) * 300]


def put(store: Store, payload: bytes, now: datetime = NOW) -> str:
    return store.put(
        payload,
        principal="anna",
        now=now,
        lifetime=HOUR,
        format_version=1,
        mime_type="application/json",
    ).uri


def schema(path: Path) -> Any:
    with sqlite3.connect(path) as db:
        tables = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        return tables, *(
            db.execute(f"PRAGMA {name}").fetchone()
            for name in ("application_id", "user_version", "journal_mode")
        )


def broken(kind: str, path: Path) -> None:
    """A file that is no store of this version."""
    if kind == "a folder":
        path.mkdir()
    elif kind == "too short":
        path.write_bytes(b"SQLite")
    elif kind == "no database":
        path.write_bytes(b"no database at all " * 100)
    elif kind == "another program's":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE notes (text)")
    elif kind == "newer":
        with SqliteStore(path, KeyRing.generate()):
            pass
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 7")
    elif kind == "no table":
        with SqliteStore(path, KeyRing.generate()):
            pass
        with sqlite3.connect(path) as db:
            db.execute("DROP TABLE stored_result")


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody may write to, root neither."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    if os.getuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("root may write everywhere, and mounting is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


KINDS = ["missing", "a folder", "too short", "no database", "another program's", "newer"]


class Files:
    """SQLite files that both use."""

    @pytest.mark.parametrize("first", ["python", "other"])
    def test_one_file_for_both(
        self, driver: Driver, keys: KeyRing, tmp_path: Path, first: str
    ) -> None:
        """Whoever makes the file: both write into it, each reads what the other wrote."""
        path, key_file = tmp_path / "results.db", tmp_path / "keys"
        key_file.write_text(text(keys))
        key_file.chmod(0o600)
        place = {"path": str(path), "key_file": str(key_file)}
        if first == "other":
            answered(driver, do="stats", now=stamp(NOW), **place)
            assert path.stat().st_mode & 0o777 == 0o600
        with open_store(path, key_file) as store:
            for payload in PAYLOADS:
                uri = put(store, payload)
                found = answered(
                    driver, do="get", uri=uri, principal="anna", now=stamp(NOW), **place
                )
                assert base64.b64decode(found["payload"]) == payload
                ours = store.get(uri, principal="anna", now=NOW)
                assert (found["formatVersion"], found["mimeType"]) == (1, "application/json")
                assert (found["storedAt"], found["expiresAt"]) == (ours.stored_at, ours.expires_at)

                link = answered(
                    driver,
                    do="put",
                    payload=base64.b64encode(payload).decode(),
                    principal="anna",
                    now=stamp(NOW),
                    lifetime="3600",
                    format_version="0",
                    mime_type="text/plain; charset=ü",
                    **place,
                )
                read = store.get(link["uri"], principal="anna", now=NOW)
                assert read.payload == payload
                assert (read.format_version, read.mime_type) == (0, "text/plain; charset=ü")
                assert (link["size"], link["expiresAt"]) == (len(payload), read.expires_at)
                foreign = driver.ask(do="get", uri=uri, principal="bert", now=stamp(NOW), **place)
                assert foreign == {"error": "not_found", "message": NOT_FOUND_MESSAGE}
            stats = store.stats(now=NOW)
            found = answered(driver, do="stats", now=stamp(NOW), **place)
            assert found["count"] == stats.count == 2 * len(PAYLOADS)
            assert found["payloadBytes"] == stats.payload_bytes
            assert found["schemaVersion"] == stats.schema_version
            assert found["oldestStoredAt"] == stats.oldest_stored_at
            later = NOW + 2 * HOUR
            assert answered(driver, do="stats", now=stamp(later), **place)["expired"] == stats.count
            assert answered(driver, do="purge", now=stamp(later), **place) == stats.count
            assert store.stats(now=NOW).count == 0
        answered(driver, do="close", **place)

    def test_both_make_the_same_file(self, driver: Driver, keys: KeyRing, tmp_path: Path) -> None:
        theirs, ours = tmp_path / "theirs.db", tmp_path / "ours.db"
        answered(driver, do="stats", now=stamp(NOW), path=str(theirs), keys=text(keys))
        with SqliteStore(ours, keys):
            pass
        assert schema(theirs) == schema(ours)

    def test_what_was_changed_in_the_file_is_noticed_by_both(
        self, driver: Driver, keys: KeyRing, tmp_path: Path
    ) -> None:
        path = tmp_path / "results.db"
        with SqliteStore(path, keys) as store:
            uri = put(store, b'{"format_version":1}')
            for change in (
                "payload = x'00'",
                "format_version = 2",
                "mime_type = 'x'",
                "stored_at = 7",
                "payload = 'text'",
                "expires_at = 9223372036854775807",
            ):
                with sqlite3.connect(path) as db:
                    before = db.execute("SELECT * FROM stored_result").fetchall()
                    db.execute(f"UPDATE stored_result SET {change}")
                with pytest.raises(StoreError) as caught:
                    store.get(uri, principal="anna", now=NOW)
                assert caught.value.code == "store_damaged"
                place = {"path": str(path), "keys": text(keys)}
                answer = driver.ask(do="get", uri=uri, principal="anna", now=stamp(NOW), **place)
                assert answer == {"error": "store_damaged", "message": caught.value.message}, change
                with sqlite3.connect(path) as db:
                    db.execute("DELETE FROM stored_result")
                    db.executemany("INSERT INTO stored_result VALUES (?, ?, ?, ?, ?, ?, ?)", before)

    @pytest.mark.parametrize("kind", [*KINDS, "no table"])
    def test_other_files_are_refused_alike(
        self, driver: Driver, keys: KeyRing, tmp_path: Path, kind: str
    ) -> None:
        path = tmp_path / "results.db"
        broken(kind, path)
        with pytest.raises(StoreError) as caught, SqliteStore(path, keys, create=False) as store:
            store.stats(now=NOW)
        # but for a log of ours, which whoever closes the file last writes into it
        left_alone = kind in ("too short", "no database", "another program's")
        before = path.read_bytes() if left_alone else b""
        answer = driver.ask(
            do="stats", now=stamp(NOW), path=str(path), keys=text(keys), create="no"
        )
        assert before == (path.read_bytes() if left_alone else b"")
        assert answer == {"error": caught.value.code.value, "message": caught.value.message}

    def test_a_folder_that_is_read_only_is_said_to_be(
        self, driver: Driver, keys: KeyRing, read_only: Path
    ) -> None:
        path = read_only / "results.db"
        with pytest.raises(StoreError, match="read-only for this process") as caught:
            SqliteStore(path, keys)
        answer = driver.ask(do="stats", now=stamp(NOW), path=str(path), keys=text(keys))
        assert answer == {"error": "store_unavailable", "message": caught.value.message}

    def test_a_file_that_goes_is_not_made_anew(
        self, driver: Driver, keys: KeyRing, tmp_path: Path
    ) -> None:
        path = tmp_path / "results.db"
        place = {"path": str(path), "keys": text(keys)}
        answered(driver, do="stats", now=stamp(NOW), **place)
        path.rename(tmp_path / "elsewhere.db")
        assert driver.ask(do="stats", now=stamp(NOW), **place)["error"] == "store_unavailable"
        assert not path.exists()
        (tmp_path / "elsewhere.db").rename(path)
        assert answered(driver, do="stats", now=stamp(NOW), **place)["count"] == 0

    def test_another_writer_that_does_not_end(
        self, driver: Driver, keys: KeyRing, tmp_path: Path
    ) -> None:
        path = tmp_path / "results.db"
        place = {"path": str(path), "keys": text(keys)}
        answered(driver, do="stats", now=stamp(NOW), **place)
        with sqlite3.connect(path, isolation_level=None) as db:
            db.execute("BEGIN IMMEDIATE")
            answer = driver.ask(
                do="put", payload="", principal="anna", now=stamp(NOW), lifetime="1",
                format_version="1", mime_type="x", **place,
            )  # fmt: skip
            assert answer == {"error": "store_locked", "message": "The store is busy. Try again."}
            assert (
                answered(driver, do="stats", now=stamp(NOW), **place)["count"] == 0
            )  # readers read
            db.execute("ROLLBACK")

    def test_a_reference_to_an_object_is_no_result(
        self, driver: Driver, keys: KeyRing, tmp_path: Path
    ) -> None:
        """Of a store whose bytes are elsewhere: the reference must not be taken for the result."""
        path = tmp_path / "results.db"
        with SqliteStore(path, keys) as store:
            uri = store.put(
                b"{}",
                principal="anna",
                now=NOW,
                lifetime=HOUR,
                format_version=1,
                mime_type=REFERENCE_TYPE,
            ).uri
            with pytest.raises(StoreError) as caught:
                store.get(uri, principal="anna", now=NOW)
        place = {"path": str(path), "keys": text(keys)}
        answer = driver.ask(do="get", uri=uri, principal="anna", now=stamp(NOW), **place)
        assert answer == {"error": caught.value.code.value, "message": caught.value.message}

    def test_both_write_at_once(self, driver: Driver, keys: KeyRing, tmp_path: Path) -> None:
        path = tmp_path / "results.db"
        place = {"path": str(path), "keys": text(keys)}
        payload = b"x" * 20_000
        with SqliteStore(path, keys) as store, ThreadPoolExecutor(1) as pool:
            later = [pool.submit(put, store, payload) for _ in range(40)]
            theirs = [
                answered(
                    driver,
                    do="put",
                    payload=base64.b64encode(payload).decode(),
                    principal="anna",
                    now=stamp(NOW),
                    lifetime="3600",
                    format_version="1",
                    mime_type="x",
                    **place,
                )["uri"]
                for _ in range(40)
            ]
            assert all(
                store.get(uri, principal="anna", now=NOW).payload == payload for uri in theirs
            )
            for put_by_us in later:
                uri = put_by_us.result()
                found = answered(
                    driver, do="get", uri=uri, principal="anna", now=stamp(NOW), **place
                )
                assert base64.b64decode(found["payload"]) == payload

    def test_a_purge_goes_by_expiry_or_by_age(
        self, driver: Driver, keys: KeyRing, tmp_path: Path
    ) -> None:
        path = tmp_path / "results.db"
        place = {"path": str(path), "keys": text(keys)}
        with SqliteStore(path, keys) as store:
            for minutes in range(230):  # more than two batches
                put(store, b"x", now=NOW - timedelta(minutes=minutes))
            # as old as that, or older, and neither a second less
            aged = answered(driver, do="purge", now=stamp(NOW), older_than="7200.5", **place)
            assert aged == 230 - 120
            assert store.stats(now=NOW).count == 120
            # what was put an hour ago ends at the next whole second
            assert answered(driver, do="purge", now=stamp(NOW), **place) == 59
            assert store.stats(now=NOW).count == 61
            assert answered(driver, do="purge", now=stamp(NOW), older_than="0", **place) == 61
            answer = driver.ask(do="purge", now=stamp(NOW), older_than="-1", **place)
            assert "thrown" in answer, answer

    def test_a_file_of_an_earlier_layout_is_brought_up(
        self, driver: Driver, keys: KeyRing, tmp_path: Path
    ) -> None:
        path = tmp_path / "results.db"
        with sqlite3.connect(path, isolation_level=None) as db:
            migrate(db, MIGRATIONS[:1])
        with SqliteStore(tmp_path / "new.db", keys):
            pass
        answered(driver, do="stats", now=stamp(NOW), path=str(path), keys=text(keys))
        assert schema(path) == schema(tmp_path / "new.db")

    @pytest.mark.parametrize("lifetime", ["0.5", "1", "0.75", "0.000001", "3599.75"])
    @pytest.mark.parametrize("at", ["10:00:00Z", "10:00:00.25Z", "10:00:00.999999Z"])
    def test_ends_are_rounded_up(
        self, driver: Driver, keys: KeyRing, lifetime: str, at: str
    ) -> None:
        now = f"2026-07-28T{at}"
        link = answered(
            driver,
            do="put",
            payload="",
            principal="anna",
            now=now,
            lifetime=lifetime,
            format_version="1",
            mime_type="x",
            path="",
            keys=text(keys),
        )
        moment = datetime.fromisoformat(now.replace("Z", "+00:00"))
        end = expiry(moment, timedelta(seconds=float(lifetime)))
        assert link["expiresAt"] == rfc3339(end)


class Opened:
    """What a store gave back, as the result that it was."""

    @pytest.mark.parametrize(
        ("payload", "version"),
        [
            (b'{"format_version":1,"data":[1,null]}', 1),
            (b'{"success":true,"data":[1,null]}', 0),
            (b"words \xc3\xbc", 0),
            (b"", 0),
            (b'\xef\xbb\xbf{"success":true}', 0),
            (b"\xff", 0),
            (b"\xff", 1),
            (b'{"format_version":1,"datas":1}', 1),
            (b'{"format_version":99}', 99),
        ],
    )
    def test_a_result_is_opened(self, driver: Driver, payload: bytes, version: int) -> None:
        stored = StoredPayload(payload, version, "application/json", "", "")
        wanted: dict[str, Any]
        try:
            wanted = {"is": open_result(stored).to_json().decode()}
        except ResultError as error:
            wanted = {"error": error.code, "pointer": error.pointer}
        except StoreError as error:
            wanted = {"error": error.code.value, "message": error.message}
        answer = driver.ask(
            do="open_result",
            payload=base64.b64encode(payload).decode(),
            format_version=str(version),
        )
        assert answer == wanted, answer


class Lists:
    """The versions of lists, which both raise."""

    def test_each_change_counts(self, driver: Driver, keys: KeyRing, tmp_path: Path) -> None:
        path = tmp_path / "results.db"
        place = {"path": str(path), "keys": text(keys)}
        name = "'; DROP TABLE list_version; -- é 日本"
        with SqliteStore(path, keys) as store:
            assert answered(driver, do="list_version", name=name, **place) == 0
            assert store.raise_list_version(name) == 1
            assert answered(driver, do="list_version", name=name, **place) == 1
            assert answered(driver, do="raise_list_version", name=name, **place) == 2
            assert store.list_version(name) == 2
            assert store.list_version("tools") == 0
            answered(driver, do="purge", now=stamp(NOW), older_than="0", **place)
            assert answered(driver, do="list_version", name=name, **place) == 2

    @pytest.mark.parametrize("path", ["", "results.db"])
    def test_names(self, driver: Driver, keys: KeyRing, tmp_path: Path, path: str) -> None:
        place = {"path": path and str(tmp_path / path), "keys": text(keys)}
        for name in ["a" * 200, "a b", "7", "😀" * 200]:
            assert answered(driver, do="raise_list_version", name=name, **place) == 1
            assert answered(driver, do="list_version", name=name, **place) == 1
        for name in ["", "a" * 201, "a\nb", "a\u2028b", "\u00a0", "\x00"]:
            for do in ("list_version", "raise_list_version"):
                answer = driver.ask(do=do, name=name, **place)
                assert "name: expected 1 to 200" in answer["message"], answer
                assert "thrown" in answer, answer
