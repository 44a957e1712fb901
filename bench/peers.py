"""What others do with the same data, each as its own server or documentation does it.

None of them sorts keys, keeps nulls on every path, or looks at numbers and depth, as we do.
"""

from __future__ import annotations

import json
from typing import Any

import orjson
import pydantic_core
from a2a.helpers.proto_helpers import new_data_part
from a2a.types.a2a_pb2 import Artifact, Task, TaskState, TaskStatus
from fastmcp.tools import ToolResult
from google.protobuf.json_format import MessageToDict
from mcp_types import CallToolResult, ImageContent, TextContent
from mcp_types.jsonrpc import JSONRPCResponse
from mcp_types.methods import serialize_server_result

REVISION = "2025-11-25"


def call_tool_result(data: Any) -> bytes:
    """``CallToolResult`` with the data and its text, dumped."""
    return _dump(CallToolResult(content=[_text(json.dumps(data))], structured_content=data))


def call_tool_result_in_rust(data: Any) -> bytes:
    """The same, the text written by pydantic's encoder, the fastest that pydantic alone has."""
    text = pydantic_core.to_json(data).decode()
    return _dump(CallToolResult(content=[_text(text)], structured_content=data))


def sdk_server(data: Any) -> bytes:
    """MCP SDK: a tool of the low-level server, the runner's dump and sieve, the frame."""
    return _framed(CallToolResult(content=[_text(json.dumps(data))], structured_content=data))


def mcp_server(data: Any) -> bytes:
    """MCP SDK: ``MCPServer``, which writes the text itself, indented; then the same."""
    text = pydantic_core.to_json(data, fallback=str, indent=2).decode()
    return _framed(CallToolResult(content=[_text(text)], structured_content=data))


def fastmcp(data: Any) -> bytes:
    """FastMCP: its ToolResult, then what the SDK's server does."""
    converted = ToolResult(structured_content=data).to_mcp_result()
    assert isinstance(converted, tuple)
    content, structured = converted
    return _framed(CallToolResult(content=content, structured_content=structured))


def protobuf(data: Any) -> bytes:
    """a2a-sdk: a task of protobuf messages, as the JSON-RPC route answers it."""
    task = Task(
        id="t",
        context_id="c",
        status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED),
        artifacts=[
            Artifact(artifact_id="a", parts=[new_data_part(data, media_type="application/json")])
        ],
    )
    answer = {"jsonrpc": "2.0", "id": 1, "result": MessageToDict(task)}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def image(text: str) -> bytes:
    """``CallToolResult`` with an image, given as base64, which is not checked."""
    block = ImageContent(type="image", data=text, mime_type="image/png")
    return _dump(CallToolResult(content=[block]))


def floor(data: Any) -> bytes:
    """The least that can be done: orjson for the data, and for its text, joined."""
    text = orjson.dumps(data)
    return b"".join(
        (
            b'{"content":[{"type":"text","text":',
            orjson.dumps(text.decode()),
            b'}],"structuredContent":',
            text,
            b"}",
        )
    )


def image_floor(text: str) -> bytes:
    """The least for an image: its base64 as bytes, joined."""
    return b"".join((b'{"content":[{"type":"image","data":"', text.encode("ascii"), b'"}]}'))


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _dump(result: CallToolResult) -> bytes:
    return result.model_dump_json(by_alias=True, exclude_none=True).encode()


def _framed(result: CallToolResult) -> bytes:
    dumped = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    sieved = serialize_server_result("tools/call", REVISION, dumped)
    response = JSONRPCResponse(jsonrpc="2.0", id=1, result=sieved)
    return response.model_dump_json(by_alias=True, exclude_unset=True).encode()
