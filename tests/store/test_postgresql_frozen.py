"""A server that is frozen: its connections stay open, and nothing comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
from sqlalchemy import URL, text
from tests.store.servers import Cluster, connect, new_database

from toolresult.store import KeyRing, PostgresStore, StoredLink, StoreError
from toolresult.store.postgresql import layout
from toolresult.store.postgresql.engine import Waits

pytestmark = pytest.mark.needs_toolchain

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
WAITS = Waits(
    lock=timedelta(seconds=60), statement=timedelta(seconds=3), connect=timedelta(seconds=1)
)
BOUND = 20.0
"""Seconds, on a busy machine; without a bound a call would wait until the server goes on."""
Put = Callable[..., StoredLink]


def outcome(call: Callable[[], object]) -> list[str]:
    """Starts ``call`` in a thread; the list gets the code of its fault, or ``done``."""
    told: list[str] = []

    def run() -> None:
        try:
            call()
            told.append("done")
        except StoreError as error:
            told.append(error.code.value)
        except BaseException as error:
            told.append(repr(error))

    threading.Thread(target=run, daemon=True).start()
    return told


def wait_for(told: Callable[[], object]) -> None:
    end = time.monotonic() + BOUND
    while not told() and time.monotonic() < end:
        time.sleep(0.02)


def ended(call: Callable[[], object]) -> list[str]:
    """How ``call`` ended; nothing if it has not."""
    told = outcome(call)
    wait_for(lambda: told)
    return told


def calls(store: PostgresStore, put: Put, uri: str) -> dict[str, Callable[[], object]]:
    return {
        "put": lambda: put(store),
        "get": lambda: store.get(uri, principal="anna", now=NOW),
        "purge": lambda: store.purge(now=NOW),
    }


@pytest.mark.parametrize("name", ["put", "get", "purge"])
def test_frozen_between_two_calls(cluster: Cluster, keys: KeyRing, put: Put, name: str) -> None:
    """Noticed before the connection is used: no call waits as long as a statement may."""
    waits = Waits(connect=timedelta(seconds=1))
    with new_database(cluster.url) as url, PostgresStore(url, keys, waits=waits) as store:
        link = put(store, b"kept")
        call = calls(store, put, link.uri)[name]
        with cluster.frozen():
            for _ in range(2):  # on the connection that was there, and on a new one
                assert ended(call) == ["store_unavailable"]
        call()
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"


@pytest.mark.parametrize("name", ["put", "get", "purge"])
def test_frozen_in_the_middle(cluster: Cluster, keys: KeyRing, put: Put, name: str) -> None:
    with new_database(cluster.url) as url, PostgresStore(url, keys, waits=WAITS) as store:
        link = put(store, b"kept")
        call = calls(store, put, link.uri)[name]
        with connect(url) as other:
            with other.transaction():
                other.execute("LOCK TABLE toolresult_stored_result IN ACCESS EXCLUSIVE MODE")
                told = outcome(call)
                wait_for(lambda: waiting(url))
                assert waiting(url) == 1
                with cluster.frozen():
                    wait_for(lambda: told)
                    assert told == ["store_unavailable"]
            assert store._engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # of QueuePool
        call()
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"


def waiting(url: URL) -> int:
    """How many of a store's statements wait for a lock."""
    with connect(url) as other:
        row = other.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'toolresult' AND wait_event_type = 'Lock'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_a_slow_statement_is_no_silence(database: URL, keys: KeyRing) -> None:
    """The bound for an answer is not that of a statement, nor of a migration."""
    waits = Waits(connect=timedelta(milliseconds=300))
    slow = (*layout.MIGRATIONS, ("SELECT pg_sleep(1)",))
    with PostgresStore(database, keys, waits=waits) as store:
        with store._engine.connect() as connection:
            connection.execute(text("SELECT pg_sleep(1)"))
        layout.migrate(store._engine, slow)


@pytest.mark.parametrize(("asked", "silence"), [("9s", 14.0), ("0", None)])
def test_the_bound_follows_that_of_the_server(
    database: URL, keys: KeyRing, asked: str, silence: float | None
) -> None:
    """The address may set another ``statement_timeout``, or none."""
    url = database.update_query_dict({"options": f"-c statement_timeout={asked}"})
    with PostgresStore(url, keys) as store, store._engine.connect() as connection:
        taken = connection.connection.driver_connection
        assert taken is not None
        expected = None if silence is None else timedelta(seconds=silence)
        assert taken.silence == expected
    assert taken.silence == timedelta(seconds=5)
