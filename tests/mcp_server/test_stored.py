"""A result over the limit goes as a link, which gives it back in both eras, to one principal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient, RawClient
from tests.mcp_server.serving import over_http

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.store import KeyRing, MemoryStore, SqliteStore, Store

DATA = {"rows": list(range(2000)), "big": 2**70}
LARGE = Result.from_value(
    {
        "format_version": 1,
        "data": DATA,
        "summary": "2000 rows",
        "metadata": {"presentation": {"com.example/view": "for the user interface"}},
    }
)
START = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
SECRET = "pa55word"


class Shop:
    """A server, its store and its clock."""

    def __init__(self, server: Any, store: Store, **settings: Any) -> None:
        self.now = START
        self.runs = 0
        self.store = store
        self.server = server
        mapper = Mapper(
            phase="final", limit=2000, store=store, clock=lambda: self.now, stamp=False, **settings
        )
        attach(server, mapper, principal=self.principal)

    @staticmethod
    async def principal(ctx: Any) -> str | None:
        user: str | None = ctx.request.headers.get("x-user")
        if user == "broken":
            raise RuntimeError(SECRET)
        if user == "refused":
            raise MCPError(code=-32001, message="Log in first.")
        return user


def lowlevel(runs: list[str]) -> Server[Any]:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        runs.append(params.name)
        return LARGE

    return Server("shop", on_call_tool=call_tool)


def highlevel() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")

    @server.tool()
    def large() -> Result:
        return LARGE

    @server.resource("shop://opening-hours")
    def opening_hours() -> str:
        return "9 to 5"

    return server


@pytest.fixture
def runs() -> list[str]:
    return []


@pytest.fixture
def shop(runs: list[str]) -> Shop:
    return Shop(lowlevel(runs), MemoryStore())


@pytest.fixture
def url(shop: Shop) -> Iterator[str]:
    with over_http(shop.server) as found:
        yield found


def client(url: str, revision: str, user: str | None = "anna") -> HttpClient:
    return HttpClient(url, revision, {} if user is None else {"x-user": user})


def link_of(asking: RawClient) -> str:
    meta = asking.call("large")["_meta"]
    uri = next(
        block.get("uri") or block["text"].split()[2]
        for block in asking.call("large")["content"]
        if "toolresult://" in str(block)
    )
    assert meta["dev.toolresult/responseSize"] > 2000
    assert isinstance(uri, str)
    return uri


def not_found(revision: str, uri: str) -> dict[str, Any]:
    code = -32002 if revision in HANDSHAKE else -32602
    return {"code": code, "message": "Resource not found", "data": {"uri": uri}}


def read(asking: RawClient, uri: str) -> dict[str, Any]:
    return asking.request("resources/read", {"uri": uri})


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_link_gives_the_stored_result(url: str, shop: Shop, revision: str) -> None:
    with client(url, revision) as anna:
        uri = link_of(anna)
        shop.now += timedelta(minutes=50, seconds=1)
        result = read(anna, uri)["result"]
    (contents,) = result["contents"]
    text = contents.pop("text")
    assert contents == {"uri": uri, "mimeType": "application/json"}
    assert Result.from_json(text) == LARGE.replace(metadata=None)
    assert "presentation" not in text
    if revision in HANDSHAKE:
        assert result.keys() == {"contents"}
    else:
        assert result["ttlMs"] == (9 * 60 + 59) * 1000
        assert result["cacheScope"] == "private"
        assert result["resultType"] == "complete"


@pytest.mark.parametrize(("first", "second"), [("2024-11-05", "2026-07-28"), REVISIONS[:-4:-2]])
def test_a_link_of_one_era_is_read_in_the_other(url: str, first: str, second: str) -> None:
    with client(url, first) as one, client(url, second) as other:
        answer = read(other, link_of(one))
    assert json.loads(answer["result"]["contents"][0]["text"])["data"]["big"] == 2**70


@pytest.mark.parametrize("revision", REVISIONS)
def test_any_other_pointer_is_not_found(url: str, shop: Shop, revision: str) -> None:
    with client(url, revision) as anna, client(url, revision, "bob") as bob:
        uri = link_of(anna)
        changed = uri[:-1] + ("A" if uri[-1] != "A" else "B")
        for bad in (changed, uri[:-2], "toolresult://stored/", "toolresult://other", uri + "?x=1"):
            assert read(anna, bad)["error"] == not_found(revision, bad)
        assert read(bob, uri)["error"] == not_found(revision, uri)
        with client(url, revision, None) as nobody:
            assert read(nobody, uri)["error"] == not_found(revision, uri)
        shop.now += timedelta(hours=1)
        assert read(anna, uri)["error"] == not_found(revision, uri)


@pytest.mark.parametrize("revision", REVISIONS)
def test_without_a_principal_the_result_goes_inline(url: str, shop: Shop, revision: str) -> None:
    with client(url, revision, None) as nobody:
        wire = nobody.call("large")
    assert json.loads(wire["content"][0]["text"]) == DATA
    assert shop.store.stats(now=START).count == 0


def test_without_a_way_to_the_principal_the_result_goes_inline(runs: list[str]) -> None:
    server, store = lowlevel(runs), MemoryStore()
    attach(
        server,
        Mapper(phase="final", limit=2000, store=store, clock=START, principal="everyone"),
    )
    with over_http(server) as url, client(url, "2026-07-28") as anna:
        assert anna.call("large")["structuredContent"] == DATA
    assert store.stats(now=START).count == 0


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_who_cannot_be_told_gets_nothing_done(
    url: str, runs: list[str], revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    call = {"name": "large", "arguments": {}}
    with client(url, revision, "broken") as broken:
        error = broken.request("tools/call", call)["error"]
        assert error["code"] == -32603 and SECRET not in str(error)
        assert error["message"].rpartition(" ")[2] in caplog.text
    with client(url, revision, "refused") as refused:
        answer = refused.request("tools/call", call)
        assert answer["error"] == {"code": -32001, "message": "Log in first."}
        assert read(refused, "toolresult://stored/x")["error"]["code"] == -32001
    assert runs == []


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_a_store_that_fails(url: str, shop: Shop, revision: str) -> None:
    with client(url, revision) as anna:
        uri = link_of(anna)
        shop.store.close()
        assert anna.call("large")["structuredContent"] == DATA
        error = read(anna, uri)["error"]
    assert error["code"] == -32603
    assert error["message"].startswith("The store is closed. Reference: ")


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_a_store_that_is_to_fail_the_call(runs: list[str], revision: str) -> None:
    shop = Shop(lowlevel(runs), MemoryStore(), on_store_failure="fail")
    shop.store.close()
    with over_http(shop.server) as url, client(url, revision) as anna:
        wire = anna.call("large")
    assert wire["isError"] is True
    assert wire["content"][0]["text"] == "The store is closed."


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_a_server_without_resources_gets_an_empty_list(url: str, revision: str) -> None:
    with client(url, revision) as anna:
        assert anna.request("resources/list")["result"]["resources"] == []
        assert "error" in read(anna, "file:///etc/passwd")
        if revision not in HANDSHAKE:
            told = anna.request("server/discover")["result"]["capabilities"]
            assert "resources" in told


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_resources_of_the_server_stay_what_they_are(tmp_path: Path, revision: str) -> None:
    with SqliteStore(tmp_path / "results.db", KeyRing.generate(), create=True) as store:
        shop = Shop(highlevel(), store)
        with over_http(shop.server) as url, client(url, revision) as anna:
            hours = read(anna, "shop://opening-hours")["result"]["contents"][0]
            assert hours["text"] == "9 to 5"
            listed = anna.request("resources/list")["result"]["resources"]
            assert [one["uri"] for one in listed] == ["shop://opening-hours"]
            stored = read(anna, link_of(anna))["result"]["contents"][0]
    assert Result.from_json(stored["text"]).summary == "2000 rows"
