"""Two short ways in: open a durable store with its keys, and read what a store gave back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolresult.store.interface import (
    LEGACY_FORMAT_VERSION,
    StoredPayload,
    StoreError,
    StoreErrorCode,
    VersionedStore,
)
from toolresult.store.keys import KeyRing
from toolresult.store.record import Rows
from toolresult.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from toolresult_core import Result


def open_store(
    place: str | os.PathLike[str],
    keys: str | os.PathLike[str] | KeyRing,
    *,
    create: bool = True,
    objects: str | None = None,
) -> VersionedStore:
    """The store at ``place``, with the keys of a file or a ring.

    ``place`` is the path of an SQLite file, ``sqlite:///path``, or the address of a PostgreSQL
    database (``postgresql+psycopg://user@host/database``). With ``objects`` (``file:///folder``
    or ``s3://bucket/prefix``) the bytes of results are kept there. Made if it is not there and
    ``create`` is true; a bucket is never made.

    Raises ``StoreError``; ValueError for an address of no such kind, which the message does not
    show, since it may hold a password; ModuleNotFoundError where an extra is not installed.
    """
    ring = keys if isinstance(keys, KeyRing) else KeyRing.load(keys)
    if objects is None:
        return _rows(place, ring, create=create)
    from toolresult.store import ObjectStore  # first of all: it may not be installed
    from toolresult.store.objects.place import check_url

    check_url(objects)  # before rows are made
    rows = _rows(place, ring, create=create)
    try:
        return ObjectStore(rows, objects, create=create)
    except BaseException:
        rows.close()
        raise


def _rows(place: str | os.PathLike[str], keys: KeyRing, *, create: bool) -> Rows:
    scheme, mark, rest = os.fspath(place).partition("://")
    if not mark:
        return SqliteStore(place, keys, create=create)
    if scheme == "sqlite":
        # As SQLAlchemy writes it: three slashes before a relative path, four before an absolute.
        path = rest.removeprefix("/")
        if path == rest or not path or "?" in path:
            raise ValueError("store: expected sqlite:///path")
        return SqliteStore(path, keys, create=create)
    if scheme in ("postgresql", "postgresql+psycopg"):
        from toolresult.store import PostgresStore

        return PostgresStore(os.fspath(place), keys, create=create)
    raise ValueError(
        "store: expected the path of a file, sqlite:///path or postgresql+psycopg://host/database"
    )


def open_result(stored: StoredPayload) -> Result:
    """The result that was stored, of any known format version.

    Version 0 is the legacy string and goes through its reader. Raises
    ``ResultError``: ``unknown_version`` for a version later than this library.
    """
    if stored.format_version == LEGACY_FORMAT_VERSION:
        # Imported when needed: most stored results have a version of their own.
        from toolresult.legacy import read

        try:
            text = stored.payload.decode("utf-8")
        except UnicodeDecodeError as error:
            # The check sum held, so it was stored like this.
            raise StoreError(StoreErrorCode.DAMAGED, "The stored text is not UTF-8.") from error
        return read(text)
    from toolresult_core import Result

    return Result.from_json(stored.payload)
