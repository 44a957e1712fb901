"""tools/call: runs the tool, and has its result sent in the form that the request speaks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol

import anyio.to_thread
from mcp.server.context import HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import SERVER_INFO_META_KEY, CallToolRequestParams, CallToolResult, Tool
from pydantic import PrivateAttr

from toolresult.mapper import Mapper
from toolresult.mcp.border import Context, Wire, send_over
from toolresult.mcp.ending import passes_on
from toolresult.mcp.era import target_of
from toolresult.mcp.failures import Failures
from toolresult.mcp.parsing import parsed
from toolresult.mcp.returned import Passed
from toolresult.mcp.stored import PrincipalOf, principal_of
from toolresult.mcp.toolsets import Toolsets
from toolresult.mcp.validation import OutputValidation
from toolresult.output_schema import has_structured_content
from toolresult.rendering import Rendering
from toolresult.request import OutputSchema, Request
from toolresult_core import Result

Handler = Callable[[Context, CallToolRequestParams], Awaitable[HandlerResult]]


class Tools(Protocol):
    """The tools of a server, low-level or not."""

    async def call(self, ctx: Context, params: CallToolRequestParams) -> Result | Passed:
        """What the tool returned. Raises what the tool raises, as the SDK wraps it."""
        ...

    def cause(self, error: Exception) -> Exception:
        """What the tool itself raised, without what the SDK wrapped around it."""
        ...

    async def output_schema(self, ctx: Context, name: str) -> OutputSchema | None:
        """The schema of a tool's data, before any wrapping; None for a tool that has none."""
        ...

    def declared(self, tool: Tool) -> OutputSchema | None:
        """The same, of a tool in the server's list. Never raises."""
        ...

    def unknown(self, name: str) -> Passed:
        """What this server answers for a tool that it does not have. May raise MCPError."""
        ...


class StandIn(CallToolResult):
    """What the SDK has in hand while a result of ours is on its way.

    Every revision takes it. An interceptor of tool calls sees whether the tool failed, and
    may put another result in its place, which is then sent instead.
    """

    _result: Result = PrivateAttr()

    @classmethod
    def of(cls, result: Result) -> StandIn:
        """The stand-in of a result."""
        made = cls(content=[], is_error=result.error is not None)
        made._result = result
        return made

    @property
    def result(self) -> Result:
        """The result that is on its way."""
        return self._result


class Calls:
    """The handler of tools/call, in two halves, so that interceptors find room between them."""

    def __init__(
        self,
        tools: Tools,
        mapper: Mapper,
        failures: Failures,
        who: PrincipalOf | None,
        validation: OutputValidation,
        toolsets: Toolsets | None,
    ) -> None:
        self._tools = tools
        self._mapper = mapper
        self._who = None if mapper.store is None else who
        self._failures = failures
        self._validation = validation
        self._toolsets = toolsets

    async def run(self, ctx: Context, params: CallToolRequestParams) -> HandlerResult:
        """The inner half: runs the tool. Raises MCPError, which is for the protocol to answer."""
        try:
            returned = await self._tools.call(ctx, params)
        except MCPError:
            raise
        except Exception as error:
            returned = self._failures.result(params.name, self._tools.cause(error))
        except BaseException as error:
            if passes_on(error):
                raise
            returned = self._failures.result(params.name, error)
        if not isinstance(returned, Result):
            return returned
        return StandIn.of(returned)

    def sending(self, run: Handler) -> Handler:
        """The outer half: has the result sent that the inner one brought."""

        async def send(ctx: Context, params: CallToolRequestParams) -> HandlerResult:
            # First, so that a request whose sender cannot be told does nothing at all.
            who = await principal_of(self._who, ctx)
            if self._toolsets is not None:
                seen = await self._toolsets.seen_by(ctx)
                if params.name not in seen:
                    return self._tools.unknown(params.name)
            returned = await run(ctx, params)
            if isinstance(returned, StandIn):
                wire = await self._wire(ctx, params.name, returned.result, who)
                send_over(lambda sent: _stamped(wire, sent))
            return returned

        return send

    async def _wire(self, ctx: Context, name: str, result: Result, who: str | None) -> Wire:
        target, revision = target_of(ctx.protocol_version)
        schema = None
        if has_structured_content(target, revision) or not self._validation.is_off:
            schema = await self._tools.output_schema(ctx, name)
            result = await self._validation.checked(name, schema, result)
        request = Request(target, revision, output_schema=schema, principal=who)
        try:
            if who is None:
                rendering = self._mapper.render(result, request)
            else:  # it may be written to a disk
                rendering = await anyio.to_thread.run_sync(self._mapper.render, result, request)
        except Exception as error:  # the store's, where the mapper is to fail with it
            failure = self._failures.result(name, error)
            rendering = self._mapper.render(failure, replace(request, store=None, stamp=False))
        try:
            return _wire_of(rendering)
        except ValueError:
            return _wire_of(self._mapper.render(_TOO_LONG, request))


def _stamped(wire: Wire, sent: Wire) -> Wire:
    """Our output with the stamp that the SDK put on the stand-in."""
    stamp = (sent.get("_meta") or {}).get(SERVER_INFO_META_KEY)
    if stamp is None:
        return wire
    return {**wire, "_meta": {**wire.get("_meta", {}), SERVER_INFO_META_KEY: stamp}}


_TOO_LONG: Final = Result.failure(
    "tool_error", "The result holds an integer with more digits than this server can send."
)


def _wire_of(rendering: Rendering) -> Wire:
    """The output for the SDK's writer. Raises ValueError for an integer that it cannot write, and
    for which the client would get no response at all.
    """
    wire: Wire = parsed(rendering.bytes)
    return wire
