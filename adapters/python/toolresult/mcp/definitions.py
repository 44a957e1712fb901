"""tools/list: shows each tool as the revision takes it, so that no tool spoils the list.

The SDK checks all tools of a list at once: one output schema that is no object's, on a
revision with a handshake, and the client gets an error in place of the list. So the SDK
gets the tools with schemas that nobody refuses, does with the rest what it does for any
server, and the true ones are laid over at the border.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from mcp.server.context import HandlerResult
from mcp_types import ListToolsResult, PaginatedRequestParams, Tool

from toolresult.mcp.border import Context, Wire, send_over
from toolresult.mcp.era import target_of
from toolresult.mcp.once import Once
from toolresult.mcp.schema_check import fault_of
from toolresult.mcp.toolsets import Toolsets
from toolresult.output_schema import advertised
from toolresult.request import OutputSchema
from toolresult_core import ResultError
from toolresult_core.runtime.canonical import canonical

ListHandler = Callable[[Context, PaginatedRequestParams], Awaitable[HandlerResult]]
Declared = Callable[[Tool], OutputSchema | None]
"""The schema of a listed tool's data, before any wrapping. Never raises."""

_ANY_ARGUMENTS: Final = {"type": "object"}
"""The input schema of a tool whose own nobody could read; the tool still checks for itself."""
_AS_OBJECT: Final = ("mcp-handshake", "2025-06-18")
"""The strictest that an input schema meets: all revisions show it as this one does an output's."""

logger = logging.getLogger(__name__)


class Definitions:
    """The handler of tools/list around the server's own. The order is that of the server."""

    def __init__(self, own: ListHandler, declared: Declared, toolsets: Toolsets | None) -> None:
        self._own = own
        self._declared = declared
        self._toolsets = toolsets
        self._once = Once()

    async def show(self, ctx: Context, params: PaginatedRequestParams) -> HandlerResult:
        """A page of the list, of what the request may see: a page may be empty, and not the last.

        Raises MCPError for a request that names an unknown toolset.
        """
        seen = None if self._toolsets is None else await self._toolsets.seen_by(ctx)
        page = await self._own(ctx, params)
        if not isinstance(page, ListToolsResult):
            return page
        if seen is not None:
            visible = [tool for tool in page.tools if tool.name in seen]
            page = page.model_copy(update={"tools": visible})
        target, revision = target_of(ctx.protocol_version)
        shown = [self._shown(tool, target, revision) for tool in page.tools]
        send_over(lambda sent: _laid_over(sent, shown))
        return page.model_copy(update={"tools": [_harmless(tool) for tool in page.tools]})

    def _shown(self, tool: Tool, target: str, revision: str) -> Wire:
        """What of a tool is shown as it is meant, and not as the SDK would have it."""
        shown: Wire = {"inputSchema": self._input_schema(tool)}
        declared = self._declared(tool)
        if declared is not None:
            fault = fault_of(declared)
            if fault is None and advertised(declared, *_AS_OBJECT) is None:
                fault = "it is no schema of an object's properties"
            if fault is not None:
                self._tell(tool, "output schema", f"none, and not shown: {fault}")
            elif (schema := advertised(declared, target, revision)) is not None:
                shown["outputSchema"] = schema
        if tool.meta is not None:
            if _is_json(tool.meta):
                shown["_meta"] = dict(tool.meta)
            else:
                self._tell(tool, "meta", "no JSON, and not shown")
        return shown

    def _input_schema(self, tool: Tool) -> Wire:
        """The schema of the arguments; they are an object in every revision."""
        schema = tool.input_schema
        fault = fault_of(schema)
        if fault is None:
            if schema.get("type", "object") == "object":
                usable = advertised({"type": "object", **schema}, *_AS_OBJECT)
                if usable is not None:
                    return usable
            fault = "it is none of an object"
        self._tell(
            tool, "input schema", f"none, and shown as one that takes any arguments: {fault}"
        )
        return dict(_ANY_ARGUMENTS)

    def _tell(self, tool: Tool, part: str, what: str) -> None:
        """Once: a list is asked for often."""
        if self._once.is_new((tool.name, part)):
            logger.warning("the %s of the tool %r is %s", part, tool.name, what)


def _harmless(tool: Tool) -> Tool:
    return tool.model_copy(
        update={"input_schema": dict(_ANY_ARGUMENTS), "output_schema": None, "meta": None}
    )


def _laid_over(sent: Wire, shown: list[Wire]) -> Wire:
    tools = [{**tool, **true} for tool, true in zip(sent["tools"], shown, strict=True)]
    return {**sent, "tools": tools}


def _is_json(meta: Mapping[str, Any]) -> bool:
    try:
        canonical(dict(meta))
    except ResultError:
        return False
    return True
