"""The example server returns every sample, as the vectors say, over all that it speaks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from google.protobuf.json_format import MessageToDict
from tests.a2a_server.raw import RawClient as A2AClient
from tests.a2a_server.raw import decided
from tests.a2a_server.samples import OUTPUTS
from tests.a2a_server.spelling import task_of_rest
from tests.a2a_server.test_sdk_client import ask, connected, held
from tests.mcp_server.clients import HANDSHAKE, REVISIONS, HttpClient, RawClient, StdioClient
from tests.mcp_server.test_samples import same
from tests.mcp_server.vectors import SAMPLES, rendered
from tests.serve.running import Running, serving

from toolresult import render
from toolresult.serve.samples import samples

BINDINGS = ("JSONRPC", "HTTP+JSON")
A2A_REVISIONS = ("1.0", "0.3")


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving("--example") as one:
        yield one


def wanted(revision: str, name: str, phase: str = "final") -> object:
    """The vector; for a sample that has options of its own, what it is without them."""
    found = rendered(revision, phase).get(name)
    if found is not None:
        return found[1]
    target = "mcp-handshake" if revision in HANDSHAKE else "mcp-stateless"
    return render(samples()[name].result, f"{target}@{revision}", phase=phase, limit=None).wire


def differing(client: RawClient, phase: str = "final", *, every: int = 1) -> list[str]:
    return [
        name
        for name in list(samples())[::every]
        if not same(client.call("sample", {"name": name}), wanted(client.revision, name, phase))
    ]


def test_the_package_carries_every_sample() -> None:
    carried = {name: sample.text for name, sample in samples().items()}
    assert len(carried) > 200
    assert {name: text for name, text in carried.items() if name in SAMPLES} == SAMPLES
    assert all(sample.meaning and sample.topic for sample in samples().values())


@pytest.mark.parametrize("revision", REVISIONS)
def test_mcp_over_http(running: Running, revision: str) -> None:
    with HttpClient(running.mcp, revision) as client:
        assert differing(client) == []


@pytest.mark.parametrize("revision", ["2024-11-05", "2026-07-28"])
def test_mcp_over_stdio(revision: str) -> None:
    arguments = ("serve", "--example", "--stdio", "--phase", "transitional")
    with StdioClient("toolresult_generator", arguments, revision) as client:
        assert differing(client, "transitional", every=3) == []


@pytest.mark.parametrize("revision", A2A_REVISIONS)
@pytest.mark.parametrize("binding", BINDINGS)
def test_a2a(running: Running, binding: str, revision: str) -> None:
    rest = binding == "HTTP+JSON" and revision == "0.3"
    respelled = task_of_rest if rest else dict
    with httpx.Client(timeout=20) as http:
        client = A2AClient(http, running.base, binding, revision)
        client.address = f"{running.base}/a2a"
        wrong = [
            name
            for name, output in OUTPUTS[revision].items()
            if not same(decided(respelled(client.send(name))), output)
        ]
    assert wrong == []


@pytest.mark.parametrize("revision", A2A_REVISIONS)
@pytest.mark.parametrize("binding", BINDINGS)
def test_the_client_of_the_a2a_sdk(running: Running, binding: str, revision: str) -> None:
    """It finds the agent by its card alone, and gets every sample."""

    async def ask_all() -> list[str]:
        wrong = []
        async with connected(running.base, binding, revision, streaming=True) as client:
            for name in OUTPUTS[revision]:
                found = decided(MessageToDict(await ask(client, name)))
                if found != held(name, revision):
                    wrong.append(name)
        return wrong

    assert asyncio.run(ask_all()) == []


def test_what_is_no_sample_is_a_failure_that_helps(running: Running) -> None:
    with HttpClient(running.mcp, "2025-11-25") as client:
        missing = client.call("sample", {"name": "none"})
        listed = client.call("samples", {"topic": "errors"})["structuredContent"]["result"]
    assert missing["isError"] is True
    assert "`samples` lists them" in missing["content"][0]["text"]
    assert {one["topic"] for one in listed} == {"errors"}
    with httpx.Client(timeout=20) as http:
        agent = A2AClient(http, running.base, "JSONRPC", "1.0")
        agent.address = f"{running.base}/a2a"
        assert agent.send("none")["status"]["state"] == "TASK_STATE_FAILED"
        parts = agent.send("samples")["artifacts"][0]["parts"]
    names = [one["name"] for one in parts[0]["data"]]
    assert names == list(samples())
