"""Tools of the conformance suite that return content, fail, and tell of their progress."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import Field

from toolresult_core import Result

PNG: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
"""One red pixel."""
WAV: Final = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
"""One silent sample."""
_PAUSE: Final = 0.05
"""Seconds between notifications: the suite wants to see them come one by one."""

_IMAGE: Final = {"kind": "image", "data": PNG, "mime_type": "image/png"}


Region = Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]

_ADDRESS: Final = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": _ADDRESS},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
"""Keywords that a server must show as they are."""


def tools() -> list[Tool]:
    """The tools, in the order in which a client sees them."""
    functions: tuple[Callable[..., Any], ...] = (
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        test_error_handling,
        test_tool_with_logging,
        test_logging_tool,
        test_tool_with_progress,
        test_custom_header,
    )
    odd = Tool.from_function(json_schema_2020_12_tool)
    odd.parameters = _SCHEMA
    return [*(Tool.from_function(function) for function in functions), odd]


def test_simple_text() -> Result:
    """Returns a text."""
    return Result.text("This is a simple text response for testing.")


def test_image_content() -> Result:
    """Returns a picture."""
    return Result.success(content=[_IMAGE])


def test_audio_content() -> Result:
    """Returns a sound."""
    return Result.success(content=[{"kind": "audio", "data": WAV, "mime_type": "audio/wav"}])


def test_embedded_resource() -> Result:
    """Returns a resource with its content."""
    return Result.success(
        content=[
            {
                "kind": "embedded",
                "uri": "test://embedded-resource",
                "mime_type": "text/plain",
                "text": "This is an embedded resource content.",
            }
        ]
    )


def test_multiple_content_types() -> Result:
    """Returns a text, a picture and a resource."""
    return Result.success(
        content=[
            {"kind": "text", "text": "Multiple content types test:"},
            _IMAGE,
            {
                "kind": "embedded",
                "uri": "test://mixed-content-resource",
                "mime_type": "application/json",
                "text": '{"test":"data","value":123}',
            },
        ]
    )


def test_error_handling() -> Result:
    """Fails."""
    raise ToolError("This tool intentionally returns an error for testing")


async def test_tool_with_logging(ctx: Context[Any, Any]) -> Result:
    """Sends three log messages."""
    await ctx.info("Tool execution started")
    await asyncio.sleep(_PAUSE)
    await ctx.info("Tool processing data")
    await asyncio.sleep(_PAUSE)
    await ctx.info("Tool execution completed")
    return Result.text("Three log messages were sent.")


async def test_logging_tool(ctx: Context[Any, Any]) -> Result:
    """Sends a log message to whom asked for it."""
    await ctx.info("A log message")
    return Result.text("A log message was sent, if it was asked for.")


async def test_tool_with_progress(ctx: Context[Any, Any]) -> Result:
    """Tells three times how far it is."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100, f"{done} of 100")
        await asyncio.sleep(_PAUSE)
    return Result.text("Progress was reported.")


def test_custom_header(region: Region) -> Result:
    """Has a parameter that is sent as a header too."""
    return Result.text(f"Region: {region}")


def json_schema_2020_12_tool() -> Result:
    """Has an input schema with keywords of JSON Schema 2020-12; looks at no argument."""
    return Result.success()
