"""What the conformance suite asks for beside tools: resources, prompts, completions, levels."""

from __future__ import annotations

import base64
import json
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequiredResult,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)

from toolresult.mcp.mcpserver import lowlevel_of
from toolresult.serve.conformance.content import PNG
from toolresult.serve.conformance.rounds import answer_of, asked, form

_WATCHED = "test://watched-resource"


def add_surroundings(server: MCPServer[Any]) -> None:
    """Adds all of it to a server."""
    _add_resources(server)
    _add_prompts(server)

    lowlevel = lowlevel_of(server)
    lowlevel.add_request_handler("completion/complete", CompleteRequestParams, _complete)
    # Nothing here changes, so nobody is ever told; and who sets a level gets every message,
    # since nothing is remembered of a client.
    lowlevel.add_request_handler("resources/subscribe", SubscribeRequestParams, _accept)
    lowlevel.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _accept)
    lowlevel.add_request_handler("logging/setLevel", SetLevelRequestParams, _accept)


async def _complete(ctx: Any, params: CompleteRequestParams) -> CompleteResult:
    begun = params.argument.value
    values = [word for word in ("hello", "test", "world") if word.startswith(begun)]
    return CompleteResult(completion=Completion(values=values, total=len(values), has_more=False))


async def _accept(ctx: Any, params: Any) -> EmptyResult:
    return EmptyResult()


def _add_resources(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", mime_type="text/plain", description="A text.")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png", description="A picture.")
    def static_binary() -> bytes:
        return base64.b64decode(PNG)

    @server.resource(_WATCHED, mime_type="text/plain", description="One to subscribe to.")
    def watched() -> str:
        return "Watched resource content"

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        """Data of an id."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt()
    def test_simple_prompt() -> str:
        """A prompt without arguments."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """A prompt with two arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
        """A prompt with a resource in it."""
        resource = TextResourceContents(
            uri=resourceUri, mime_type="text/plain", text="Embedded resource content for testing."
        )
        return [
            UserMessage(EmbeddedResource(resource=resource)),
            UserMessage("Please process the embedded resource above."),
        ]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """A prompt with a picture in it."""
        return [
            UserMessage(ImageContent(data=PNG, mime_type="image/png")),
            UserMessage(TextContent(text="Please analyze the image above.")),
        ]

    @server.prompt()
    def test_input_required_result_prompt(
        ctx: Context[Any, Any],
    ) -> list[UserMessage] | InputRequiredResult:
        """A prompt that asks the user first; on 2026-07-28."""
        context = answer_of(ctx, "user_context", "context")
        if not isinstance(context, str):
            question = form("What context should the prompt use?", "context")
            try:
                return asked(ctx, {"user_context": question})
            except ToolError as error:  # a prompt has no other way to say so
                raise MCPError(code=INVALID_PARAMS, message=str(error)) from error
        return [UserMessage(f"Use this context: {context}")]
