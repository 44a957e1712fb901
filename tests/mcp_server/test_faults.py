"""What goes wrong around a stored result: keys, clocks, tokens and clients that go away."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient, link_of, meta_of
from tests.mcp_server.serving import over_http, wait_until

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.store import Key, KeyRing, MemoryStore, SqliteStore, Store
from toolresult.store.pointer import Pointer, new_record_id, sign

START = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
DATA = {"rows": list(range(2000))}
BOTH = ("2025-11-25", "2026-07-28")


class Shop:
    """A server, its store and its clock; ``slow`` waits until it is let go."""

    def __init__(self, store: Store) -> None:
        self.now = START
        self.let_go = threading.Event()
        self.started = 0
        self.ended: list[str] = []

        async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
            if params.name == "slow":
                self.started += 1
                try:
                    while not self.let_go.is_set():
                        await anyio.sleep(0.01)
                except BaseException:
                    self.ended.append("cancelled")
                    raise
                self.ended.append("done")
            return Result.success(DATA)

        self.server: Server[Any] = Server("shop", on_call_tool=call_tool)
        mapper = Mapper(phase="final", limit=2000, store=store, clock=lambda: self.now)
        attach(self.server, mapper, principal=self.principal)

    @staticmethod
    def principal(ctx: Any) -> str | None:
        user: str | None = ctx.request.headers.get("x-user")
        return user


@pytest.fixture
def keys() -> KeyRing:
    return KeyRing.generate()


@pytest.fixture
def shop(keys: KeyRing) -> Shop:
    return Shop(MemoryStore(keys))


@pytest.fixture
def url(shop: Shop) -> Iterator[str]:
    with over_http(shop.server) as found:
        yield found


def anna(url: str, revision: str) -> HttpClient:
    return HttpClient(url, revision, {"x-user": "anna"})


def linked(client: HttpClient) -> str:
    uri = link_of(client.call("large"))
    assert uri is not None
    return uri


def read(client: HttpClient, uri: str) -> str | int:
    """What is stored, or the code of the error."""
    answer = client.request("resources/read", {"uri": uri})
    if "error" in answer:
        assert answer["error"]["message"] == "Resource not found"
        assert answer["error"]["data"] == {"uri": uri}
        code: int = answer["error"]["code"]
        return code
    text: str = answer["result"]["contents"][0]["text"]
    assert json.loads(text)["data"] == DATA
    return text


def gone(revision: str) -> int:
    return -32002 if revision in HANDSHAKE else -32602


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_second_before_its_end_and_a_second_after(url: str, shop: Shop, revision: str) -> None:
    with anna(url, revision) as client:
        uri = linked(client)
        shop.now = START + HOUR - SECOND
        answer = client.request("resources/read", {"uri": uri})["result"]
        if revision not in HANDSHAKE:
            assert answer["ttlMs"] == 1000
        for at in (HOUR, HOUR + SECOND):
            shop.now = START + at
            assert read(client, uri) == gone(revision)
        shop.now = START + HOUR - SECOND
        assert isinstance(read(client, uri), str)


@pytest.mark.parametrize("revision", BOTH)
def test_a_clock_that_jumps(url: str, shop: Shop, revision: str) -> None:
    with anna(url, revision) as client:
        uri = linked(client)
        for jump in (timedelta(days=400), timedelta(days=36500)):
            shop.now = START + jump
            assert read(client, uri) == gone(revision)
            later = linked(client)  # what is stored meanwhile is good for an hour of that clock
            assert isinstance(read(client, later), str)
        shop.now = START - timedelta(days=400)
        assert isinstance(read(client, uri), str)
        earlier = linked(client)
        assert isinstance(read(client, earlier), str)
        shop.now = START
        assert isinstance(read(client, uri), str)
        assert read(client, earlier) == gone(revision)


@pytest.mark.parametrize("revision", BOTH)
def test_a_clock_that_fails_fails_the_call_alone(
    url: str, shop: Shop, revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    with anna(url, revision) as client:
        uri = linked(client)
        shop.now = datetime(2026, 7, 28)
        failed = client.request("tools/call", {"name": "large"})
        assert "time zone" not in str(failed)
        assert client.request("resources/read", {"uri": uri})["error"]["code"] == -32603
        shop.now = START
        assert isinstance(read(client, uri), str)


@pytest.mark.parametrize("revision", REVISIONS)
def test_forged_and_foreign_tokens(url: str, keys: KeyRing, revision: str) -> None:
    with anna(url, revision) as client, HttpClient(url, revision, {"x-user": "bob"}) as bob:
        uri = linked(client)
        raw = base64.urlsafe_b64decode(uri.removeprefix("toolresult://stored/"))
        later = int((START + 2 * HOUR).timestamp())
        other_keys = KeyRing.generate()

        def token(content: bytes) -> str:
            return f"toolresult://stored/{base64.urlsafe_b64encode(content).decode()}"

        forged = {
            "prolonged": token(raw[:1] + struct.pack(">Q", later) + raw[9:]),
            "another result": token(raw[:9] + new_record_id() + raw[25:]),
            "unsigned": token(raw[:25] + bytes(32)),
            "first bit": token(bytes([raw[0] ^ 1]) + raw[1:]),
            "last bit": token(raw[:-1] + bytes([raw[-1] ^ 1])),
            "other keys": sign(Pointer(raw[9:25], later), principal="anna", keys=other_keys),
            "for bob": sign(Pointer(raw[9:25], later), principal="bob", keys=keys),
            "of nothing": sign(Pointer(new_record_id(), later), principal="anna", keys=keys),
            "no token": "toolresult://stored/../../etc/passwd",
            "long": f"toolresult://stored/{'A' * 5000}",
        }
        for what, bad in forged.items():
            assert read(client, bad) == gone(revision), what
        assert read(bob, uri) == gone(revision)
        assert isinstance(read(client, uri), str)


@pytest.mark.parametrize("revision", BOTH)
def test_a_key_that_is_rotated_between_two_requests(tmp_path: Path, revision: str) -> None:
    """As docs/stores.md says it: the new key verifies, then signs, then the old one goes."""
    old, new = Key.generate("old"), Key.generate("new")
    path = tmp_path / "results.db"

    @contextmanager
    def worker(*keys: Key) -> Iterator[str]:
        with SqliteStore(path, KeyRing(keys)) as store, over_http(Shop(store).server) as url:
            yield url

    with worker(old) as first, anna(first, revision) as client:
        before = linked(client)
        with worker(old, new) as second, anna(second, revision) as there:
            assert isinstance(read(there, before), str)
            between = linked(there)
            assert isinstance(read(client, between), str)
            with worker(new, old) as third, anna(third, revision) as last:
                after = linked(last)
                for link in (before, between, after):
                    assert isinstance(read(last, link), str)
                assert isinstance(read(there, after), str)
                assert read(client, after) == gone(revision)  # which has the old one alone
    with worker(new) as fourth, anna(fourth, revision) as client:
        assert isinstance(read(client, after), str)
        for link in (before, between):
            assert read(client, link) == gone(revision)


@pytest.mark.parametrize("revision", BOTH)
def test_a_key_that_is_rotated_while_a_tool_runs(shop: Shop, keys: KeyRing, revision: str) -> None:
    """The store of the worker is another one by the time that the result is stored."""
    with over_http(shop.server) as url, anna(url, revision) as client:
        before = linked(client)
        store: Any = shop_store(shop)
        answers: list[Any] = []
        asking = threading.Thread(target=lambda: answers.append(client.call("slow")))
        asking.start()
        wait_until(lambda: shop.started == 1)
        store._keys = KeyRing([Key.generate("new"), Key("old", keys.signing)])
        shop.let_go.set()
        asking.join(timeout=20)
        after = link_of(answers[0])
        assert after is not None
        assert isinstance(read(client, after), str)
        assert isinstance(read(client, before), str)
        store._keys = KeyRing([Key.generate("newer")])  # as after a leak
        for link in (before, after):
            assert read(client, link) == gone(revision)
        assert isinstance(read(client, linked(client)), str)


def shop_store(shop: Shop) -> Any:
    """The store behind the server's handler of resources/read."""
    entry = shop.server.get_request_handler("resources/read")
    assert entry is not None
    handler: Any = entry.handler
    return handler.__self__._store


def test_a_client_that_goes_away_in_the_middle(url: str, shop: Shop) -> None:
    """Its tool is cancelled, nothing is stored for it, and the others go on."""
    params = {"name": "slow", "_meta": meta_of("2026-07-28")}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "slow",
        "x-user": "anna",
    }
    host = url.removeprefix("http://").partition("/")[0]
    for _ in range(5):
        connection = http.client.HTTPConnection(host, timeout=20)
        connection.request("POST", "/mcp", body, headers)
        wait_until(lambda: shop.started == len(shop.ended) + 1)
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()  # at once, with a reset
        wait_until(lambda: shop.started == len(shop.ended))
    assert shop.ended == ["cancelled"] * 5
    assert shop_store(shop).stats(now=START).count == 0
    with anna(url, "2026-07-28") as client:
        assert isinstance(read(client, linked(client)), str)


def test_a_client_of_a_session_that_goes_away_in_the_middle(url: str, shop: Shop) -> None:
    """The session goes on without it: the tool ends, and another connection takes it up."""
    client = anna(url, "2025-06-18").__enter__()
    call = {"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "slow"}}
    client._connection.request("POST", "/mcp", json.dumps(call).encode(), client._headers)
    wait_until(lambda: shop.started == 1)
    client._connection.close()
    shop.let_go.set()
    wait_until(lambda: shop.ended == ["done"])
    assert isinstance(read(client, linked(client)), str)  # http.client connects anew
    client.close()
