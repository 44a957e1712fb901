"""Results as objects in a folder or bucket, found through the rows of another store.

The object is written first, then the row that refers to it: a link leads to bytes that are there.
What is left of a put that failed between the two is deleted by a purge once it would have expired.

docs: docs/shared-stores.md
"""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from toolresult.store.closing import Closing
from toolresult.store.faults import fault as store_fault
from toolresult.store.interface import (
    StoredLink,
    StoredPayload,
    StoreError,
    StoreErrorCode,
    StoreStats,
)
from toolresult.store.objects.faults import fault
from toolresult.store.objects.names import Reference, new_name
from toolresult.store.objects.place import Place, place_at
from toolresult.store.record import REFERENCE_TYPE, Rows, check_put, cutoff

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Backend

MAX_PAYLOAD_BYTES = 256 * 1024 * 1024
"""As in the other stores. S3 takes 5 GB in one piece."""


class ObjectStore(Closing):
    """Keeps the bytes of results in ``objects``, and all else in ``rows``.

    ``rows`` is any other store of this package, which is closed together with this one.
    ``objects`` is a URL (``file:///folder``, ``s3://bucket/prefix``) or a store of obstore.
    Nothing else may keep objects of this kind in the same place.

    Results that ``rows`` has had before are still read. Nothing is asked of ``objects`` before
    the first call, so that a process may open the store and fork then.

    Raises ``StoreError`` for a folder that cannot be used, ValueError for what is no such URL.
    """

    def __init__(
        self,
        rows: Rows,
        objects: str | Backend,
        *,
        create: bool = True,
        max_payload_bytes: int = MAX_PAYLOAD_BYTES,
    ) -> None:
        self._rows = rows
        self._place = (
            place_at(objects, create=create) if isinstance(objects, str) else Place(objects)
        )
        self._max_payload_bytes = max_payload_bytes
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
        """Store ``payload``; its link comes once object and row are safe. See ``Store.put``."""
        record = check_put(payload, now, lifetime, format_version, mime_type)
        if len(record.payload) > self._max_payload_bytes:
            raise store_fault(StoreErrorCode.TOO_LARGE)
        self._check_open()
        name = new_name(record)
        self._place.write(name, record.payload)
        try:
            link = self._rows.put(
                Reference.of(name, record.payload, mime_type).to_bytes(),
                principal=principal,
                now=now,
                lifetime=lifetime,
                format_version=format_version,
                mime_type=REFERENCE_TYPE,
            )
        except BaseException:
            with suppress(StoreError):
                self._place.delete([name])
            raise
        return StoredLink(link.uri, len(record.payload), link.expires_at, mime_type)

    def get(self, uri: str, *, principal: str, now: datetime) -> StoredPayload:
        """The payload behind ``uri``. See ``Store.get``.

        Raises ``StoreError``: ``store_damaged`` where the object is missing, or is not what
        was put.
        """
        record = self._rows.get_record(uri, principal=principal, now=now)
        if record.mime_type != REFERENCE_TYPE:
            return record.stored_payload()
        reference = Reference.from_bytes(record.payload)
        payload = self._place.read(reference.name, reference.size)
        if payload is None:
            # A purge deletes the row first: it may have come between.
            self._rows.get_record(uri, principal=principal, now=now)
            raise fault(StoreErrorCode.DAMAGED)
        if not reference.fits(payload):
            raise fault(StoreErrorCode.DAMAGED)
        return dataclasses.replace(
            record, payload=payload, mime_type=reference.mime_type
        ).stored_payload()

    def purge(self, *, now: datetime, older_than: timedelta | None = None) -> int:
        """Delete expired or old results, and objects that no row refers to. See ``Store.purge``.

        Such an object, of a put that was broken off, goes with the results of its time. They
        are not counted. If a call fails, the next purge deletes what is left.
        """
        count = self._rows.purge(now=now, older_than=older_than)
        self._place.purge(cutoff(now, older_than))
        return count

    def stats(self, *, now: datetime) -> StoreStats:
        """Counts of rows, and bytes of all objects. See ``Store.stats``."""
        of_rows = self._rows.stats(now=now)
        return dataclasses.replace(of_rows, payload_bytes=self._place.total())

    def list_version(self, name: str) -> int:
        """The version of a list, which is a row. See ``ListVersions.list_version``."""
        return self._rows.list_version(name)

    def raise_list_version(self, name: str) -> int:
        """Says that a list has changed. See ``ListVersions.raise_list_version``."""
        return self._rows.raise_list_version(name)

    def close(self) -> None:
        """Closes the rows. See ``Store.close``."""
        self._closed = True
        self._rows.close()

    def _check_open(self) -> None:
        if self._closed:
            raise store_fault(StoreErrorCode.UNAVAILABLE)
