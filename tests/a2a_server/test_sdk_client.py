"""The SDK's own client gets what the vectors say, as its types hold it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.compat.v0_3 import conversions, types
from a2a.helpers.proto_helpers import new_text_message
from a2a.types.a2a_pb2 import AgentCard, Role, SendMessageRequest, Task
from google.protobuf.json_format import MessageToDict, ParseDict
from tests.a2a_server.agent import PATHS, REVISIONS
from tests.a2a_server.raw import decided
from tests.a2a_server.samples import INPUTS, OUTPUTS

from toolresult import read, result_of
from toolresult_core.constants import A2A_EXTENSION


@asynccontextmanager
async def connected(
    base: str, binding: str, revision: str, streaming: bool
) -> AsyncIterator[Client]:
    """A client that has resolved the card and speaks over one of its interfaces."""
    async with httpx.AsyncClient(timeout=20) as http:
        card = await A2ACardResolver(http, base).get_agent_card()
        wanted = [
            one
            for one in card.supported_interfaces
            if (one.protocol_binding, one.protocol_version) == (binding, revision)
        ]
        only = AgentCard()
        only.CopyFrom(card)
        del only.supported_interfaces[:]
        only.supported_interfaces.extend(wanted)
        config = ClientConfig(
            streaming=streaming, supported_protocol_bindings=[binding], httpx_client=http
        )
        yield ClientFactory(config).create(only)


async def ask(client: Client, text: str) -> Task:
    """The task that a message began, as the events tell of it."""
    message = new_text_message(text, role=Role.ROLE_USER)
    task = Task()
    async for event in client.send_message(SendMessageRequest(message=message)):
        if event.HasField("task"):
            task.CopyFrom(event.task)
        elif event.HasField("artifact_update"):
            task.artifacts.append(event.artifact_update.artifact)
        else:
            assert event.HasField("status_update")
            task.status.CopyFrom(event.status_update.status)
            if event.status_update.HasField("metadata"):
                task.metadata.MergeFrom(event.status_update.metadata)
    return task


def held(name: str, revision: str) -> dict[str, Any]:
    """A vector as the SDK's types hold it, by the SDK's own conversions alone."""
    output = OUTPUTS[revision][name]
    if revision == "1.0":
        task = ParseDict(output, Task())
    else:
        whole = {"id": "1", "contextId": "1", **output}
        task = conversions.to_core_task(types.Task.model_validate(whole))
    return decided(MessageToDict(task))


@pytest.mark.parametrize("streaming", [False, True], ids=["unary", "stream"])
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("binding", PATHS)
def test_every_sample_arrives(base: str, binding: str, revision: str, streaming: bool) -> None:
    async def ask_all() -> dict[str, Task]:
        async with connected(base, binding, revision, streaming) as client:
            return {name: await ask(client, name) for name in INPUTS}

    wrong = []
    for name, task in asyncio.run(ask_all()).items():
        found, wanted = decided(MessageToDict(task)), held(name, revision)
        if found != wanted:
            wrong.append(f"{name}: found {found}, wanted {wanted}")
        elif revision == "1.0" and "'filename': ''" not in str(OUTPUTS[revision][name]):
            assert read(MessageToDict(task), "a2a@1.0") == result_of(INPUTS[name])
    assert wrong == []


def test_the_card_that_is_served_declares_the_extension(base: str) -> None:
    async def resolve() -> AgentCard:
        async with httpx.AsyncClient(timeout=20) as http:
            return await A2ACardResolver(http, base).get_agent_card()

    (declared,) = asyncio.run(resolve()).capabilities.extensions
    assert (declared.uri, declared.required) == (A2A_EXTENSION, False)
    listed = {
        uri
        for output in OUTPUTS["1.0"].values()
        for artifact in output.get("artifacts", [])
        for uri in artifact.get("extensions", [])
    }
    assert listed == {declared.uri}
