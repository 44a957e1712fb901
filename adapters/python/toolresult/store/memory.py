"""A store in memory, for tests and for servers of one process."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

from toolresult.store.closing import Closing
from toolresult.store.interface import (
    StoredLink,
    StoredPayload,
    StoreError,
    StoreErrorCode,
    StoreStats,
    check_list_name,
    not_found,
)
from toolresult.store.keys import KeyRing
from toolresult.store.pointer import Pointer, new_record_id, sign, verify
from toolresult.store.record import Record, check_put, cutoff
from toolresult.store.times import rfc3339, seconds


class MemoryStore(Closing):
    """Keeps payloads in this process, with the same pointers as the durable store.

    Bounded: where ``max_count`` results or ``max_bytes`` of payload would be
    exceeded, expired ones go first; if that does not suffice, ``put`` raises
    ``store_full``. It never drops a result whose link can still be read.

    Without ``keys`` the ring is random, and no link outlives the process.
    """

    def __init__(
        self,
        keys: KeyRing | None = None,
        *,
        max_count: int = 1_000,
        max_bytes: int = 256 * 1024 * 1024,
    ) -> None:
        if max_count < 1 or max_bytes < 1:
            raise ValueError("max_count, max_bytes: expected positive numbers")
        self._keys = keys or KeyRing.generate()
        self._max_count = max_count
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._records: dict[bytes, Record] = {}
        self._bytes = 0
        self._versions: dict[str, int] = {}
        self._closed = False

    def put(
        self,
        payload: bytes,
        *,
        principal: str,
        now: datetime,
        lifetime: timedelta,
        format_version: int,
        mime_type: str,
    ) -> StoredLink:
        """Store ``payload`` and return its link. See ``Store.put``."""
        record = check_put(payload, now, lifetime, format_version, mime_type)
        record_id = new_record_id()
        uri = sign(Pointer(record_id, record.expires_at), principal=principal, keys=self._keys)
        size = len(record.payload)
        if size > self._max_bytes:
            raise StoreError(StoreErrorCode.TOO_LARGE, "The result is larger than the store takes.")
        with self._lock:
            self._check_open()
            if not self._fits(size):
                self._drop([i for i, r in self._records.items() if r.expires_at <= seconds(now)])
            if not self._fits(size):
                raise StoreError(StoreErrorCode.FULL, "The store is full.")
            self._records[record_id] = record
            self._bytes += size
        return StoredLink(uri, size, rfc3339(record.expires_at), mime_type)

    def get(self, uri: str, *, principal: str, now: datetime) -> StoredPayload:
        """The payload behind ``uri``. See ``Store.get``."""
        return self.get_record(uri, principal=principal, now=now).stored_payload()

    def get_record(self, uri: str, *, principal: str, now: datetime) -> Record:
        """What ``get`` makes its answer of, with the same errors; for ``store.objects``."""
        pointer = verify(uri, principal=principal, now=now, keys=self._keys)
        with self._lock:
            self._check_open()
            record = self._records.get(pointer.record_id)
        if record is None:
            raise not_found()
        return record

    def purge(self, *, now: datetime, older_than: timedelta | None = None) -> int:
        """Delete expired or old results. See ``Store.purge``."""
        limit = cutoff(now, older_than)
        with self._lock:
            self._check_open()
            gone = [i for i, r in self._records.items() if limit.covers(r)]
            self._drop(gone)
        return len(gone)

    def stats(self, *, now: datetime) -> StoreStats:
        """Counts and sizes. See ``Store.stats``."""
        moment = seconds(now)
        with self._lock:
            self._check_open()
            records = list(self._records.values())
        stored = [record.stored_at for record in records]
        return StoreStats(
            count=len(records),
            expired=sum(record.expires_at <= moment for record in records),
            payload_bytes=sum(len(record.payload) for record in records),
            file_bytes=None,
            oldest_stored_at=rfc3339(min(stored)) if stored else None,
            newest_stored_at=rfc3339(max(stored)) if stored else None,
            schema_version=None,
        )

    def list_version(self, name: str) -> int:
        """The version of a list, for this process. See ``ListVersions.list_version``."""
        check_list_name(name)
        with self._lock:
            self._check_open()
            return self._versions.get(name, 0)

    def raise_list_version(self, name: str) -> int:
        """Says that a list has changed. See ``ListVersions.raise_list_version``."""
        check_list_name(name)
        with self._lock:
            self._check_open()
            self._versions[name] = self._versions.get(name, 0) + 1
            return self._versions[name]

    def close(self) -> None:
        """Forget everything. See ``Store.close``."""
        with self._lock:
            self._closed = True
            self._records.clear()
            self._versions.clear()
            self._bytes = 0

    def _fits(self, size: int) -> bool:
        return len(self._records) < self._max_count and self._bytes + size <= self._max_bytes

    def _drop(self, record_ids: list[bytes]) -> None:
        for record_id in record_ids:
            self._bytes -= len(self._records.pop(record_id).payload)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(StoreErrorCode.UNAVAILABLE, "The store is closed.")
