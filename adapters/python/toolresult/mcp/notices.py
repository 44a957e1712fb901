"""The middleware that tells a session's client, with a response, that its tools have changed."""

from __future__ import annotations

from typing import Any

from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server

from toolresult.mcp.border import Context
from toolresult.mcp.changes import Changes
from toolresult.mcp.session import Session, session_of, tell_tools_changed


class Notices:
    """Compares, after each request of a session, what the client has seen with what is now.

    That is the version of the list, where there are ``changes``, and the toolsets that the
    session has enabled. Clients of a server that has this are told at the handshake that
    they will be told.
    """

    def __init__(self, server: Server[Any], changes: Changes | None) -> None:
        self._server = server
        self._changes = changes

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        session = session_of(ctx)
        if session is None or ctx.request_id is None:
            return await call_next(ctx)
        if ctx.method == "initialize":
            seen = await self._now(session, None)
            sent = await call_next(ctx)
            session.seen = seen
            return _with_capability(sent)
        if ctx.method == "tools/list":
            # Before the list is made, so that a change meanwhile is told later and not lost.
            seen = await self._now(session, None)
            sent = await call_next(ctx)
            if not (ctx.params or {}).get("cursor"):
                session.seen = seen
            return sent
        sent = await call_next(ctx)
        now = await self._now(session, session.seen)
        if session.seen is not None and now != session.seen:
            await tell_tools_changed(self._server, ctx)
        session.seen = now
        return sent

    async def _now(self, session: Session, otherwise: object) -> object:
        """What the list depends on; where the store fails, as it was known."""
        version: object = 0
        if self._changes is not None:
            version = await self._changes.version()
            if version is None:
                version = otherwise[0] if isinstance(otherwise, tuple) else None
        return version, session.enabled


def _with_capability(sent: HandlerResult) -> HandlerResult:
    if not isinstance(sent, dict) or "tools" not in sent.get("capabilities", {}):
        return sent
    capabilities = sent["capabilities"]
    tools = {**capabilities["tools"], "listChanged": True}
    return {**sent, "capabilities": {**capabilities, "tools": tools}}
