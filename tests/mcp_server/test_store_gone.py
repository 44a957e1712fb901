"""A database and a bucket that stop while a server runs: it lives, and its clients get answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams
from tests.mcp_server.clients import HttpClient, RawClient
from tests.mcp_server.serving import over_http
from tests.store.servers import Cluster, S3Server, new_database

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.store import KeyRing, MemoryStore, ObjectStore, PostgresStore, Store

pytestmark = pytest.mark.needs_toolchain

DATA = {"rows": list(range(2000))}
NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
REVISIONS = ["2025-06-18", "2026-07-28"]


def server(store: Store, on_failure: Any) -> Server[Any]:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success(DATA, summary="2000 rows")

    async def principal(ctx: Any) -> str:
        return "anna"

    made: Server[Any] = Server("shop", on_call_tool=call_tool)
    mapper = Mapper(
        phase="final",
        limit=2000,
        store=store,
        clock=lambda: NOW,
        stamp=False,
        on_store_failure=on_failure,
    )
    attach(made, mapper, principal=principal)
    return made


@contextmanager
def clients(store: Store, on_failure: str) -> Iterator[list[RawClient]]:
    """One client of each era."""
    with over_http(server(store, on_failure)) as url:
        opened = [HttpClient(url, revision, {}) for revision in REVISIONS]
        with opened[0], opened[1]:
            yield list(opened)


def link_of(wire: dict[str, Any]) -> str:
    (uri,) = (block["uri"] for block in wire["content"] if "uri" in block)
    assert uri.startswith("toolresult://stored/")
    return str(uri)


def check_inline(store: Store, server: Cluster | S3Server) -> None:
    with clients(store, "inline") as both:
        links = [link_of(client.call("large")) for client in both]
        server.stop()
        for client, link in zip(both, links, strict=True):
            assert client.call("large")["structuredContent"] == DATA
            error = client.request("resources/read", {"uri": link})["error"]
            assert error["code"] == -32603
            assert "Reference: " in error["message"]
            # Still the same session, and nothing of it is lost.
            assert client.call("large")["structuredContent"] == DATA


def check_failing(store: Store, server: Cluster | S3Server, message: str) -> None:
    with clients(store, "fail") as both:
        server.stop()
        for client in both:
            wire = client.call("large")
            assert wire["isError"] is True
            assert wire["content"][0]["text"] == message


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    yield made
    made.remove()


def test_postgresql(cluster: Cluster) -> None:
    with new_database(cluster.url) as url:
        with PostgresStore(url, KeyRing.generate()) as store:
            check_inline(store, cluster)
            cluster.start()
            check_failing(store, cluster, "The store cannot be used.")
        cluster.start()


def test_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    bucket_server = S3Server()
    try:
        for name, value in bucket_server.environment.items():
            monkeypatch.setenv(name, value)
        with ObjectStore(MemoryStore(), f"s3://{bucket_server.new_bucket()}") as store:
            check_inline(store, bucket_server)
            check_failing(store, bucket_server, "The object store cannot be used.")
    finally:
        bucket_server.stop()
