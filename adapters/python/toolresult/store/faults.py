"""The faults of a store and their messages; from the errors of SQLite to them.

No text of SQLite reaches a message, since it may name files, tables or values;
the original error is chained for the log.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toolresult.store.interface import StoreError, StoreErrorCode

_BY_NAME = {
    "SQLITE_BUSY": StoreErrorCode.LOCKED,
    "SQLITE_LOCKED": StoreErrorCode.LOCKED,
    "SQLITE_PROTOCOL": StoreErrorCode.LOCKED,
    "SQLITE_FULL": StoreErrorCode.FULL,
    "SQLITE_CORRUPT": StoreErrorCode.DAMAGED,
    "SQLITE_NOTADB": StoreErrorCode.NOT_A_STORE,
    "SQLITE_FORMAT": StoreErrorCode.DAMAGED,
    "SQLITE_MISMATCH": StoreErrorCode.DAMAGED,
    "SQLITE_CONSTRAINT": StoreErrorCode.DAMAGED,
    "SQLITE_TOOBIG": StoreErrorCode.TOO_LARGE,
}
# Python 3.10 has no error code on the exception, only the text of sqlite3_errstr
# or of the database; these have been the same since SQLite 3.7.
_BY_TEXT = {
    "locked": StoreErrorCode.LOCKED,
    "locking protocol": StoreErrorCode.LOCKED,
    "is full": StoreErrorCode.FULL,
    "malformed": StoreErrorCode.DAMAGED,
    "not a database": StoreErrorCode.NOT_A_STORE,
    "datatype mismatch": StoreErrorCode.DAMAGED,
    "constraint failed": StoreErrorCode.DAMAGED,
    "no such table": StoreErrorCode.DAMAGED,
    "no such column": StoreErrorCode.DAMAGED,
    "decode to utf-8": StoreErrorCode.DAMAGED,
    "too big": StoreErrorCode.TOO_LARGE,
}
_MESSAGES = {
    StoreErrorCode.UNAVAILABLE: "The store cannot be used.",
    StoreErrorCode.LOCKED: "The store is busy. Try again.",
    StoreErrorCode.FULL: "The store is full.",
    StoreErrorCode.DAMAGED: "The store is damaged.",
    StoreErrorCode.NEWER: "The store was written by a later version of this program.",
    StoreErrorCode.NOT_A_STORE: "What is there is not a store of results.",
    StoreErrorCode.TOO_LARGE: "The result is larger than the store takes.",
}
_READ_ONLY = " The file or its folder is read-only for this process."


def fault(code: StoreErrorCode) -> StoreError:
    """The error of that code, with its fixed message."""
    return StoreError(code, _MESSAGES[code])


def classify(error: BaseException) -> StoreErrorCode:
    """The code for an error that SQLite or the file system raised."""
    if isinstance(error, (UnicodeDecodeError, sqlite3.InterfaceError)):
        return StoreErrorCode.DAMAGED
    name = getattr(error, "sqlite_errorname", None)
    if isinstance(name, str):
        # Extended names begin with the primary one: SQLITE_BUSY_SNAPSHOT, SQLITE_CORRUPT_INDEX.
        for primary, code in _BY_NAME.items():
            if name == primary or name.startswith(primary + "_"):
                return code
    if isinstance(error, sqlite3.Error):
        text = str(error).lower()
        for part, code in _BY_TEXT.items():
            if part in text:
                return code
    return StoreErrorCode.UNAVAILABLE


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns what SQLite and the file system raise inside into ``StoreError``, with its cause.

    Where the store at ``path`` cannot be used for want of permission, the message says so.
    """
    try:
        yield
    # OverflowError: a payload beyond what the C interface takes. MemoryError: SQLite
    # asks for as much as a damaged header says.
    except OverflowError as error:
        raise fault(StoreErrorCode.TOO_LARGE) from error
    except (sqlite3.Error, UnicodeDecodeError, OSError, MemoryError) as error:
        told = fault(classify(error))
        if told.code is StoreErrorCode.UNAVAILABLE and _is_read_only(path):
            told.message += _READ_ONLY
        raise told from error


def _is_read_only(path: Path) -> bool:
    """Whether this process may not write the file, or not beside it, where SQLite has its log."""
    folder = path.parent
    return (os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK)) or (
        os.access(path, os.F_OK) and not os.access(path, os.R_OK | os.W_OK)
    )
