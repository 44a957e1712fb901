"""What stores over a database share: a row with its check sum, and what one batch deletes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeVar

from toolresult.store.faults import fault
from toolresult.store.interface import StoreErrorCode
from toolresult.store.record import Record
from toolresult.store.times import rfc3339

BATCH_ROWS = 100
BATCH_BYTES = 16 * 1024 * 1024
"""A purge deletes at most so much (and at least one row) in one transaction."""

Id = TypeVar("Id")


def check_sum(record: Record) -> bytes:
    """SHA-256 over all that was put: no database notices a byte that changed in a payload."""
    head = f"{record.format_version}\n{record.stored_at}\n{record.expires_at}\n{record.mime_type}\n"
    digest = hashlib.sha256(head.encode("utf-8"))
    digest.update(record.payload)
    return digest.digest()


def record_of(row: Iterable[object]) -> Record:
    """The record in a row: payload, format version, media type, both times, check sum.

    Raises ``store_damaged`` if it is not what was put.
    """
    payload, format_version, mime_type, stored_at, expires_at, expected = row
    if not (
        isinstance(payload, bytes)
        and isinstance(format_version, int)
        and isinstance(mime_type, str)
        and isinstance(stored_at, int)
        and isinstance(expires_at, int)
    ):
        raise fault(StoreErrorCode.DAMAGED)
    record = Record(payload, format_version, mime_type, stored_at, expires_at)
    if check_sum(record) != expected:
        raise fault(StoreErrorCode.DAMAGED)
    return record


def first_batch(rows: Iterable[tuple[Id, int]]) -> list[Id]:
    """Of ids and sizes, those that one transaction is to delete: within the bound, or one."""
    chosen: list[Id] = []
    size = 0
    for id, length in rows:
        size += length
        if chosen and size > BATCH_BYTES:
            break
        chosen.append(id)
    return chosen


def shown(moment: object) -> str | None:
    """A time from the database for people. Raises ``store_damaged`` if it is none."""
    if moment is None:
        return None
    try:
        if isinstance(moment, int):
            return rfc3339(moment)
    except OverflowError:
        pass
    raise fault(StoreErrorCode.DAMAGED)


def whole(number: object) -> int:
    """A number from the database. Raises ``store_damaged`` if it is none."""
    if not isinstance(number, int):
        raise fault(StoreErrorCode.DAMAGED)
    return number
