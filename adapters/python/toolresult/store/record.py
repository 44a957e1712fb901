"""A stored result as every store holds it, and the checks that all stores share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from toolresult.store.interface import (
    StoredPayload,
    StoreError,
    StoreErrorCode,
    VersionedStore,
)
from toolresult.store.times import expiry, rfc3339, seconds

REFERENCE_TYPE = "application/vnd.toolresult.object+json"
"""The media type of a row that holds no result, but says which object does (``store.objects``)."""


@dataclass(frozen=True)
class Record:
    """One stored result. Times are seconds since 1970."""

    payload: bytes
    format_version: int
    mime_type: str
    stored_at: int
    expires_at: int

    def stored_payload(self) -> StoredPayload:
        """What ``Store.get`` returns for this record.

        Raises ``StoreError`` for one whose bytes are in an object store: a store that was
        opened without it would give the reference for the result.
        """
        if self.mime_type == REFERENCE_TYPE:
            raise StoreError(
                StoreErrorCode.UNAVAILABLE,
                "The bytes of this result are in an object store, which is not open here.",
            )
        return StoredPayload(
            payload=self.payload,
            format_version=self.format_version,
            mime_type=self.mime_type,
            stored_at=rfc3339(self.stored_at),
            expires_at=rfc3339(self.expires_at),
        )


class Rows(VersionedStore, Protocol):
    """A store that gives its records, which an object store needs of the one for its rows."""

    def get_record(self, uri: str, *, principal: str, now: datetime) -> Record:
        """What ``get`` makes its answer of, with the same errors."""
        ...


@dataclass(frozen=True)
class Cutoff:
    """What a purge deletes: records of which ``column`` is ``moment`` or before."""

    column: str
    """``expires_at`` or ``stored_at``."""
    moment: int

    def covers(self, record: Record) -> bool:
        """Whether ``record`` is to be deleted."""
        value = record.expires_at if self.column == "expires_at" else record.stored_at
        return value <= self.moment


def check_put(
    payload: bytes, now: datetime, lifetime: timedelta, format_version: int, mime_type: str
) -> Record:
    """The record that ``Store.put`` is to store. Raises ValueError for arguments out of range."""
    if not 0 <= format_version < 2**31:
        raise ValueError("format_version: expected a number from 0")
    if not mime_type or "\0" in mime_type:
        # No database takes NUL in text, but SQLite.
        raise ValueError("mime_type: expected a non-empty string without NUL")
    return Record(
        payload=bytes(payload),
        format_version=format_version,
        mime_type=mime_type,
        stored_at=seconds(now),
        expires_at=expiry(now, lifetime),
    )


def cutoff(now: datetime, older_than: timedelta | None) -> Cutoff:
    """What ``Store.purge`` deletes. Raises ValueError for a negative age."""
    if older_than is None:
        return Cutoff("expires_at", seconds(now))
    if older_than < timedelta(0):
        raise ValueError("older_than: expected a duration that is not negative")
    return Cutoff("stored_at", seconds(now) - older_than // timedelta(seconds=1))
