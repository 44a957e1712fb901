"""A server of the package ``fastmcp``, with its own client and over HTTP, in both eras."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Annotated, Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient
from tests.mcp_server.listening import Stream
from tests.mcp_server.serving import app_over_http
from tests.mcp_server.test_samples import differing
from tests.mcp_server.vectors import SAMPLES

from toolresult import Mapper, Result, render
from toolresult.mcp import Changes, Toolsets, attach
from toolresult.mcp.era import target_of
from toolresult.store import MemoryStore

if sys.version_info < (3, 11):
    pytest.skip("FastMCP needs Python 3.11", allow_module_level=True)

from fastmcp import Client, Context, FastMCP
from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.server.middleware import Middleware
from fastmcp.tools import Tool, ToolResult

SECRET = "pa55word"
META = {"ui": {"resourceUri": "ui://shop/picker"}, "com.example/none": None}
WITH_SCHEMAS = REVISIONS[2:]


class Product(BaseModel):
    id: int
    parent: Product | None = None


PRODUCT = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


class SoldOut(Exception):
    pass


def server(**settings: Any) -> FastMCP[Any]:
    made: FastMCP[Any] = FastMCP("shop", **settings)

    @made.tool(meta=META)
    def zebra() -> Result:
        return Result.success([1, None], summary="one and nothing")

    @made.tool(output_schema=PRODUCT)
    def declared() -> Result:
        return Result.success({"id": 1, "parent": None}, summary="one")

    @made.tool
    def annotated() -> Annotated[Result, list[int]]:
        return Result.success([3])

    @made.tool
    async def numbers() -> list[int]:
        return [1, 2]

    @made.tool
    def maybe() -> int | None:
        return None

    @made.tool
    def product() -> Product:
        return Product(id=2, parent=Product(id=1))

    @made.tool
    def legacy() -> str:
        return '{"success":false,"error":"None.","_meta":{"errorCode":"not_found"}}'

    @made.tool
    def untyped():
        return {"content": [], "n": 2**70, "none": None}

    @made.tool
    def native() -> ToolResult:
        return ToolResult(content=[TextContent(type="text", text="as it is")], meta={"a": 1})

    @made.tool
    def sdk() -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text="as it is")])

    return made


RESULTS = {
    "zebra": Result.success([1, None], summary="one and nothing"),
    "declared": Result.success({"id": 1, "parent": None}, summary="one"),
    "annotated": Result.success([3]),
    "numbers": Result.success([1, 2]),
    "maybe": Result.success(None),
    "product": Result.success({"id": 2, "parent": {"id": 1, "parent": None}}),
    "legacy": Result.failure("not_found", "None."),
    "untyped": Result.success({"content": [], "n": 2**70, "none": None}),
}
WRAPPED = ("annotated", "numbers", "maybe")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    made = server()
    attach(made, Mapper(phase="final"))
    with app_over_http(made.http_app(path="/mcp")) as base:
        yield f"{base}/mcp"


def listed(client: HttpClient) -> dict[str, Any]:
    return {tool["name"]: tool for tool in client.request("tools/list")["result"]["tools"]}


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_sample_arrives(revision: str) -> None:
    made: FastMCP[Any] = FastMCP("samples")

    @made.tool
    def sample(name: str) -> Result:
        return Result.from_json(SAMPLES[name])

    attach(made, Mapper(phase="final", limit=None))
    with (
        app_over_http(made.http_app(path="/mcp")) as base,
        HttpClient(f"{base}/mcp", revision) as it,
    ):
        assert (
            differing(it, "final", every=1 if revision in ("2025-06-18", "2026-07-28") else 10)
            == []
        )


@pytest.mark.parametrize("revision", REVISIONS)
def test_whatever_a_tool_returns_is_a_result(url: str, revision: str) -> None:
    target = "@".join(target_of(revision))
    with HttpClient(url, revision) as client:
        tools = listed(client)
        for name, result in RESULTS.items():
            wire = client.call(name)
            if name in WRAPPED and revision in WITH_SCHEMAS and revision in HANDSHAKE:
                assert wire["structuredContent"] == {"result": result.to_value()["data"]}
            else:
                assert wire == render(result, target, phase="final").wire, name
            if "outputSchema" in tools[name]:
                Draft202012Validator(tools[name]["outputSchema"]).validate(
                    wire["structuredContent"]
                )
        for name in ("native", "sdk"):
            assert client.call(name)["content"] == [{"type": "text", "text": "as it is"}]


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_list(url: str, revision: str) -> None:
    with HttpClient(url, revision) as client:
        tools = listed(client)
    assert list(tools) == [*RESULTS, "native", "sdk"]
    assert tools["zebra"]["_meta"].items() >= META.items()
    shown = {name for name, tool in tools.items() if "outputSchema" in tool}
    wanted = {"declared", "product", *WRAPPED} if revision in WITH_SCHEMAS else set()
    assert shown == wanted


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_with_its_own_client_over_http(url: str, mode: Any) -> None:
    async def ask() -> None:
        async with Client(url, mode=mode) as client:
            assert next(tool.name for tool in await client.list_tools()) == "zebra"
            assert (await client.call_tool("product")).structured_content["id"] == 2
            assert (await client.call_tool("numbers")).content[0].text == "[1,2]"
            with pytest.raises(ToolError, match=r"None\."):
                await client.call_tool("legacy")

    anyio.run(ask)


def failing() -> FastMCP[Any]:
    made: FastMCP[Any] = FastMCP("failing")
    inner: FastMCP[Any] = FastMCP("inner")

    @inner.tool
    def unexpected() -> Result:
        raise RuntimeError(SECRET)

    @inner.tool
    def list_of_one() -> Result:
        return Result.success([1])

    @made.tool
    def fail(kind: str) -> Result:
        raise {
            "unexpected": RuntimeError(SECRET),
            "told": ToolError("There is no table left."),
            "missing": NotFoundError("No such table."),
            "privilege": PermissionError(SECRET),
            "sold": SoldOut("Sold out."),
        }[kind]

    @made.tool
    def typed(number: int) -> Result:
        return Result.success(number)

    made.mount(inner, namespace="inner")
    return made


CODES = {
    "unexpected": ("tool_error", "The tool failed unexpectedly. Reference: "),
    "told": ("tool_error", "There is no table left."),
    "missing": ("not_found", "No such table."),
    "privilege": ("missing_privilege", "A privilege is missing for this. Reference: "),
    "sold": ("not_found", "Sold out."),
}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-11-25", "2026-07-28"])
def test_what_a_tool_raises(revision: str, caplog: pytest.LogCaptureFixture) -> None:
    made = failing()
    known = {SoldOut: lambda error: Result.failure("not_found", str(error))}
    attach(made, Mapper(phase="final"), failures=known)
    with (
        app_over_http(made.http_app(path="/mcp")) as base,
        HttpClient(f"{base}/mcp", revision) as it,
    ):
        for kind, (code, text) in CODES.items():
            wire = it.call("fail", {"kind": kind})
            assert wire["isError"] is True
            assert wire["content"][0]["text"].startswith(text)
            assert f'"code":"{code}"' in str(wire) or code in str(wire["_meta"])
            assert SECRET not in str(wire)
        mounted = it.call("inner_unexpected")
        assert SECRET not in str(mounted)
        assert mounted["content"][0]["text"].rpartition(" ")[2] in caplog.text
        bad = it.call("typed", {"number": SECRET})
        assert "number:" in bad["content"][0]["text"] and SECRET not in str(bad)
        unknown = it.call("nowhere")
        assert unknown["isError"] is True and "Unknown tool" in unknown["content"][0]["text"]


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_mounted_and_renamed_tools(revision: str) -> None:
    made = failing()
    attach(made, Mapper(phase="final"))
    other = server()
    renamed = Tool.from_tool(anyio.run(other.get_tool, "declared"), name="renamed")
    made.add_tool(renamed)
    late: FastMCP[Any] = FastMCP("late")
    late.mount(other, namespace="deep")
    made.mount(late, namespace="late")
    with (
        app_over_http(made.http_app(path="/mcp")) as base,
        HttpClient(f"{base}/mcp", revision) as it,
    ):
        tools = listed(it)
        assert "outputSchema" not in tools["inner_list_of_one"]
        assert "outputSchema" not in tools["late_deep_zebra"]
        for name, result in (
            ("inner_list_of_one", Result.success([1])),
            ("late_deep_zebra", RESULTS["zebra"]),
            ("renamed", RESULTS["declared"]),
        ):
            target = "@".join(target_of(revision))
            assert it.call(name) == render(result, target, phase="final").wire
        if revision in HANDSHAKE:
            assert it.call("late_deep_numbers")["structuredContent"] == {"result": [1, 2]}


def test_tools_that_are_called_in_process_are_left_alone() -> None:
    plain, made = server(), server()
    attach(made, Mapper(phase="final"))

    @made.tool
    async def asks(ctx: Context) -> Result:
        got = await ctx.fastmcp.call_tool("numbers", {})
        return Result.success({"type": type(got).__name__, "got": got.structured_content})

    async def compare() -> Any:
        for name in ("numbers", "product", "untyped", "legacy"):
            one, two = await plain.call_tool(name, {}), await made.call_tool(name, {})
            assert one.to_mcp_result() == two.to_mcp_result()
        async with Client(made) as client:
            return (await client.call_tool("asks")).structured_content

    assert anyio.run(compare) == {"type": "ToolResult", "got": {"result": [1, 2]}}


class Change(Middleware):
    """Sees what tools return, and changes it where it is told to."""

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        result = await call_next(context)
        self.seen[context.message.name] = result
        if context.message.name == "numbers":
            changed = [TextContent(type="text", text="changed")]
            return result.model_copy(update={"content": changed})
        return result


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_a_middleware_sees_blocks_and_may_change_them(revision: str) -> None:
    change = Change()
    made = server(middleware=[change])
    attach(made, Mapper(phase="final"))
    with (
        app_over_http(made.http_app(path="/mcp")) as base,
        HttpClient(f"{base}/mcp", revision) as it,
    ):
        assert it.call("numbers")["content"] == [{"type": "text", "text": "changed"}]
        it.call("zebra")
        it.call("legacy")
    assert [block.text for block in change.seen["zebra"].content] == ["[1,null]", "one and nothing"]
    assert change.seen["legacy"].is_error is True


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_all_that_goes_with_it(revision: str, caplog: pytest.LogCaptureFixture) -> None:
    """Stored results, toolsets, changes of the list and the check of what tools return."""
    now = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
    store = MemoryStore()
    made: FastMCP[Any] = FastMCP("shop")
    sets = Toolsets({"order": ["orders"]})
    changes = Changes(store, poll=timedelta(seconds=0.05))

    @made.tool
    def large() -> Result:
        return Result.success({"rows": list(range(2000))})

    @made.tool(output_schema=PRODUCT)
    def orders() -> Result:
        return Result.success({"id": SECRET})

    @made.tool
    async def enable(name: str, ctx: Context) -> Result:
        return await sets.enable(ctx, [name])

    @made.resource("shop://hours")
    def hours() -> str:
        return "9 to 5"

    mapper = Mapper(phase="final", limit=2000, store=store, clock=lambda: now)
    attach(
        made,
        mapper,
        principal=lambda ctx: ctx.request.headers.get("x-user"),
        toolsets=sets,
        changes=changes,
        validation="strict",
    )
    with app_over_http(made.http_app(path="/mcp")) as base:
        with HttpClient(f"{base}/mcp", revision, {"x-user": "anna"}) as client:
            assert list(listed(client)) == ["large", "enable"]
            hidden, unknown = client.call("orders"), client.call("nowhere")
            assert str(hidden).replace("orders", "nowhere") == str(unknown)
            link = next(b["uri"] for b in client.call("large")["content"] if "uri" in b)
            stored = client.request("resources/read", {"uri": link})["result"]["contents"][0]
            assert Result.from_json(stored["text"]).to_value()["data"]["rows"][-1] == 1999
            opened = client.request("resources/read", {"uri": "shop://hours"})["result"]
            assert opened["contents"][0]["text"] == "9 to 5"
            enabled = client.call("enable", {"name": "order"})
            if revision in HANDSHAKE:
                assert list(listed(client)) == ["large", "orders", "enable"]
                store.raise_list_version("tools")
                bad = client.call("orders")
                assert len(client.told) == 2
                assert bad["isError"] is True and SECRET not in str(bad)
            else:
                assert enabled["isError"] is True
                with Stream(f"{base}/mcp") as stream:
                    anyio.run(changes.tools_changed)
                    assert stream.next()["method"] == "notifications/tools/list_changed"
        with HttpClient(f"{base}/mcp?toolsets=all", revision) as client:
            assert "orders" in listed(client)


def test_an_error_of_the_protocol_of_a_middleware_stays_one() -> None:
    class Refuse(Middleware):
        async def on_call_tool(self, context: Any, call_next: Any) -> Any:
            raise MCPError(code=-32050, message="Not today.")

    made = server(middleware=[Refuse()])
    attach(made, Mapper(phase="final"))
    with (
        app_over_http(made.http_app(path="/mcp")) as base,
        HttpClient(f"{base}/mcp", "2026-07-28") as client,
    ):
        answer = client.request("tools/call", {"name": "zebra"})
    assert answer["error"] == {"code": -32050, "message": "Not today."}


def test_it_is_attached_once() -> None:
    made = server()
    attach(made, Mapper(phase="final"))
    with pytest.raises(ValueError, match="attached already"):
        attach(made, Mapper(phase="final"))


def test_it_is_imported_for_such_a_server_alone() -> None:
    program = """\
import sys
from mcp.server.lowlevel import Server
from toolresult import Mapper
from toolresult.mcp import attach
async def call_tool(ctx, params): ...
attach(Server("shop", on_call_tool=call_tool), Mapper(phase="final"))
print("fastmcp" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False\n"


logging.getLogger("fastmcp").setLevel(logging.CRITICAL)
