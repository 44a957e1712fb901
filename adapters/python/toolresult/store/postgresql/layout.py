"""The tables of the PostgreSQL store, as a list of migrations.

``toolresult_layout`` has a row for each that was applied. All that are missing run in one
transaction under an advisory lock, so a crash leaves the layout before or after, and of two
processes one waits for the other. Append; never change an entry that was released.

Alembic was weighed: it brings Mako and a folder of scripts for what is a list of statements
here, its table of versions would meet that of the host in the same database, and the lock and
the refusal of a newer layout would still be ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

from toolresult.store.faults import fault
from toolresult.store.interface import StoreErrorCode
from toolresult.store.postgresql.answers import may_be_silent
from toolresult.store.schema import check_not_newer

LOCK = int.from_bytes(b"toolresu", "big")
"""The advisory lock that migrations run under."""
LOCK_WAIT = "60s"
MIGRATION_WAIT = timedelta(minutes=10)
"""For each statement of a migration."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    # 1: results, found by the random id that is in their pointer.
    (
        """
        CREATE TABLE toolresult_stored_result (
            record_id bytea NOT NULL PRIMARY KEY CHECK (octet_length(record_id) = 16),
            format_version integer NOT NULL CHECK (format_version >= 0),
            mime_type text NOT NULL,
            stored_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            check_sum bytea NOT NULL CHECK (octet_length(check_sum) = 32),
            payload bytea NOT NULL
        )
        """,
        "CREATE INDEX toolresult_stored_result_by_expiry ON toolresult_stored_result (expires_at)",
        "CREATE INDEX toolresult_stored_result_by_age ON toolresult_stored_result (stored_at)",
    ),
    # 2: how often a list, such as that of a server's tools, has changed.
    (
        """
        CREATE TABLE toolresult_list_version (
            name text NOT NULL PRIMARY KEY,
            version bigint NOT NULL CHECK (version > 0)
        )
        """,
    ),
)

_metadata = MetaData()
stored_result = Table(
    "toolresult_stored_result",
    _metadata,
    Column("record_id", LargeBinary, primary_key=True),
    Column("format_version", Integer, nullable=False),
    Column("mime_type", Text, nullable=False),
    Column("stored_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("check_sum", LargeBinary, nullable=False),
    Column("payload", LargeBinary, nullable=False),
)
list_version = Table(
    "toolresult_list_version",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
)

_LAYOUT = """
CREATE TABLE IF NOT EXISTS toolresult_layout (
    number integer NOT NULL PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""


def version(connection: Connection) -> int:
    """How many migrations the database has, 0 for none.

    Raises ``StoreError``: ``not_a_store`` where the tables' names are taken by another program.
    """
    # Rows of the catalog as this statement sees them. to_regclass() would ask the cache of the
    # connection, which may not have heard yet of tables that another process has just made.
    encoding, layout, results = connection.execute(
        text(
            "SELECT current_setting('server_encoding'),"
            " count(*) FILTER (WHERE relname = 'toolresult_layout'),"
            " count(*) FILTER (WHERE relname = 'toolresult_stored_result')"
            " FROM pg_catalog.pg_class"
            " WHERE relname IN ('toolresult_layout', 'toolresult_stored_result')"
            " AND pg_catalog.pg_table_is_visible(oid)"
        )
    ).one()
    if encoding != "UTF8":
        error = fault(StoreErrorCode.UNAVAILABLE)
        error.message += " Its database must have the encoding UTF8."
        raise error
    if not layout:
        if results:
            raise fault(StoreErrorCode.NOT_A_STORE)
        return 0
    return int(
        connection.execute(
            text("SELECT coalesce(max(number), 0) FROM toolresult_layout")
        ).scalar_one()
    )


def prepare(engine: Engine, *, create: bool) -> None:
    """Brings the database to the newest layout; without ``create`` only if it is a store.

    Raises ``StoreError``: ``not_a_store``, ``store_newer``.
    """
    with engine.connect() as connection:
        found = version(connection)
    check_not_newer(found, len(MIGRATIONS))
    if found == 0 and not create:
        raise fault(StoreErrorCode.NOT_A_STORE)
    if found < len(MIGRATIONS):
        migrate(engine)


def migrate(engine: Engine, migrations: Sequence[Sequence[str]] | None = None) -> None:
    """Runs the migrations that are missing. Several processes may do so at once."""
    steps = MIGRATIONS if migrations is None else migrations
    with engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'"))
        timeout = MIGRATION_WAIT // timedelta(milliseconds=1)
        connection.execute(text(f"SET LOCAL statement_timeout = {timeout}"))
        # A little more: the server's own bound gives the better reason.
        may_be_silent(connection, MIGRATION_WAIT + timedelta(seconds=5))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        # What the process before us did while we waited is seen from here on.
        found = version(connection)
        check_not_newer(found, len(steps))
        connection.execute(text(_LAYOUT))
        for number, statements in enumerate(steps[found:], found + 1):
            for statement in statements:
                connection.execute(text(statement))
            connection.execute(
                text("INSERT INTO toolresult_layout (number) VALUES (:number)"),
                {"number": number},
            )
