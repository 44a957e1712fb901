"""What resources, templates and prompts raise: a neutral error with a reference, on any host."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from tests.mcp_server.clients import HttpClient
from tests.mcp_server.serving import app_over_http

from toolresult import Mapper
from toolresult.mcp import attach

SECRET = "pa55word"
BOTH = ("2025-11-25", "2026-07-28")
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("resources/read", {"uri": "x://boom"}),
    ("resources/read", {"uri": "x://item/1"}),
    ("prompts/get", {"name": "ask"}),
)
HOSTS = (
    "mcpserver",
    pytest.param(
        "fastmcp",
        marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="FastMCP needs Python 3.11"),
    ),
)


class Rude(BaseException):
    """Not an Exception."""


def filled(made: Any, error: type[BaseException]) -> Any:
    def boom() -> str:
        raise error(SECRET)

    def item(number: str) -> str:
        raise error(SECRET)

    def ask() -> str:
        raise error(SECRET)

    made.resource("x://boom")(boom)
    made.resource("x://item/{number}")(item)
    made.prompt()(ask)
    return made


@contextmanager
def serving(host: str, error: type[BaseException], **settings: Any) -> Iterator[str]:
    made: Any
    if host == "mcpserver":
        made = filled(MCPServer("shop"), error)
        attach(made, Mapper(phase="final"))
        app = made.streamable_http_app()
    else:
        from fastmcp import FastMCP

        made, inner = filled(FastMCP("shop", **settings), error), filled(FastMCP("inner"), error)
        made.mount(inner, namespace="inner")
        attach(made, Mapper(phase="final"))
        app = made.http_app(path="/mcp")
    with app_over_http(app) as base:
        yield f"{base}/mcp"


def check(answer: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    error = answer["error"]
    text, _, reference = error["message"].rpartition(" ")
    assert (error["code"], text) == (-32603, "Internal server error. Reference:")
    assert SECRET not in str(answer)
    (record,) = [
        one
        for one in caplog.records
        if reference in one.getMessage() and one.name.startswith("toolresult.mcp")
    ]
    assert record.levelno == logging.ERROR and record.exc_info is not None
    assert SECRET in "".join(traceback.format_exception(record.exc_info[1]))


@pytest.mark.parametrize("revision", BOTH)
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("error", [RuntimeError, PermissionError])
def test_an_unexpected_exception_gives_a_reference(
    host: str, revision: str, error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    with serving(host, error) as url, HttpClient(url, revision) as client:
        for method, params in ASKED:
            check(client.request(method, params), caplog)
        if host == "fastmcp":
            for method, params in (
                ("resources/read", {"uri": "x://inner/boom"}),
                ("prompts/get", {"name": "inner_ask"}),
            ):
                check(client.request(method, params), caplog)


@pytest.mark.parametrize("revision", BOTH)
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("error", [Rude, SystemExit])
def test_what_is_no_exception_does_not_end_the_service(
    host: str, revision: str, error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    with serving(host, error) as url, HttpClient(url, revision) as client:
        for method, params in ASKED * 2:
            check(client.request(method, params), caplog)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="FastMCP needs Python 3.11")
@pytest.mark.parametrize("masked", [True, False])
def test_with_the_middleware_of_fastmcp_that_turns_errors(
    masked: bool, caplog: pytest.LogCaptureFixture
) -> None:
    from fastmcp.server.middleware.error_handling import ErrorHandlingMiddleware

    with (
        serving(
            "fastmcp",
            PermissionError,
            middleware=[ErrorHandlingMiddleware()],
            mask_error_details=masked,
        ) as url,
        HttpClient(url, "2025-11-25") as client,
    ):
        for method, params in ASKED:
            check(client.request(method, params), caplog)


@pytest.mark.parametrize("revision", BOTH)
@pytest.mark.parametrize("host", HOSTS)
def test_what_is_raised_for_the_client_is_told(host: str, revision: str) -> None:
    errors: Any
    if host == "mcpserver":
        errors = ((ResourceError, -32603), (ResourceNotFoundError, -32602))
    else:
        from fastmcp.exceptions import ResourceError as Told

        errors = ((Told, -32603),)
    for error, code in errors:
        with serving(host, error) as url, HttpClient(url, revision) as client:
            answer = client.request("resources/read", {"uri": "x://boom"})["error"]
            assert (answer["code"], answer["message"]) == (code, SECRET)
