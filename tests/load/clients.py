"""Many clients at once, each of one revision: they send what the protocol says, and no more."""

from __future__ import annotations

import itertools
import json
from typing import Any

import httpx
from tests.mcp_server.clients import HANDSHAKE, STATELESS, meta_of

_NAME = {"name": "load", "version": "1"}


class AsyncClient:
    """One client of one revision, over the connections that all share."""

    def __init__(self, http: httpx.AsyncClient, url: str, revision: str) -> None:
        self.revision = revision
        self._http = http
        self._url = url
        self._ids = itertools.count(1)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }

    async def connect(self) -> None:
        """Shakes hands, where the revision does."""
        if self.revision in HANDSHAKE:
            first = {"protocolVersion": self.revision, "capabilities": {}, "clientInfo": _NAME}
            answer = await self.request("initialize", first)
            assert answer["result"]["protocolVersion"] == self.revision
            await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool."""
        answer = await self.request("tools/call", {"name": tool, "arguments": arguments})
        result: dict[str, Any] = answer["result"]
        return result

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The response to a request, which has to be the response to this very one."""
        number = next(self._ids)
        if self.revision in STATELESS:
            params = {**params, "_meta": meta_of(self.revision)}
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        response = await self._post(message)
        body = response.text
        if response.headers["content-type"].startswith("text/event-stream"):
            data = [line[5:] for line in body.splitlines() if line.startswith("data:")]
            body = next(one for one in data if one.strip())
        answer: dict[str, Any] = json.loads(body)
        assert (answer["id"], "error" in answer) == (number, False), answer
        return answer

    async def _post(self, message: dict[str, Any]) -> httpx.Response:
        headers = dict(self._headers)
        if self.revision in STATELESS:
            params = message["params"]
            headers["mcp-protocol-version"] = self.revision
            headers["mcp-method"] = message["method"]
            headers["mcp-name"] = params.get("name") or params.get("uri") or ""
        response = await self._http.post(self._url, json=message, headers=headers)
        session = response.headers.get("mcp-session-id")
        if session is not None:
            self._headers["mcp-session-id"] = session
            self._headers["mcp-protocol-version"] = self.revision
        assert response.status_code in (200, 202), response.text
        return response
