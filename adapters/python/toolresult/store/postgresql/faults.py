"""From the errors of PostgreSQL, psycopg and SQLAlchemy to those of a store.

No text of theirs reaches a message; the original error is chained for the log. It has no
password (psycopg leaves it out of its messages) and no payload (``hide_parameters``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import exc

from toolresult.store.faults import fault
from toolresult.store.interface import StoreErrorCode

# SQLSTATEs, or their first two characters, which are their class; the longer one decides.
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_BY_STATE = {
    "22": StoreErrorCode.DAMAGED,  # a value that is none
    "23": StoreErrorCode.DAMAGED,  # a constraint
    "40": StoreErrorCode.LOCKED,  # a deadlock, a transaction that lost against another
    "42": StoreErrorCode.DAMAGED,  # no such table, no such column
    "42501": StoreErrorCode.UNAVAILABLE,  # no permission
    "53100": StoreErrorCode.FULL,  # disk full
    "53300": StoreErrorCode.LOCKED,  # too many connections
    "53400": StoreErrorCode.FULL,  # a bound of the configuration
    "54": StoreErrorCode.TOO_LARGE,  # a limit of the program
    "55P03": StoreErrorCode.LOCKED,  # lock_timeout
    "57014": StoreErrorCode.LOCKED,  # statement_timeout
    "XX001": StoreErrorCode.DAMAGED,  # a damaged page
    "XX002": StoreErrorCode.DAMAGED,  # a damaged index
}


def classify(error: BaseException) -> StoreErrorCode:
    """The code for an error that a database call raised."""
    if isinstance(error, exc.TimeoutError):  # all connections are in use
        return StoreErrorCode.LOCKED
    if isinstance(error, UnicodeDecodeError):
        return StoreErrorCode.DAMAGED
    original = error.orig if isinstance(error, exc.DBAPIError) else error
    state = original.sqlstate if isinstance(original, psycopg.Error) else None
    if state is None:  # psycopg itself: no connection, or one that broke
        return StoreErrorCode.UNAVAILABLE
    return _BY_STATE.get(state) or _BY_STATE.get(state[:2]) or StoreErrorCode.UNAVAILABLE


@contextmanager
def translated() -> Iterator[None]:
    """Turns what a database call raises inside into ``StoreError``, with its cause."""
    try:
        yield
    except (exc.SQLAlchemyError, psycopg.Error, OSError, MemoryError, UnicodeDecodeError) as error:
        raise fault(classify(error)) from error
