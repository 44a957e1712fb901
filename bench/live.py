"""Calls to a server of the MCP SDK over HTTP, attached to a mapper and not.

``python -m bench.live plain 1000`` serves; the two servers are processes of their own, with the
same tool, which returns the same data. What is measured is the processor time that a call takes
in the server: a server that has enough to do answers as many calls as that allows, whatever
else the machine is doing meanwhile.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from time import perf_counter
from typing import Any, Final

from bench import data

REVISIONS: Final = ("2025-11-25", "2026-07-28")
KINDS: Final = ("plain", "attached")
_IN_A_ROW: Final = 50
"""Calls between two looks at the clock, which is too coarse for one."""
_PREFIX: Final = "io.modelcontextprotocol/"
_CLIENT: Final = {"name": "bench", "version": "1"}


def serve(kind: str, size: int) -> None:
    """Serves at a free port, which is the first line that is printed, until it is ended."""
    import socket

    # Here alone: whoever calls need not wait for it.
    import uvicorn
    from mcp.server.mcpserver import MCPServer
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route

    from toolresult import Mapper
    from toolresult.mcp import attach

    given = data.mixed(size)
    server: MCPServer[Any] = MCPServer("bench", log_level="ERROR")

    @server.tool()
    def products() -> dict[str, Any]:
        return given

    async def spent(request: Request) -> Response:
        return PlainTextResponse(str(time.process_time()))

    if kind == "attached":
        attach(server, Mapper(phase="final", limit=None))
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    app = server.streamable_http_app()
    app.router.routes.append(Route("/spent", spent))
    config = uvicorn.Config(app, log_level="error", lifespan="on", ws="none", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


class Caller:
    """A client of one revision, over one connection that stays open."""

    def __init__(self, port: int, revision: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        params: dict[str, Any] = {"name": "products", "arguments": {}}
        if revision == "2026-07-28":
            self._headers |= {
                "mcp-protocol-version": revision,
                "mcp-method": "tools/call",
                "mcp-name": "products",
            }
            params["_meta"] = {
                f"{_PREFIX}protocolVersion": revision,
                f"{_PREFIX}clientInfo": _CLIENT,
                f"{_PREFIX}clientCapabilities": {},
            }
        else:
            self._initialize(revision)
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        self._body = json.dumps(message).encode()

    def call(self) -> bytes:
        """The answer to one call, as it came. Raises RuntimeError for what is no result."""
        answer = self._post(self._body)
        if b'"structuredContent"' not in answer:
            raise RuntimeError(f"bench: no result: {answer[:200]!r}")
        return answer

    def spent(self) -> float:
        """Seconds of processor time that the server has taken so far."""
        self._connection.request("GET", "/spent")
        return float(self._connection.getresponse().read())

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()

    def _initialize(self, revision: str) -> None:
        params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": _CLIENT}
        first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        self._post(json.dumps(first).encode())
        self._headers["mcp-protocol-version"] = revision
        self._post(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def _post(self, body: bytes) -> bytes:
        self._connection.request("POST", "/mcp", body, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        session = response.getheader("mcp-session-id")
        if session is not None:
            self._headers["mcp-session-id"] = session
        return answer


def spent_per_call(callers: Mapping[str, Caller], seconds: float) -> dict[str, float]:
    """The least processor time of one call at each, in seconds; they take turns.

    The least, since what else runs on the machine only ever adds to it. ``seconds`` is about
    how long it takes in all. Each is called 250 times at least.
    """
    for caller in callers.values():
        _spent(caller)  # the first calls import and fill caches
    samples: dict[str, list[float]] = {name: [] for name in callers}
    end = perf_counter() + seconds
    while perf_counter() < end or len(samples[next(iter(callers))]) < 5:
        for name, caller in callers.items():
            samples[name].append(_spent(caller))
    return {name: min(found) for name, found in samples.items()}


def _spent(caller: Caller) -> float:
    before = caller.spent()
    for _ in range(_IN_A_ROW):
        caller.call()
    return (caller.spent() - before) / _IN_A_ROW


@contextmanager
def servers(size: int) -> Iterator[dict[str, int]]:
    """The ports of both servers, for as long as the block lasts."""
    with ExitStack() as stack:
        ports = {}
        for kind in KINDS:
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "bench.live", kind, str(size)],
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            stack.callback(process.terminate)
            assert process.stdout is not None
            ports[kind] = int(process.stdout.readline())
        yield ports


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
