"""The tables in PostgreSQL: made once, brought up to date, refused where they are not ours."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone

import pytest
from psycopg import sql
from sqlalchemy import URL, Engine, MetaData, create_engine, make_url
from sqlalchemy import exc as sqlalchemy_errors
from tests.store.servers import connect

from toolresult.store import KeyRing, PostgresStore, StoredLink, StoreError
from toolresult.store.postgresql import layout
from toolresult.store.postgresql.engine import Waits, make_engine

pytestmark = pytest.mark.needs_toolchain

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
LATEST = len(layout.MIGRATIONS)
Put = Callable[..., StoredLink]

# Layouts to come, to try the mechanism with more than one step.
LATER = (
    *layout.MIGRATIONS,
    (
        "ALTER TABLE toolresult_stored_result ADD COLUMN note text",
        "UPDATE toolresult_stored_result SET note = 'two'",
    ),
    ("CREATE TABLE toolresult_other (a bigint)",),
)


@pytest.fixture
def engine(database: URL) -> Iterator[Engine]:
    made = make_engine(database, Waits(), 2)
    yield made
    made.dispose()


def rows(database: URL, query: str) -> Sequence[tuple[object, ...]]:
    with connect(database) as connection:
        return connection.execute(sql.SQL(query)).fetchall()


def tables(database: URL) -> list[object]:
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    return [name for (name,) in rows(database, query)]


def test_a_new_store_has_the_newest_layout(database: URL, keys: KeyRing) -> None:
    with PostgresStore(database, keys) as store:
        stats = store.stats(now=NOW)
    assert stats.schema_version == LATEST
    assert stats.file_bytes is not None and stats.file_bytes > 0
    numbers = rows(database, "SELECT number FROM toolresult_layout ORDER BY number")
    assert numbers == [(number,) for number in range(1, LATEST + 1)]


def test_the_statements_make_what_the_queries_expect(database: URL, keys: KeyRing) -> None:
    """The columns are said twice: in frozen statements and for SQLAlchemy."""
    PostgresStore(database, keys).close()
    found = MetaData()
    engine = create_engine(database)
    for table in (layout.stored_result, layout.list_version):
        found.reflect(engine, only=[table.name])
        real = found.tables[table.name]
        assert [(c.name, c.nullable, c.primary_key) for c in real.columns] == [
            (c.name, c.nullable, c.primary_key) for c in table.columns
        ]
        for column in table.columns:
            kind = real.c[column.name].type
            assert kind.compile(engine.dialect) == column.type.compile(engine.dialect)
    engine.dispose()


@pytest.mark.parametrize("old", range(LATEST + 1))
def test_from_every_layout_there_was(
    database: URL, engine: Engine, keys: KeyRing, put: Put, old: int
) -> None:
    if old:
        layout.migrate(engine, LATER[:old])
    with PostgresStore(database, keys) as store:
        assert store.stats(now=NOW).schema_version == LATEST
        link = put(store, b"x")
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"x"


def test_results_survive_migrations(
    database: URL, engine: Engine, keys: KeyRing, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PostgresStore(database, keys) as store:
        link = put(store, b"kept" * 10_000)
    layout.migrate(engine, LATER)
    assert rows(database, "SELECT note FROM toolresult_stored_result") == [("two",)]
    monkeypatch.setattr(layout, "MIGRATIONS", LATER)
    with PostgresStore(database, keys) as store:
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept" * 10_000


def test_a_step_that_fails_changes_nothing(database: URL, engine: Engine) -> None:
    layout.migrate(engine, LATER[:1])
    broken = (*LATER, ("CREATE TABLE half (a bigint)", "CREATE TABLE half (a bigint)"))
    before = tables(database)
    with pytest.raises(sqlalchemy_errors.ProgrammingError):
        layout.migrate(engine, broken)
    assert tables(database) == before
    assert rows(database, "SELECT max(number) FROM toolresult_layout") == [(1,)]


def test_a_newer_store_is_refused_by_name(database: URL, engine: Engine, keys: KeyRing) -> None:
    layout.migrate(engine, LATER[: LATEST + 1])
    before = tables(database)
    with pytest.raises(StoreError) as caught:
        PostgresStore(database, keys)
    assert str(caught.value) == (
        "store_newer: The store was written by a later version of this program."
        f" It has layout {LATEST + 1}; this program knows 1 to {LATEST}."
    )
    assert tables(database) == before


@pytest.mark.parametrize("create", [True, False])
def test_the_table_of_another_program_is_left_alone(
    database: URL, keys: KeyRing, create: bool
) -> None:
    with connect(database) as connection:
        connection.execute("CREATE TABLE toolresult_stored_result (theirs text)")
    with pytest.raises(StoreError, match=r"^not_a_store: "):
        PostgresStore(database, keys, create=create)
    assert tables(database) == ["toolresult_stored_result"]


def test_a_store_that_is_not_there_is_not_made(database: URL, keys: KeyRing) -> None:
    with pytest.raises(StoreError, match=r"^not_a_store: "):
        PostgresStore(database, keys, create=False)
    assert tables(database) == []


def test_tables_of_the_host_do_not_matter(database: URL, keys: KeyRing, put: Put) -> None:
    with connect(database) as connection:
        connection.execute("CREATE TABLE orders (a bigint)")
        connection.execute("CREATE TABLE alembic_version (version_num text)")
    with PostgresStore(database, keys) as store:
        put(store)
    assert {"orders", "alembic_version"} < set(tables(database))


def test_a_schema_of_its_own(database: URL, keys: KeyRing, put: Put) -> None:
    """The address says where, as for every other program."""
    with connect(database) as connection:
        connection.execute("CREATE SCHEMA links")
    own = database.update_query_dict({"options": "-c search_path=links"})
    with PostgresStore(own, keys) as store:
        put(store)
    assert tables(database) == []
    assert rows(database, "SELECT count(*) FROM links.toolresult_stored_result") == [(1,)]


def test_a_database_that_cannot_hold_all_text(postgresql: URL, keys: KeyRing) -> None:
    name = f"latin_{os.getpid()}"
    with connect(postgresql) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} ENCODING 'LATIN1' TEMPLATE template0").format(
                sql.Identifier(name)
            )
        )
    try:
        with pytest.raises(StoreError, match=r"^store_unavailable: .* UTF8\.$"):
            PostgresStore(postgresql.set(database=name), keys)
    finally:
        with connect(postgresql) as connection:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


def test_several_threads_migrate_at_once(database: URL) -> None:
    failures: list[BaseException] = []
    gate = threading.Barrier(6)

    def work() -> None:
        engine = make_engine(database, Waits(), 2)
        try:
            gate.wait()
            layout.migrate(engine, LATER)
        except BaseException as error:
            failures.append(error)
        finally:
            engine.dispose()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert rows(database, "SELECT count(*) FROM toolresult_layout") == [(len(LATER),)]


OPEN = """
import sys
from toolresult.store import KeyRing, PostgresStore
print("ready", flush=True)
sys.stdin.readline()
PostgresStore(sys.argv[1], KeyRing.generate()).close()
"""


def test_two_processes_make_the_store_at_once(database: URL) -> None:
    url = database.render_as_string(hide_password=False)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        worker.communicate()
    assert [worker.returncode for worker in workers] == [0, 0]
    assert rows(database, "SELECT count(*) FROM toolresult_layout") == [(LATEST,)]


def test_a_migration_waits_for_the_lock(database: URL, engine: Engine) -> None:
    """The advisory lock, and not chance: while somebody holds it, nothing is changed."""
    with connect(database) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", (layout.LOCK,))
        thread = threading.Thread(target=layout.migrate, args=(engine,))
        thread.start()
        thread.join(0.5)
        assert thread.is_alive()
        assert tables(database) == []
        holder.execute("SELECT pg_advisory_unlock(%s)", (layout.LOCK,))
        thread.join(30)
    assert "toolresult_stored_result" in tables(database)


def test_a_role_that_may_only_read_and_write(database: URL, keys: KeyRing, put: Put) -> None:
    """A worker needs no right to make tables once they are there."""
    PostgresStore(database, keys).close()
    role = f"worker_{os.getpid()}"
    with connect(database) as connection:
        name = sql.Identifier(role)
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'w'").format(name))
        connection.execute(
            sql.SQL(
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}"
            ).format(name)
        )
    try:
        with PostgresStore(make_url(database).set(username=role, password="w"), keys) as store:
            put(store)
            assert store.purge(now=NOW + timedelta(days=1)) == 1
            assert store.raise_list_version("tools") == 1
    finally:
        with connect(database) as connection:
            connection.execute(sql.SQL("DROP OWNED BY {0}").format(name))
            connection.execute(sql.SQL("DROP ROLE {0}").format(name))
