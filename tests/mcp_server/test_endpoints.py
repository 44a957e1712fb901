"""Two endpoints in one app, each with principals of its own, and one rule for both.

An administrator is an integration and its user; a shopper is a channel and a context token.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timezone
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolRequestParams
from starlette.applications import Starlette
from starlette.routing import Mount
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient, link_of
from tests.mcp_server.serving import app_over_http, over_http

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.store import MemoryStore

DATA = {"rows": list(range(2000))}
NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
ADMIN = {"sw-integration": "erp", "sw-user": "7"}
SHOPPER = {"sw-access-key": "public", "sw-channel": "web", "sw-context-token": "c0ffee"}


def admin(ctx: Any) -> str | None:
    found = ctx.request.headers
    if "sw-integration" not in found or "sw-user" not in found:
        return None
    return f"admin/{found['sw-integration']}/{found['sw-user']}"


def shopper(ctx: Any) -> str | None:
    found = ctx.request.headers
    if "sw-channel" not in found or "sw-context-token" not in found:
        return None
    return f"shopper/{found['sw-channel']}/{found['sw-context-token']}"


def endpoints(store: MemoryStore) -> dict[str, Any]:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success(DATA, summary="rows")

    lowlevel: Server[Any] = Server("admin", on_call_tool=call_tool)
    highlevel: MCPServer[Any] = MCPServer("shop", log_level="ERROR")

    @highlevel.tool()
    def rows() -> Result:
        return Result.success(DATA, summary="rows")

    mapper = Mapper(phase="final", limit=2000, store=store, clock=lambda: NOW)
    attach(lowlevel, mapper, principal=admin)
    attach(highlevel, mapper, principal=shopper)
    return {"admin": lowlevel, "shop": highlevel}


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def urls(store: MemoryStore) -> Iterator[dict[str, str]]:
    apps = {name: one.streamable_http_app() for name, one in endpoints(store).items()}

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for one in apps.values():
                await stack.enter_async_context(one.router.lifespan_context(one))
            yield

    app = Starlette(
        routes=[Mount(f"/{name}", one) for name, one in apps.items()], lifespan=lifespan
    )
    with app_over_http(app) as base:
        yield {name: f"{base}/{name}/mcp" for name in apps}


CREDENTIALS = {"admin": ADMIN, "shop": SHOPPER}


@pytest.mark.parametrize("revision", REVISIONS)
def test_one_rule_for_both(urls: dict[str, str], store: MemoryStore, revision: str) -> None:
    links = {}
    for name, own in CREDENTIALS.items():
        with HttpClient(urls[name], revision, own) as client:
            uri = link_of(client.call("rows"))
            assert uri is not None
            links[name] = uri
            assert (
                "1999"
                in client.request("resources/read", {"uri": uri})["result"]["contents"][0]["text"]
            )
    code = -32002 if revision in HANDSHAKE else -32602
    strangers: list[tuple[str, Mapping[str, str], str]] = [
        ("admin", {**ADMIN, "sw-user": "8"}, "admin"),
        ("admin", {**ADMIN, "sw-integration": "pim"}, "admin"),
        ("admin", ADMIN, "shop"),
        ("shop", {**SHOPPER, "sw-context-token": "decaf"}, "shop"),
        ("shop", {**SHOPPER, "sw-channel": "app"}, "shop"),
        ("shop", SHOPPER, "admin"),
        ("shop", {**SHOPPER, **ADMIN}, "admin"),
        ("admin", {}, "admin"),
    ]
    for endpoint, headers, owner in strangers:
        with HttpClient(urls[endpoint], revision, headers) as client:
            error = client.request("resources/read", {"uri": links[owner]})["error"]
            assert (error["code"], error["message"]) == (code, "Resource not found")


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    ("name", "headers"),
    [
        ("admin", {}),
        ("admin", {"sw-integration": "erp"}),
        ("admin", SHOPPER),
        ("shop", {"sw-access-key": "public", "sw-channel": "web"}),
        ("shop", ADMIN),
    ],
)
def test_without_a_principal_the_result_goes_inline(
    urls: dict[str, str], store: MemoryStore, revision: str, name: str, headers: Mapping[str, str]
) -> None:
    with HttpClient(urls[name], revision, headers) as client:
        wire = client.call("rows")
    assert link_of(wire) is None
    assert "1999" in wire["content"][0]["text"]
    assert store.stats(now=NOW).count == 0


def test_both_at_once_stay_apart(urls: dict[str, str], store: MemoryStore) -> None:
    faults: list[str] = []

    def work(name: str, revision: str) -> None:
        with HttpClient(urls[name], revision, CREDENTIALS[name]) as client:
            for _ in range(5):
                uri = link_of(client.call("rows"))
                if uri is None or "result" not in client.request("resources/read", {"uri": uri}):
                    faults.append(name)

    threads = [
        threading.Thread(target=work, args=(name, revision))
        for name in CREDENTIALS
        for revision in ("2025-06-18", "2026-07-28")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert store.stats(now=NOW).count == 20


def asked(url: str, method: str, headers: Mapping[str, str]) -> tuple[int, str | None]:
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.request(method, f"/{path}", headers=dict(headers))
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, response.getheader("allow")


def test_there_is_no_session_to_delete_on_the_stateless_era(urls: dict[str, str]) -> None:
    for url in urls.values():
        for method in ("DELETE", "GET", "PUT"):
            for session in ({}, {"mcp-session-id": "0" * 32}):
                headers = {"mcp-protocol-version": "2026-07-28", **session}
                assert asked(url, method, headers) == (405, "POST")


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_a_session_of_a_handshake_is_deleted(urls: dict[str, str], revision: str) -> None:
    url = urls["admin"]
    with HttpClient(url, revision, ADMIN) as client:
        uri = link_of(client.call("rows"))
        session = {name: client._headers[name] for name in client._headers if "mcp" in name}
        assert asked(url, "DELETE", {**session, **ADMIN})[0] == 200
        assert asked(url, "DELETE", {**session, **ADMIN})[0] == 404
    with HttpClient(url, revision, ADMIN) as again:  # the result outlives the session
        assert "result" in again.request("resources/read", {"uri": uri})


def test_a_server_without_sessions_has_none_to_delete() -> None:
    server = endpoints(MemoryStore())["admin"]
    with over_http(server, stateless_http=True) as url:
        for revision in REVISIONS:
            assert asked(url, "DELETE", {"mcp-protocol-version": revision})[0] == 405
