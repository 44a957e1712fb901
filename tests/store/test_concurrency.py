"""Several processes and threads on one file, purges under load, and forks."""

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

import pytest

from toolresult.store import KeyRing, SqliteStore, StoredLink, StoreError, connections, rows

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
Put = Callable[..., StoredLink]

# Opens the store (two of these make it together), puts, and reads each back at once.
WORKER = """
import sys
from datetime import datetime, timedelta, timezone
from toolresult.store import KeyRing, SqliteStore
path, key_line, name = sys.argv[1:]
now = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
print("ready", flush=True)
sys.stdin.readline()
store = SqliteStore(path, KeyRing.parse(key_line))
for number in range(60):
    payload = f"{name}/{number}".encode() * (1 + number % 7 * 3000)
    link = store.put(payload, principal=name, now=now, lifetime=timedelta(hours=1),
        format_version=1, mime_type="application/json")
    assert store.get(link.uri, principal=name, now=now).payload == payload
    print(link.uri)
"""


def test_processes_that_store_at_once(path: Path, keys: KeyRing) -> None:
    """Three start at the same moment on a file that is not there yet; none loses anything."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(path), keys._keys[0].line, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        for name in ("anna", "otto", "uwe")
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    outputs = [worker.communicate()[0].split() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0]
    # Any worker that has the keys can read what another stored.
    with SqliteStore(path, keys) as store:
        for name, uris in zip(("anna", "otto", "uwe"), outputs, strict=True):
            assert len(uris) == 60
            for number, uri in enumerate(uris):
                payload = store.get(uri, principal=name, now=NOW).payload
                assert payload == f"{name}/{number}".encode() * (1 + number % 7 * 3000)
        assert store.stats(now=NOW).count == 180


def test_many_that_make_the_same_store(tmp_path: Path, keys: KeyRing, put: Put) -> None:
    """None sees a half-made store, and none fails because another is in the middle of it."""
    failures: list[BaseException] = []

    def make(path: Path, gate: threading.Barrier) -> None:
        try:
            gate.wait()
            with SqliteStore(path, keys) as store:
                put(store)
        except BaseException as error:
            failures.append(error)

    for round in range(40):
        path = tmp_path / f"{round}.db"
        gate = threading.Barrier(6)
        threads = [threading.Thread(target=make, args=(path, gate)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        with SqliteStore(path, keys) as store:
            assert store.stats(now=NOW).count == 6


def fill(path: Path, count: int, size: int) -> None:
    """Old rows, by hand: ten thousand puts would each wait for the disk."""
    db = sqlite3.connect(path)
    db.executemany(
        "INSERT INTO stored_result VALUES (?, 1, 'application/json', ?, ?, ?, ?)",
        (
            (os.urandom(16), 1000 + n, 2000 + n, bytes(32), b"o" * (size if n % 10 else 20 * size))
            for n in range(count)
        ),
    )
    db.commit()
    db.close()


def test_ten_thousand_rows_purged_while_readers_run(path: Path, keys: KeyRing, put: Put) -> None:
    with SqliteStore(path, keys) as store, SqliteStore(path, keys) as purger:
        fill(path, 10_000, 2_000)
        kept = [put(store, f"kept {n}".encode() * 2000) for n in range(20)]
        before = store.stats(now=NOW)
        assert (before.count, before.expired) == (10_020, 10_000)
        done = threading.Event()
        reads: list[float] = []
        writes: list[float] = []
        failures: list[BaseException] = []

        def timed(times: list[float], call: Callable[[int], object]) -> None:
            number = 0
            try:
                while not done.is_set():
                    start = time.monotonic()
                    call(number)
                    times.append(time.monotonic() - start)
                    number += 1
            except BaseException as error:
                failures.append(error)

        def read(number: int) -> None:
            n = number % len(kept)
            payload = store.get(kept[n].uri, principal="anna", now=NOW).payload
            assert payload == f"kept {n}".encode() * 2000

        def write(_: int) -> None:
            put(store, b"new" * 1000)
            time.sleep(0.002)

        threads = [
            threading.Thread(target=timed, args=(reads, read)),
            threading.Thread(target=timed, args=(reads, read)),
            threading.Thread(target=timed, args=(writes, write)),
        ]
        for thread in threads:
            thread.start()
        purged = purger.purge(now=NOW)
        done.set()
        for thread in threads:
            thread.join()
        assert failures == []
        assert purged == 10_000
        after = store.stats(now=NOW)
        assert (after.count, after.expired) == (20 + len(writes), 0)
        assert len(reads) > 100
        assert len(writes) > 10
        # A purge in one transaction holds the lock for all of it. Generous for a busy
        # machine; as a rule a read takes less than a millisecond.
        assert max(reads) < 1
        assert max(writes) < 3
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()


def test_a_purge_works_in_batches(
    path: Path, keys: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more rows than a batch may have, and no more bytes unless one row has them."""
    monkeypatch.setattr(rows, "BATCH_BYTES", 100_000)
    with SqliteStore(path, keys) as store:
        fill(path, 250, 10)
        statements: list[str] = []
        with store._connections.use() as db:
            db.set_trace_callback(statements.append)
        assert store.purge(now=NOW) == 250
        assert sum(s.startswith("COMMIT") for s in statements) == 4  # 100, 100, 50 and none.
        fill(path, 4, 40_000)
        statements.clear()
        assert store.purge(now=NOW) == 4
        # The first is twenty times as large and goes alone; then two, one, and none.
        assert sum(s.startswith("COMMIT") for s in statements) == 4


def test_a_purge_makes_room_for_new_results(path: Path, keys: KeyRing, put: Put) -> None:
    """The file does not grow with every round."""
    sizes = []
    for _ in range(4):
        with SqliteStore(path, keys) as store:
            for _ in range(20):
                put(store, b"x" * 100_000)
            assert store.purge(now=NOW + HOUR) == 20
        sizes.append(path.stat().st_size)
    assert sizes[3] <= sizes[0] * 1.05


def test_connections_are_few(path: Path, keys: KeyRing, put: Put) -> None:
    """Forty threads at once leave no more connections than are kept for later."""
    with SqliteStore(path, keys, busy_timeout=timedelta(seconds=30)) as store:
        gate = threading.Barrier(40)

        def work() -> None:
            gate.wait()
            store.stats(now=NOW)

        threads = [threading.Thread(target=work) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert 1 <= len(store._connections._idle) <= connections.MAX_IDLE
    assert store._connections._idle == []


def test_a_failed_connection_is_not_used_again(path: Path, keys: KeyRing, put: Put) -> None:
    with SqliteStore(path, keys) as store:
        with pytest.raises(RuntimeError), store._connections.use():
            raise RuntimeError("anything")
        assert store._connections._idle == []
        put(store)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def in_child(work: Callable[[], bool]) -> bool:
    """Whether ``work`` says yes in a forked child."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


@needs_fork
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_takes_no_connection_along(path: Path, keys: KeyRing, put: Put) -> None:
    """A server that opens its store and then forks its workers."""
    with SqliteStore(path, keys) as store:
        link = put(store, b"parent")
        assert len(store._connections._idle) == 1

        def work() -> bool:
            assert store._connections._idle == []
            mine = put(store, b"child" * 10_000)
            return (
                store.get(link.uri, principal="anna", now=NOW).payload == b"parent"
                and len(store.get(mine.uri, principal="anna", now=NOW).payload) == 50_000
            )

        assert in_child(work)
        put(store, b"parent again")
        assert in_child(work)
        assert store.stats(now=NOW).count == 4
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()


@needs_fork
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_in_the_middle_of_a_call_is_refused_in_the_child(
    path: Path, keys: KeyRing, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child cannot know what its lost thread held: it must open the store itself."""
    monkeypatch.setattr(connections, "_FORK_PATIENCE", 0.01)
    with SqliteStore(path, keys) as store:

        def refused() -> bool:
            try:
                put(store)
            except StoreError as error:
                return error.code.value == "store_unavailable"
            return False

        with store._connections.use():
            assert in_child(refused)
        put(store)
