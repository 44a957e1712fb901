"""Tools of the conformance suite that ask the client in the middle of a call.

Revisions with a handshake can be asked so; on 2026-07-28 a tool ends its call with what it
asks (see ``rounds``).
"""

from __future__ import annotations

import json
from typing import Any, Final

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ElicitResult, SamplingMessage, TextContent
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolresult_core import Result

_OPTIONS: Final = ["option1", "option2", "option3"]
_DEFAULTS: Final = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {
        "type": "string",
        "enum": ["active", "inactive", "pending"],
        "default": "active",
    },
    "verified": {"type": "boolean", "default": True},
}
_ENUMS: Final = {
    "untitledSingle": {"type": "string", "enum": _OPTIONS},
    "titledSingle": {
        "type": "string",
        "oneOf": [
            {"const": "value1", "title": "First Option"},
            {"const": "value2", "title": "Second Option"},
            {"const": "value3", "title": "Third Option"},
        ],
    },
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    "titledMulti": {
        "type": "array",
        "items": {
            "anyOf": [
                {"const": "value1", "title": "First Choice"},
                {"const": "value2", "title": "Second Choice"},
                {"const": "value3", "title": "Third Choice"},
            ]
        },
    },
}


def tools() -> list[Tool]:
    """The tools, in the order in which a client sees them."""
    functions = (
        test_sampling,
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
    )
    return [Tool.from_function(function) for function in functions]


async def test_sampling(prompt: str, ctx: Context[Any, Any]) -> Result:
    """Has the client's model answer a prompt; for revisions with a handshake."""
    _check(ctx)
    question = SamplingMessage(role="user", content=TextContent(text=prompt))
    answer = await ctx.session.create_message(
        [question], max_tokens=100, related_request_id=ctx.request_id
    )
    text = answer.content.text if isinstance(answer.content, TextContent) else "(no text)"
    return Result.text(f"LLM response: {text}")


async def test_elicitation(message: str, ctx: Context[Any, Any]) -> Result:
    """Asks the user for a name and an address; for revisions with a handshake."""
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return _told("User response", await _ask(ctx, message, properties, list(properties)))


async def test_elicitation_sep1034_defaults(ctx: Context[Any, Any]) -> Result:
    """Asks with a default for each type; for revisions with a handshake."""
    answer = await _ask(ctx, "Please look at the defaults.", _DEFAULTS, [])
    return _told("Elicitation completed", answer)


async def test_elicitation_sep1330_enums(ctx: Context[Any, Any]) -> Result:
    """Asks with each form of an enumeration; for revisions with a handshake."""
    return _told("Elicitation completed", await _ask(ctx, "Please choose.", _ENUMS, []))


async def _ask(
    ctx: Context[Any, Any], message: str, properties: dict[str, Any], required: list[str]
) -> ElicitResult:
    _check(ctx)
    schema = {"type": "object", "properties": properties, "required": required}
    answer: ElicitResult = await ctx.session.elicit_form(message, schema, ctx.request_id)
    return answer


def _check(ctx: Context[Any, Any]) -> None:
    if ctx.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise ToolError(f"Revision {ctx.protocol_version} has no questions within a call.")


def _told(what: str, answer: ElicitResult) -> Result:
    content = json.dumps(answer.content or {})
    return Result.text(f"{what}: action={answer.action}, content={content}")
