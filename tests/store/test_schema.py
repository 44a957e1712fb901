"""Migrations: from every older layout, whole or not at all, and never from a newer one."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from toolresult.store import KeyRing, SqliteStore, StoredLink, StoreError, schema, sqlite

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
LATEST = len(schema.MIGRATIONS)
Put = Callable[..., StoredLink]

# Layouts to come, to try the mechanism with more than one step.
LATER = (
    *schema.MIGRATIONS,
    ("ALTER TABLE stored_result ADD COLUMN note TEXT", "UPDATE stored_result SET note = 'two'"),
    ("CREATE TABLE other (a)", "INSERT INTO other SELECT count(*) FROM stored_result"),
)


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def at_layout(path: Path, number: int) -> None:
    """A file as the version of the library that knew ``number`` migrations left it."""
    db = raw(path)
    schema.migrate(db, LATER[:number])
    db.close()


def test_a_new_store_has_the_newest_layout(path: Path, keys: KeyRing) -> None:
    with SqliteStore(path, keys) as store:
        assert store.stats(now=NOW).schema_version == LATEST
    db = raw(path)
    assert db.execute("PRAGMA application_id").fetchone() == (0x74725374,)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


def test_the_log_is_written_through(path: Path, keys: KeyRing) -> None:
    """synchronous=FULL is a setting of the connection, so every connection must have it."""
    with SqliteStore(path, keys) as store, store._connections.use() as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("old", range(LATEST + 1))
def test_from_every_layout_there_was(path: Path, keys: KeyRing, put: Put, old: int) -> None:
    path.touch()
    if old:
        at_layout(path, old)
    with SqliteStore(path, keys) as store:
        assert store.stats(now=NOW).schema_version == LATEST
        link = put(store, b"x")
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"x"


@pytest.mark.parametrize("old", range(1, len(LATER) + 1))
def test_results_survive_migrations(
    path: Path, keys: KeyRing, put: Put, monkeypatch: pytest.MonkeyPatch, old: int
) -> None:
    """A store filled by an old version reads in a later one."""
    monkeypatch.setattr(sqlite, "MIGRATIONS", LATER[:old])
    at_layout(path, old)
    with SqliteStore(path, keys) as store:
        link = put(store, b"kept" * 10_000)
    monkeypatch.undo()
    db = raw(path)
    schema.migrate(db, LATER)
    assert schema.version(db) == len(LATER)
    if old < LATEST + 1:
        assert db.execute("SELECT note FROM stored_result").fetchone() == ("two",)
    if old < LATEST + 2:
        assert db.execute("SELECT a FROM other").fetchone() == (1,)
    db.close()
    monkeypatch.setattr(sqlite, "MIGRATIONS", LATER)
    with SqliteStore(path, keys) as store:
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept" * 10_000


def test_a_step_that_fails_leaves_the_layout_before_it(path: Path) -> None:
    at_layout(path, LATEST)
    broken = (*LATER[: LATEST + 1], ("CREATE TABLE half (a)", "CREATE TABLE half (a)"))
    db = raw(path)
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(db, broken)
    assert not db.in_transaction
    assert schema.version(db) == LATEST + 1
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    db.close()


def test_a_newer_store_is_refused_by_name(path: Path, keys: KeyRing) -> None:
    at_layout(path, LATEST + 1)
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys)
    assert str(caught.value) == (
        "store_newer: The store was written by a later version of this program."
        f" It has layout {LATEST + 1}; this program knows 1 to {LATEST}."
    )
    assert path.read_bytes() == before


def test_several_migrate_at_once(path: Path) -> None:
    at_layout(path, 1)
    failures: list[BaseException] = []
    gate = threading.Barrier(6)

    def work() -> None:
        db = sqlite3.connect(path, isolation_level=None, timeout=20)
        try:
            gate.wait()
            schema.migrate(db, LATER)
            assert schema.version(db) == len(LATER)
        except BaseException as error:
            failures.append(error)
        finally:
            db.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
