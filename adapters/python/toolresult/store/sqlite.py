"""The durable store: one SQLite file, shared by any number of threads and processes.

Write-ahead log, so readers and the one writer do not wait for each other.
``synchronous=FULL``: a commit returns after the log has reached the disk. The
default for a write-ahead log, NORMAL, survives a killed process too, but may
forget the last commits when the power goes, and a link to a result that is gone
is worse than the few milliseconds; only results too large to send are stored.

Each row holds a SHA-256 over what was put, since SQLite does not notice a byte
that changed inside a payload.

docs: docs/stores.md
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from toolresult.store.closing import Closing
from toolresult.store.connections import Connections
from toolresult.store.faults import classify, fault, translated
from toolresult.store.interface import (
    StoredLink,
    StoredPayload,
    StoreErrorCode,
    StoreStats,
    check_list_name,
    not_found,
)
from toolresult.store.keys import KeyRing
from toolresult.store.permissions import warn_of_permissions
from toolresult.store.pointer import Pointer, new_record_id, sign, verify
from toolresult.store.record import Cutoff, Record, check_put, cutoff
from toolresult.store.rows import BATCH_ROWS, check_sum, first_batch, record_of, shown, whole
from toolresult.store.schema import MIGRATIONS, check_not_newer, migrate, version
from toolresult.store.times import rfc3339, seconds

BUSY_TIMEOUT = timedelta(seconds=5)
MAX_PAYLOAD_BYTES = 256 * 1024 * 1024

_HEADER = 100
"""Bytes of the header of a database."""
BATCH_PAUSE = 0.005
"""Seconds between two batches: SQLite has no queue, a writer that waits looks again and again."""

_LIST_VERSION = "SELECT version FROM list_version WHERE name = ?"


class SqliteStore(Closing):
    """Keeps results in the SQLite file at ``path``.

    The file is made, readable by the owner alone, unless ``create`` is false;
    its folder must be there. ``max_file_bytes`` bounds the database (None: the
    disk does); beyond it ``put`` raises ``store_full``. ``busy_timeout`` is how
    long a call waits for another writer before it raises ``store_locked``.

    A store that goes while it is open is not made anew: every call raises
    ``store_unavailable`` until the file is back.

    Raises ``StoreError`` for a file that cannot be opened, is damaged, is of
    another program, or of a later version of this one.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        keys: KeyRing,
        *,
        create: bool = True,
        busy_timeout: timedelta = BUSY_TIMEOUT,
        max_payload_bytes: int = MAX_PAYLOAD_BYTES,
        max_file_bytes: int | None = None,
    ) -> None:
        # Absolute, so that a later change of the working folder does not matter.
        self._path = Path(os.path.abspath(path))
        self._keys = keys
        self._busy_timeout = busy_timeout
        self._max_payload_bytes = max_payload_bytes
        self._max_file_bytes = max_file_bytes
        self._connections = Connections(self._path, self._open)
        with translated(self._path):
            if create:
                _create(self._path)
            _refuse_other_file(self._path, may_be_empty=create)
            warn_of_permissions(self._path)
            with self._connections.use():
                pass

    def put(
        self,
        payload: bytes,
        *,
        principal: str,
        now: datetime,
        lifetime: timedelta,
        format_version: int,
        mime_type: str,
    ) -> StoredLink:
        """Store ``payload`` and return its link, after the commit. See ``Store.put``."""
        record = check_put(payload, now, lifetime, format_version, mime_type)
        if len(record.payload) > self._max_payload_bytes:
            raise fault(StoreErrorCode.TOO_LARGE)
        record_id = new_record_id()
        uri = sign(Pointer(record_id, record.expires_at), principal=principal, keys=self._keys)
        checked = check_sum(record)
        with translated(self._path), self._connections.use() as db, _writing(db):
            db.execute(
                "INSERT INTO stored_result (record_id, format_version, mime_type, stored_at,"
                " expires_at, check_sum, payload) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    record_id,
                    record.format_version,
                    record.mime_type,
                    record.stored_at,
                    record.expires_at,
                    checked,
                    record.payload,
                ),
            )
        return StoredLink(uri, len(record.payload), rfc3339(record.expires_at), mime_type)

    def get(self, uri: str, *, principal: str, now: datetime) -> StoredPayload:
        """The payload behind ``uri``. See ``Store.get``."""
        return self.get_record(uri, principal=principal, now=now).stored_payload()

    def get_record(self, uri: str, *, principal: str, now: datetime) -> Record:
        """What ``get`` makes its answer of, with the same errors; for ``store.objects``."""
        pointer = verify(uri, principal=principal, now=now, keys=self._keys)
        with translated(self._path), self._connections.use() as db:
            row = db.execute(
                "SELECT payload, format_version, mime_type, stored_at, expires_at, check_sum"
                " FROM stored_result WHERE record_id = ?",
                (pointer.record_id,),
            ).fetchone()
        if row is None:
            raise not_found()
        return record_of(row)

    def purge(self, *, now: datetime, older_than: timedelta | None = None) -> int:
        """Delete expired or old results in small batches. See ``Store.purge``.

        Readers never wait for it; other writers wait for one batch at most. If a
        batch fails, those before it stay deleted. The freed pages are used for new
        results; the file keeps its size (giving pages back one by one took minutes
        for what takes a second to delete).
        """
        limit = cutoff(now, older_than)
        count = 0
        with translated(self._path), self._connections.use() as db:
            while deleted := _delete_batch(db, limit):
                count += deleted
                time.sleep(BATCH_PAUSE)
        return count

    def stats(self, *, now: datetime) -> StoreStats:
        """Counts and sizes. See ``Store.stats``."""
        with translated(self._path), self._connections.use() as db:
            count, expired, payload_bytes, oldest, newest = db.execute(
                "SELECT count(*), coalesce(sum(expires_at <= ?), 0),"
                " coalesce(sum(length(payload)), 0), min(stored_at), max(stored_at)"
                " FROM stored_result",
                (seconds(now),),
            ).fetchone()
            return StoreStats(
                count=count,
                expired=expired,
                payload_bytes=payload_bytes,
                file_bytes=_file_bytes(self._path),
                oldest_stored_at=shown(oldest),
                newest_stored_at=shown(newest),
                schema_version=version(db),
            )

    def list_version(self, name: str) -> int:
        """The version of a list, for all processes. See ``ListVersions.list_version``."""
        check_list_name(name)
        with translated(self._path), self._connections.use() as db:
            row = db.execute(_LIST_VERSION, (name,)).fetchone()
        return 0 if row is None else whole(row[0])

    def raise_list_version(self, name: str) -> int:
        """Says that a list has changed, after the commit. See ``ListVersions``."""
        check_list_name(name)
        with translated(self._path), self._connections.use() as db, _writing(db):
            db.execute(
                "INSERT INTO list_version (name, version) VALUES (?, 1)"
                " ON CONFLICT (name) DO UPDATE SET version = version + 1",
                (name,),
            )
            row = db.execute(_LIST_VERSION, (name,)).fetchone()
        return whole(row[0])

    def close(self) -> None:
        """Closes the connections. See ``Store.close``."""
        self._connections.close()

    def _open(self, path: Path) -> sqlite3.Connection:
        """A connection that is ready for use, with the newest layout."""
        timeout = self._busy_timeout / timedelta(seconds=1)
        # mode=rw: never create here. The threads of a process take turns on a connection.
        db = sqlite3.connect(
            path.as_uri() + "?mode=rw",
            uri=True,
            timeout=timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            for pragma in (
                "synchronous = FULL",
                "trusted_schema = OFF",  # The file is data; nothing in it may call functions.
                "cell_size_check = ON",  # Notice a damaged page when it is read.
                "journal_size_limit = 67108864",  # Cut a log that a large result made long.
            ):
                db.execute(f"PRAGMA {pragma}")
            found = version(db)
            check_not_newer(found, len(MIGRATIONS))
            _use_log(db, timeout)
            if found < len(MIGRATIONS):
                migrate(db)
            self._bound(db)
        except BaseException:
            with suppress(sqlite3.Error):
                db.close()
            raise
        return db

    def _bound(self, db: sqlite3.Connection) -> None:
        if self._max_file_bytes is not None:
            (page_size,) = db.execute("PRAGMA page_size").fetchone()
            pages = max(1, self._max_file_bytes // page_size)
            db.execute(f"PRAGMA max_page_count = {pages}")


def _create(path: Path) -> None:
    """An empty file that the owner alone may use; its log gets the same permissions from SQLite."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _refuse_other_file(path: Path, *, may_be_empty: bool) -> None:
    """Raises StoreError for a folder or a device, and for what is too short to be a database.

    SQLite takes a file of less than a header for a new database, and would write over it.
    """
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise fault(StoreErrorCode.UNAVAILABLE) from ValueError("no regular file")
    if 0 < found.st_size < _HEADER:
        raise fault(StoreErrorCode.NOT_A_STORE) from ValueError("shorter than a header")
    if found.st_size == 0 and not may_be_empty:
        raise fault(StoreErrorCode.NOT_A_STORE)


def _use_log(db: sqlite3.Connection, timeout: float) -> None:
    """Switches to the write-ahead log.

    The switch needs the file for itself for a moment and does not wait for it
    (SQLite asks no busy handler there), so it is tried again until ``timeout``.
    """
    end = time.monotonic() + timeout
    while True:
        try:
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if classify(error) is not StoreErrorCode.LOCKED or time.monotonic() >= end:
                raise
        else:
            if mode == "wal":
                return
            # Some file systems cannot share memory between processes.
            raise fault(StoreErrorCode.UNAVAILABLE)
        time.sleep(0.01)


@contextmanager
def _writing(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction that has the write lock from the start: it fails at once or not for a lock."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after some errors; the connection is closed anyway.
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        raise


def _delete_batch(db: sqlite3.Connection, limit: Cutoff) -> int:
    """Deletes some of what ``limit`` covers and returns how many; 0 when nothing is left."""
    with _writing(db):
        # The column is one of two literals of Cutoff, never text from outside.
        rows = db.execute(
            f"SELECT rowid, length(payload) FROM stored_result WHERE {limit.column} <= ?"
            f" ORDER BY {limit.column} LIMIT ?",
            (limit.moment, BATCH_ROWS),
        ).fetchall()
        chosen = first_batch(rows)
        db.executemany("DELETE FROM stored_result WHERE rowid = ?", [(id,) for id in chosen])
    return len(chosen)


def _file_bytes(path: Path) -> int:
    """Bytes of the database and of its log."""
    size = os.stat(path).st_size
    with suppress(FileNotFoundError):
        size += os.stat(f"{path}-wal").st_size
    return size
