"""The agent that the tests talk to, on a server of its own: a tool that answers with a sample."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from a2a.helpers.proto_helpers import get_message_text
from a2a.server.agent_execution import RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette
from tests.a2a_server.samples import INPUTS

from toolresult import Result
from toolresult.a2a import (
    ResultExecutor,
    create_jsonrpc_routes,
    create_rest_routes,
    declare_extension,
)
from toolresult.given import Given

SECRET = "postgres://admin:hunter2@db"
"""Stands in the text of an exception, and nowhere in an answer."""
PATHS = {"JSONRPC": "/rpc", "HTTP+JSON": "/rest"}
REVISIONS = ("1.0", "0.3")


def card(base: str) -> AgentCard:
    """The card of the agent at an address, without our extension."""
    return AgentCard(
        name="Samples",
        description="Answers with the sample that a message names.",
        version="1",
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["application/json"],
        skills=[AgentSkill(id="sample", name="Sample", description="A sample.", tags=["test"])],
        supported_interfaces=[
            AgentInterface(url=base + path, protocol_binding=binding, protocol_version=revision)
            for binding, path in PATHS.items()
            for revision in REVISIONS
        ],
    )


class Tool:
    """Answers with the sample of a name, or does what the name says."""

    def __init__(self) -> None:
        self.started = 0
        self.cleaned_up = 0
        self.released = False
        """Whether what was to come later may come."""

    async def __call__(self, context: RequestContext) -> Given:
        assert context.message is not None
        wish = get_message_text(context.message)
        name = wish.removeprefix("later ")
        if name in INPUTS:
            while name != wish and not self.released:
                await asyncio.sleep(0.01)
            return INPUTS[name]
        wishes: dict[str, Callable[[], Given]] = {
            "raise": self._raise,
            "give nothing": lambda: None,  # type: ignore[dict-item,return-value]  # a wrong tool
            "cancel itself": self._cancel,
            "exit": self._exit,
            "legacy": lambda: '{"success": false, "error": "No such product"}',
        }
        if wish in wishes:
            return wishes[wish]()
        self.started += 1
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cleaned_up += 1
            if wish == "hang on":  # a tool that will not be stopped
                return Result.text("too late")
            raise
        return Result.text("slept")

    def _exit(self) -> Given:
        raise SystemExit(SECRET)

    def _raise(self) -> Given:
        raise RuntimeError(SECRET)

    def _cancel(self) -> Given:
        raise asyncio.CancelledError(SECRET)


def application(base: str, executor: ResultExecutor) -> Starlette:
    """The server's application: card, JSON-RPC and REST, each with both revisions."""
    declared = declare_extension(card(base))
    handler = DefaultRequestHandler(
        agent_executor=executor, task_store=InMemoryTaskStore(), agent_card=declared
    )
    return Starlette(
        routes=[
            *create_agent_card_routes(declared),
            *create_jsonrpc_routes(handler, PATHS["JSONRPC"], enable_v0_3_compat=True),
            *create_rest_routes(handler, path_prefix=PATHS["HTTP+JSON"], enable_v0_3_compat=True),
        ]
    )


@contextmanager
def serving(tool: Tool) -> Iterator[str]:
    """A server on a free port of the loopback, in a thread. Gives its address."""
    # With its protocol named, or asyncio does not turn off Nagle's algorithm, and each answer
    # waits 40 ms for an acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(
        application(base, ResultExecutor(tool)), log_level="warning", lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield base
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listener.close()
