"""What a session of a handshake keeps, and how its client is told something.

The one module that reads a private name of the SDK's ``ServerSession``: its connection, which
has room for what is kept from one request of a session to the next (``Connection.state``).
There is no public way to it from a request.
"""

from __future__ import annotations

from typing import Any, Final

from mcp.server.lowlevel import Server
from mcp_types import ToolListChangedNotification

from toolresult.mcp.border import Context
from toolresult.mcp.era import HANDSHAKE, target_of

_PREFIX: Final = "dev.toolresult/"


class Session:
    """What is ours of a session's state; gone with the session."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._state = state

    @property
    def enabled(self) -> frozenset[str]:
        """The toolsets that were enabled during the conversation."""
        found: frozenset[str] = self._state.get(f"{_PREFIX}enabled", frozenset())
        return found

    @enabled.setter
    def enabled(self, names: frozenset[str]) -> None:
        self._state[f"{_PREFIX}enabled"] = names

    @property
    def seen(self) -> object:
        """What the client knows the list of tools by; None before it has asked anything."""
        return self._state.get(f"{_PREFIX}seen")

    @seen.setter
    def seen(self, known: object) -> None:
        self._state[f"{_PREFIX}seen"] = known


def session_of(ctx: Context) -> Session | None:
    """The session of a request; None on the stateless era and for servers without sessions."""
    if target_of(ctx.protocol_version)[0] != HANDSHAKE:
        return None
    connection = ctx.session._connection
    # A server without sessions makes a connection for each request, which has no other way back.
    return Session(connection.state) if connection.has_standalone_channel else None


async def tell_tools_changed(server: Server[Any], ctx: Context) -> None:
    """Sends ``notifications/tools/list_changed`` with the response of this request.

    A response that is sent as plain JSON has no room for it; then it goes to the stream that
    the client may have opened with GET.
    """
    related = None if _answers_in_json(server) else ctx.request_id
    await ctx.session.send_notification(ToolListChangedNotification(), related_request_id=related)


def _answers_in_json(server: Server[Any]) -> bool:
    try:
        return server.session_manager.json_response
    except RuntimeError:  # not served over HTTP, or by an app of the host's own making
        return False
