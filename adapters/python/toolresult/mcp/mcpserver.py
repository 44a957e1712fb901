"""The tools of an ``MCPServer``: its functions, before the SDK turns what they return.

The one module that knows what ``MCPServer`` keeps under private names: the low-level server
in it, its table of tools, what makes JSON of a value, and its extensions. There is no public
way to the value that a tool returned; `call_tool` gives it as ``CallToolResult``, which has no
room for a result.
"""

from __future__ import annotations

import inspect
import logging
from functools import lru_cache
from typing import Any, get_args

from mcp.server.extension import Extension, compose_tool_call_handler
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context as ToolContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import (
    ResourceError,
    ToolError,
    UnexpectedResourceError,
    UnexpectedToolError,
)
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.server.mcpserver.utilities.types import Audio, Image
from mcp.server.subscriptions import SubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, CallToolResult, ContentBlock, InputRequiredResult
from mcp_types import Tool as ListedTool
from pydantic import BaseModel, ValidationError

from toolresult.mcp.border import Context
from toolresult.mcp.calls import Handler
from toolresult.mcp.failures import invalid_arguments
from toolresult.mcp.returned import Passed, as_result, schema_beside, unknown_tool, unwrapped
from toolresult.request import OutputSchema
from toolresult_core import Result

_NATIVE = (*get_args(ContentBlock), Audio, Image)
"""What the SDK turns into content blocks itself."""

logger = logging.getLogger(__name__)


def lowlevel_of(server: MCPServer[Any]) -> Server[Any]:
    """The low-level server that does the work."""
    return server._lowlevel_server


def bus_of(server: MCPServer[Any]) -> SubscriptionBus:
    """What its handler of subscriptions/listen hears."""
    return server._subscriptions


def intercepted(server: MCPServer[Any], handler: Handler) -> Handler:
    """A handler of tools/call with the interceptors of the server's extensions around it."""
    extensions = server._extensions
    if all(type(e).intercept_tool_call is Extension.intercept_tool_call for e in extensions):
        return handler
    return compose_tool_call_handler(extensions, handler)


def unforeseen(error: MCPError) -> Exception | None:
    """What a resource raised that was no ResourceError; the SDK names its URI and no more."""
    wrapper = error.__context__
    if not isinstance(wrapper, UnexpectedResourceError):
        return None
    cause = wrapper.__cause__
    return cause if isinstance(cause, Exception) else wrapper


class MCPServerTools:
    """The functions of a server, those that are added later too."""

    def __init__(self, server: MCPServer[Any]) -> None:
        self._server = server

    async def call(self, ctx: Context, params: CallToolRequestParams) -> Result | Passed:
        """What the function returned, as the return type that it declares.

        Arguments that do not fit give a failure. Raises MCPError for an unknown tool (the
        protocol's own fault, -32602), ToolError as the SDK does, ValidationError for a value
        that is not of the declared type, and ResultError.
        """
        tool = self._server._tool_manager.get_tool(params.name)
        if tool is None:
            return self.unknown(params.name)
        context: ToolContext[Any, Any] = ToolContext(
            request_context=ctx,
            mcp_server=self._server,
            input_params=params,
            subscriptions=self._server._subscriptions,
        )
        try:
            value = await tool.run(params.arguments or {}, context, convert_result=False)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            # One that a tool raises has another ToolError as its cause, whatever that had.
            if isinstance(error.__cause__, ValidationError):
                return invalid_arguments(error.__cause__)
            raise
        return _result(tool, value)

    def cause(self, error: Exception) -> Exception:
        """What the function raised, also where it called another tool that raised it."""
        while isinstance(error, (ToolError, UnexpectedResourceError)):
            cause = error.__cause__
            # A ToolError that the function raised itself has a cause only if it says so,
            # and then it speaks for that: the walk ends at the first that is no wrapper.
            wraps = isinstance(error, (UnexpectedToolError, UnexpectedResourceError))
            if not isinstance(cause, Exception) or not (wraps or _is_wrapped(error, cause)):
                break
            error = cause
        return error

    async def output_schema(self, ctx: Context, name: str) -> OutputSchema | None:
        """The schema of the data that the tool declares."""
        tool = self._server._tool_manager.get_tool(name)
        return None if tool is None else schema_of(tool)

    def declared(self, tool: ListedTool) -> OutputSchema | None:
        """The same, for a tool as the SDK lists it."""
        registered = self._server._tool_manager.get_tool(tool.name)
        return tool.output_schema if registered is None else schema_of(registered)

    def unknown(self, name: str) -> Passed:
        """Raises MCPError: an unknown tool is invalid params."""
        raise unknown_tool(name)


def schema_of(tool: Tool) -> OutputSchema | None:
    """The schema of a tool's data.

    That of its return type, without the ``{"result": …}`` that the SDK puts around what is
    no object; of a function that returns ``Annotated[Result, Model]`` the model's. None for
    a function that may return anything, and for one that returns a string: it may be a
    legacy envelope, whose data a schema of strings does not describe.
    """
    declared = tool.fn_metadata.output_schema
    if declared is None:
        try:
            hash(tool.fn)
        except TypeError:  # an object that is called, and cannot be a key
            return _annotated.__wrapped__(tool.fn)
        return _annotated(tool.fn)
    if not tool.fn_metadata.wrap_output:
        return declared
    # On Python 3.10 the SDK makes a schema, an empty one, of the return type Any too.
    return unwrapped(declared)


def _is_wrapped(error: Exception, cause: Exception) -> bool:
    """Whether this is the SDK's ``Error executing tool …`` around a deliberate error."""
    return isinstance(cause, (ToolError, ResourceError)) and str(error).endswith(f": {cause}")


@lru_cache(maxsize=1024)
def _annotated(function: Any) -> dict[str, Any] | None:
    """The schema of ``Annotated[Result, Model]``, or of a schema in the model's place."""
    try:
        returned = inspect.signature(function, eval_str=True).return_annotation
    except Exception:
        logger.exception("no output schema for %r, whose signature cannot be read", function)
        return None
    return schema_beside(returned)


def _result(tool: Tool, value: Any) -> Result | Passed:
    """A function's value: through its declared type where it has one, else as it is."""
    metadata = tool.fn_metadata
    if isinstance(value, Result) or schema_of(tool) is None or metadata.output_model is None:
        return metadata.convert_result(value) if _is_native(value) else as_result(value)
    if isinstance(value, (CallToolResult, InputRequiredResult)):
        return metadata.convert_result(value)
    data = _declared(metadata, {"result": value} if metadata.wrap_output else value)
    return Result.success(data["result"] if metadata.wrap_output else data)


def _declared(metadata: FuncMetadata, value: Any) -> Any:
    """A value as JSON by the type that is declared, as the SDK's ``convert_result`` makes it.

    That also writes it as text, which is for the renderer to do. Raises ValidationError.
    """
    adapter = metadata._output_adapter(metadata.output_model)
    validated = adapter.validate_python(value, by_alias=True, by_name=True)
    if isinstance(validated, BaseModel):  # of a subclass that was returned: all of its fields
        return validated.model_dump(mode="json", by_alias=True)
    return adapter.dump_python(validated, mode="json", by_alias=True)


def _is_native(value: Any) -> bool:
    """Whether the SDK has content blocks for this: one of its own, or a list of them."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, _NATIVE) for item in value)
    return isinstance(value, _NATIVE)
