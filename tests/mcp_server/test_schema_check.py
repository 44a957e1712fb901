"""A schema that is none is left out of the list, and the log has it once."""

from __future__ import annotations

import time
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, ListToolsResult, Tool
from tests.languages.schemas import FAULTY, SOUND

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.mcp.schema_check import fault_of


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_no_schema(name: str) -> None:
    assert fault_of(FAULTY[name]) is not None


@pytest.mark.parametrize("name", SOUND)
def test_what_is_one(name: str) -> None:
    assert fault_of(SOUND[name]) is None


def test_the_check_is_bounded() -> None:
    begun = time.process_time()
    fault_of({"properties": {f"p{i}": {"anyOf": [{"items": {}}] * 20} for i in range(500)}})
    fault_of({"allOf": [{"$ref": f"#/allOf/{i + 1}"} for i in range(2000)] + [{}]})
    assert time.process_time() - begun < 10


def server() -> Server[Any]:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success({"a": "b"})

    async def list_tools(ctx: Any, params: Any) -> ListToolsResult:
        listed = [
            Tool(name=name, input_schema={"type": "object"}, output_schema=schema)
            for name, schema in FAULTY.items()
        ]
        listed += [
            Tool(name=f"takes {name}", input_schema={"type": "object", **schema})
            for name, schema in FAULTY.items()
        ]
        good = {"type": "object", "properties": {"a": {"type": "string"}}}
        return ListToolsResult(tools=[*listed, Tool(name="good", input_schema=good)])

    made: Server[Any] = Server("shop", on_call_tool=call_tool, on_list_tools=list_tools)
    attach(made, Mapper(phase="final"))
    return made


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_client_of_the_sdk_can_call_every_tool(
    mode: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask() -> None:
        async with Client(server(), mode=mode) as client:
            await client.list_tools()
            tools = (await client.list_tools()).tools
            assert all(tool.output_schema is None for tool in tools)
            assert all(
                tool.input_schema == {"type": "object"} for tool in tools if tool.name != "good"
            )
            assert tools[-1].input_schema["properties"] == {"a": {"type": "string"}}
            for tool in tools:
                assert not (await client.call_tool(tool.name, {})).is_error

    anyio.run(ask)
    told = [one for r in caplog.records if "is none, and" in (one := r.getMessage())]
    assert len(told) == len(set(told)) == 2 * len(FAULTY)
