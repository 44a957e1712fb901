"""The versions of lists: one number for all workers, whatever the store is made of."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from toolresult.store import KeyRing, ListVersions, MemoryStore, SqliteStore, Store, StoreError

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)


@pytest.fixture
def lists(store: Store) -> ListVersions:
    assert isinstance(store, ListVersions)
    return store


def test_a_version_is_0_and_goes_up_by_one(lists: ListVersions) -> None:
    assert [lists.list_version("tools") for _ in range(2)] == [0, 0]
    assert [lists.raise_list_version("tools") for _ in range(3)] == [1, 2, 3]
    assert lists.list_version("tools") == 3


def test_each_list_has_its_own(lists: ListVersions) -> None:
    lists.raise_list_version("admin/tools")
    lists.raise_list_version("Admin/tools")
    lists.raise_list_version("Admin/tools")
    assert lists.list_version("admin/tools") == 1
    assert lists.list_version("Admin/tools") == 2
    assert lists.list_version("tools") == 0


@pytest.mark.parametrize("name", ["", "a" * 201, "a\nb", "\ud800", 7, None], ids=repr)
def test_what_is_no_name(lists: ListVersions, name: str) -> None:
    for ask in (lists.list_version, lists.raise_list_version):
        with pytest.raises(ValueError, match="expected 1 to 200 printable characters"):
            ask(name)


def test_names_are_text_and_nothing_more(lists: ListVersions) -> None:
    name = "'; DROP TABLE list_version; -- é 日本"
    assert lists.raise_list_version(name) == lists.list_version(name) == 1
    assert lists.list_version("'") == 0


def test_a_purge_leaves_them_alone(store: Store, lists: ListVersions) -> None:
    lists.raise_list_version("tools")
    store.purge(now=NOW, older_than=timedelta(0))
    assert lists.list_version("tools") == 1


def test_a_closed_store_has_none(store: Store, lists: ListVersions) -> None:
    store.close()
    for ask in (lists.list_version, lists.raise_list_version):
        with pytest.raises(StoreError, match="store_unavailable"):
            ask("tools")


def test_no_change_is_lost_between_threads(lists: ListVersions) -> None:
    def work() -> None:
        for _ in range(20):
            lists.raise_list_version("tools")

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lists.list_version("tools") == 120


def _raise(path: Path, keys: KeyRing) -> None:
    with SqliteStore(path, keys, create=False) as store:
        for _ in range(25):
            store.raise_list_version("tools")


def test_no_change_is_lost_between_processes(path: Path, keys: KeyRing) -> None:
    spawn = multiprocessing.get_context("spawn")
    with SqliteStore(path, keys) as store:
        workers = [spawn.Process(target=_raise, args=(path, keys)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(timeout=60)
        assert [worker.exitcode for worker in workers] == [0, 0]
        assert store.list_version("tools") == 50


def test_they_outlive_the_process(path: Path, keys: KeyRing) -> None:
    with SqliteStore(path, keys) as store:
        store.raise_list_version("tools")
    with SqliteStore(path, keys) as store:
        assert store.list_version("tools") == 1


def test_a_version_that_is_no_number_is_damage(path: Path, keys: KeyRing) -> None:
    with SqliteStore(path, keys) as store:
        db = sqlite3.connect(path)
        db.execute("INSERT INTO list_version VALUES ('tools', 'x')")
        db.commit()
        db.close()
        with pytest.raises(StoreError, match="store_damaged"):
            store.list_version("tools")


def test_a_store_that_does_not_keep_versions_is_none_of_these() -> None:
    class Plain:
        put = get = purge = stats = close = __enter__ = __exit__ = MemoryStore.put

    assert isinstance(Plain(), Store)
    assert not isinstance(Plain(), ListVersions)
