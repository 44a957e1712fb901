"""What a tool raises becomes a failure with a code; what nobody expected says nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ListPromptsResult,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
)
from pydantic import BaseModel, ValidationError
from tests.mcp_server.clients import REVISIONS, HttpClient, RawClient
from tests.mcp_server.serving import over_http

from toolresult import Mapper, Result, ResultError, read
from toolresult.mcp import attach, invalid_arguments
from toolresult.mcp.failures import Answer, Failures

SECRET = "pa55word in /etc/secret"


class OutOfStock(Exception):
    """A tool's own exception."""


class SoldOut(OutOfStock):
    """One of its kind."""


class Arguments(BaseModel):
    count: int


def system_refusal() -> None:
    raise PermissionError(13, SECRET)


def not_json() -> Any:
    return {"number": float("nan"), "text": SECRET}


def raising(error: Exception) -> Callable[[], None]:
    def tool() -> None:
        raise error

    return tool


def validation() -> None:
    Arguments.model_validate({"count": SECRET})


def chained() -> None:
    try:
        raise RuntimeError(SECRET)
    except RuntimeError as error:
        raise ToolError("The shop is closed.") from error


TOOLS: dict[str, Callable[[], Any]] = {
    "unexpected": raising(RuntimeError(SECRET)),
    "key": raising(KeyError(SECRET)),
    "validation": validation,
    "not_json": not_json,
    "system_refusal": system_refusal,
    "surrogate": raising(ToolError("\ud800")),
    "privilege": raising(PermissionError(SECRET)),
    "deliberate": raising(ToolError("The shop is closed.")),
    "chained": chained,
    "missing": raising(ResourceNotFoundError("There is no product 17.")),
    "own": raising(SoldOut(SECRET)),
    "told": raising(LookupError("No such word.")),
    "bad_answer": raising(ArithmeticError(SECRET)),
    "no_failure": raising(AssertionError(SECRET)),
    "protocol": raising(MCPError(code=-32602, message="Not like this.")),
}
KNOWN: dict[type[Exception], Answer] = {
    OutOfStock: "not_found",
    LookupError: lambda error: Result.failure("not_found", str(error), {"word": "x"}),
    ArithmeticError: lambda error: Result.from_json(error.unheard_of),
    AssertionError: lambda error: Result.success(str(error)),
    KeyError: lambda error: Result.failure("unheard_of", "-"),
}
UNEXPECTED = (
    "unexpected",
    "key",
    "validation",
    "not_json",
    "system_refusal",
    "surrogate",
    "bad_answer",
    "no_failure",
)


def lowlevel() -> Server[Any]:
    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        return TOOLS[params.name]()

    async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(
            tools=[Tool(name=name, input_schema={"type": "object"}) for name in TOOLS]
        )

    async def list_prompts(ctx: Any, params: PaginatedRequestParams | None) -> ListPromptsResult:
        raise RuntimeError(SECRET)

    return Server(
        "failing", on_call_tool=call_tool, on_list_tools=list_tools, on_list_prompts=list_prompts
    )


def highlevel() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("failing", log_level="ERROR")
    for name, tool in TOOLS.items():
        server.add_tool(tool, name=name, structured_output=False)

    @server.tool()
    def counted(count: int, name: str) -> Result:
        return Result.text(name * count)

    @server.tool()
    async def nested() -> Any:
        return await server.call_tool("unexpected", {})

    @server.tool()
    def mistyped() -> list[int]:
        return [SECRET]  # type: ignore[list-item]  # what a faulty tool does

    return server


@pytest.fixture(scope="module", params=["lowlevel", "highlevel"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    server = lowlevel() if request.param == "lowlevel" else highlevel()
    attach(server, Mapper(phase="final"), failures=KNOWN)
    with over_http(server) as found:
        yield found


@pytest.fixture(params=REVISIONS)
def client(url: str, request: pytest.FixtureRequest) -> Iterator[RawClient]:
    with HttpClient(url, request.param) as found:
        yield found


def error_of(client: RawClient, tool: str, arguments: dict[str, Any] | None = None) -> Any:
    wire = client.call(tool, arguments)
    assert wire["isError"] is True
    era = "mcp-stateless" if client.revision == "2026-07-28" else "mcp-handshake"
    error = read(wire, f"{era}@{client.revision}").error
    assert error is not None
    assert SECRET not in str(wire)
    return error


@pytest.mark.parametrize("tool", UNEXPECTED)
def test_an_unexpected_error_gives_a_reference_that_the_log_has(
    client: RawClient, tool: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = error_of(client, tool)
    reference = error.details.value["reference"]
    assert error.code.value == "tool_error"
    assert error.message == f"The tool failed unexpectedly. Reference: {reference}"
    records = [one for one in caplog.records if reference in one.getMessage()]
    assert [(one.levelno, bool(one.exc_info)) for one in records] == [(logging.ERROR, True)]


@pytest.mark.parametrize(
    ("tool", "code", "message", "details"),
    [
        ("deliberate", "tool_error", "The shop is closed.", None),
        ("chained", "tool_error", "The shop is closed.", None),
        ("missing", "not_found", "There is no product 17.", None),
        ("told", "not_found", "No such word.", {"word": "x"}),
    ],
)
def test_a_known_error_says_what_it_is(
    client: RawClient, tool: str, code: str, message: str, details: Any
) -> None:
    error = error_of(client, tool)
    assert (error.code.value, error.message) == (code, message)
    assert (None if error.details is None else error.details.value) == details


@pytest.mark.parametrize(
    ("tool", "code", "message"),
    [
        ("privilege", "missing_privilege", "A privilege is missing for this."),
        ("own", "not_found", "What was asked for does not exist."),
    ],
)
def test_a_code_alone_keeps_the_text_back(
    client: RawClient, tool: str, code: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "toolresult"):
        error = error_of(client, tool)
    reference = error.details.value["reference"]
    assert error.code.value == code
    assert error.message == f"{message} Reference: {reference}"
    assert reference in caplog.text


def test_faults_of_the_protocol_stay_errors_of_json_rpc(client: RawClient) -> None:
    refused = client.request("tools/call", {"name": "protocol", "arguments": {}})
    assert refused["error"] == {"code": -32602, "message": "Not like this."}
    assert client.request("tools/call", {"arguments": {}})["error"]["code"] == -32602
    assert client.request("no/such/method", {})["error"]["code"] == -32601


def test_other_handlers_keep_their_text_to_themselves(
    client: RawClient, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the low-level server has one that fails; an ``MCPServer`` has no prompts to list."""
    answer = client.request("prompts/list", {})
    assert SECRET not in str(answer)
    if "error" in answer:
        assert answer["error"]["code"] == -32603
        assert answer["error"]["message"].rpartition(" ")[2] in caplog.text


@pytest.fixture(scope="module")
def functions() -> Iterator[RawClient]:
    server = highlevel()
    attach(server, Mapper(phase="final"), failures=KNOWN)
    with over_http(server) as url, HttpClient(url, "2025-06-18") as found:
        yield found


def test_arguments_that_do_not_fit(functions: RawClient) -> None:
    error = error_of(functions, "counted", {"count": SECRET})
    assert error.code.value == "invalid_arguments"
    assert error.details.value["problems"] == [
        {
            "argument": "count",
            "problem": "Input should be a valid integer, unable to parse string as an integer",
        },
        {"argument": "name", "problem": "Field required"},
    ]
    assert error.message.startswith("The tool cannot use these arguments. count: Input should")


def test_an_unknown_function_is_a_fault_of_the_protocol(functions: RawClient) -> None:
    answer = functions.request("tools/call", {"name": "nowhere", "arguments": {}})
    assert answer["error"] == {"code": -32602, "message": "Unknown tool: nowhere"}


@pytest.mark.parametrize("tool", ["nested", "mistyped"])
def test_what_functions_do_wrong_is_unexpected(functions: RawClient, tool: str) -> None:
    assert error_of(functions, tool).message.startswith("The tool failed unexpectedly.")


def test_arguments_of_a_low_level_tool_can_be_known() -> None:
    server = lowlevel()
    attach(server, Mapper(phase="final"), failures={ValidationError: invalid_arguments})
    with over_http(server) as url, HttpClient(url, "2026-07-28") as client:
        error = error_of(client, "validation")
    assert error.code.value == "invalid_arguments"
    assert error.details.value["problems"][0]["argument"] == "count"


def test_an_unknown_code_is_refused_when_the_server_is_attached() -> None:
    with pytest.raises(ResultError, match="unknown_code"):
        attach(lowlevel(), Mapper(phase="final"), failures={KeyError: "unheard_of"})


@pytest.mark.parametrize(
    ("failures", "says"),
    [
        ({ValueError: 5}, "expected an error code or a function for ValueError, found int"),
        ({"ValueError": "not_found"}, "'ValueError' is no class of exceptions"),
        ({BaseException: "not_found"}, "is no class of exceptions"),
    ],
)
def test_a_registry_of_something_else_is_refused_at_once(failures: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        attach(lowlevel(), Mapper(phase="final"), failures=failures)


@pytest.mark.parametrize("answer", [lambda error: None, lambda error: Result.success()])
def test_an_answer_that_is_no_failure_is_unexpected(answer: Any) -> None:
    failure = Failures({KeyError: answer}).result("t", KeyError("secret"))
    assert failure.error is not None
    assert failure.error.code.value == "tool_error"
    assert b"secret" not in failure.to_json()
