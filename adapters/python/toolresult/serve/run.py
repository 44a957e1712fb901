"""Runs a server until it is stopped: over HTTP, or over the standard streams."""

from __future__ import annotations

import json
import socket
import sys
import warnings
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Final

import anyio
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPDeprecationWarning
from starlette.routing import BaseRoute

from toolresult.mapper import Mapper
from toolresult.mcp import attach
from toolresult.mcp.border import is_attached
from toolresult.mcp.failures import Answer, Failures
from toolresult.mcp.hosts import host_of
from toolresult.request import DEFAULT, Default
from toolresult.serve.app import MCP_PATH, AnyServer, application, is_loopback
from toolresult.store import Store

LOCAL: Final = "local"
"""The principal of whoever can reach a server of this machine alone."""
_HTTP: Final = 80
"""The port of a URL that names none."""
_GRACE: Final = 3
"""Seconds that open streams have when the server stops."""

_KEEP_ALIVE: Final = 75
"""Seconds that an idle connection stays open: longer than clients keep theirs, or a request
meets a connection that the server is about to close."""

Routes = Callable[[str], list[BaseRoute]]
"""Further routes, for the address that the server has: ``http://host:port``."""


_PURGED = timedelta(hours=1)
"""How often expired results are deleted."""


def attached(
    server: AnyServer,
    store: Store,
    *,
    phase: str,
    limit: int | Default | None = DEFAULT,
    local: bool,
    failures: Mapping[type[Exception], Answer] | None = None,
) -> AnyServer:
    """The server, attached to a mapper; as it is where its author has attached it.

    ``local`` is whether only this machine reaches it: then large results are stored for the
    one who can, else they go inline, since nobody here can tell who asks.
    """
    if not is_attached(host_of(server, Failures(), None).lowlevel):
        mapper = Mapper(phase=phase, limit=limit, store=store, clock=_now, stamp=False)
        who = (lambda ctx: LOCAL) if local else None
        attach(server, mapper, principal=who, failures=failures, purge_every=_PURGED)
    return server


def _now() -> datetime:
    return datetime.now(timezone.utc)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises OSError for a port that is taken or not ours to take."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    # With its protocol, or asyncio leaves Nagle's algorithm on, and each answer waits 40 ms.
    made = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there the option lets two servers have one port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(2048)
    except OSError:
        made.close()
        raise
    return made


def over_http(
    server: AnyServer, host: str, bound: socket.socket, routes: Routes | None = None
) -> None:
    """Serves until a signal ends it, and says on stdout where, once it is ready.

    Raises KeyboardInterrupt after an interrupt.
    """
    _quiet()
    shown = f"[{host}]" if ":" in host else host
    port = bound.getsockname()[1]
    base = f"http://{shown}" if port == _HTTP else f"http://{shown}:{port}"
    app = application(server, host, [] if routes is None else routes(base))
    config = uvicorn.Config(
        app,
        log_level="warning",
        lifespan="on",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    running = _Announced(config, announcement(base, host, agent=routes is not None))
    running.run(sockets=[bound])


def announcement(base: str, host: str, *, agent: bool) -> str:
    """What a person reads who has started the server."""
    url = base + MCP_PATH
    lines = [f"MCP  {url}  (every revision, both eras)"]
    if agent:
        lines.append(f"A2A  {base}  (1.0 and 0.3, JSON-RPC and REST; the card says where)")
    entry = {"mcpServers": {"toolresult": {"type": "http", "url": url}}}
    lines += ["", "For the configuration of a client:", json.dumps(entry), ""]
    if not is_loopback(host):
        lines.append("Anyone who reaches this address can call the tools; results go inline.")
    lines.append("Ctrl-C ends it.")
    return "\n".join(lines)


class _Announced(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, text: str) -> None:
        super().__init__(config)
        self._text = text

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(self._text, flush=True)


def over_stdio(server: AnyServer) -> None:
    """Serves one client on the standard streams, until it closes them."""
    _quiet()
    if isinstance(server, MCPServer):
        anyio.run(server.run_stdio_async)
        return
    if not isinstance(server, Server):
        anyio.run(partial(server.run_stdio_async, show_banner=False))
        return

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)


def _quiet() -> None:
    # Clients of older revisions may use what the newest one advises against; whoever runs
    # the server cannot change that.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
