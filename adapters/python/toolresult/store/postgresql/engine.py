"""Connections to a PostgreSQL database, for all threads of one process.

SQLAlchemy's pool keeps them. What is set here bounds every wait: for a connection, for a lock,
for a statement, and for a server that has vanished without a word or is frozen (``answers``).
"""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError

from toolresult.store.postgresql.answers import bound

DRIVER = "postgresql+psycopg"


@dataclass(frozen=True)
class Waits:
    """How long a call may wait before it fails."""

    lock: timedelta = timedelta(seconds=5)
    """For another writer, and for a connection where all are in use."""
    statement: timedelta = timedelta(seconds=30)
    """For one statement, a payload of many megabytes included."""
    connect: timedelta = timedelta(seconds=5)
    """For the server to answer at all."""


def parse_url(text: str | URL) -> URL:
    """The address of a database.

    Raises ValueError, which does not show the text: it may hold a password.
    """
    expected = "store: expected an address such as postgresql+psycopg://user@host/database"
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(expected) from None
    if url.drivername not in ("postgresql", DRIVER):
        raise ValueError(expected)
    return url.set(drivername=DRIVER)


def make_engine(url: URL, waits: Waits, connections: int) -> Engine:
    """The engine for a store: statements commit at once, unless a transaction is asked for.

    What the address says itself (``?connect_timeout=…``) goes before what is set here.
    """
    engine = create_engine(
        url.difference_update_query(["options"]),
        connect_args=_arguments(url, waits),
        isolation_level="AUTOCOMMIT",
        pool_size=connections,
        max_overflow=connections,
        pool_timeout=waits.lock / timedelta(seconds=1),
        # A lookup before each use: a server that was restarted costs nobody a result.
        pool_pre_ping=True,
        pool_recycle=1800,
        # No payload reaches the text of an error, and so a log.
        hide_parameters=True,
    )
    bound(engine, waits.connect)
    _ALL.add(engine)
    return engine


def _arguments(url: URL, waits: Waits) -> dict[str, Any]:
    """What psycopg connects with, beside the address."""
    settings = {
        "statement_timeout": _milliseconds(waits.statement),
        "lock_timeout": _milliseconds(waits.lock),
        "idle_in_transaction_session_timeout": _milliseconds(waits.statement),
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    own = url.query.get("options", "")
    # The last one counts, so that the address can change each of ours.
    asked = own if isinstance(own, str) else " ".join(own)
    arguments: dict[str, Any] = {
        "options": f"{options} {asked}".strip(),
        # Prepared statements would not survive a pooler between us and the server.
        "prepare_threshold": None,
    }
    defaults: dict[str, Any] = {
        "application_name": "toolresult",
        "connect_timeout": max(1, round(waits.connect / timedelta(seconds=1))),
        # A server that is gone without closing the connection is noticed within the minute.
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": _milliseconds(waits.statement),
    }
    return arguments | {name: v for name, v in defaults.items() if name not in url.query}


def _milliseconds(wait: timedelta) -> int:
    # 0 would mean: no bound.
    return max(1, round(wait / timedelta(milliseconds=1)))


_ALL: weakref.WeakSet[Engine] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    # Two processes on one connection would read each other's answers. The parent's are let go
    # of, not closed, since closing says goodbye to the server in the parent's name.
    for engine in list(_ALL):
        engine.dispose(close=False)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
