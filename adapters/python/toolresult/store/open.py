"""Two short ways in: open the durable store with its keys, and read what a store gave back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolresult.store.interface import (
    LEGACY_FORMAT_VERSION,
    StoredPayload,
    StoreError,
    StoreErrorCode,
)
from toolresult.store.keys import KeyRing
from toolresult.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from toolresult_core import Result


def open_store(
    path: str | os.PathLike[str], key_file: str | os.PathLike[str], *, create: bool = True
) -> SqliteStore:
    """The SQLite store at ``path``, with the keys of ``key_file``.

    Made if it is not there and ``create`` is true. Raises ``StoreError``.
    """
    return SqliteStore(path, KeyRing.load(key_file), create=create)


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
