"""What a tool may return: a result, a legacy string, a plain value, or the SDK's own result."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Annotated, Any, get_args, get_origin

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, ErrorData
from mcp_types import Result as SdkResult
from pydantic import TypeAdapter

from toolresult.given import result_of
from toolresult.request import OutputSchema
from toolresult_core import Result, to_plain

Passed = SdkResult | ErrorData
"""The SDK's own: ``CallToolResult``, ``InputRequiredResult``, or a JSON-RPC error."""

logger = logging.getLogger(__name__)


def as_result(value: Any) -> Result | Passed:
    """The result that a returned value is, or the SDK's own, which is passed through.

    A string is the legacy string: an envelope, a serialized result, or text. ``None`` is
    what a function returns that has nothing to say: a success without data. Anything else
    is data, by the rules of ``to_plain``; a dict too, whatever its keys.

    Raises ResultError for what no result can hold.
    """
    if isinstance(value, (Result, SdkResult, ErrorData)):
        return value
    if isinstance(value, str):
        return result_of(value)
    if value is None:
        return Result.success()
    return Result.success(to_plain(value))


def unknown_tool(name: str) -> MCPError:
    """What the protocol answers for a tool that there is not."""
    return MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {name}")


def unwrapped(wrapper: Mapping[str, Any]) -> OutputSchema | None:
    """The schema of the value that a host puts under ``result``, since it is no object.

    None for one that may be anything, and for a string: it may be a legacy envelope, whose
    data a schema of strings does not describe.
    """
    inner = wrapper.get("properties", {}).get("result")
    parts = inner if isinstance(inner, dict) else {}
    bare = {key: value for key, value in parts.items() if key != "title"}
    if bare in ({}, {"type": "string"}):
        return None
    return {**bare, **{key: wrapper[key] for key in ("$defs", "definitions") if key in wrapper}}


def schema_beside(annotation: Any) -> dict[str, Any] | None:
    """The output schema that stands beside a result: ``Annotated[Result, Model]``.

    In the model's place there may be any type, or a schema as a dict. None for any other
    annotation, and for a model that has none, of which the log is told.
    """
    if get_origin(annotation) is not Annotated or get_args(annotation)[0] is not Result:
        return None
    model = get_args(annotation)[1]
    if isinstance(model, dict):
        return model
    try:
        return TypeAdapter(model).json_schema(mode="serialization")
    except Exception:
        # Whatever a model does when it is asked: one tool must not spoil the list of all.
        logger.exception("no output schema for %r, from its return type", annotation)
        return None
