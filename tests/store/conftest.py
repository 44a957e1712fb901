"""What the store tests share: a fixed clock, a ring of keys, and every kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolresult.store import KeyRing, MemoryStore, SqliteStore, Store, StoredLink, open_store

if TYPE_CHECKING:
    from sqlalchemy import URL
    from tests.store.servers import Cluster, S3Server

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)

Put = Callable[..., StoredLink]
Open = Callable[..., Store]

# The servers' modules are imported where they are used: they need what an extra brings.


@pytest.fixture
def keys() -> KeyRing:
    return KeyRing.generate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[URL]:
    """A PostgreSQL server that goes on for the whole run."""
    from tests.store.servers import postgresql_server

    with postgresql_server() as url:
        yield url


@pytest.fixture
def database(postgresql: URL) -> Iterator[URL]:
    """An empty database."""
    from tests.store.servers import new_database

    with new_database(postgresql) as url:
        yield url


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that a module's tests may stop and start."""
    from tests.store.servers import Cluster

    cluster = Cluster()
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """An S3 server that goes on for the whole run."""
    from tests.store.servers import S3Server

    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def bucket(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty bucket, with all that is needed to reach it in the environment."""
    for name, value in s3_server.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{s3_server.new_bucket()}/results"


SERVERS = pytest.mark.needs_toolchain
KINDS = [
    "memory",
    "sqlite",
    "folder",
    pytest.param("postgresql", marks=SERVERS),
    pytest.param("bucket", marks=SERVERS),
]
"""Every kind of store: the last ones have rows in PostgreSQL."""


@pytest.fixture(params=KINDS)
def reopen(request: pytest.FixtureRequest, keys: KeyRing, path: Path) -> Open:
    """``reopen()`` opens the same store of each kind, for all that is tested with every one.

    With a ring of its own (``reopen(ring)``) it is another worker, with other keys.
    """
    kind: str = request.param
    if kind == "memory":
        return lambda ring=keys: MemoryStore(ring)
    if kind == "sqlite":
        return lambda ring=keys: SqliteStore(path, ring)
    if kind == "folder":
        folder = (path.parent / "objects").as_uri()
        return lambda ring=keys: open_store(path, ring, objects=folder)
    url = request.getfixturevalue("database").render_as_string(hide_password=False)
    objects = request.getfixturevalue("bucket") if kind == "bucket" else None
    return lambda ring=keys: open_store(url, ring, objects=objects)


@pytest.fixture
def store(reopen: Open) -> Iterator[Store]:
    """Each store in turn: what is tested with this fixture is the contract."""
    with reopen() as made:
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
