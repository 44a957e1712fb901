"""Clients that add nothing: one over HTTP, one over stdio, each speaking one revision.

They send what the protocol says and give back the JSON of the response as it came, so that
a test sees what any client would see. The SDK's client would check and reshape it.
"""

from __future__ import annotations

import http.client
import itertools
import json
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from typing_extensions import Self

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = ("2026-07-28",)
REVISIONS = (*HANDSHAKE, *STATELESS)
ROOT = Path(__file__).parents[2]
_NAME = {"name": "test", "version": "1"}
_PREFIX = "io.modelcontextprotocol/"


class RawClient(ABC):
    """One client of one revision. Every answer is a JSON-RPC response, parsed and no more."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.told: list[dict[str, Any]] = []
        """Notifications that came with responses, in their order."""
        self._ids = itertools.count(1)

    def __enter__(self) -> Self:
        if self.revision in HANDSHAKE:
            answer = self.request(
                "initialize",
                {"protocolVersion": self.revision, "capabilities": {}, "clientInfo": _NAME},
            )
            assert answer["result"]["protocolVersion"] == self.revision, answer
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The whole response, result or error."""
        sent = dict(params or {})
        if self.revision in STATELESS:
            sent["_meta"] = meta_of(self.revision)
        number = next(self._ids)
        answer = self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": sent})
        assert answer is not None
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", number), answer
        return answer

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The result of a tool, but for the stamp with which the SDK names the server."""
        answer = self.request("tools/call", {"name": tool, "arguments": dict(arguments or {})})
        assert "result" in answer, answer
        return unstamped(answer["result"])

    @abstractmethod
    def send(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Sends a message; the response to a request."""

    @abstractmethod
    def close(self) -> None:
        """Ends the connection."""


class HttpClient(RawClient):
    """Over streamable HTTP, with further headers if there are any."""

    def __init__(self, url: str, revision: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(revision)
        host, _, path = url.removeprefix("http://").partition("/")
        self._connection = http.client.HTTPConnection(host, timeout=30)
        self._path = f"/{path}"
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            **(headers or {}),
        }

    def send(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        headers = dict(self._headers)
        if self.revision in STATELESS:
            headers["mcp-protocol-version"] = self.revision
            headers["mcp-method"] = message["method"]
            name = message["params"].get("name", message["params"].get("uri"))
            if name is not None:
                headers["mcp-name"] = name
        self._connection.request("POST", self._path, json.dumps(message).encode(), headers)
        response = self._connection.getresponse()
        body = response.read()
        session = response.getheader("mcp-session-id")
        if session is not None:
            self._headers["mcp-session-id"] = session
        # Said by every revision, though only later ones have to: a server without sessions
        # takes a request without it for one of 2025-03-26, as the protocol says.
        self._headers["mcp-protocol-version"] = self.revision
        if "id" not in message:
            assert response.status == 202, body
            return None
        messages = [body]
        if (response.getheader("content-type") or "").startswith("text/event-stream"):
            events = [line[5:] for line in body.splitlines() if line.startswith(b"data:")]
            messages = [event for event in events if event.strip()]
        *told, answer = map(json.loads, messages)
        self.told += told
        assert isinstance(answer, dict)
        return answer

    def close(self) -> None:
        self._connection.close()


class StdioClient(RawClient):
    """Over the standard streams of a process of its own."""

    def __init__(self, module: str, arguments: tuple[str, ...], revision: str) -> None:
        super().__init__(revision)
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        if "id" not in message:
            return None
        while True:
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
            if "id" in answer:
                return answer
            self.told.append(answer)

    def close(self) -> None:
        _, told = self._process.communicate(timeout=30)
        assert self._process.returncode == 0, told.decode()


def meta_of(revision: str) -> dict[str, Any]:
    """What every request of the stateless era says of its client."""
    return {
        f"{_PREFIX}protocolVersion": revision,
        f"{_PREFIX}clientInfo": _NAME,
        f"{_PREFIX}clientCapabilities": {},
    }


def link_of(result: Mapping[str, Any]) -> str | None:
    """The link to a stored result, which old revisions have in a text; None if it came whole."""
    for block in result["content"]:
        found: str = block.get("uri") or block.get("text", "")
        if "toolresult://" in found:
            return next(word for word in found.split() if word.startswith("toolresult://"))
    return None


def unstamped(result: dict[str, Any]) -> dict[str, Any]:
    """A result without the SDK's stamp; without ``_meta`` where that held nothing else."""
    if "_meta" not in result:
        return result
    meta = {key: value for key, value in result["_meta"].items() if key != f"{_PREFIX}serverInfo"}
    rest = {key: value for key, value in result.items() if key != "_meta"}
    return {**rest, "_meta": meta} if meta else rest
