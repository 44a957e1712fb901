"""What goes wrong with a database: each fault is a StoreError with a code, and tells no secret."""

from __future__ import annotations

import logging
import shutil
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from psycopg import sql
from sqlalchemy import URL, exc
from tests.store.disks import disk
from tests.store.servers import PASSWORD, Cluster, connect, new_database

from toolresult import Result, render
from toolresult.store import KeyRing, PostgresStore, StoredLink, StoreError
from toolresult.store.interface import StoreErrorCode
from toolresult.store.postgresql import store as module
from toolresult.store.postgresql.engine import Waits, parse_url
from toolresult.store.postgresql.faults import classify

pytestmark = pytest.mark.needs_toolchain

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
SHORT = Waits(
    lock=timedelta(milliseconds=100),
    statement=timedelta(milliseconds=400),
    connect=timedelta(seconds=1),
)
Put = Callable[..., StoredLink]


@pytest.fixture
def store(database: URL, keys: KeyRing) -> Iterator[PostgresStore]:
    with PostgresStore(database, keys, waits=SHORT) as made:
        yield made


def check_answer(error: StoreError, code: str) -> None:
    """A fault: a fixed message that shows nothing of the inside, and no password anywhere."""
    assert error.is_fault
    assert error.code.value == code
    for inside in ("psycopg", "sqlalchemy", "postgres", "SELECT", "stored_result", "owner", "host"):
        assert inside.lower() not in str(error).lower()
    whole = "".join(traceback.format_exception(error))
    # The text of an exception, not the source lines of this file.
    chain: BaseException | None = error
    while chain is not None:
        for shown in (str(chain), repr(chain), repr(chain.args)):
            assert PASSWORD not in shown
        chain = chain.__cause__ or chain.__context__
    assert PASSWORD not in whole


def every_call(store: PostgresStore, put: Put, uri: str) -> list[Callable[[], object]]:
    return [
        lambda: put(store),
        lambda: store.get(uri, principal="anna", now=NOW),
        lambda: store.purge(now=NOW),
        lambda: store.stats(now=NOW),
        lambda: store.list_version("tools"),
        lambda: store.raise_list_version("tools"),
    ]


def check_every_call(store: PostgresStore, put: Put, uri: str, code: str) -> None:
    for call in every_call(store, put, uri):
        with pytest.raises(StoreError) as caught:
            call()
        check_answer(caught.value, code)


# No connection


def test_no_server(keys: KeyRing, caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = URL.create("postgresql+psycopg", "owner", PASSWORD, "127.0.0.1", port, "shop")
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError) as caught:
        PostgresStore(url, keys)
    check_answer(caught.value, "store_unavailable")
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize("wrong", ["password", "user", "database", "option"])
def test_no_way_in(database: URL, keys: KeyRing, wrong: str) -> None:
    url = {
        "password": database.set(password=PASSWORD + "x"),
        "user": database.set(username="nobody"),
        "database": database.set(database="missing"),
        "option": database.update_query_dict({"nonsense": PASSWORD}),
    }[wrong]
    with pytest.raises(StoreError) as caught:
        PostgresStore(url, keys)
    check_answer(caught.value, "store_unavailable")


def test_a_server_that_does_not_answer(keys: KeyRing) -> None:
    """It takes the connection and says nothing."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        url = URL.create("postgresql+psycopg", "owner", PASSWORD, "127.0.0.1", port, "shop")
        start = time.monotonic()
        with pytest.raises(StoreError) as caught:
            # libpq takes no less than two seconds.
            PostgresStore(url, keys, waits=Waits(connect=timedelta(seconds=2)))
        assert time.monotonic() - start < 20
    check_answer(caught.value, "store_unavailable")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shop",
        "mysql://u:geheim@h/x",
        "postgresql+psycopg2://u:geheim@h/x",
        "postgresql://u:geheim@h:port/x",
        "postgresql://u:geheim@[::1/x",
    ],
)
def test_what_is_no_address_is_not_shown(text: str) -> None:
    with pytest.raises(ValueError, match=r"^store: expected an address such as") as caught:
        parse_url(text)
    assert "geheim" not in "".join(traceback.format_exception_only(caught.value))
    # Nor is it in the cause, which would hold it.
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


# Gone in the middle


def test_a_server_that_stops_and_comes_back(cluster: Cluster, keys: KeyRing, put: Put) -> None:
    with new_database(cluster.url) as url, PostgresStore(url, keys) as store:
        link = put(store, b"kept")
        cluster.stop()
        try:
            check_every_call(store, put, link.uri, "store_unavailable")
        finally:
            cluster.start()
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"
        put(store)


def test_the_mapper_sends_it_inline_or_fails(cluster: Cluster, keys: KeyRing) -> None:
    """The server is stopped between two requests; nobody needs to restart the worker."""
    result = Result.success({"rows": list(range(2000))}, summary="2000 rows")

    def asked(store: PostgresStore, on_failure: str) -> tuple[str, str | None]:
        sent = render(
            result,
            "mcp-handshake@2025-06-18",
            phase="final",
            limit=2000,
            store=store,
            principal="anna",
            clock=NOW,
            on_store_failure=on_failure,
        )
        assert sent.oversize is not None
        return sent.oversize.outcome, sent.oversize.reason

    with new_database(cluster.url) as url, PostgresStore(url, keys) as store:
        assert asked(store, "inline") == ("stored", None)
        cluster.stop()
        try:
            assert asked(store, "inline") == ("inline", "store_unavailable")
            with pytest.raises(StoreError) as caught:
                asked(store, "fail")
            check_answer(caught.value, "store_unavailable")
        finally:
            cluster.start()
        assert asked(store, "inline") == ("stored", None)


def test_stopped_while_calls_run(cluster: Cluster, keys: KeyRing, put: Put) -> None:
    """Every call ends with an answer or a fault, and every link that was handed out leads on."""
    links: list[str] = []
    codes: list[str] = []
    failures: list[BaseException] = []
    done = threading.Event()
    with new_database(cluster.url) as url, PostgresStore(url, keys) as store:

        def work() -> None:
            try:
                while not done.is_set():
                    try:
                        links.append(put(store, b"x" * 10_000).uri)
                    except StoreError as error:
                        check_answer(error, "store_unavailable")
                        codes.append(error.code.value)
                        time.sleep(0.01)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        while len(links) < 40:
            time.sleep(0.01)
        cluster.stop()
        before = len(links)
        while not codes:
            time.sleep(0.01)
        cluster.start()
        while len(links) < before + 40 and not failures:
            time.sleep(0.01)
        done.set()
        for thread in threads:
            thread.join()
        assert failures == []
        for uri in links:
            assert store.get(uri, principal="anna", now=NOW).payload == b"x" * 10_000


def test_a_connection_that_the_server_ended(database: URL, keys: KeyRing, put: Put) -> None:
    """An idle one is noticed before it is used: nothing fails."""
    with PostgresStore(database, keys) as store:
        put(store)
        with connect(database) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'toolresult'"
            )
        put(store)


def test_tables_that_have_gone(store: PostgresStore, database: URL, put: Put) -> None:
    link = put(store)
    with connect(database) as other:
        other.execute("DROP TABLE toolresult_stored_result, toolresult_list_version")
    check_every_call(store, put, link.uri, "store_damaged")


# Busy


def test_a_locked_table(store: PostgresStore, database: URL, put: Put) -> None:
    link = put(store, b"kept")
    with connect(database) as other, other.transaction():
        other.execute(
            "LOCK TABLE toolresult_stored_result, toolresult_list_version IN ACCESS EXCLUSIVE MODE"
        )
        start = time.monotonic()
        check_every_call(store, put, link.uri, "store_locked")
        assert time.monotonic() - start < 15
    put(store)
    assert store.stats(now=NOW).count == 2


def test_readers_and_writers_do_not_wait_for_each_other(
    store: PostgresStore, database: URL, put: Put
) -> None:
    link = put(store, b"kept")
    with connect(database) as other, other.transaction():
        other.execute("DELETE FROM toolresult_stored_result")
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"
        put(store)
        # What another purge is deleting is left to it.
        assert store.purge(now=NOW + HOUR) == 1


def test_a_statement_that_takes_too_long(
    store: PostgresStore, database: URL, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(database) as other:
        other.execute(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN PERFORM pg_sleep(30); RETURN NEW; END $$"
        )
        other.execute(
            "CREATE TRIGGER slow BEFORE INSERT ON toolresult_stored_result"
            " FOR EACH ROW EXECUTE FUNCTION slow()"
        )
    start = time.monotonic()
    with pytest.raises(StoreError) as caught:
        put(store)
    assert time.monotonic() - start < 15
    check_answer(caught.value, "store_locked")
    assert store.stats(now=NOW).count == 0


def test_all_connections_in_use(database: URL, keys: KeyRing, put: Put) -> None:
    with PostgresStore(database, keys, waits=SHORT, connections=1) as store:
        held = [store._engine.connect() for _ in range(2)]
        with pytest.raises(StoreError) as caught:
            put(store)
        check_answer(caught.value, "store_locked")
        for connection in held:
            connection.close()
        put(store)


def test_connections_are_few(database: URL, keys: KeyRing) -> None:
    """Forty threads at once leave no more connections than are kept, and take twice as many."""
    count = sql.SQL("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'toolresult'")
    most = 0
    with PostgresStore(database, keys, connections=3) as store, connect(database) as other:

        def work() -> None:
            for _ in range(5):
                store.stats(now=NOW)

        threads = [threading.Thread(target=work) for _ in range(40)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            row = other.execute(count).fetchone()
            assert row is not None
            most = max(most, row[0])
            time.sleep(0.005)
        assert 1 <= most <= 6
        assert store._engine.pool.checkedin() <= 3  # type: ignore[attr-defined]  # of QueuePool


# Full, or too large


def test_a_payload_beyond_the_bound(database: URL, keys: KeyRing, put: Put) -> None:
    with PostgresStore(database, keys, max_payload_bytes=10) as store:
        put(store, b"1234567890")
        with pytest.raises(StoreError, match=r"^too_large: "):
            put(store, b"12345678901")


@pytest.fixture
def small_disk() -> Iterator[Path]:
    with disk("12m", instead="test_codes_by_state covers the answer") as folder:
        yield folder


def test_a_full_disk(cluster: Cluster, keys: KeyRing, put: Put, small_disk: Path) -> None:
    shutil.chown(small_disk, "postgres")
    with connect(cluster.url) as owner:
        owner.execute(
            sql.SQL("CREATE TABLESPACE small LOCATION {}").format(sql.Literal(str(small_disk)))
        )
        try:
            with new_database(cluster.url) as url, PostgresStore(url, keys) as store:
                with connect(url) as other:
                    other.execute("ALTER TABLE toolresult_stored_result SET TABLESPACE small")
                kept = put(store, b"kept")
                with pytest.raises(StoreError) as caught:
                    put(store, random_bytes(20_000_000))
                check_answer(caught.value, "store_full")
                assert store.get(kept.uri, principal="anna", now=NOW).payload == b"kept"
        finally:
            owner.execute("DROP TABLESPACE small")


def random_bytes(count: int) -> bytes:
    """What no compression makes smaller."""
    with open("/dev/urandom", "rb") as source:
        return source.read(count)


# Damage


@pytest.mark.parametrize(
    "change",
    [
        "format_version = 0",
        "mime_type = 'text/html'",
        "expires_at = expires_at + 1",
        "stored_at = stored_at - 1",
        "payload = set_byte(payload, 1000, 7)",
        "check_sum = set_byte(check_sum, 1, get_byte(check_sum, 1) # 1)",
    ],
)
def test_a_changed_column(store: PostgresStore, database: URL, put: Put, change: str) -> None:
    link = put(store, b"x" * 50_000)
    with connect(database) as other:
        other.execute(sql.SQL("UPDATE toolresult_stored_result SET {}").format(sql.SQL(change)))
    with pytest.raises(StoreError) as caught:
        store.get(link.uri, principal="anna", now=NOW)
    check_answer(caught.value, "store_damaged")


def test_a_time_that_is_none(store: PostgresStore, database: URL, put: Put) -> None:
    put(store)
    with connect(database) as other:
        other.execute("UPDATE toolresult_stored_result SET stored_at = 9223372036854775807")
    with pytest.raises(StoreError) as caught:
        store.stats(now=NOW)
    check_answer(caught.value, "store_damaged")


# Settings


def test_every_wait_is_bounded(database: URL, keys: KeyRing) -> None:
    waits = Waits(lock=timedelta(seconds=2), statement=timedelta(seconds=3))
    settings = {
        "lock_timeout": "2s",
        "statement_timeout": "3s",
        "idle_in_transaction_session_timeout": "3s",
        "application_name": "toolresult",
        "synchronous_commit": "on",
    }

    def shown(url: URL) -> dict[str, object]:
        with PostgresStore(url, keys, waits=waits) as store, store._engine.connect() as connection:
            found = connection.exec_driver_sql(
                "SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY(%s)",
                (list(settings),),
            )
            return {name: value for name, value in found}

    assert shown(database) == settings
    asked = {"options": "-c statement_timeout=9s", "application_name": "shop"}
    changed = {"statement_timeout": "9s", "application_name": "shop"}
    assert shown(database.update_query_dict(asked)) == settings | changed


@pytest.mark.parametrize(
    ("given", "used"), [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")]
)
def test_a_link_is_handed_out_after_the_disk_has_it(
    database: URL, keys: KeyRing, given: str, used: str
) -> None:
    """Also where the database would rather be fast; what is stronger stays."""
    with connect(database) as other:
        assert database.database is not None
        other.execute(
            sql.SQL("ALTER DATABASE {} SET synchronous_commit = {}").format(
                sql.Identifier(database.database), sql.SQL(given)
            )
        )
    with PostgresStore(database, keys) as store, store._engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == used


def test_the_password_is_in_no_repr(database: URL, store: PostgresStore) -> None:
    assert PASSWORD in database.render_as_string(hide_password=False)
    for shown in (repr(store), repr(store._engine), str(store._engine.url), repr(vars(store))):
        assert PASSWORD not in shown


def test_payloads_are_in_no_log(
    store: PostgresStore,
    database: URL,
    put: Put,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with connect(database) as other:
        other.execute("ALTER TABLE toolresult_stored_result ADD CHECK (false)")
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError) as caught:
        put(store, b"very private")
    check_answer(caught.value, "store_damaged")
    cause = caught.value.__cause__
    assert isinstance(cause, exc.IntegrityError)
    assert "very private" not in str(cause) + caplog.text


# Translation


def test_codes_by_state() -> None:
    import psycopg.errors

    states = {
        psycopg.errors.DiskFull: StoreErrorCode.FULL,
        psycopg.errors.TooManyConnections: StoreErrorCode.LOCKED,
        psycopg.errors.LockNotAvailable: StoreErrorCode.LOCKED,
        psycopg.errors.QueryCanceled: StoreErrorCode.LOCKED,
        psycopg.errors.DeadlockDetected: StoreErrorCode.LOCKED,
        psycopg.errors.SerializationFailure: StoreErrorCode.LOCKED,
        psycopg.errors.DataCorrupted: StoreErrorCode.DAMAGED,
        psycopg.errors.IndexCorrupted: StoreErrorCode.DAMAGED,
        psycopg.errors.UndefinedColumn: StoreErrorCode.DAMAGED,
        psycopg.errors.ProgramLimitExceeded: StoreErrorCode.TOO_LARGE,
        psycopg.errors.InsufficientPrivilege: StoreErrorCode.UNAVAILABLE,
        psycopg.errors.ReadOnlySqlTransaction: StoreErrorCode.UNAVAILABLE,
        psycopg.errors.AdminShutdown: StoreErrorCode.UNAVAILABLE,
        psycopg.errors.CannotConnectNow: StoreErrorCode.UNAVAILABLE,
        psycopg.OperationalError: StoreErrorCode.UNAVAILABLE,
    }
    for kind, code in states.items():
        original = kind("x")
        assert classify(original) is code, kind
        assert classify(exc.DBAPIError("x", None, original)) is code, kind
    assert classify(exc.TimeoutError()) is StoreErrorCode.LOCKED
    assert classify(exc.ResourceClosedError()) is StoreErrorCode.UNAVAILABLE


def test_a_purge_works_in_batches(
    database: URL, keys: KeyRing, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that fails takes nothing back of those before it."""
    with PostgresStore(database, keys) as store:
        with connect(database) as other:
            other.execute(
                "INSERT INTO toolresult_stored_result SELECT"
                " decode(lpad(to_hex(n), 32, '0'), 'hex'), 1, 'a/b', n, n,"
                " repeat('c', 32)::bytea, 'x' FROM generate_series(1, 250) n"
            )
        real = module._delete_batch
        sizes: list[int] = []

        def counted(*arguments: object) -> int:
            if len(sizes) == 2:
                raise exc.ResourceClosedError
            sizes.append(real(*arguments))  # type: ignore[arg-type]  # handed on as they are
            return sizes[-1]

        monkeypatch.setattr(module, "_delete_batch", counted)
        with pytest.raises(StoreError):
            store.purge(now=NOW)
        assert sizes == [100, 100]
        assert store.stats(now=NOW).count == 50
        monkeypatch.undo()
        assert store.purge(now=NOW) == 50
