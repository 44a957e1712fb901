"""One application for MCP and A2A, which only the machine's own clients can reach by its name.

A web page may have its own name resolve to the loopback, and so have a browser talk to a local
server (DNS rebinding). The MCP SDK refuses such requests at its own path; here they are refused
at every path.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import (
    DEFAULT_MAX_REQUEST_BODY_SIZE,
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

if TYPE_CHECKING:
    from fastmcp import FastMCP

AnyServer: TypeAlias = "Server[Any] | MCPServer[Any] | FastMCP[Any]"

MCP_PATH: Final = "/mcp"
"""The one path of MCP, for both eras."""
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, for itself alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def application(server: AnyServer, host: str, more: Sequence[BaseRoute] = ()) -> Starlette:
    """The server at ``/mcp``, and further routes, with what protects them.

    On a loopback host, requests have to name a loopback host; elsewhere nobody knows which
    name is right. A body may have what the SDK allows it, four megabytes.
    """
    security = _security(host)
    app: Starlette
    if isinstance(server, (Server, MCPServer)):
        app = server.streamable_http_app(
            streamable_http_path=MCP_PATH, host=host, transport_security=security
        )
    else:  # which has no check of hosts of its own, but for the one below
        app = server.http_app(path=MCP_PATH, host_origin_protection=False)
    app.router.routes.extend(more)
    # Added last, so it is the outermost: who must not ask is not listened to.
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=DEFAULT_MAX_REQUEST_BODY_SIZE)
    app.add_middleware(Guard, settings=security)
    return app


def _security(host: str) -> TransportSecuritySettings:
    if not is_loopback(host):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = dict.fromkeys((*_LOOPBACK, f"[{host.strip('[]')}]" if ":" in host else host))
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        # Without a port too: clients leave out the one that http has anyway.
        allowed_hosts=[one for name in names for one in (name, f"{name}:*")],
        allowed_origins=[f"http://{one}" for name in names for one in (name, f"{name}:*")],
    )


class Guard:
    """Refuses requests whose host or origin is not allowed, whatever their path is."""

    def __init__(self, app: ASGIApp, settings: TransportSecuritySettings) -> None:
        self._app = app
        self._rules = TransportSecurityMiddleware(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refused = await self._rules.validate_request(Request(scope))
            if refused is not None:
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)
