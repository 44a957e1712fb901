"""What a tool may return: a result, a legacy string, a plain value, or the SDK's own result."""

from __future__ import annotations

from typing import Any

from mcp_types import ErrorData
from mcp_types import Result as SdkResult

from toolresult.given import result_of
from toolresult_core import Result, to_plain

Passed = SdkResult | ErrorData
"""The SDK's own: ``CallToolResult``, ``InputRequiredResult``, or a JSON-RPC error."""


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
