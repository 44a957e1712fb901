"""Clients of both eras are told that the list of tools has changed, from one version."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types import CallToolRequestParams
from tests.mcp_server import worker
from tests.mcp_server.clients import HANDSHAKE, ROOT, HttpClient
from tests.mcp_server.listening import Stream
from tests.mcp_server.serving import over_http

from toolresult import Mapper, Result
from toolresult.mcp import Changes, attach
from toolresult.mcp.changes import _Watch
from toolresult.store import KeyRing, MemoryStore, SqliteStore

CHANGED = "notifications/tools/list_changed"
NOTICE = {"jsonrpc": "2.0", "method": CHANGED}
POLL = timedelta(seconds=0.05)


def names_of(client: HttpClient) -> list[str]:
    return [tool["name"] for tool in client.request("tools/list")["result"]["tools"]]


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[tuple[str, str, SqliteStore]]:
    """Two processes, and the store that they share with this one."""
    keys = tmp_path / "keys"
    ring = KeyRing.generate()
    keys.write_text(ring._keys[0].line)
    keys.chmod(0o600)
    path = tmp_path / "results.db"
    with SqliteStore(path, ring) as store:
        command = [sys.executable, "-m", "tests.mcp_server.worker", str(path), str(keys)]
        running = [
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
        ]
        try:
            urls = [one.stdout.readline().strip() for one in running if one.stdout is not None]
            assert all(urls), "a worker has not started"
            yield urls[0], urls[1], store
        finally:
            for one in running:
                one.terminate()
                one.communicate(timeout=20)


def test_two_workers_tell_the_clients_of_both(workers: tuple[str, str, SqliteStore]) -> None:
    one, two, store = workers
    with (
        HttpClient(one, "2025-11-25") as here,
        HttpClient(two, "2024-11-05") as there,
        Stream(one, 7) as stream_here,
        Stream(two, 8) as stream_there,
        HttpClient(one, "2026-07-28") as caller,
        HttpClient(two, "2026-07-28") as other,
    ):
        for client in (here, there):
            assert names_of(client) == ["add_tool", "load_tool"]
            client.request("ping")
            assert client.told == []
        # Both workers get the tool; one of them says so.
        other.call("load_tool", {"name": "new"})
        caller.call("add_tool", {"name": "new"})
        for stream, number in ((stream_here, 7), (stream_there, 8)):
            notice = stream.next()
            assert notice["method"] == CHANGED
            assert notice["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": number}
        for client in (here, there):
            client.request("ping")
            assert client.told == [NOTICE]
            client.request("ping")
            assert names_of(client) == ["add_tool", "load_tool", "new"]
            client.request("ping")
            assert client.told == [NOTICE]
        # A job in a process that serves nothing.
        store.raise_list_version("tools")
        assert stream_here.next()["method"] == stream_there.next()["method"] == CHANGED
        for client in (here, there):
            client.request("ping")
            assert client.told == [NOTICE] * 2
        assert caller.told == other.told == []
        assert stream_here.is_silent(0.5) and stream_there.is_silent(0.1)


def test_a_change_before_the_list_is_asked_for_is_no_news(
    workers: tuple[str, str, SqliteStore],
) -> None:
    one, _, store = workers
    with HttpClient(one, "2025-06-18") as client:
        store.raise_list_version("tools")
        names_of(client)
        client.request("ping")
        assert client.told == []
    with Stream(one) as stream:
        assert stream.is_silent(0.3)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def url(store: MemoryStore) -> Iterator[str]:
    with over_http(worker.server(store)) as found:
        yield found


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_every_handshake_revision(url: str, store: MemoryStore, revision: str) -> None:
    with HttpClient(url, revision) as client:
        store.raise_list_version("tools")
        client.call("load_tool", {"name": revision})
        assert client.told == [NOTICE]


def test_a_list_of_another_name_is_no_news(url: str, store: MemoryStore) -> None:
    with HttpClient(url, "2025-06-18") as client:
        store.raise_list_version("other")
        client.request("ping")
        assert client.told == []


def test_only_who_wants_it_is_told(url: str, store: MemoryStore) -> None:
    with Stream(url, wants={"promptsListChanged": True}) as other, Stream(url) as stream:
        store.raise_list_version("tools")
        assert stream.next()["method"] == CHANGED
        assert other.is_silent(0.2)


def test_a_store_that_is_gone_stops_nobody(
    url: str, store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    with HttpClient(url, "2025-06-18") as client, Stream(url) as stream:
        store.close()
        for _ in range(3):
            client.request("ping")
        assert names_of(client) == ["add_tool", "load_tool"]
        assert stream.is_silent(0.3)
        assert client.told == []
    with Stream(url), HttpClient(url, "2025-11-25") as client:
        client.request("ping")
    told = [one for one in caplog.records if "cannot be read" in one.getMessage()]
    assert len(told) == 1


def test_answers_in_json_leave_the_notice_to_the_open_stream(store: MemoryStore) -> None:
    with (
        over_http(worker.server(store), json_response=True) as url,
        HttpClient(url, "2025-06-18") as client,
    ):
        host, _, path = url.removeprefix("http://").partition("/")
        listening = http.client.HTTPConnection(host, timeout=20)
        headers = {**client._headers, "accept": "text/event-stream"}
        listening.request("GET", f"/{path}", headers=headers)
        response = listening.getresponse()
        store.raise_list_version("tools")
        client.request("ping")
        assert client.told == []
        lines = iter(response.readline, b"")
        data = next(line for line in lines if line.startswith(b"data:"))
        response.close()
        listening.close()
    assert json.loads(data[5:]) == NOTICE


def test_an_mcpserver_with_the_clients_of_the_sdk(store: MemoryStore) -> None:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")

    @server.tool()
    def first() -> Result:
        return Result.success(1)

    changes = Changes(store, poll=POLL)
    attach(server, Mapper(phase="final"), changes=changes)

    async def ask(url: str) -> list[str]:
        heard = anyio.Event()

        async def hear(message: Any) -> None:
            if getattr(message, "method", None) == CHANGED:
                heard.set()

        async with Client(url, mode="legacy", message_handler=hear) as client:
            await client.list_tools()
            async with (
                Client(url, mode="auto") as listening,
                listening.listen(tools_list_changed=True) as events,
            ):
                server.add_tool(first, name="second")
                await changes.tools_changed()
                event = await anext(aiter(events))
                assert isinstance(event, ToolsListChanged)
            await client.call_tool("first", {})
            with anyio.fail_after(20):
                await heard.wait()
            return [tool.name for tool in (await client.list_tools()).tools]

    with over_http(server) as url:
        assert anyio.run(ask, url) == ["first", "second"]


def test_a_handler_of_the_hosts_own_needs_its_bus(store: MemoryStore) -> None:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success()

    bus = InMemorySubscriptionBus()

    def made(**settings: Any) -> Server[Any]:
        handler = ListenHandler(bus, **settings)
        return Server("own", on_call_tool=call_tool, on_subscriptions_listen=handler)

    changes = Changes(store, poll=POLL)
    server = made(max_subscriptions=1)
    with pytest.raises(ValueError, match="give its bus too"):
        attach(server, Mapper(phase="final"), changes=changes)
    attach(server, Mapper(phase="final"), changes=changes, bus=bus)  # nothing was attached before
    with over_http(server) as url, Stream(url) as stream:
        store.raise_list_version("tools")
        assert stream.next()["method"] == CHANGED
        with pytest.raises(AssertionError, match="Subscription limit reached"):
            Stream(url)


def test_what_makes_no_changes(store: MemoryStore) -> None:
    with pytest.raises(TypeError, match="expected one that keeps the versions of lists"):
        Changes(object())  # type: ignore[arg-type]  # what is tested
    with pytest.raises(ValueError, match="printable"):
        Changes(store, name="")
    with pytest.raises(ValueError, match="poll: expected a positive duration"):
        Changes(store, poll=timedelta(0))


def test_one_stream_asks_for_all(store: MemoryStore, url: str) -> None:
    """The store is asked about as often for twenty streams as for one."""
    asked = 0
    counting = threading.Lock()
    own = store.list_version

    def list_version(name: str) -> int:
        nonlocal asked
        with counting:
            asked += 1
        return own(name)

    streams = [Stream(url, number) for number in range(20)]
    store.list_version = list_version  # type: ignore[method-assign]  # counted from now on
    assert streams[0].is_silent(1)
    at_rest = asked
    store.raise_list_version("tools")
    for stream in streams:
        assert stream.next()["method"] == CHANGED
        stream.close()
    assert 2 <= at_rest <= 25


def test_a_stream_that_ends_leaves_the_others(store: MemoryStore, url: str) -> None:
    with Stream(url, 1) as stays:
        for number in range(2, 5):
            with Stream(url, number):
                pass
        store.raise_list_version("tools")
        assert stays.next()["method"] == CHANGED


def test_who_comes_while_others_listen_misses_nothing(store: MemoryStore) -> None:
    """What changes between its acknowledgement and the next look at the store is told."""

    async def look() -> list[Any]:
        bus = InMemorySubscriptionBus()
        heard: list[Any] = []
        bus.subscribe(heard.append)
        watch = _Watch(Changes(store), bus, 0.01)
        await watch.begin()
        await watch.begin()
        store.raise_list_version("tools")
        await watch.begin()  # must not take the change for known
        with anyio.move_on_after(0.2):
            await watch.run()
        return heard

    assert len(anyio.run(look)) == 1
