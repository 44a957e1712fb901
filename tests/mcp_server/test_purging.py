"""A server purges its store for as long as it runs, and no longer."""

from __future__ import annotations

import logging
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from tests.mcp_server.clients import HttpClient
from tests.mcp_server.serving import over_http, wait_until

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.store import KeyRing, MemoryStore, SqliteStore, Store, StoreError, StoreErrorCode

START = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
OFTEN = timedelta(seconds=0.05)
DATA = {"rows": list(range(2000))}


class Shop:
    """A server that purges, its store and its clock."""

    def __init__(self, store: Store, every: timedelta | None = OFTEN) -> None:
        self.now = START
        self.store = store
        self.server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")

        @self.server.tool()
        def large() -> Result:
            return Result.success(DATA)

        mapper = Mapper(phase="final", limit=2000, store=store, clock=lambda: self.now)
        attach(self.server, mapper, principal=lambda ctx: "anna", purge_every=every)

    @property
    def count(self) -> int:
        return self.store.stats(now=self.now).count


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "toolresult-purge"]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_what_has_expired_is_deleted_while_the_server_runs(kind: str, tmp_path: Path) -> None:
    ring = KeyRing.generate()
    store: Store = MemoryStore(ring) if kind == "memory" else SqliteStore(tmp_path / "r.db", ring)
    with store:
        shop = Shop(store)
        assert threads() == []
        with over_http(shop.server) as url, HttpClient(url, "2026-07-28") as client:
            client.call("large")
            shop.now += timedelta(minutes=30)
            client.call("large")
            time.sleep(0.2)
            assert shop.count == 2
            shop.now += timedelta(minutes=31)
            wait_until(lambda: shop.count == 1)
            assert threads() == ["toolresult-purge"]
        assert threads() == []
        shop.now += timedelta(hours=2)
        time.sleep(0.2)
        assert shop.count == 1


def test_what_expired_while_no_server_ran_goes_at_the_start() -> None:
    store = MemoryStore()
    shop = Shop(store, every=timedelta(days=1))
    store.put(
        b"{}",
        principal="anna",
        now=START - timedelta(hours=2),
        lifetime=timedelta(hours=1),
        format_version=1,
        mime_type="application/json",
    )
    with over_http(shop.server):
        wait_until(lambda: shop.count == 0)
    assert threads() == []  # though it would have slept for a day


def test_nothing_runs_unless_it_is_asked_for() -> None:
    shop = Shop(MemoryStore(), every=None)
    with over_http(shop.server):
        assert threads() == []


def test_one_thread_however_often_the_server_runs() -> None:
    shop = Shop(MemoryStore())

    async def run() -> list[str]:
        async with Client(shop.server), Client(shop.server):
            return threads()

    assert anyio.run(run) == ["toolresult-purge"]
    assert threads() == []
    assert anyio.run(run) == ["toolresult-purge"]
    assert threads() == []


def test_a_store_that_fails_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    shop = Shop(store)
    failed = 0
    purge = store.purge

    def purge_at_last(**given: Any) -> int:
        nonlocal failed
        failed += 1
        if failed < 3:
            raise StoreError(StoreErrorCode.LOCKED, "The store is busy. Try again.")
        return purge(**given)

    monkeypatch.setattr(store, "purge", purge_at_last)
    with (
        caplog.at_level(logging.WARNING),
        over_http(shop.server) as url,
        HttpClient(url, "2025-06-18") as client,
    ):
        client.call("large")
        shop.now += timedelta(hours=2)
        wait_until(lambda: shop.count == 0)
    assert failed >= 3
    assert caplog.text.count("the store cannot be purged now") == 2


def test_what_cannot_purge() -> None:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")
    with pytest.raises(ValueError, match="the mapper has no store"):
        attach(server, Mapper(phase="final"), purge_every=OFTEN)
    mapper = Mapper(phase="final", store=MemoryStore(), clock=START)
    with pytest.raises(ValueError, match="purge_every: expected a positive duration"):
        attach(server, mapper, purge_every=timedelta(0))
    attach(server, mapper, purge_every=OFTEN)  # nothing was attached before
