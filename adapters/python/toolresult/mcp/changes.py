"""Tells clients that the list of tools has changed, from one version that all workers share.

A client of a handshake is told with the response to its next request; one of the stateless
era through the stream that it opened with ``subscriptions/listen``. Neither is remembered
anywhere: a session has the version that its client has seen, a stream compares.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import anyio
import anyio.to_thread
from mcp.server.context import HandlerResult
from mcp.server.subscriptions import SubscriptionBus, ToolsListChanged
from mcp_types import SubscriptionsListenRequestParams

from toolresult.mcp.border import Context
from toolresult.store import ListVersions
from toolresult.store.interface import check_list_name

Listen = Callable[[Context, SubscriptionsListenRequestParams], Awaitable[HandlerResult]]

_ONE_SECOND: Final = timedelta(seconds=1)

logger = logging.getLogger(__name__)


class Changes:
    """The version of a server's list of tools, in a store.

    All workers that serve the list have a store over the same data, and the same ``name``;
    two servers with lists of their own have two names. ``poll`` is how often a worker with
    open streams of ``subscriptions/listen`` asks the store, once for all its streams.

    Raises TypeError for a store that keeps no versions, ValueError for a name that is none
    and for a ``poll`` that is not positive.
    """

    def __init__(
        self, store: ListVersions, *, name: str = "tools", poll: timedelta = _ONE_SECOND
    ) -> None:
        if not isinstance(store, ListVersions):
            raise TypeError(
                "store: expected one that keeps the versions of lists "
                f"(toolresult.store.ListVersions), found {type(store).__qualname__}"
            )
        if poll <= timedelta(0):
            raise ValueError("poll: expected a positive duration")
        self._store = store
        self._name = check_list_name(name)
        self._poll = poll / timedelta(seconds=1)
        self._fails = False

    async def tools_changed(self) -> None:
        """Says that the list has changed: call it once, in any worker, after the change.

        A job outside of a server calls ``store.raise_list_version(name)``. Raises StoreError.
        """
        await anyio.to_thread.run_sync(self._store.raise_list_version, self._name)

    async def version(self) -> int | None:
        """The version now; None while the store fails, of which the log is told once."""
        try:
            found = await anyio.to_thread.run_sync(self._store.list_version, self._name)
        except Exception as error:  # no request fails for want of a notification
            if not self._fails:
                logger.warning(
                    "the version of the list %r cannot be read, so no client is told of changes",
                    self._name,
                    exc_info=error,
                )
            self._fails = True
            return None
        self._fails = False
        return found

    def listening(self, listen: Listen, bus: SubscriptionBus) -> Listen:
        """A handler of ``subscriptions/listen`` whose bus gets what changes in the store."""
        watch = _Watch(self, bus, self._poll)

        async def handler(ctx: Context, params: SubscriptionsListenRequestParams) -> HandlerResult:
            await watch.begin()
            try:
                result: HandlerResult = None
                refused: Exception | None = None
                async with anyio.create_task_group() as group:
                    group.start_soon(watch.run)
                    try:
                        result = await listen(ctx, params)
                    except Exception as error:  # raised below, and not as one of a group
                        refused = error
                    group.cancel_scope.cancel()
                if refused is not None:
                    raise refused
                return result
            finally:
                watch.end()

        return handler


class _Watch:
    """Asks for the version while there are streams, and publishes that it is another one.

    Every stream has a turn at asking; whoever is due first asks for all. So none depends on
    another that may end, and nothing runs while nobody listens.
    """

    def __init__(self, changes: Changes, bus: SubscriptionBus, poll: float) -> None:
        self._changes = changes
        self._bus = bus
        self._poll = poll
        self._streams = 0
        self._known: int | None = None
        self._asked = 0.0

    async def begin(self) -> None:
        """Before a stream is acknowledged: what changes from now on is news to it."""
        found = await self._changes.version()
        if self._streams == 0:
            self._known = found
        self._streams += 1

    def end(self) -> None:
        """A stream is gone."""
        self._streams -= 1

    async def run(self) -> None:
        """One stream's turns, until it is cancelled."""
        while True:
            await anyio.sleep(self._poll)
            if time.monotonic() - self._asked < self._poll * 0.9:
                continue
            self._asked = time.monotonic()
            found = await self._changes.version()
            if found is not None and found != self._known:
                self._known = found
                await self._bus.publish(ToolsListChanged())
