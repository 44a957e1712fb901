"""What a tool raises that is no ``Exception``: its call fails, and the service goes on."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolRequestParams
from tests.mcp_server.clients import HttpClient
from tests.mcp_server.serving import app_over_http

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.mcp.ending import passes_on

SECRET = "pa55word"
BOTH = ("2025-11-25", "2026-07-28")


class Rude(BaseException):
    """Not an Exception."""


def parse() -> Result:
    argparse.ArgumentParser(SECRET).parse_args(["--unknown"])
    return Result.success()


def raises(error: BaseException) -> Any:
    def tool() -> Result:
        raise error

    return tool


TOOLS = {
    "rude": raises(Rude(SECRET)),
    "exit": raises(SystemExit(SECRET)),
    "argparse": parse,
    "generator": raises(GeneratorExit(SECRET)),
    "fine": lambda: Result.success(1),
}
if sys.version_info >= (3, 11):
    TOOLS["group"] = raises(BaseExceptionGroup(SECRET, [Rude(SECRET), ValueError(SECRET)]))  # noqa: F821  # of 3.11
    # Python 3.10 cannot tell who cancelled.
    TOOLS["cancelled"] = raises(asyncio.CancelledError(SECRET))


def lowlevel() -> Any:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return TOOLS[params.name]()

    made: Server[Any] = Server("shop", on_call_tool=call_tool)
    attach(made, Mapper(phase="final"))
    return made.streamable_http_app()


def asynchronous(tool: Any) -> Any:
    async def run() -> Result:
        result: Result = tool()
        return result

    return run


def mcpserver() -> Any:
    made: MCPServer[Any] = MCPServer("shop")
    for name, tool in TOOLS.items():
        made.add_tool(asynchronous(tool), name=name)
    attach(made, Mapper(phase="final"))
    return made.streamable_http_app()


def threads() -> Any:
    """Plain functions, which the SDK runs in threads.

    One of the exceptions stays out: what a thread raises is thrown into the coroutine that
    waits for it, and Python closes a coroutine into which a GeneratorExit is thrown.
    """
    made: MCPServer[Any] = MCPServer("shop")
    for name, tool in TOOLS.items():
        made.add_tool(asynchronous(tool) if name == "generator" else tool, name=name)
    attach(made, Mapper(phase="final"))
    return made.streamable_http_app()


def fastmcp() -> Any:
    from fastmcp import FastMCP

    made: Any = FastMCP("shop")
    for name, tool in TOOLS.items():
        made.tool(asynchronous(tool), name=name)
    attach(made, Mapper(phase="final"))
    return made.http_app(path="/mcp")


HOSTS = [lowlevel, mcpserver, threads]
if sys.version_info >= (3, 11):
    HOSTS.append(fastmcp)


@pytest.fixture(scope="module", params=HOSTS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    with app_over_http(request.param()) as base:
        yield f"{base}/mcp"


@pytest.mark.parametrize("revision", BOTH)
@pytest.mark.parametrize("tool", [name for name in TOOLS if name != "fine"])
def test_the_call_fails_and_the_others_go_on(
    url: str, tool: str, revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    with HttpClient(url, revision) as client:
        wire = client.call(tool)
        assert wire["isError"] is True and SECRET not in str(wire)
        assert wire["content"][0]["text"].startswith("The tool failed unexpectedly. Reference: ")
        assert wire["content"][0]["text"].rpartition(" ")[2] in caplog.text
        assert not client.call("fine").get("isError")


def test_what_ends_a_request_or_the_server_passes_on() -> None:
    assert passes_on(KeyboardInterrupt())
    assert passes_on(GeneratorExit())  # no task runs: the coroutine is being closed

    async def cancelled() -> bool:
        with anyio.CancelScope() as scope:
            scope.cancel()
            try:
                await anyio.sleep(10)
            except BaseException as error:
                found = passes_on(error)
                raise
            finally:
                result.append(found)
        assert not passes_on(Rude())
        return result == [True]

    result: list[bool] = []
    assert anyio.run(cancelled)
