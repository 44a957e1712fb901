"""Every sample reaches a client of every revision as the vectors say, over HTTP and stdio."""

from __future__ import annotations

import sys
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult
from tests.mcp_server.clients import REVISIONS, ROOT, HttpClient, RawClient, StdioClient
from tests.mcp_server.server import attached
from tests.mcp_server.serving import over_http
from tests.mcp_server.vectors import PHASES, SAMPLES, rendered

MODULE = "tests.mcp_server.server"


def differing(client: RawClient, phase: str, *, every: int = 1) -> list[str]:
    """The samples that a client gets otherwise than the vectors say."""
    wanted = rendered(client.revision, phase)
    return [
        name
        for name, (_, output) in list(wanted.items())[::every]
        if not same(client.call("sample", {"name": name}), output)
    ]


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: for Python true is 1 and 1.0 is 1, which JSON texts are not."""
    return repr(ordered(one)) == repr(ordered(other))


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value)}
    return [ordered(item) for item in value] if isinstance(value, list) else value


def test_there_is_a_vector_of_every_sample() -> None:
    assert len(SAMPLES) > 100
    for revision in REVISIONS:
        for phase in PHASES:
            found = rendered(revision, phase)
            assert {name: text for name, (text, _) in found.items()} == SAMPLES


@pytest.mark.parametrize(("kind", "phase"), [("lowlevel", "transitional"), ("highlevel", "final")])
def test_over_http(kind: str, phase: str) -> None:
    with over_http(attached(kind, phase)) as url:
        for revision in REVISIONS:
            with HttpClient(url, revision) as client:
                assert differing(client, phase) == [], revision


@pytest.mark.parametrize("revision", REVISIONS)
def test_over_stdio(revision: str) -> None:
    kind = "lowlevel" if revision == "2025-06-18" else "highlevel"
    with StdioClient(MODULE, (kind, "final"), revision) as client:
        assert differing(client, "final") == []


def test_clients_of_all_revisions_at_once() -> None:
    """Nothing is remembered from one request to the next: they take turns, sample by sample."""
    with over_http(attached("lowlevel", "final")) as url:
        clients = [HttpClient(url, revision) for revision in REVISIONS]
        for client in clients:
            client.__enter__()
        for name in list(SAMPLES)[::10]:
            for client in clients:
                output = rendered(client.revision, "final")[name][1]
                assert same(client.call("sample", {"name": name}), output)
        for client in clients:
            client.close()


def test_a_server_without_sessions() -> None:
    server = attached("highlevel", "final")
    with over_http(server, stateless_http=True, json_response=True) as url:
        for revision in REVISIONS:
            with HttpClient(url, revision) as client:
                assert differing(client, "final", every=10) == [], revision


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_with_the_client_of_the_sdk(transport: str, mode: Any, revision: str) -> None:
    if transport == "stdio":
        arguments = ["-m", MODULE, "lowlevel", "final"]
        server = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)
        anyio.run(_compare, Client(server, mode=mode), revision)
    else:
        with over_http(attached("highlevel", "final")) as url:
            anyio.run(_compare, Client(url, mode=mode), revision)


async def _compare(client: Client, revision: str) -> None:
    wanted = rendered(revision, "final")
    async with client:
        assert client.protocol_version == revision
        for name, (_, output) in wanted.items():
            got = await client.call_tool("sample", {"name": name})
            assert isinstance(got, CallToolResult)
            assert bool(got.is_error) is output.get("isError", False), name
            assert same(got.structured_content, output.get("structuredContent")), name
            blocks = [block.model_dump(by_alias=True, exclude_unset=True) for block in got.content]
            assert blocks == output["content"], name  # its model makes a priority 1 a 1.0
