"""What the store tests share: a fixed clock, a ring of keys, and every kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from toolresult.store import KeyRing, MemoryStore, SqliteStore, Store, StoredLink

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)

Put = Callable[..., StoredLink]


@pytest.fixture
def keys() -> KeyRing:
    return KeyRing.generate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, keys: KeyRing, path: Path) -> Iterator[Store]:
    """Each store in turn: what is tested with this fixture is the contract."""
    made: Store = MemoryStore(keys) if request.param == "memory" else SqliteStore(path, keys)
    with made:
        yield made


@pytest.fixture
def put() -> Put:
    """``put(store, payload, **changes)``: everything but the payload has a default."""

    def put_with_defaults(store: Store, payload: bytes = b"{}", **changes: Any) -> StoredLink:
        arguments: dict[str, Any] = {
            "principal": "anna",
            "now": NOW,
            "lifetime": HOUR,
            "format_version": 1,
            "mime_type": "application/json",
            **changes,
        }
        return store.put(payload, **arguments)

    return put_with_defaults
