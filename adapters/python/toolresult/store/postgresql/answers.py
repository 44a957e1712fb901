"""Connections that do not wait for ever: a server that falls silent is let go of.

The server's own bounds are of no use where the server is frozen, nor are those of TCP, since the
system goes on confirming what arrives for it (and a Unix socket has none). psycopg does not block
in libpq: every operation is a generator that it wakes when there is something to read or write,
and every 0.1 seconds where there is not (psycopg.org/psycopg3/docs/api/connections.html,
``Connection.wait``). So the silence is measured here, in the thread that waits; no other thread
is needed, and nothing is left of one after a fork.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from datetime import timedelta
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import ExceptionContext

_OWN = "toolresult_silence"
"""Where the pool's record of a connection has the bound of its statements."""


class NoAnswer(psycopg.OperationalError):
    """The server has said nothing for too long. The connection is closed."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed once it has heard nothing for ``silence``."""

    silence: timedelta | None = None
    """How long the server may take neither a byte nor send one; None: for ever."""

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **kwargs: Any) -> Any:
        """As psycopg's. Raises ``NoAnswer``."""
        if self.silence is None:
            return super().wait(gen, *args, **kwargs)
        return super().wait(self._heard(gen, self.silence / timedelta(seconds=1)), *args, **kwargs)

    def _heard(self, gen: Generator[Any, Any, Any], limit: float) -> Generator[Any, Any, Any]:
        """``gen``, until nothing has been ready for ``limit`` seconds."""
        last = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    last = time.monotonic()
                elif time.monotonic() - last >= limit:
                    gen.close()
                    # Sends a goodbye if there is room for it, and waits for nothing.
                    self.close()
                    raise NoAnswer("the server does not answer")
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value


def bound(engine: Engine, answer: timedelta) -> None:
    """Bounds every wait of the engine's connections.

    The server has ``answer`` to show that it is there: when a connection is new, and each time
    before it is used. A statement has that long beyond the server's own ``statement_timeout``,
    which ends it with a better reason; where that is 0, it has no bound.
    """

    @event.listens_for(engine, "do_connect")
    def connect(_: Any, __: Any, arguments: list[Any], named: dict[str, Any]) -> BoundedConnection:
        try:
            made = BoundedConnection.connect(*arguments, **named)
        except psycopg.OperationalError as error:
            # Frames that are kept for a log would keep a half-open connection with them, which
            # the server would wait for once it goes on.
            error.__cause__ = error.__context__ = None
            raise error.with_traceback(None) from None
        made.silence = answer
        return made

    @event.listens_for(engine, "connect")
    def connected(connection: BoundedConnection, record: Any) -> None:
        # Asked for, since the address, the role or a pooler may have the last word about it.
        before = connection.autocommit
        connection.autocommit = True
        row = connection.execute(
            "SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'"
        ).fetchone()
        connection.autocommit = before
        timeout = timedelta(milliseconds=row[0] if row else 0)
        record.info[_OWN] = timeout + answer if timeout else None

    @event.listens_for(engine, "checkout")
    def taken(connection: BoundedConnection, record: Any, _: Any) -> None:
        connection.silence = record.info[_OWN]

    @event.listens_for(engine, "checkin")
    def given_back(connection: BoundedConnection | None, _: Any) -> None:
        if connection is not None:  # None: it was dropped
            connection.silence = answer

    @event.listens_for(engine, "handle_error")
    def failed(context: ExceptionContext) -> None:
        # Another connection to a server that does not answer would only wait once more.
        if context.is_pre_ping and isinstance(context.original_exception, NoAnswer):
            context.is_disconnect = False


def may_be_silent(connection: Connection, silence: timedelta) -> None:
    """Another bound for what is done on ``connection`` until it is given back."""
    taken: Any = connection.connection.driver_connection
    taken.silence = silence
