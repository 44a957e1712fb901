"""tools/list: every tool, in order, with a schema that its results fit, on every revision."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import anyio
import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import (
    CallToolRequestParams,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient, RawClient
from tests.mcp_server.serving import over_http
from tests.wire.wire_schemas import official_file

from toolresult import Mapper, Result
from toolresult.mcp import attach

WITH_SCHEMAS = REVISIONS[2:]
META: dict[str, Any] = {
    "ui": {"resourceUri": "ui://shop/picker", "visibility": ["model", "app"], "csp": {}},
    "com.example/none": None,
    "com.example/numbers": [2**70, -0.5, 1e300, 0, False],
    "com.example/ключ 😀": {"": [[], {}, None, ""]},
}
ANNOTATIONS = ToolAnnotations(title="Shown", read_only_hint=True, destructive_hint=False)
OBJECT = {"type": "object", "properties": {"ids": {"type": "array"}}, "required": ["ids"]}
CYCLE: dict[str, Any] = {"type": "object"}
CYCLE["properties"] = {"self": CYCLE}
SCHEMAS: dict[str, tuple[Any, Any]] = {
    "object": (OBJECT, {"ids": [1]}),
    "array": ({"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {}}}, [1, 2]),
    "null": ({"type": "null"}, None),
    "either": ({"anyOf": [OBJECT, {"type": "string"}]}, {"ids": []}),
    "open_object": ({"properties": {"ids": True}}, {"ids": 1}),
    "boolean_inside": ({"type": "object", "properties": {"x": True}}, {"x": 1}),
    "integer": ({"type": "integer"}, 2**70),
}
"""The output schema of a tool by its name, and the data that the tool returns."""
ODD_OUTPUTS: dict[str, dict[str, Any]] = {
    "not_json": {"type": "object", "default": float("nan")},
    "cycle": CYCLE,
    "odd_properties": {"type": "object", "properties": {"x": 7}},
    "surrogate": {"type": "object", "title": "\ud800"},
}
ODD_INPUTS: dict[str, dict[str, Any]] = {
    "no_object": {"type": "string"},
    "not_json": {"type": "object", "default": float("inf")},
    "cycle": CYCLE,
}
ALL = [*SCHEMAS, *(f"odd_{name}" for name in ODD_OUTPUTS), *(f"in_{name}" for name in ODD_INPUTS)]


def listed() -> list[Tool]:
    given: dict[str, Any] = {
        "title": "A title",
        "description": "What it does",
        "annotations": ANNOTATIONS,
        "_meta": META,
    }
    plain = {"type": "object"}
    tools = [
        Tool(name=name, input_schema={"properties": {"x": True}}, output_schema=schema, **given)
        for name, (schema, _) in SCHEMAS.items()
    ]
    tools += [
        Tool(name=f"odd_{name}", input_schema=plain, output_schema=schema, **given)
        for name, schema in ODD_OUTPUTS.items()
    ]
    tools += [
        Tool(name=f"in_{name}", input_schema=schema, **given) for name, schema in ODD_INPUTS.items()
    ]
    return tools


def lowlevel(lists: list[str] | None = None) -> Server[Any]:
    """Its list has three tools to a page."""

    async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        if lists is not None:
            lists.append(ctx.method)
        start = int((params and params.cursor) or 0)
        tools, end = listed(), start + 3
        return ListToolsResult(
            tools=tools[start:end], next_cursor=str(end) if end < len(tools) else None
        )

    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success(SCHEMAS[params.name][1])

    return Server("tools", on_list_tools=list_tools, on_call_tool=call_tool)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = lowlevel()
    attach(server, Mapper(phase="final"))
    with over_http(server) as found:
        yield found


@pytest.fixture(params=REVISIONS)
def client(url: str, request: pytest.FixtureRequest) -> Iterator[RawClient]:
    with HttpClient(url, request.param) as found:
        yield found


def tools_of(client: RawClient) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        answer = client.request("tools/list", cursor)
        tools += answer["result"]["tools"]
        if "nextCursor" not in answer["result"]:
            return tools
        cursor = {"cursor": answer["result"]["nextCursor"]}


def test_every_tool_is_there_in_its_order(client: RawClient) -> None:
    assert [tool["name"] for tool in tools_of(client)] == ALL


def test_the_order_is_the_same_each_time_and_for_every_revision(url: str) -> None:
    lists = set()
    for revision in REVISIONS:
        with HttpClient(url, revision) as client:
            lists |= {tuple(tool["name"] for tool in tools_of(client)) for _ in range(3)}
    assert lists == {tuple(ALL)}


def test_all_but_the_schemas_travels_untouched(client: RawClient) -> None:
    for tool in tools_of(client):
        assert tool["_meta"] == META
        assert tool["annotations"] == {
            "title": "Shown",
            "readOnlyHint": True,
            "destructiveHint": False,
        }
        assert (tool["title"], tool["description"]) == ("A title", "What it does")


def test_input_schemas_are_of_an_object(client: RawClient) -> None:
    by_name = {tool["name"]: tool["inputSchema"] for tool in tools_of(client)}
    assert by_name["object"] == {"type": "object", "properties": {"x": {}}}
    assert {by_name[f"in_{name}"]["type"] for name in ODD_INPUTS} == {"object"}
    assert by_name["in_no_object"] == {"type": "object"}


def test_output_schemas_are_shown_where_the_revision_has_them(client: RawClient) -> None:
    by_name = {tool["name"]: tool for tool in tools_of(client)}
    shown = {name: tool["outputSchema"] for name, tool in by_name.items() if "outputSchema" in tool}
    if client.revision not in WITH_SCHEMAS:
        assert shown == {}
    elif client.revision in HANDSHAKE:
        assert shown.keys() == SCHEMAS.keys()
        assert {schema["type"] for schema in shown.values()} == {"object"}
        wrapped = {name for name, schema in shown.items() if "dev.toolresult/wrapped" in schema}
        assert wrapped == {"array", "null", "either", "open_object", "integer"}
        assert shown["object"] == OBJECT
    else:
        assert shown.keys() == SCHEMAS.keys()
        assert all(shown[name] == schema for name, (schema, _) in SCHEMAS.items())


@pytest.mark.parametrize("revision", WITH_SCHEMAS)
def test_what_a_tool_returns_fits_its_schema(url: str, revision: str) -> None:
    with HttpClient(url, revision) as client:
        schemas = {tool["name"]: tool.get("outputSchema", False) for tool in tools_of(client)}
        for name in SCHEMAS:
            content = client.call(name)["structuredContent"]
            Draft202012Validator(schemas[name]).validate(content)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_client_of_the_sdk_lists_and_calls_everything(url: str, mode: Any) -> None:
    """It holds every result against the schema that it was shown."""

    async def call() -> None:
        async with Client(url, mode=mode) as client:
            page = await client.list_tools()
            names = [tool.name for tool in page.tools]
            while page.next_cursor:
                page = await client.list_tools(cursor=page.next_cursor)
                names += [tool.name for tool in page.tools]
            assert names == ALL
            for name in SCHEMAS:
                assert not (await client.call_tool(name, {})).is_error

    anyio.run(call)


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_official_schemas_take_the_list(url: str, revision: str) -> None:
    file = official_file(f"mcp@{revision}")
    if not file.exists():
        pytest.skip(f"the official schema is not at {file}; see CONTRIBUTING.md")
    document = json.loads(file.read_text(encoding="utf-8"))
    dialect = Draft202012Validator if "2020-12" in document["$schema"] else Draft7Validator
    key = "$defs" if "$defs" in document else "definitions"
    validator = dialect({**document, "$ref": f"#/{key}/ListToolsResult"})
    with HttpClient(url, revision) as client:
        validator.validate(client.request("tools/list")["result"])


def test_a_function_for_the_schemas_spares_the_list() -> None:
    lists: list[str] = []
    server = lowlevel(lists)
    told: dict[str, Any] = {"array": {"type": "array"}, "null": True}
    attach(server, Mapper(phase="final"), output_schema=lambda name: told[name])
    with over_http(server) as url, HttpClient(url, "2025-06-18") as client:
        assert client.call("array")["structuredContent"] == {"result": [1, 2]}
        assert client.call("object")["structuredContent"] == {"ids": [1]}
        assert lists == []
        tools = {tool["name"]: tool for tool in tools_of(client)}
    assert tools["array"]["outputSchema"]["properties"] == {"result": {"type": "array"}}
    assert tools["null"]["outputSchema"]["properties"] == {"result": {}}
    assert "outputSchema" not in tools["object"]  # the function fails for it


def test_odd_schemas_are_told_to_the_log_once(caplog: pytest.LogCaptureFixture) -> None:
    server = lowlevel()
    attach(server, Mapper(phase="final"))
    with (
        caplog.at_level(logging.WARNING),
        over_http(server) as url,
        HttpClient(url, "2025-06-18") as client,
    ):
        tools_of(client)
        tools_of(client)
    for name in (*(f"odd_{one}" for one in ODD_OUTPUTS), *(f"in_{one}" for one in ODD_INPUTS)):
        assert caplog.text.count(f"schema of the tool '{name}'") == 1


class Product(BaseModel):
    name: str
    parent: Product | None = None


def functions() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("functions", log_level="ERROR")

    @server.tool(meta=META, annotations=ANNOTATIONS)
    def zebra() -> list[int]:
        return [1, 2]

    @server.tool()
    def product() -> Product:
        return Product(name="Oak table")

    @server.tool()
    def products() -> list[Product]:
        return [Product(name="Oak table", parent=Product(name="Table"))]

    @server.tool()
    def by_result() -> Annotated[Result, Product]:
        return Result.success({"name": "Oak table", "parent": None}, summary="one")

    @server.tool()
    def color() -> Literal["red", "green"]:
        return "red"

    @server.tool()
    def maybe() -> int | None:
        return None

    @server.tool()
    def legacy() -> str:
        return '{"success":true,"data":{"ids":[1]}}'

    @server.tool()
    def nothing():  # type: ignore[no-untyped-def]  # as many functions are
        return None

    @server.tool()
    def untyped() -> Any:
        return {"content": [], "n": 2**70}

    return server


@pytest.mark.parametrize("revision", REVISIONS)
def test_functions(revision: str) -> None:
    """What an ``MCPServer`` says of its functions, and what these return, fit."""
    server = functions()
    attach(server, Mapper(phase="final"))

    @server.tool()
    def later() -> Result:
        return Result.success([1])

    with over_http(server) as url, HttpClient(url, revision) as client:
        tools = {tool["name"]: tool for tool in tools_of(client)}
        assert list(tools) == [
            *("zebra", "product", "products", "by_result", "color", "maybe"),
            *("legacy", "nothing", "untyped", "later"),
        ]
        assert tools["zebra"]["_meta"] == META
        assert tools["zebra"]["annotations"]["readOnlyHint"] is True
        results = {name: client.call(name) for name in tools}
    assert results["legacy"]["content"][0] == {"type": "text", "text": '{"ids":[1]}'}
    assert results["nothing"]["content"] == [{"type": "text", "text": "Done."}]
    assert results["maybe"]["content"][0]["text"] == "null"
    assert results["untyped"]["content"][0]["text"] == '{"content":[],"n":1180591620717411303424}'
    shown = {name: tool["outputSchema"] for name, tool in tools.items() if "outputSchema" in tool}
    if revision not in WITH_SCHEMAS:
        assert shown == {}
        return
    declared = {"zebra", "product", "products", "by_result", "color", "maybe"}
    assert shown.keys() == declared
    for name, schema in shown.items():
        Draft202012Validator(schema).validate(results[name]["structuredContent"])
    if revision in HANDSHAKE:
        assert results["zebra"]["structuredContent"] == {"result": [1, 2]}
        assert results["maybe"]["structuredContent"] == {"result": None}
    else:
        assert results["zebra"]["structuredContent"] == [1, 2]
        assert results["maybe"]["structuredContent"] is None
        assert shown["zebra"]["type"] == "array"


def test_the_client_of_the_sdk_takes_what_functions_return() -> None:
    server = functions()
    attach(server, Mapper(phase="final"))

    async def call(mode: Any) -> None:
        async with Client(server, mode=mode) as client:
            for tool in (await client.list_tools()).tools:
                assert not (await client.call_tool(tool.name, {})).is_error

    anyio.run(call, "legacy")
    anyio.run(call, "2026-07-28")
