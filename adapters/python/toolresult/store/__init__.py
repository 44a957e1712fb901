"""Stores for results that are too large to send inline.

>>> from toolresult.store import KeyRing, MemoryStore, open_store

``MemoryStore`` lives and dies with the process; ``open_store(path, key_file)``
opens the durable default, an SQLite file shared by any number of workers.

docs: docs/stores.md
"""

from __future__ import annotations

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
)
from toolresult.store.keys import Key, KeyRing
from toolresult.store.memory import MemoryStore
from toolresult.store.open import open_result, open_store
from toolresult.store.sqlite import SqliteStore

__all__ = [
    "DEFAULT_LIFETIME",
    "LEGACY_FORMAT_VERSION",
    "Key",
    "KeyRing",
    "ListVersions",
    "MemoryStore",
    "SqliteStore",
    "Store",
    "StoreError",
    "StoreErrorCode",
    "StoreStats",
    "StoredLink",
    "StoredPayload",
    "open_result",
    "open_store",
]
