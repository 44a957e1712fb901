"""A stream of ``subscriptions/listen``, as its bytes come."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any

from tests.mcp_server.clients import STATELESS, meta_of
from typing_extensions import Self


class Stream:
    """Opens the stream for changes of the list of tools, and waits for its acknowledgement."""

    def __init__(self, url: str, number: int = 1, wants: Mapping[str, Any] | None = None) -> None:
        host, _, path = url.removeprefix("http://").partition("/")
        self._connection = http.client.HTTPConnection(host, timeout=20)
        (revision,) = STATELESS
        params = {
            "notifications": {"toolsListChanged": True} if wants is None else dict(wants),
            "_meta": meta_of(revision),
        }
        method = "subscriptions/listen"
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": revision,
            "mcp-method": method,
        }
        self._connection.request("POST", f"/{path}", json.dumps(message).encode(), headers)
        self._socket = self._connection.sock
        self._response = self._connection.getresponse()
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.acknowledged = self.next()
        if self.acknowledged.get("method") != "notifications/subscriptions/acknowledged":
            self.close()
            raise AssertionError(self.acknowledged)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection, as a client does that has heard enough."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(timeout=20)
        self._response.close()
        self._connection.close()
        self._socket.close()

    def next(self) -> dict[str, Any]:
        """The next message of the stream. Fails after 20 seconds without one."""
        message = self._messages.get(timeout=20)
        assert message is not None, "the stream has ended"
        return message

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing comes for so long."""
        try:
            self._messages.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def _read(self) -> None:
        with suppress(OSError, ValueError, http.client.HTTPException):
            if self._response.getheader("content-type") == "application/json":
                self._messages.put(json.loads(self._response.read()))
            for line in iter(self._response.readline, b""):
                if line.startswith(b"data:"):
                    self._messages.put(json.loads(line[5:]))
        self._messages.put(None)
