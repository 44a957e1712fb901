"""Stores for results that are too large to send inline.

>>> from toolresult.store import KeyRing, MemoryStore, open_store

``MemoryStore`` lives and dies with the process; ``open_store(path, key_file)``
opens the durable default, an SQLite file shared by any number of workers. For
more than one machine it takes the address of a PostgreSQL database, and for the
bytes a folder or bucket; these are imported when they are first used (PEP 562).

docs: docs/stores.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolresult.extras import of_an_extra
from toolresult.store.interface import (
    DEFAULT_LIFETIME,
    LEGACY_FORMAT_VERSION,
    ListVersions,
    Store,
    StoredLink,
    StoredPayload,
    StoreError,
    StoreErrorCode,
    StoreStats,
    VersionedStore,
)
from toolresult.store.keys import Key, KeyRing
from toolresult.store.memory import MemoryStore
from toolresult.store.open import open_result, open_store
from toolresult.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from toolresult.store.objects.store import ObjectStore
    from toolresult.store.postgresql.store import PostgresStore

__all__ = [
    "DEFAULT_LIFETIME",
    "LEGACY_FORMAT_VERSION",
    "Key",
    "KeyRing",
    "ListVersions",
    "MemoryStore",
    "ObjectStore",
    "PostgresStore",
    "SqliteStore",
    "Store",
    "StoreError",
    "StoreErrorCode",
    "StoreStats",
    "StoredLink",
    "StoredPayload",
    "VersionedStore",
    "open_result",
    "open_store",
]


def __getattr__(name: str) -> Any:
    if name == "PostgresStore":
        value = of_an_extra(
            "toolresult.store.postgresql.store",
            name,
            home="store",
            extra="postgresql",
            package="sqlalchemy and psycopg",
            brings=frozenset({"sqlalchemy", "psycopg"}),
        )
    elif name == "ObjectStore":
        value = of_an_extra(
            "toolresult.store.objects.store",
            name,
            home="store",
            extra="objects",
            package="obstore",
            brings=frozenset({"obstore"}),
        )
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value  # found at once from now on
    return value
