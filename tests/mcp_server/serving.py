"""A server over HTTP on the loopback, in a thread of this process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer


@contextmanager
def over_http(server: Server[Any] | MCPServer[Any], **settings: Any) -> Iterator[str]:
    """Serves until the end of the block; the URL, one for both eras.

    The settings are those of ``streamable_http_app``.
    """
    with app_over_http(server.streamable_http_app(**settings)) as base:
        yield f"{base}/mcp"


@contextmanager
def app_over_http(app: Any) -> Iterator[str]:
    """Serves an ASGI app until the end of the block; the URL of its root, without a slash."""
    # With the protocol named, since asyncio sends small packets at once for such sockets alone.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", ws="none"))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        wait_until(lambda: running.started, "the server does not start")
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join(timeout=20)
        listening.close()
        assert not thread.is_alive()


def wait_until(is_so: Callable[[], object], otherwise: str = "it does not happen") -> None:
    """Fails with what is said ``otherwise`` where it is not so after 20 seconds."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end, otherwise
        time.sleep(0.01)
