"""The client of the MCP SDK lists all that the example server has, and calls it, in both eras."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    CreateMessageResult,
    ElicitResult,
    ListRootsResult,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from tests.mcp_server.clients import unstamped
from tests.mcp_server.vectors import rendered
from tests.serve.everything import (
    ANSWER,
    CALLS,
    FAIL,
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    unsaid,
)
from tests.serve.running import Running, serving

ERAS = [("legacy", "2025-11-25"), ("auto", "2026-07-28")]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving("--example") as one:
        yield one


def client(url: str, mode: Any) -> Client:
    """A client that answers whatever it is asked."""

    async def elicit(context: Any, params: Any) -> ElicitResult:
        return ElicitResult.model_validate({"action": "accept", "content": ANSWER})

    async def sample(context: Any, params: Any) -> CreateMessageResult:
        return CreateMessageResult(role="assistant", content=TextContent(text="Paris"), model="m")

    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult.model_validate({"roots": [{"uri": "file:///shop"}]})

    return Client(
        url,
        mode=mode,
        elicitation_callback=elicit,
        sampling_callback=sample,
        list_roots_callback=roots,
    )


async def call_everything(url: str, mode: Any, revision: str) -> None:
    async with client(url, mode) as one:
        assert one.protocol_version == revision
        tools = (await one.list_tools()).tools
        assert [tool.name for tool in tools] == list(CALLS)
        results = {name: await one.call_tool(name, dict(CALLS[name])) for name in CALLS}
        assert {name for name, result in results.items() if result.is_error} == FAIL[revision]
        assert (
            unsaid(revision, {name: str(result.content) for name, result in results.items()}) == []
        )
        await read_everything(one, results["report"])
        for prompt in (await one.list_prompts()).prompts:
            await get(one, prompt.name, revision)


async def read_everything(one: Client, report: CallToolResult) -> None:
    link = next(block for block in report.content if isinstance(block, ResourceLink))
    (stored,) = (await one.read_resource(link.uri)).contents
    assert isinstance(stored, TextResourceContents)
    assert json.loads(stored.text)["data"]["rows"] == list(range(30_000))
    resources = (await one.list_resources()).resources
    assert [str(resource.uri) for resource in resources] == RESOURCES
    for uri in (*RESOURCES, "test://template/17/data"):
        (contents,) = (await one.read_resource(uri)).contents
        assert str(contents.uri) == uri
    templates = (await one.list_resource_templates()).resource_templates
    assert [template.uri_template for template in templates] == TEMPLATES


async def get(one: Client, name: str, revision: str) -> None:
    if name == "test_input_required_result_prompt" and revision == "2025-11-25":
        with pytest.raises(MCPError):
            await one.get_prompt(name, dict(PROMPTS[name]))
        return
    messages = (await one.get_prompt(name, dict(PROMPTS[name]))).messages
    assert all(value in str(messages) for value in PROMPTS[name].values())


@pytest.mark.parametrize(("mode", "revision"), ERAS)
def test_everything_is_listed_and_called(running: Running, mode: str, revision: str) -> None:
    anyio.run(call_everything, running.mcp, mode, revision)


@pytest.mark.parametrize(("mode", "revision"), ERAS)
def test_every_sample_as_the_vectors_say(running: Running, mode: str, revision: str) -> None:
    async def differing() -> list[str]:
        wrong = []
        async with client(running.mcp, mode) as one:
            for name, (_, output) in rendered(revision, "final").items():
                result = await one.call_tool("sample", {"name": name})
                found = result.model_dump(by_alias=True, exclude_none=True)
                wanted = CallToolResult.model_validate(output)
                if unstamped(found) != wanted.model_dump(by_alias=True, exclude_none=True):
                    wrong.append(name)
        return wrong

    assert anyio.run(differing) == []
