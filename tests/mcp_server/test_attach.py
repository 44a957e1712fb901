"""What may be attached, what a tool may return, and what stays as the SDK has it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.extension import Extension
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    AudioContent,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    InputRequiredResult,
    ResourceLink,
    TextContent,
)
from pydantic import BaseModel
from tests.mcp_server.clients import REVISIONS, HttpClient, RawClient
from tests.mcp_server.serving import over_http

from toolresult import Mapper, Result, UnknownTargetError, render
from toolresult.mcp import attach
from toolresult.mcp.border import send_over
from toolresult.mcp.calls import StandIn
from toolresult.mcp.era import target_of


@dataclass
class Point:
    x: int
    y: int | None


class Model(BaseModel):
    ids: list[int]
    note: str | None = None


ENVELOPE = '{"success":false,"error":"No such product.","_meta":{"errorCode":"not_found"}}'
RETURNED: dict[str, tuple[Any, Result]] = {
    "result": (Result.success(None), Result.success(None)),
    "envelope": (ENVELOPE, Result.failure("not_found", "No such product.")),
    "serialized": ('{"format_version":1,"data":[null]}', Result.success([None])),
    "text": ("21 °C", Result.text("21 °C")),
    "empty_text": ("", Result.text("")),
    "none": (None, Result.success()),
    "zero": (0, Result.success(0)),
    "false": (False, Result.success(False)),
    "list": ([1, None], Result.success([1, None])),
    "empty_list": ([], Result.success([])),
    "dict": ({"content": [], "isError": True}, Result.success({"content": [], "isError": True})),
    "dataclass": (Point(1, None), Result.success({"x": 1, "y": None})),
    "model": (Model(ids=[1]), Result.success({"ids": [1], "note": None})),
}
NATIVE: dict[str, Any] = {
    "plain": CallToolResult(content=[TextContent(type="text", text="as it is")]),
    "structured": CallToolResult(content=[], structured_content={"a": 1}, is_error=True),
    "audio": CallToolResult(
        content=[
            AudioContent(type="audio", data="AAAA", mime_type="audio/wav"),
            ResourceLink(type="resource_link", uri="file:///a", name="a"),
        ],
        _meta={"com.example/a": 1},
    ),
}
BLOCKS: dict[str, Any] = {
    "block": TextContent(type="text", text="one"),
    "blocks": [TextContent(type="text", text="one"), TextContent(type="text", text="two")],
    "image": Image(data=b"\x89PNG", format="png"),
}
ASKED = InputRequiredResult(request_state="state")


def lowlevel() -> Server[Any]:
    values = {name: value for name, (value, _) in RETURNED.items()} | NATIVE
    values |= {"asked": ASKED, "error": ErrorData(code=-32050, message="Not today.")}

    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return values[params.name]

    return Server("values", on_call_tool=call_tool)


def highlevel(*extensions: Extension) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("values", log_level="ERROR", extensions=extensions)

    def add(name: str, value: Any) -> None:
        def tool() -> Any:
            return value

        # On Python 3.10 the SDK would make a schema of Any, and hold its own results against it.
        server.add_tool(tool, name=name, structured_output=False)

    for name, (value, _) in RETURNED.items():
        add(name, value)
    for name, value in {**NATIVE, **BLOCKS, "asked": ASKED}.items():
        add(name, value)
    return server


MAKERS: dict[str, Callable[[], Any]] = {"lowlevel": lowlevel, "highlevel": highlevel}


def served(server: Any) -> Any:
    attach(server, Mapper(phase="final"))
    return over_http(server)


@pytest.fixture(scope="module", params=MAKERS)
def kind(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param


@pytest.fixture(scope="module")
def url(kind: str) -> Iterator[str]:
    with served(MAKERS[kind]()) as found:
        yield found


@pytest.fixture(params=REVISIONS)
def client(url: str, request: pytest.FixtureRequest) -> Iterator[RawClient]:
    with HttpClient(url, request.param) as found:
        yield found


def test_whatever_a_tool_returns_is_a_result(client: RawClient) -> None:
    target = "@".join(target_of(client.revision))
    for name, (_, result) in RETURNED.items():
        assert client.call(name) == render(result, target, phase="final").wire, name


def test_the_stamp_of_the_sdk_stays_on_the_stateless_era_alone(client: RawClient) -> None:
    for name in ("result", "dataclass"):  # of which the first has no meta of ours
        sent = client.request("tools/call", {"name": name})["result"]
        stamp = sent.get("_meta", {}).get("io.modelcontextprotocol/serverInfo")
        if client.revision == "2026-07-28":
            assert stamp["name"] == "values"
        else:
            assert stamp is None


def test_what_is_the_sdks_own_is_passed_through(kind: str, client: RawClient) -> None:
    """The same as from a server that nothing is attached to."""
    names = [*NATIVE, *(BLOCKS if kind == "highlevel" else ())]
    with over_http(MAKERS[kind]()) as other, HttpClient(other, client.revision) as bare:
        for name in names:
            assert client.call(name) == bare.call(name), name


def test_a_question_to_the_user_is_passed_through(url: str) -> None:
    with HttpClient(url, "2026-07-28") as client:
        result = client.call("asked")
    assert result["resultType"] == "input_required"
    assert result["requestState"]


def test_an_error_of_json_rpc_is_passed_through() -> None:
    with served(lowlevel()) as url, HttpClient(url, "2025-06-18") as client:
        answer = client.request("tools/call", {"name": "error"})
    assert answer["error"] == {"code": -32050, "message": "Not today."}


def test_a_result_that_the_writer_of_json_cannot_write_is_a_failure() -> None:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success({"digits": "9" * 5000, "n": 10 ** int(params.name)})

    with served(Server("numbers", on_call_tool=call_tool)) as url:
        for revision in REVISIONS:
            with HttpClient(url, revision) as client:
                assert "9" * 5000 in client.call("4000")["content"][0]["text"]
                large = client.call("5000")
                if revision < "2025-06-18":  # where it is text, and so can be sent
                    assert "0" * 5000 in large["content"][0]["text"]
                    continue
                assert large["isError"] is True
                assert "more digits" in large["content"][0]["text"]


def test_a_middleware_outside_sees_what_is_sent() -> None:
    seen: list[Any] = []

    async def outside(ctx: Any, call_next: Any) -> Any:
        sent = await call_next(ctx)
        if ctx.method == "tools/call":
            seen.append(sent)
        return sent

    server = lowlevel()
    server.middleware.append(outside)
    with served(server) as url, HttpClient(url, "2025-06-18") as client:
        assert client.call("zero") == seen[0]


class Watch(Extension):
    """Sees what tools return, and puts something else in its place where it is told to."""

    identifier = "com.example/watch"

    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def intercept_tool_call(self, params: Any, ctx: Any, call_next: Any) -> Any:
        result = await call_next(ctx)
        self.seen.append(result)
        if params.name == "zero":
            return CallToolResult(content=[TextContent(type="text", text="replaced")])
        return result


@pytest.mark.parametrize("revision", ["2024-11-05", "2026-07-28"])
def test_interceptors_stay_in_their_place(revision: str) -> None:
    watch = Watch()
    with served(highlevel(watch)) as url, HttpClient(url, revision) as client:
        assert client.call("envelope")["isError"] is True
        assert client.call("zero")["content"] == [{"type": "text", "text": "replaced"}]
    failed, replaced = watch.seen
    assert isinstance(failed, StandIn) and failed.is_error
    assert failed.result == RETURNED["envelope"][1]
    assert isinstance(replaced, StandIn) and not replaced.is_error


def test_calls_in_process_are_left_alone() -> None:
    server = highlevel()
    attach(server, Mapper(phase="final"))

    async def call() -> None:
        got = await server.call_tool("text", {})
        assert isinstance(got, CallToolResult)
        assert [block.model_dump()["text"] for block in got.content] == ["21 °C"]
        with pytest.raises(ToolError):
            await server.call_tool("nowhere", {})

    anyio.run(call)


def test_the_client_in_process() -> None:
    server = highlevel()
    attach(server, Mapper(phase="final"))

    async def call(mode: Any, content: Any) -> None:
        async with Client(server, mode=mode) as client:
            assert (await client.call_tool("list", {})).structured_content == content

    anyio.run(call, "legacy", {"result": [1, None]})
    anyio.run(call, "2026-07-28", [1, None])


def test_what_cannot_be_attached() -> None:
    server = lowlevel()
    attach(server, Mapper(phase="final"))
    with pytest.raises(ValueError, match="attached already"):
        attach(server, Mapper(phase="final"))
    with pytest.raises(ValueError, match="no handler of tools/call"):
        attach(Server("empty"), Mapper(phase="final"))
    with pytest.raises(UnknownTargetError, match="name a phase"):
        attach(lowlevel(), Mapper())
    with pytest.raises(TypeError, match=r"expected mcp\.server\..* or fastmcp\.FastMCP, found b"):
        attach("server", Mapper(phase="final"))  # type: ignore[arg-type]  # what is tested


def test_nothing_is_sent_over_outside_a_request() -> None:
    with pytest.raises(RuntimeError, match="middleware"):
        send_over(lambda sent: sent)


@pytest.mark.parametrize(
    ("spoken", "target"),
    [
        *((one, ("mcp-handshake", one)) for one in REVISIONS[:-1]),
        ("2026-07-28", ("mcp-stateless", "2026-07-28")),
        ("2027-03-01", ("mcp-stateless", "2026-07-28")),
    ],
)
def test_the_renderer_of_a_revision(spoken: str, target: tuple[str, str]) -> None:
    assert target_of(spoken) == target


def test_a_later_revision_with_a_handshake(monkeypatch: pytest.MonkeyPatch) -> None:
    """An SDK that knows one more: the newest that is known before it is spoken."""
    monkeypatch.setattr("toolresult.mcp.era.HANDSHAKE_PROTOCOL_VERSIONS", ("2026-01-01",))
    assert target_of("2026-01-01") == ("mcp-handshake", "2025-11-25")


def test_without_the_sdk_the_error_says_what_to_install() -> None:
    program = """\
import sys
sys.modules["mcp"] = sys.modules["mcp_types"] = None
import toolresult.mcp
from toolresult import read
assert read('{"content":[]}', "mcp-handshake@2025-06-18")
try:
    toolresult.mcp.attach
except ModuleNotFoundError as error:
    print(error)
"""
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert "pip install 'toolresult[mcp]'" in told.stdout


def test_a_tool_that_cannot_be_a_key_spoils_nothing() -> None:
    class Counter:
        __name__ = "counter"
        __hash__ = None  # type: ignore[assignment]  # as a dataclass has it

        def __call__(self) -> Result:
            return Result.success(7)

    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")
    server.add_tool(Counter(), name="counter")
    attach(server, Mapper(phase="final"))

    async def listed_and_called() -> tuple[list[str], Any]:
        async with Client(server) as client:
            tools = await client.list_tools()
            called = await client.call_tool("counter", {})
            return [tool.name for tool in tools.tools], called.structured_content

    names, data = anyio.run(listed_and_called)
    assert names == ["counter"]
    assert data in (7, {"result": 7})


@pytest.mark.parametrize(
    ("mapper", "settings", "says"),
    [
        ("final", {}, "mapper: expected a toolresult.Mapper"),
        (Mapper(phase="final"), {"principal": "bob"}, "principal: expected a function"),
    ],
)
def test_what_is_no_mapper_or_no_function_is_refused_at_once(
    mapper: Any, settings: Any, says: str
) -> None:
    async def call_tool(ctx: Any, params: Any) -> Any:
        return None

    with pytest.raises(TypeError, match=says):
        attach(Server("shop", on_call_tool=call_tool), mapper, **settings)
