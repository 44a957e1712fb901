"""A success whose data does not fit its tool's output schema: told to the log, or refused."""

from __future__ import annotations

import logging
import sys
from typing import Annotated, Any

import anyio
import pytest
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolRequestParams, ListToolsResult, PaginatedRequestParams, Tool
from pydantic import BaseModel
from tests.mcp_server.clients import REVISIONS, HttpClient
from tests.mcp_server.serving import over_http

from toolresult import Mapper, Result
from toolresult.mcp import attach
from toolresult.mcp.validation import OutputValidation

SECRET = "pa55word"
SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
BAD = Result.success({"id": SECRET}, summary="one")
RETURNED: dict[str, Result] = {
    "good": Result.success({"id": 1}),
    "bad": BAD,
    "nothing": Result.text(SECRET),
    "failure": Result.failure("not_found", "There is none."),
    "unlisted": BAD,
    "circle": BAD,
}
SCHEMAS: dict[str, Any] = {name: SCHEMA for name in RETURNED if name != "unlisted"}
SCHEMAS["circle"] = {"$ref": "#"}


def lowlevel() -> Server[Any]:
    async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        plain = {"type": "object"}
        return ListToolsResult(
            tools=[
                Tool(name=name, input_schema=plain, output_schema=SCHEMAS.get(name))
                for name in RETURNED
            ]
        )

    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return RETURNED[params.name]

    return Server("tools", on_list_tools=list_tools, on_call_tool=call_tool)


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_log_is_told_and_the_result_is_sent(
    revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = lowlevel()
    attach(server, Mapper(phase="final"))
    caplog.set_level(logging.WARNING)
    with over_http(server) as url, HttpClient(url, revision) as client:
        for name, result in RETURNED.items():
            wire = client.call(name)
            assert wire.get("isError", False) is (result.error is not None), name
        assert SECRET in str(client.call("bad"))
        client.call("circle")
    told = [record.getMessage() for record in caplog.records]
    assert told == [
        "the data of the tool 'bad' does not fit its output schema: /id: type",
        "the data of the tool 'nothing' does not fit its output schema: "
        "(the whole): there is no data",
        "the data of the tool 'circle' cannot be held against its output schema: "
        "it goes round in circles",
        "the data of the tool 'bad' does not fit its output schema: /id: type",
    ]


@pytest.mark.parametrize("revision", REVISIONS)
def test_strict_sends_a_failure_that_shows_no_data(
    revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = lowlevel()
    attach(server, Mapper(phase="final"), validation="strict")
    with over_http(server) as url, HttpClient(url, revision) as client:
        bad = client.call("bad")
        assert client.call("good").get("isError", False) is False
        assert client.call("failure")["content"][0]["text"] == "There is none."
        assert SECRET in str(client.call("unlisted"))
        assert client.call("circle")["isError"] is True
        nothing = client.call("nothing")
    assert nothing["isError"] is True and '"pointer":""' in str(nothing)
    assert "does not allow at the top." in nothing["content"][0]["text"]
    assert bad["isError"] is True
    assert "/id" in bad["content"][0]["text"] and SECRET not in str(bad)
    assert '"pointer":"/id"' in str(bad)
    reference = bad["content"][0]["text"].rpartition(" ")[2]
    assert reference in caplog.text and SECRET not in caplog.text


def test_off_looks_at_nothing(caplog: pytest.LogCaptureFixture) -> None:
    server = lowlevel()
    attach(server, Mapper(phase="final"), validation="off")
    with over_http(server) as url, HttpClient(url, "2025-06-18") as client:
        assert client.call("bad")["structuredContent"] == {"id": SECRET}
    assert caplog.text == ""


def test_there_are_three_ways() -> None:
    with pytest.raises(ValueError, match="expected 'warn', 'strict' or 'off'"):
        attach(lowlevel(), Mapper(phase="final"), validation="loud")  # type: ignore[arg-type]


class Product(BaseModel):
    id: int


def test_functions_of_an_mcpserver(caplog: pytest.LogCaptureFixture) -> None:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")

    @server.tool()
    def product() -> Annotated[Result, Product]:
        return Result.success({"id": SECRET})

    @server.tool()
    def products() -> list[Product]:
        return [Product(id=1)]

    attach(server, Mapper(phase="final"), validation="strict")
    with over_http(server) as url, HttpClient(url, "2026-07-28") as client:
        assert client.call("product")["isError"] is True
        assert client.call("products")["structuredContent"] == [{"id": 1}]


def test_strict_takes_its_time_where_it_has_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than a warning would look at, and the last one is bad."""
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    rows = [{"id": n} for n in range(2000)]
    server: Server[Any] = Server("rows", on_call_tool=call_rows(rows))
    attach(
        server,
        Mapper(phase="final", limit=None),
        output_schema=lambda name: {"type": "array", "items": SCHEMA, "title": "of this test"},
        validation="strict",
    )
    with over_http(server) as url, HttpClient(url, "2026-07-28") as client:
        assert len(client.call("rows")["structuredContent"]) == 2000
        rows[-1] = {"id": None}  # type: ignore[dict-item]  # what is tested
        assert client.call("rows")["content"][0]["text"].startswith(
            "The tool returned data that its output schema does not allow at /1999/id."
        )


def call_rows(rows: list[dict[str, int]]) -> Any:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return Result.success(rows)

    return call_tool


def test_strict_says_where_it_could_not_look(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody knows whether such data fits, so nobody says that it does not."""
    round_and_round = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    checks = OutputValidation("strict")
    result = anyio.run(checks.checked, "turns", round_and_round, Result.success(1))
    assert result.error is not None
    text, _, reference = result.error.message.rpartition(" ")
    assert text == (
        "The tool returned data that cannot be held against its output schema. Reference:"
    )
    assert reference in caplog.text
