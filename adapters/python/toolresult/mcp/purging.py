"""Purges a store from time to time, for as long as a server runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any, Final

import anyio.to_thread

from toolresult.request import Clock, now_of
from toolresult.store import Store

Lifespan = Callable[[Any], AbstractAsyncContextManager[Any]]

_PATIENCE: Final = 5.0
"""Seconds that a server which stops waits for a purge that is under way."""

logger = logging.getLogger(__name__)


class Purging:
    """Deletes what has expired, at the start and then every ``every``, in one thread.

    A thread, since a purge is work for one, and so that it stands beside any event loop.
    A store that fails is tried again the next time; the log is told. Raises ValueError for
    a duration that is not positive.
    """

    def __init__(self, store: Store, clock: Clock, every: timedelta) -> None:
        if every <= timedelta(0):
            raise ValueError("purge_every: expected a positive duration")
        self._store = store
        self._clock = clock
        self._every = every / timedelta(seconds=1)
        self._running = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def around(self, lifespan: Lifespan) -> Lifespan:
        """A server's lifespan during which this runs; once, if the server runs several times."""

        @asynccontextmanager
        async def wrapped(server: Any) -> AsyncIterator[Any]:
            async with lifespan(server) as state:
                self._begin()
                try:
                    yield state
                finally:
                    await self._end()

        return wrapped

    def _begin(self) -> None:
        self._running += 1
        if self._running == 1:
            self._stop = threading.Event()
            self._thread = threading.Thread(
                target=self._run, args=(self._stop,), name="toolresult-purge", daemon=True
            )
            self._thread.start()

    async def _end(self) -> None:
        self._running -= 1
        thread = self._thread
        if self._running == 0 and thread is not None:
            self._thread = None
            self._stop.set()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(thread.join, _PATIENCE)

    def _run(self, stop: threading.Event) -> None:
        while True:
            try:
                count = self._store.purge(now=now_of(self._clock))
            except Exception:  # the store's, or the host's clock's: there is a next time
                logger.warning("the store cannot be purged now", exc_info=True)
            else:
                if count:
                    logger.info("%d expired results purged", count)
            if stop.wait(self._every):
                return
