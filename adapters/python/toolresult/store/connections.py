"""Connections to one SQLite file, for all threads of one process.

A connection serves one thread at a time and is kept for the next. Three things
that SQLite leaves to its user are done here:

- A file that is deleted or replaced while it is open would go on taking writes
  that nobody else sees. So the file at the path is compared (device and inode)
  with the one that was opened, before a connection is used and after: what was
  done on a file that has gone counts as not done.
- A connection must not cross a fork: the child would inherit the belief that it
  holds locks (sqlite.org/howtocorrupt.html, section 2.6). So idle connections
  are closed before each fork, and a child that was forked while some were in
  use refuses to open more.
- A connection that failed is closed, not used again.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolresult.store.faults import fault
from toolresult.store.interface import StoreErrorCode

MAX_IDLE = 8
"""Connections kept for later; more than that are opened and closed as needed."""

_FORK_PATIENCE = 5.0
"""Seconds that a fork waits for the connections in use to be handed back."""

Identity = tuple[int, int]
"""Device and inode."""


class Connections:
    """The open connections to the file at ``path``.

    ``connect`` opens one and prepares it. The file is never created here: a
    store that has gone stays gone until someone puts it back, since an empty
    one in its place would hide the loss.
    """

    def __init__(self, path: Path, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._changed = threading.Condition()
        self._idle: list[tuple[Identity, sqlite3.Connection]] = []
        self._in_use = 0
        self._closed = False
        self._unsafe = False
        _ALL.add(self)

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """A connection for the calling thread.

        Raises ``StoreError`` (``store_unavailable``) where there is none to be had,
        and at the end if the file is no longer the one at the path.
        """
        with self._changed:
            if self._closed or self._unsafe:
                raise fault(StoreErrorCode.UNAVAILABLE)
            self._in_use += 1
        try:
            identity, db = self._take()
            try:
                yield db
                if self._identity() != identity:
                    raise fault(StoreErrorCode.UNAVAILABLE)
            except BaseException:
                _close(db)
                raise
            self._give_back(identity, db)
        finally:
            with self._changed:
                self._in_use -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Closes what is idle now, and what is in use as soon as it is handed back."""
        with self._changed:
            self._closed = True
            self._close_idle()

    def _identity(self) -> Identity:
        status = os.stat(self._path)
        if not stat.S_ISREG(status.st_mode):
            raise fault(StoreErrorCode.UNAVAILABLE)
        return status.st_dev, status.st_ino

    def _take(self) -> tuple[Identity, sqlite3.Connection]:
        identity = self._identity()
        while True:
            with self._changed:
                if not self._idle:
                    break
                opened, db = self._idle.pop()
            if opened == identity:
                return opened, db
            _close(db)  # SQLite leaves the files of a moved database alone.
        return identity, self._connect(self._path)

    def _give_back(self, identity: Identity, db: sqlite3.Connection) -> None:
        with self._changed:
            if not self._closed and len(self._idle) < MAX_IDLE:
                self._idle.append((identity, db))
                return
        _close(db)

    def _close_idle(self) -> None:
        while self._idle:
            _close(self._idle.pop()[1])

    def before_fork(self) -> None:
        """Closes idle connections and holds the lock until the fork is done."""
        end = time.monotonic() + _FORK_PATIENCE
        self._changed.acquire()
        while self._in_use and self._changed.wait(max(0.0, end - time.monotonic())):
            pass
        self._close_idle()

    def after_fork_in_parent(self) -> None:
        """Goes on as before."""
        self._changed.release()

    def after_fork_in_child(self) -> None:
        """Goes on as before, unless some connection was in use by a thread that is gone."""
        self._unsafe = self._in_use > 0
        self._in_use = 0
        self._changed.release()


def _close(db: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        db.close()


_ALL: weakref.WeakSet[Connections] = weakref.WeakSet()
_held: list[Connections] = []


def _before_fork() -> None:
    # A list, so that after the fork exactly those are released that were held.
    _held[:] = list(_ALL)
    for connections in _held:
        connections.before_fork()


def _after_fork_in_parent() -> None:
    for connections in _held:
        connections.after_fork_in_parent()
    _held.clear()


def _after_fork_in_child() -> None:
    for connections in _held:
        connections.after_fork_in_child()
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
