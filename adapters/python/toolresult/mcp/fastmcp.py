"""The tools of a ``FastMCP`` server (the package ``fastmcp``), before it turns what they return.

A *transform*, which FastMCP has for changing tools as they are looked up, hands out tools that
keep what their function returned or raised. All else is FastMCP's: its middleware, mounted
servers, visibility, authorization and dependencies see a tool and a ``ToolResult`` as always,
with the blocks that a client of 2025-11-25 would get. Tools that are called in process, or by
other tools, are left alone.

The one module that knows what FastMCP keeps under private names: the low-level server in it,
and the server that stands behind a mounted tool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from fastmcp import FastMCP
from fastmcp.exceptions import (
    FastMCPError,
    NotFoundError,
    PromptError,
    ResourceError,
    ValidationError,
)
from fastmcp.server.providers.fastmcp_provider import FastMCPProviderTool
from fastmcp.server.transforms import GetToolNext, Transform
from fastmcp.tools import Tool, ToolResult
from fastmcp.tools.tool_transform import TransformedTool
from fastmcp.utilities.types import Audio, File, Image
from fastmcp.utilities.versions import VersionSpec
from mcp.server.context import HandlerResult
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import SubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    PaginatedRequestParams,
    TextContent,
)
from mcp_types import Tool as ListedTool
from pydantic import PrivateAttr, TypeAdapter
from pydantic import ValidationError as PydanticValidationError

from toolresult import render
from toolresult.mcp.border import Context
from toolresult.mcp.calls import Handler, StandIn, Tools
from toolresult.mcp.definitions import ListHandler
from toolresult.mcp.failures import Failures, invalid_arguments, spoken
from toolresult.mcp.returned import Passed, as_result, schema_beside, unwrapped
from toolresult.request import OutputSchema
from toolresult_core import Result

_NATIVE: Final = (ToolResult, CallToolResult, bytes, ContentBlock, Audio, Image, File)
"""What FastMCP turns into a result of its own."""
_WRAPPED: Final = "x-fastmcp-wrap-result"
"""Its mark of a schema that it has put around another one."""
_TOLD: Final = (
    *("Error reading resource ", "Error rendering prompt "),
    *("Error reading file ", "Error reading directory ", "Error listing directory "),
)
"""How its texts begin that it puts around what a resource or a prompt raised."""
_BLOCKS: Final = TypeAdapter(list[ContentBlock])


@dataclass
class _Call:
    """One request of a client. Mounted servers see it too, tools that a tool calls do not."""

    schema: OutputSchema | None = None
    """The output schema of the tool that ran."""


_call: ContextVar[_Call | None] = ContextVar("toolresult_mcp_fastmcp_call", default=None)
_last: ContextVar[_Call | None] = ContextVar("toolresult_mcp_fastmcp_last", default=None)
_forwards: ContextVar[bool] = ContextVar("toolresult_mcp_fastmcp_forwards", default=False)
"""Whether a tool runs that is another one under a new name or with other arguments."""


class MappedResult(ToolResult):
    """What FastMCP has in hand while a result of ours is on its way.

    A middleware that changes the content, the metadata or the verdict has that sent instead.
    """

    _result: Result = PrivateAttr()
    _shown: tuple[Any, ...] = PrivateAttr()

    @classmethod
    def of(cls, result: Result) -> MappedResult:
        """The stand-in of a result."""
        wire = render(result, "mcp-handshake@2025-11-25", phase="final").wire
        made = cls(
            content=_BLOCKS.validate_python(wire["content"]), is_error=result.error is not None
        )
        made._result = result
        made._shown = made._now()
        return made

    def to_mcp_result(self) -> Any:
        """The result itself, unless a middleware has put something else in its place."""
        return StandIn.of(self._result) if self._now() == self._shown else super().to_mcp_result()

    def _now(self) -> tuple[Any, ...]:
        return self.content, self.structured_content, self.meta, self.is_error


class _Mapped(Tool):
    """Mixed into the class of a tool: keeps what the tool returns and what it raises."""

    _failures: Failures = PrivateAttr()

    async def _run(self, arguments: dict[str, Any]) -> ToolResult:
        call = _call.get()
        # A mounted server looks the tool up for itself; one that a tool calls is left alone.
        token = None if isinstance(self, FastMCPProviderTool) else _call.set(None)
        forwards = _forwards.set(_is_forwarding(self))
        try:
            return await super()._run(arguments)
        except MCPError:
            raise
        except Exception as error:
            return MappedResult.of(_failure(self._failures, self.name, error))
        finally:
            _forwards.reset(forwards)
            if token is not None:
                _call.reset(token)
                if call is not None:
                    call.schema = schema_of(self)

    def convert_result(self, raw_value: Any) -> ToolResult:
        return _kept(self, raw_value, super().convert_result)


class _Forwarded(Tool):
    """Mixed into the class of a tool that others are made of: keeps what it returns for them."""

    def convert_result(self, raw_value: Any) -> ToolResult:
        if not _forwards.get():
            return super().convert_result(raw_value)
        return _kept(self, raw_value, super().convert_result)


def _kept(tool: Tool, value: Any, convert: Callable[[Any], ToolResult]) -> ToolResult:
    """What a tool returned, kept where it is not FastMCP's own."""
    if isinstance(value, Result):
        return MappedResult.of(value)
    if _is_native(value):
        return convert(value)
    if schema_of(tool) is None:
        returned = as_result(value)
        return MappedResult.of(returned) if isinstance(returned, Result) else convert(value)
    converted = convert(value)  # as the return type says
    if type(converted) is not ToolResult or converted.structured_content is None:
        return converted
    data = converted.structured_content
    wrapped = (tool.output_schema or {}).get(_WRAPPED)
    return MappedResult.of(Result.success(data["result"] if wrapped else data))


class Mapping(Transform):
    """Hands out tools that keep what they return, to requests of clients and to no one else."""

    def __init__(self, failures: Failures) -> None:
        self._failures = failures
        self.reached = 0

    async def list_tools(self, tools: Sequence[Tool]) -> Sequence[Tool]:
        """The tools, with the output schemas of what they return."""
        if _call.get() is None:
            return tools
        for tool in tools:
            self._reach(tool)
        return [tool.model_copy(update={"output_schema": schema_of(tool)}) for tool in tools]

    async def get_tool(
        self, name: str, call_next: GetToolNext, *, version: VersionSpec | None = None
    ) -> Tool | None:
        """The tool, so that what it returns is kept."""
        tool = await call_next(name, version=version)
        if tool is None or _call.get() is None:
            return tool
        return self._mapped(tool)

    def _mapped(self, tool: Tool) -> Tool:
        self._reach(tool)
        copy = tool.model_copy()
        _mix(copy, _Mapped)
        private = dict(copy.__pydantic_private__ or {})
        object.__setattr__(copy, "__pydantic_private__", {**private, "_failures": self._failures})
        # The function of such a tool holds the inner one itself, so that no copy will do. It
        # does as ever but for what is forwarded to it.
        inner = tool
        while isinstance(inner, TransformedTool):
            inner = inner.parent_tool
            _mix(inner, _Forwarded)
        return copy

    def _reach(self, tool: Tool) -> None:
        """Has a mounted server do the same for its own tools."""
        if isinstance(tool, FastMCPProviderTool):
            server: FastMCP[Any] = tool._server
            if not any(isinstance(one, Mapping) for one in server.transforms):
                server.add_transform(self)
                self.reached += 1


def _mix(tool: Tool, mixin: type[Tool]) -> None:
    if not isinstance(tool, mixin):
        tool.__class__ = _mixed(mixin, type(tool))


@cache
def _mixed(mixin: type[Tool], kind: type[Tool]) -> type[Tool]:
    return type(f"{mixin.__name__}{kind.__name__}", (mixin, kind), {})


def _is_forwarding(tool: Tool) -> bool:
    return isinstance(tool, TransformedTool) and tool.fn is tool.forwarding_fn


class FastMCPTools:
    """The handler of tools/call that FastMCP has made, as it was when this was made."""

    def __init__(self, server: FastMCP[Any]) -> None:
        entry = server._mcp_server.get_request_handler("tools/call")
        if entry is None:
            raise ValueError("the server has no handler of tools/call")
        self._handler = entry.handler

    async def call(self, ctx: Context, params: CallToolRequestParams) -> Result | Passed:
        """What the tool returned, or the failure that it ended with."""
        call = _Call()
        token = _call.set(call)
        try:
            returned: Any = await self._handler(ctx, params)
        finally:
            _call.reset(token)
        _last.set(call)
        return returned.result if isinstance(returned, StandIn) else returned

    def cause(self, error: Exception) -> Exception:
        """The error itself: what a tool raises does not come here."""
        return error

    async def output_schema(self, ctx: Context, name: str) -> OutputSchema | None:
        """The schema of the tool that ran in this request."""
        call = _last.get()
        return None if call is None else call.schema

    def declared(self, tool: ListedTool) -> OutputSchema | None:
        """The schema in the list, without what FastMCP has put around it."""
        return _own(tool.output_schema)

    def unknown(self, name: str) -> Passed:
        """A failure, and no error of the protocol: so does FastMCP."""
        text = TextContent(type="text", text=f"Unknown tool: {name!r}")
        return CallToolResult(content=[text], is_error=True)


@dataclass(frozen=True)
class FastMCPHost:
    """A server of the package ``fastmcp``."""

    server: FastMCP[Any]
    mapping: Mapping
    bus: SubscriptionBus | None = field(default=None, init=False)

    @property
    def lowlevel(self) -> Server[Any]:
        """The low-level server in it."""
        return self.server._mcp_server

    def tools(self) -> Tools:
        """Its tools."""
        return FastMCPTools(self.server)

    def around(self, run: Handler) -> Handler:
        """FastMCP has its interceptors inside of its handler."""
        self.server.add_transform(self.mapping)
        return run

    def listing(self, own: ListHandler) -> ListHandler:
        """The handler of tools/list, told that it answers a client."""

        async def handler(ctx: Context, params: PaginatedRequestParams) -> HandlerResult:
            token = _call.set(_Call())
            try:
                while True:
                    reached = self.mapping.reached
                    page = await own(ctx, params)
                    # A server that was mounted since is reached by the list that finds it.
                    if self.mapping.reached == reached:
                        return page
            finally:
                _call.reset(token)

        return handler

    def unforeseen(self, error: MCPError) -> Exception | None:
        """What a resource or a prompt raised; FastMCP sends its text, unless told to mask it."""
        link: BaseException | None = error
        # A middleware may have made another error of it.
        while link is not None:
            cause = link.__cause__
            if _is_around(link) and isinstance(cause, Exception):
                return cause
            link = cause
        return None


def schema_of(tool: Tool) -> OutputSchema | None:
    """The schema of a tool's data.

    That of its return type or the one that it was given, without what FastMCP puts around
    what is no object; of a function that returns ``Annotated[Result, Model]`` the model's.
    None for one that returns a ``Result``, a string or anything.
    """
    returned = getattr(tool, "return_type", None)
    if returned is Result:
        derived = {"type": "object", "additionalProperties": True}
        return None if tool.output_schema == derived else tool.output_schema
    beside = schema_beside(returned)
    return _own(tool.output_schema) if beside is None else beside


def _own(schema: dict[str, Any] | None) -> OutputSchema | None:
    return unwrapped(schema) if schema is not None and schema.get(_WRAPPED) else schema


def _is_native(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(isinstance(item, _NATIVE) for item in value)
    return isinstance(value, _NATIVE) or type(value).__module__.partition(".")[0] == "prefab_ui"


def _is_around(error: BaseException) -> bool:
    return isinstance(error, (ResourceError, PromptError)) and str(error).startswith(_TOLD)


def _failure(failures: Failures, name: str, error: Exception) -> Result:
    if isinstance(error, ValidationError) and isinstance(error.__cause__, PydanticValidationError):
        return invalid_arguments(error.__cause__)
    if not failures.knows(error):
        # Classes that are raised for the client to read.
        if isinstance(error, FastMCPError):
            return spoken("tool_error")(error)
        if isinstance(error, NotFoundError):
            return spoken("not_found")(error)
    return failures.result(name, error)
