"""What is ours is put right in answers, and nothing else is touched."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from a2a.compat.v0_3 import conversions
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes as sdk_jsonrpc_routes
from a2a.server.routes import create_rest_routes as sdk_rest_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types.a2a_pb2 import AgentCard, AgentExtension, Artifact, Message, Task
from google.protobuf.json_format import ParseDict
from starlette.applications import Starlette
from tests.a2a_server.agent import PATHS, Tool, card
from tests.a2a_server.raw import decided
from tests.a2a_server.samples import INPUTS, OUTPUTS, same

from toolresult import Metadata, Result, render
from toolresult.a2a import ResultExecutor, declare_extension
from toolresult.a2a.border import to_message, to_wire
from toolresult.a2a.exact import exact_json
from toolresult.a2a.revision_03 import artifact_03, message_03, task_03
from toolresult_core.constants import A2A_EXTENSION

CALLS = {
    "1.0": ("SendMessage", {"role": "ROLE_USER", "parts": [{"text": ""}]}),
    "0.3": ("message/send", {"role": "user", "parts": [{"kind": "text", "text": ""}]}),
}


@pytest.mark.parametrize("revision", CALLS)
def test_the_comparison_sees_what_the_sdks_own_routes_lose(revision: str) -> None:
    handler = DefaultRequestHandler(
        agent_executor=ResultExecutor(Tool()),
        task_store=InMemoryTaskStore(),
        agent_card=card("http://agent"),
    )
    routes = sdk_jsonrpc_routes(handler, PATHS["JSONRPC"], enable_v0_3_compat=True)
    transport = httpx.ASGITransport(Starlette(routes=routes))
    method, message = CALLS[revision]

    async def ask(name: str) -> dict[str, Any]:
        message["messageId"] = name
        message["parts"][0]["text"] = name  # type: ignore[index]  # a list
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"message": message}}
        headers = {"A2A-Version": revision}
        async with httpx.AsyncClient(transport=transport, base_url="http://agent") as http:
            answer = await http.post(PATHS["JSONRPC"], json=body, headers=headers)
        result: dict[str, Any] = answer.json()["result"]
        return decided(result.get("task", result))

    def is_lost(name: str) -> bool:
        return not same(asyncio.run(ask(name)), OUTPUTS[revision][name])

    told = {name: str(OUTPUTS[revision][name]) for name in INPUTS}
    lost = "'filename': ''" if revision == "1.0" else "'mimeType': 'application/json'"
    names = [name for name, text in told.items() if lost in text]
    assert names
    if revision == "1.0":
        assert all(map(is_lost, names))
    else:
        assert any(map(is_lost, names))
    assert not is_lost("text-bare")


def test_the_sdk_has_the_routes_that_ours_stand_for() -> None:
    from toolresult.a2a import create_jsonrpc_routes, create_rest_routes

    handler = DefaultRequestHandler(
        agent_executor=ResultExecutor(Tool()),
        task_store=InMemoryTaskStore(),
        agent_card=card("http://agent"),
    )

    def listed(routes: Any) -> list[Any]:
        return [
            (route.path, listed(route.routes))
            if hasattr(route, "routes")
            else (route.path, route.methods, route.name)
            for route in routes
        ]

    for with_03 in (False, True):
        ours = create_rest_routes(handler, enable_v0_3_compat=with_03, path_prefix="/a")
        theirs = sdk_rest_routes(handler, enable_v0_3_compat=with_03, path_prefix="/a")
        assert listed(ours) == listed(theirs)
        rpc = create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=with_03)
        assert listed(rpc) == listed(sdk_jsonrpc_routes(handler, "/rpc"))


# ---------------------------------------------------------------- revision 0.3

FOREIGN = [
    {"artifactId": "1", "name": "report", "description": "d", "parts": [{"text": "x"}]},
    {"artifactId": "1", "name": "result", "parts": [{"text": "x"}]},
    {"artifactId": "1", "parts": [{"data": {"a": 1}, "mediaType": "application/json"}]},
    {"artifactId": "1", "name": "result", "parts": [{"raw": "AAEC"}]},
    {
        "artifactId": "1",
        "name": "result",
        "parts": [{"text": "[1]", "metadata": {"dev.toolresult/exactJson": True}}],
    },
]


@pytest.mark.parametrize("wire", FOREIGN)
def test_artifacts_of_others_are_the_sdks(wire: dict[str, Any]) -> None:
    artifact = ParseDict(wire, Artifact())
    assert artifact_03(artifact) == conversions.to_compat_artifact(artifact)


def test_messages_of_others_are_the_sdks() -> None:
    wire = {"messageId": "1", "role": "ROLE_USER", "parts": [{"text": "x"}], "taskId": "t"}
    message = ParseDict(wire, Message())
    assert message_03(message) == conversions.to_compat_message(message)


def test_a_message_keeps_the_ids_that_the_sdk_has_put_in() -> None:
    wire = render(Result.failure("not_found", "None", {"n": 1}), "a2a@1.0").wire
    message = to_message({**wire["status"]["message"], "taskId": "t", "contextId": "c"}, Message())
    made = message_03(message).model_dump(mode="json", by_alias=True, exclude_none=True)
    wanted = render(Result.failure("not_found", "None", {"n": 1}), "a2a@0.3").wire
    assert same(made, {**wanted["status"]["message"], "taskId": "t", "contextId": "c"})


def test_ids_that_are_no_digests_are_kept() -> None:
    result = Result.success([1], metadata=Metadata(dry_run=True))
    wire = render(result, "a2a@1.0", artifact_id="mine").wire["artifacts"][0]
    made = artifact_03(to_message(wire, Artifact()))
    wanted = render(result, "a2a@0.3", artifact_id="mine").wire["artifacts"][0]
    assert same(made.model_dump(mode="json", by_alias=True, exclude_none=True), wanted)


def test_messages_of_earlier_turns_are_ours_too() -> None:
    wire = render(Result.failure("not_found", "None", {"n": 2**60}), "a2a@1.0").wire["status"]
    task = ParseDict({"id": "t", "contextId": "c", "history": [wire["message"]]}, Task())
    made = task_03(task).model_dump(mode="json", by_alias=True, exclude_none=True)
    wanted = render(Result.failure("not_found", "None", {"n": 2**60}), "a2a@0.3").wire["status"]
    assert same(made["history"], [wanted["message"]])


# ------------------------------------------------------------------ empty names

PART = {"url": "file:///a", "filename": ""}


def test_empty_names_pass_through_protobuf() -> None:
    wire = {"artifactId": "1", "parts": [PART, {**PART, "metadata": {"a": "b"}}, {"text": "x"}]}
    message = to_message(json.loads(json.dumps(wire)), Artifact())
    assert [part.filename for part in message.parts] == ["", "", ""]
    assert to_wire(message) == wire
    assert to_wire(Artifact.FromString(message.SerializeToString())) == wire


def test_marks_in_data_are_data() -> None:
    marked = {"text": "x", "metadata": {"dev.toolresult/emptyName": True}}
    data = {"parts": [marked], "artifacts": [{"parts": [marked]}], "content": [marked]}
    task = {"artifacts": [{"artifactId": "1", "parts": [{"data": data}]}], "metadata": data}
    assert json.loads(exact_json(json.dumps(task))) == task
    assert to_wire(to_message(json.loads(json.dumps(task)), Task())) == task


def test_integers_are_written_as_integers() -> None:
    assert exact_json(b'{"b": [1.0, -0.0, 1e20, 1.5], "a": 1e21}') == (
        b'{"a":1e+21,"b":[1,0,100000000000000000000,1.5]}'
    )


# ------------------------------------------------------------------------ card


def test_the_extension_is_declared_once() -> None:
    agent = AgentCard()
    agent.capabilities.extensions.append(AgentExtension(uri="https://example.com/other"))
    assert declare_extension(agent) is agent
    declare_extension(agent)
    other, ours = agent.capabilities.extensions
    assert (other.uri, other.required) == ("https://example.com/other", False)
    assert (ours.uri, ours.required) == (A2A_EXTENSION, False)
    assert ours.description
