"""The bounds of the store in memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from toolresult.store import MemoryStore, StoredLink, StoreError

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
Put = Callable[..., StoredLink]


def test_a_full_store_refuses_and_loses_nothing(put: Put) -> None:
    store = MemoryStore(max_count=2)
    links = [put(store, b"1"), put(store, b"2")]
    with pytest.raises(StoreError, match=r"^store_full: "):
        put(store, b"3")
    assert [store.get(x.uri, principal="anna", now=NOW).payload for x in links] == [b"1", b"2"]


def test_bytes_are_bounded(put: Put) -> None:
    store = MemoryStore(max_bytes=10)
    put(store, b"12345")
    put(store, b"12345")
    with pytest.raises(StoreError, match=r"^store_full: "):
        put(store, b"1")
    put(store, b"")
    with pytest.raises(StoreError, match=r"^too_large: "):
        put(store, b"12345678901")


def test_expired_results_make_room(put: Put) -> None:
    store = MemoryStore(max_bytes=10)
    put(store, b"1234567890")
    kept = put(store, b"0987654321", now=NOW + HOUR)
    assert store.get(kept.uri, principal="anna", now=NOW + HOUR).payload == b"0987654321"
    assert store.stats(now=NOW + HOUR).count == 1


def test_a_purge_makes_room(put: Put) -> None:
    store = MemoryStore(max_bytes=10)
    put(store, b"1234567890")
    store.purge(now=NOW, older_than=timedelta(0))
    put(store, b"1234567890")


def test_bounds_are_positive() -> None:
    with pytest.raises(ValueError, match="max_count"):
        MemoryStore(max_count=0)
