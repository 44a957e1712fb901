"""Many rows, many readers, several processes: with every kind of store."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from toolresult.store import (
    Key,
    KeyRing,
    MemoryStore,
    SqliteStore,
    Store,
    StoredLink,
    StoreError,
    open_store,
)
from toolresult.store.record import Record

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
Put = Callable[..., StoredLink]
Open = Callable[..., Store]

OLD = 10_000


def fill(store: Any, count: int) -> None:
    """Expired results, by hand: ten thousand puts would each wait for the disk.

    A bucket has a tenth of the objects: the server of the tests is a simple one.
    """
    rows = getattr(store, "_rows", store)
    if isinstance(rows, MemoryStore):
        for _ in range(count):
            rows._records[os.urandom(16)] = Record(b"o" * 2000, 1, "a/b", 1000, 2000)
            rows._bytes += 2000
    elif isinstance(rows, SqliteStore):
        db = sqlite3.connect(rows._path)
        db.executemany(
            "INSERT INTO stored_result VALUES (?, 1, 'a/b', 1000, 2000, ?, ?)",
            ((os.urandom(16), bytes(32), b"o" * 2000) for _ in range(count)),
        )
        db.commit()
        db.close()
    else:
        with rows._engine.connect() as connection:
            connection.exec_driver_sql(
                "INSERT INTO toolresult_stored_result SELECT"
                " decode(lpad(to_hex(n), 32, '0'), 'hex'), 1, 'a/b', 1000, 2000,"
                " repeat('c', 32)::bytea, repeat('o', 2000)::bytea"
                f" FROM generate_series(1, {count}) n"
            )
    place = getattr(store, "_place", None)
    if place is None:
        return
    for number in range(count if place._folder is not None else count // 10):
        name = f"2000_1000_{number:032x}"
        if place._folder is not None:
            (place._folder / name).write_bytes(b"o")
        else:
            place.write(name, b"o")


def test_ten_thousand_purged_while_readers_run(reopen: Open, put: Put) -> None:
    """Readers see nothing of it, and writers get their turn."""
    with reopen() as store:
        if isinstance(store, MemoryStore):
            store._max_count = 100_000
        purger = store if isinstance(store, MemoryStore) else reopen()
        fill(store, OLD)
        kept = [put(store, f"kept {n}".encode() * 500) for n in range(20)]
        before = store.stats(now=NOW)
        assert (before.count, before.expired) == (OLD + 20, OLD)
        done = threading.Event()
        failures: list[BaseException] = []
        times: dict[str, list[float]] = {"read": [], "write": []}

        def timed(what: str, call: Callable[[int], object]) -> None:
            number = 0
            try:
                while not done.is_set():
                    start = time.monotonic()
                    call(number)
                    times[what].append(time.monotonic() - start)
                    number += 1
                    time.sleep(0.001)
            except BaseException as error:
                failures.append(error)

        def read(number: int) -> None:
            n = number % len(kept)
            payload = store.get(kept[n].uri, principal="anna", now=NOW).payload
            assert payload == f"kept {n}".encode() * 500

        def write(_: int) -> None:
            put(store, b"new" * 1000)

        threads = [
            threading.Thread(target=timed, args=("read", read)),
            threading.Thread(target=timed, args=("read", read)),
            threading.Thread(target=timed, args=("write", write)),
        ]
        for thread in threads:
            thread.start()
        purged = purger.purge(now=NOW)
        done.set()
        for thread in threads:
            thread.join()
        if purger is not store:
            purger.close()
        assert failures == []
        assert purged == OLD
        after = store.stats(now=NOW)
        assert (after.count, after.expired) == (20 + len(times["write"]), 0)
        assert after.payload_bytes == sum(k.size for k in kept) + 3000 * len(times["write"])
        # Generous for a busy machine: one that waited for the whole purge would be far over it
        # for the stores that take seconds.
        assert max(times["read"], default=0) < 3
        assert max(times["write"], default=0) < 5
        if not isinstance(store, MemoryStore):  # which is done at once
            assert len(times["read"]) > 10


def test_a_key_rotated_in_the_middle(reopen: Open, keys: KeyRing, put: Put) -> None:
    """Two workers, one restarted after the other: no link breaks at any step."""
    (old,) = keys._keys
    new = Key.generate("new")
    steps = [KeyRing([old, new]), KeyRing([new, old]), KeyRing([new])]
    with reopen() as first:
        links = [put(first, b"0").uri]
        if isinstance(first, MemoryStore):
            # One process: its ring is exchanged between two requests.
            for step in steps[:2]:
                first._keys = step
                links.append(put(first, b"0").uri)
                for uri in links:
                    assert first.get(uri, principal="anna", now=NOW).payload == b"0"
            first._keys = steps[2]
            last: Store = first
        else:
            worker = first
            for step in steps[:2]:
                with reopen(step) as other:
                    # Before the first is restarted, each reads what the other has signed…
                    links.append(put(other, b"0").uri)
                    for uri in links:
                        assert other.get(uri, principal="anna", now=NOW).payload == b"0"
                    if step is steps[0]:
                        assert worker.get(links[-1], principal="anna", now=NOW).payload == b"0"
            last = reopen(steps[2])
        # The old key is gone: what it signed is not found, what the new one signed still is.
        with last:
            for uri, good in zip(links, [False, False, True], strict=True):
                if good:
                    assert last.get(uri, principal="anna", now=NOW).payload == b"0"
                else:
                    with pytest.raises(StoreError, match="not_found"):
                        last.get(uri, principal="anna", now=NOW)


WORKER = """
import sys
from datetime import datetime, timezone, timedelta
from toolresult.store import KeyRing, open_store
place, objects, key_line, name = sys.argv[1:]
now = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
print("ready", flush=True)
sys.stdin.readline()
with open_store(place, KeyRing.parse(key_line), objects=objects or None) as store:
    for number in range(40):
        payload = f"{name}/{number}".encode() * (1 + number % 7 * 3000)
        link = store.put(payload, principal=name, now=now, lifetime=timedelta(hours=1),
            format_version=1, mime_type="application/json")
        assert store.get(link.uri, principal=name, now=now).payload == payload
        assert store.raise_list_version("tools") > 0
        if number % 10 == 0:
            store.purge(now=now)
        print(link.uri)
"""


def two_processes(place: str, objects: str | None, keys: KeyRing) -> dict[str, list[str]]:
    workers = {
        name: subprocess.Popen(
            [sys.executable, "-c", WORKER, place, objects or "", keys._keys[0].line, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        for name in ("anna", "otto")
    }
    for worker in workers.values():
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers.values():
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    links = {name: worker.communicate()[0].split() for name, worker in workers.items()}
    assert [worker.returncode for worker in workers.values()] == [0, 0]
    return links


def test_two_processes_that_store_at_once(path: Path, keys: KeyRing) -> None:
    """They make a store that is not there yet; none loses a result or a change of a list."""
    check_two_processes(str(path), None, keys)


def test_two_processes_with_objects(path: Path, keys: KeyRing) -> None:
    check_two_processes(str(path), (path.parent / "objects").as_uri(), keys)


@pytest.mark.needs_toolchain
@pytest.mark.parametrize("with_bucket", [False, True])
def test_two_processes_on_servers(
    request: pytest.FixtureRequest, keys: KeyRing, with_bucket: bool
) -> None:
    url = request.getfixturevalue("database").render_as_string(hide_password=False)
    objects = request.getfixturevalue("bucket") if with_bucket else None
    check_two_processes(url, objects, keys)


def check_two_processes(place: str, objects: str | None, keys: KeyRing) -> None:
    links = two_processes(place, objects, keys)
    with open_store(place, keys, objects=objects) as store:
        for name, uris in links.items():
            assert len(uris) == 40
            for number, uri in enumerate(uris):
                payload = store.get(uri, principal=name, now=NOW).payload
                assert payload == f"{name}/{number}".encode() * (1 + number % 7 * 3000)
        assert store.stats(now=NOW).count == 80
        assert store.list_version("tools") == 80
        assert store.purge(now=NOW + HOUR) == 80
        assert store.stats(now=NOW + HOUR).payload_bytes == 0


@pytest.mark.needs_toolchain
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_takes_no_connection_along(
    request: pytest.FixtureRequest, keys: KeyRing, put: Put
) -> None:
    """A server that opens its store and then forks its workers."""
    from toolresult.store import PostgresStore

    url = request.getfixturevalue("database")
    with PostgresStore(url, keys) as store:
        link = put(store, b"parent")
        assert store._engine.pool.checkedin() == 1  # type: ignore[attr-defined]  # of QueuePool
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                right = False
                try:
                    own = store._engine.pool.checkedin()  # type: ignore[attr-defined]
                    for number in range(20):
                        mine = put(store, b"%d" % number)
                        got = store.get(mine.uri, principal="anna", now=NOW).payload
                        right = own == 0 and got == b"%d" % number
                        if not right:
                            break
                finally:
                    os._exit(0 if right else 1)
            children.append(child)
        for _ in range(50):
            assert store.get(link.uri, principal="anna", now=NOW).payload == b"parent"
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
        assert store.stats(now=NOW).count == 61
