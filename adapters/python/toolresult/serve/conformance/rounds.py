"""Tools of the conformance suite that end a call with what they ask: rounds of 2026-07-28.

The client calls again with the answers. The SDK seals the state that a tool lays into its
question, and refuses a sealed state that was changed.
"""

from __future__ import annotations

from typing import Any, Final

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolresult_core import Result

Round = Result | InputRequiredResult

STATE: Final = "state-ok"


def tools() -> list[Tool]:
    """The tools, in the order in which a client sees them."""
    functions = (
        test_missing_capability,
        test_streaming_elicitation,
        test_trigger_tool_change,
        test_trigger_prompt_change,
        test_input_required_result_elicitation,
        test_input_required_result_sampling,
        test_input_required_result_list_roots,
        test_input_required_result_request_state,
        test_input_required_result_tampered_state,
        test_input_required_result_multiple_inputs,
        test_input_required_result_multi_round,
        test_input_required_result_capabilities,
    )
    # Without an output schema: what these return is for the suite alone to look into.
    return [Tool.from_function(function, structured_output=False) for function in functions]


def form(message: str, name: str, kind: str = "string") -> ElicitRequest:
    """A question to the user, for one value."""
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def answer_of(ctx: Context[Any, Any], key: str, name: str) -> Any:
    """The value that the user gave for a question; None without one that is of use."""
    answer = (ctx.input_responses or {}).get(key)
    if not isinstance(answer, ElicitResult) or answer.action != "accept":
        return None
    return (answer.content or {}).get(name)


def asked(
    ctx: Context[Any, Any], requests: dict[str, InputRequest], state: str | None = None
) -> InputRequiredResult:
    """What ends a call with questions. Raises ToolError on a revision that has no such end."""
    if ctx.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
        raise ToolError(f"Revision {ctx.protocol_version} has no calls that end with a question.")
    return InputRequiredResult(input_requests=requests, request_state=state)


def _prompt(text: str, most: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(text=text))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[message], max_tokens=most)
    )


def test_missing_capability(ctx: Context[Any, Any]) -> Result:
    """Needs a client that declares sampling."""
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs the client's capability sampling.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return Result.text("The client declares sampling.")


async def test_streaming_elicitation(ctx: Context[Any, Any]) -> Round:
    """Tells of its progress, then asks the user."""
    if answer_of(ctx, "confirm", "ok") is None:
        await ctx.report_progress(1, 2, "about to ask")
        return asked(ctx, {"confirm": form("Please confirm", "ok", "boolean")})
    return Result.text("Confirmed.")


async def test_trigger_tool_change(ctx: Context[Any, Any]) -> Result:
    """Tells those who listen that the list of tools has changed; it has not."""
    await ctx.notify_tools_changed()
    return Result.text("Told.")


async def test_trigger_prompt_change(ctx: Context[Any, Any]) -> Result:
    """Tells those who listen that the list of prompts has changed; it has not."""
    await ctx.notify_prompts_changed()
    return Result.text("Told.")


def test_input_required_result_elicitation(ctx: Context[Any, Any]) -> Round:
    """Asks for a name, and greets."""
    name = answer_of(ctx, "user_name", "name")
    if not isinstance(name, str):
        return asked(ctx, {"user_name": form("What is your name?", "name")})
    return Result.text(f"Hello, {name}!")


def test_input_required_result_sampling(ctx: Context[Any, Any]) -> Round:
    """Has the client's model answer a question."""
    answer = (ctx.input_responses or {}).get("capital_question")
    if not isinstance(answer, CreateMessageResult):
        return asked(ctx, {"capital_question": _prompt("What is the capital of France?", 100)})
    return Result.text(f"The model says: {_said(answer)}")


def test_input_required_result_list_roots(ctx: Context[Any, Any]) -> Round:
    """Asks for the client's roots."""
    answer = (ctx.input_responses or {}).get("client_roots")
    if not isinstance(answer, ListRootsResult):
        return asked(ctx, {"client_roots": ListRootsRequest()})
    return Result.text(f"Roots: {', '.join(str(root.uri) for root in answer.roots)}")


def test_input_required_result_request_state(ctx: Context[Any, Any]) -> Round:
    """Asks, and looks at the state that comes back."""
    if answer_of(ctx, "confirm", "ok") is None:
        return asked(ctx, {"confirm": form("Please confirm", "ok", "boolean")}, STATE)
    if ctx.request_state != STATE:
        raise ToolError("The state did not come back.")
    return Result.text(f"Confirmed, {STATE}")


def test_input_required_result_tampered_state(ctx: Context[Any, Any]) -> Round:
    """The same; the suite sends back a state that it has changed."""
    return test_input_required_result_request_state(ctx)


def test_input_required_result_multiple_inputs(ctx: Context[Any, Any]) -> Round:
    """Asks the user, the model and for roots at once."""
    name = answer_of(ctx, "user_name", "name")
    answers = ctx.input_responses or {}
    greeting, roots = answers.get("greeting"), answers.get("client_roots")
    if (
        not isinstance(name, str)
        or not isinstance(greeting, CreateMessageResult)
        or not isinstance(roots, ListRootsResult)
        or ctx.request_state != STATE
    ):
        requests: dict[str, InputRequest] = {
            "user_name": form("What is your name?", "name"),
            "greeting": _prompt("Generate a greeting", 50),
            "client_roots": ListRootsRequest(),
        }
        return asked(ctx, requests, STATE)
    return Result.text(f"{_said(greeting)} {name}, you have {len(roots.roots)} roots.")


def test_input_required_result_multi_round(ctx: Context[Any, Any]) -> Round:
    """Asks for a name, then for a colour; the state carries the name on."""
    state = ctx.request_state
    if state is not None and state.startswith("name:"):
        color = answer_of(ctx, "step2", "color")
        if isinstance(color, str):
            return Result.text(f"{state.removeprefix('name:')} likes {color}.")
    name = answer_of(ctx, "step1", "name")
    if isinstance(name, str) and state is not None:
        question = form("Step 2: What is your favorite color?", "color")
        return asked(ctx, {"step2": question}, f"name:{name}")
    return asked(ctx, {"step1": form("Step 1: What is your name?", "name")}, "begun")


def test_input_required_result_capabilities(ctx: Context[Any, Any]) -> Round:
    """Asks for what the client says it can answer, and for nothing else."""
    if ctx.input_responses:
        return Result.text(f"Answered: {', '.join(sorted(ctx.input_responses))}")
    requests: dict[str, InputRequest] = {}
    capabilities = ctx.client_capabilities
    if capabilities is not None and capabilities.sampling is not None:
        requests["greeting"] = _prompt("Generate a greeting", 50)
    if capabilities is not None and capabilities.elicitation is not None:
        requests["user_name"] = form("What is your name?", "name")
    if not requests:
        return Result.text("The client can be asked nothing.")
    return asked(ctx, requests)


def _said(answer: CreateMessageResult) -> str:
    return answer.content.text if isinstance(answer.content, TextContent) else "(no text)"
