"""What a request may see comes from the request, in both eras; lists and calls agree."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolRequestParams, ListToolsResult, PaginatedRequestParams, Tool
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient, StdioClient
from tests.mcp_server.serving import over_http

from toolresult import Mapper, Result
from toolresult.mcp import Toolsets, attach

NAMES = ("ping", "enable", "orders", "refund", "upload", "crop")
SETS = {"order": ["orders", "refund"], "media": ["upload", "crop"], "work": ["refund", "upload"]}
CHANGED = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
SECRET = "pa55word"
ALLOWED = {"helper": ("ping", "enable", "orders", "crop"), "nobody": ()}


async def allowed(ctx: Any) -> Collection[str] | None:
    """By the name of the user; everything for the owner and over stdio."""
    user = None if ctx.request is None else ctx.request.headers.get("x-user")
    if user == "broken":
        raise RuntimeError(SECRET)
    return None if user in (None, "owner") else ALLOWED[user]


def lowlevel(sets: Toolsets) -> Server[Any]:
    async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        schema = {"type": "object"}
        return ListToolsResult(tools=[Tool(name=name, input_schema=schema) for name in NAMES])

    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        if params.name == "enable":
            return await sets.enable(ctx, (params.arguments or {})["names"])
        return Result.success(params.name)

    return Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)


def highlevel(sets: Toolsets) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")

    def add(name: str) -> None:
        def tool() -> Result:
            return Result.success(name)

        server.add_tool(tool, name=name)

    async def enable(names: list[str], ctx: Context) -> Result:
        return await sets.enable(ctx, names)

    add("ping")
    server.add_tool(enable)
    for name in NAMES[2:]:
        add(name)
    return server


def shop(kind: str, **settings: Any) -> Any:
    sets = Toolsets(SETS, allowed=allowed, **settings)
    server: Any = lowlevel(sets) if kind == "lowlevel" else highlevel(sets)
    attach(server, Mapper(phase="final"), toolsets=sets)
    return server


@pytest.fixture(scope="module", params=["lowlevel", "highlevel"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    with over_http(shop(request.param)) as found:
        yield found


def listed(client: Any) -> list[str]:
    return [tool["name"] for tool in client.request("tools/list")["result"]["tools"]]


def callable_ones(client: Any) -> list[str]:
    found = []
    for name in NAMES:
        arguments = {"names": ["order"]} if name == "enable" else {}
        answer = client.request("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            assert answer["error"] == {"code": -32602, "message": f"Unknown tool: {name}"}
        else:
            found.append(name)
        if name == "enable":
            assert "result" in answer
    return found


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    ("query", "user", "names"),
    [
        ("", "owner", ["ping", "enable"]),
        ("?toolsets=order", "owner", ["ping", "enable", "orders", "refund"]),
        ("?toolsets=work,%20media", "owner", ["ping", "enable", "refund", "upload", "crop"]),
        ("?toolsets=order&toolsets=work", "owner", ["ping", "enable", *NAMES[2:5]]),
        ("?toolsets=all", "owner", list(NAMES)),
        ("?toolsets=", "owner", ["ping", "enable"]),
        ("?toolsets=all", "helper", ["ping", "enable", "orders", "crop"]),
        ("?toolsets=media", "helper", ["ping", "enable", "crop"]),
        ("", "helper", ["ping", "enable"]),
    ],
)
def test_lists_and_calls_agree(
    url: str, revision: str, query: str, user: str, names: list[str]
) -> None:
    with HttpClient(url + query, revision, {"x-user": user}) as client:
        assert listed(client) == names
        if revision in HANDSHAKE:
            names = [name for name in names if name != "enable"]  # it would change what is seen
            found = [
                name
                for name in NAMES
                if name != "enable" and "result" in client.request("tools/call", {"name": name})
            ]
            assert found == names
        else:
            assert callable_ones(client) == names


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_unknown_toolset_is_named(url: str, revision: str) -> None:
    with HttpClient(f"{url}?toolsets=order,ordr", revision, {"x-user": "owner"}) as client:
        for method, params in (("tools/list", {}), ("tools/call", {"name": "ping"})):
            assert client.request(method, params)["error"] == {
                "code": -32602,
                "message": "There is no toolset 'ordr'. There are: media, order, work; or all.",
                "data": {"unknown": ["ordr"], "toolsets": ["media", "order", "work"]},
            }


def test_a_toolset_without_a_tool_for_the_request_is_unknown(url: str) -> None:
    with HttpClient(f"{url}?toolsets=work", "2026-07-28", {"x-user": "helper"}) as client:
        error = client.request("tools/list")["error"]
    assert error["message"] == "There is no toolset 'work'. There are: media, order; or all."


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_credentials_that_cannot_be_told_show_nothing(
    url: str, revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    with HttpClient(url, revision, {"x-user": "broken"}) as client:
        for method, params in (("tools/list", {}), ("tools/call", {"name": "ping"})):
            error = client.request(method, params)["error"]
            assert error["code"] == -32603 and SECRET not in str(error)
            assert error["message"].rpartition(" ")[2] in caplog.text


def test_what_a_url_says_is_not_sent_back_at_length(url: str) -> None:
    names = ",".join(f"{n:05}" * 100 for n in range(30))
    with HttpClient(f"{url}?toolsets={names}", "2026-07-28", {"x-user": "owner"}) as client:
        error = client.request("tools/list")["error"]
    assert len(error["message"]) < 300
    assert max(map(len, error["data"]["unknown"])) == 50


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_a_session_enables_a_toolset_and_is_told(url: str, revision: str) -> None:
    headers = {"x-user": "owner"}
    with HttpClient(url, revision, headers) as client, HttpClient(url, revision, headers) as other:
        assert listed(client) == listed(other) == ["ping", "enable"]
        assert "orders" in client.call("enable", {"names": ["order"]})["content"][0]["text"]
        assert client.told == [CHANGED]
        assert listed(client) == ["ping", "enable", "orders", "refund"]
        assert client.call("orders")["content"][0]["text"]
        client.call("enable", {"names": ["order"]})  # it is on already
        client.call("enable", {"names": ["media"]})
        assert client.told == [CHANGED] * 2
        assert listed(client) == list(NAMES)
        assert listed(other) == ["ping", "enable"]
        other.call("ping")
        assert other.told == []


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-11-25"])
def test_clients_are_told_at_the_handshake_that_they_will_be_told(url: str, revision: str) -> None:
    client = HttpClient(url, revision, {"x-user": "owner"})
    info = {"name": "test", "version": "1"}
    asked = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info}
    told = client.request("initialize", asked)["result"]["capabilities"]["tools"]
    client.close()
    assert told == {"listChanged": True}


@pytest.mark.parametrize(
    ("query", "names", "reconnect"),
    [
        ("", ["order"], "?toolsets=order"),
        ("?toolsets=media", ["order"], "?toolsets=media,order"),
        ("?toolsets=all", ["order"], "?toolsets=media,order,work"),
    ],
)
def test_the_stateless_era_says_how_to_reconnect(
    url: str, query: str, names: list[str], reconnect: str
) -> None:
    with HttpClient(url + query, "2026-07-28", {"x-user": "owner"}) as client:
        before = listed(client)
        wire = client.call("enable", {"names": names})
        assert wire["isError"] is True
        assert f"Reconnect to the server's URL with {reconnect}" in wire["content"][0]["text"]
        assert listed(client) == before
        assert client.told == []
    with HttpClient(url + reconnect, "2026-07-28", {"x-user": "owner"}) as client:
        assert "orders" in listed(client)


@pytest.mark.parametrize("json_response", [False, True])
def test_so_does_a_server_without_sessions(json_response: bool) -> None:
    server = shop("lowlevel")
    settings = {"stateless_http": True, "json_response": json_response}
    with (
        over_http(server, **settings) as url,
        HttpClient(url, "2025-11-25", {"x-user": "owner"}) as client,
    ):
        wire = client.call("enable", {"names": ["order"]})
        assert "?toolsets=order" in wire["content"][0]["text"]
        assert client.told == []


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_a_tool_enables_what_the_request_may_see(url: str, revision: str) -> None:
    with HttpClient(url, revision, {"x-user": "helper"}) as client:
        for names in (["ordr"], ["work"], []):
            wire = client.call("enable", {"names": names})
            assert wire["isError"] is True
            assert '"code":"invalid_arguments"' in str(wire)
        if revision in HANDSHAKE:
            client.call("enable", {"names": ["order"]})
            assert listed(client) == ["ping", "enable", "orders"]  # and no refund


def test_the_default_is_for_requests_that_name_none() -> None:
    for default, names in (("all", list(NAMES)), (["media"], ["ping", "enable", "upload", "crop"])):
        with over_http(shop("lowlevel", default=default)) as url:
            with HttpClient(url, "2026-07-28", {"x-user": "owner"}) as client:
                assert listed(client) == names
            with HttpClient(f"{url}?toolsets=", "2026-07-28", {"x-user": "owner"}) as client:
                assert listed(client) == ["ping", "enable"]


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_over_stdio(revision: str) -> None:
    with StdioClient("tests.mcp_server.toolsets_stdio", (), revision) as client:
        assert listed(client) == ["ping", "enable"]
        wire = client.call("enable", {"names": ["order"]})
        if revision in HANDSHAKE:
            assert client.told == [CHANGED]
            assert listed(client) == ["ping", "enable", "orders", "refund"]
        else:
            assert wire["isError"] is True


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_with_the_client_of_the_sdk(url: str, mode: Any) -> None:
    async def ask() -> list[str]:
        async with Client(f"{url}?toolsets=media", mode=mode) as client:
            assert not (await client.call_tool("crop", {})).is_error
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(ask) == ["ping", "enable", "upload", "crop"]


@pytest.mark.parametrize(
    ("sets", "settings", "message"),
    [
        ({"all": ["a"]}, {}, "'all' is no name of a toolset"),
        ({"a,b": ["a"]}, {}, "'a,b' is no name of a toolset"),
        ({"a&b": ["a"]}, {}, "'a&b' is no name of a toolset"),
        ({"größe": ["a"]}, {}, "is no name of a toolset; expected 1 to 64"),
        ({"a b": ["a"]}, {}, "is no name of a toolset"),
        ({"": ["a"]}, {}, "'' is no name"),
        ({" a": ["a"]}, {}, "' a' is no name"),
        ({"a": "tool"}, {}, "expected a list"),
        ({"a": ["b"]}, {"default": ["c"]}, "default: no such toolset"),
        ({"a": ["b"]}, {"default": "a"}, "default: no such toolset"),
    ],
)
def test_what_is_no_toolset(sets: Any, settings: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Toolsets(sets, **settings)
