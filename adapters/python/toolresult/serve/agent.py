"""The example's A2A agent: a message that names a sample is answered with it."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from a2a.helpers.proto_helpers import get_message_text
from a2a.server.agent_execution import RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.routing import BaseRoute

from toolresult.a2a import (
    ResultExecutor,
    create_jsonrpc_routes,
    create_rest_routes,
    declare_extension,
)
from toolresult.serve.example import listed, named
from toolresult_core import Result

PATH: Final = "/a2a"
"""JSON-RPC is posted here; the paths of REST begin with it."""
_BINDINGS: Final = ("JSONRPC", "HTTP+JSON")
_REVISIONS: Final = ("1.0", "0.3")


async def answer(context: RequestContext) -> Result:
    """The sample that the message names; for ``samples`` the list of them."""
    text = "" if context.message is None else get_message_text(context.message).strip()
    return listed() if text in ("", "samples") else named(text)


def card(base: str) -> AgentCard:
    """The card of the agent behind that address (``http://host:port``)."""
    skill = AgentSkill(
        id="sample",
        name="Samples",
        description="Answers with the sample that a message names; `samples` lists them.",
        tags=["example"],
        examples=["samples", "everything", "error-structured"],
    )
    made = AgentCard(
        name="toolresult-example",
        description="Answers with sample results, to try a client with.",
        version=version("toolresult"),
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["application/json", "text/plain"],
        skills=[skill],
        supported_interfaces=[
            AgentInterface(url=base + PATH, protocol_binding=binding, protocol_version=revision)
            for revision in _REVISIONS
            for binding in _BINDINGS
        ],
    )
    return declare_extension(made)


def agent_routes(base: str) -> list[BaseRoute]:
    """The card, JSON-RPC and REST, each with both revisions."""
    shown = card(base)
    handler = DefaultRequestHandler(
        agent_executor=ResultExecutor(answer), task_store=InMemoryTaskStore(), agent_card=shown
    )
    return [
        *create_agent_card_routes(shown),
        *create_jsonrpc_routes(handler, PATH, enable_v0_3_compat=True),
        *create_rest_routes(handler, path_prefix=PATH, enable_v0_3_compat=True),
    ]
