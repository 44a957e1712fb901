"""The layout of the SQLite store, as a list of migrations.

``PRAGMA user_version`` counts those that were applied, ``PRAGMA application_id``
says that the file is ours. Each migration runs in one transaction together with
the new number, so a crash leaves the layout before it or after it. Append;
never change an entry that was released.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from toolresult.store.faults import fault
from toolresult.store.interface import StoreErrorCode

APPLICATION_ID = 0x74725374
"""``trSt`` in ASCII."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    # 1: results, found by the random id that is in their pointer.
    (
        """
        CREATE TABLE stored_result (
            record_id BLOB NOT NULL UNIQUE CHECK (length(record_id) = 16),
            format_version INTEGER NOT NULL CHECK (format_version >= 0),
            mime_type TEXT NOT NULL,
            stored_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            check_sum BLOB NOT NULL CHECK (length(check_sum) = 32),
            payload BLOB NOT NULL
        )
        """,
        "CREATE INDEX stored_result_by_expiry ON stored_result (expires_at)",
        "CREATE INDEX stored_result_by_age ON stored_result (stored_at)",
    ),
    # 2: how often a list, such as that of a server's tools, has changed.
    (
        """
        CREATE TABLE list_version (
            name TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL CHECK (version > 0)
        ) WITHOUT ROWID
        """,
    ),
)


def version(db: sqlite3.Connection) -> int:
    """How many migrations the database has, 0 for an empty one.

    Raises ``StoreError``: ``not_a_store`` for a database of another program.
    """
    if db.in_transaction:
        return _version(db)
    # One snapshot for all that is read: another process may be making the store
    # right now, and a half of before with a half of after looks like no store.
    db.execute("BEGIN")
    try:
        return _version(db)
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _version(db: sqlite3.Connection) -> int:
    (application_id,) = db.execute("PRAGMA application_id").fetchone()
    (user_version,) = db.execute("PRAGMA user_version").fetchone()
    if application_id == APPLICATION_ID:
        return int(user_version)
    (things,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application_id or user_version or things:
        raise fault(StoreErrorCode.NOT_A_STORE)
    return 0


def check_not_newer(found: int, known: int) -> None:
    """Refuses a layout that this version of the library does not know (``store_newer``)."""
    if found > known:
        error = fault(StoreErrorCode.NEWER)
        error.message += f" It has layout {found}; this program knows 1 to {known}."
        raise error


def migrate(db: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Brings the database to the newest layout.

    Safe to run by several processes at once: each step takes the write lock
    first and then looks again at what is left to do.
    """
    while True:
        db.execute("BEGIN IMMEDIATE")
        try:
            found = version(db)
            check_not_newer(found, len(migrations))
            if found == len(migrations):
                db.execute("ROLLBACK")
                return
            for statement in migrations[found]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {found + 1}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
