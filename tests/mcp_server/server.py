"""Servers whose one tool returns the sample that it is asked for.

``python -m tests.mcp_server.server lowlevel final`` serves over stdio.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, ListToolsResult, PaginatedRequestParams, Tool
from tests.mcp_server.vectors import SAMPLES

from toolresult import Mapper, Result
from toolresult.mcp import attach

AnyServer = Server[Any] | MCPServer[Any]


def lowlevel() -> Server[Any]:
    """A low-level server, as it is before anything is attached."""

    async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        return ListToolsResult(tools=[Tool(name="sample", input_schema=schema)])

    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.from_json(SAMPLES[(params.arguments or {})["name"]])

    return Server("samples", on_list_tools=list_tools, on_call_tool=call_tool)


def highlevel() -> MCPServer[Any]:
    """The same as an ``MCPServer``."""
    server: MCPServer[Any] = MCPServer("samples", log_level="ERROR")

    @server.tool()
    def sample(name: str) -> Result:
        return Result.from_json(SAMPLES[name])

    return server


SERVERS: Mapping[str, Callable[[], AnyServer]] = {"lowlevel": lowlevel, "highlevel": highlevel}


def attached(kind: str, phase: str) -> AnyServer:
    """A server that speaks through a mapper."""
    server = SERVERS[kind]()
    attach(server, Mapper(phase=phase, limit=None))
    return server


async def _serve(kind: str, phase: str) -> None:
    server = attached(kind, phase)
    if isinstance(server, MCPServer):
        await server.run_stdio_async()
        return
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(_serve, sys.argv[1], sys.argv[2])
