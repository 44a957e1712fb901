"""The tools of a low-level server: two handlers that the host registered."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, Final

from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import HandlerEntry
from mcp_types import CallToolRequestParams, ListToolsResult, PaginatedRequestParams, Tool

from toolresult.mcp.border import Context
from toolresult.mcp.returned import Passed, as_result, unknown_tool
from toolresult.request import OutputSchema
from toolresult_core import Result

SchemaOf = Callable[[str], OutputSchema | None]
"""The output schema of a tool by its name."""

_MOST_PAGES: Final = 100
"""Pages of a list of tools that are looked through: a list without end ends here."""

logger = logging.getLogger(__name__)


class LowLevelTools:
    """The handlers of tools/call and tools/list, as they were when this was made.

    Raises ValueError for a server without a handler of tools/call.
    """

    def __init__(self, server: Server[Any], schema_of: SchemaOf | None = None) -> None:
        call = server.get_request_handler("tools/call")
        if call is None:
            raise ValueError(
                "the server has no handler of tools/call; give it one (on_call_tool) before "
                "it is attached"
            )
        self._call: HandlerEntry[Any] = call
        self._list = server.get_request_handler("tools/list")
        self._schema_of = schema_of

    async def call(self, ctx: Context, params: CallToolRequestParams) -> Result | Passed:
        """What the handler returned. Raises what it raises, and ResultError."""
        return as_result(await self._call.handler(ctx, params))

    def cause(self, error: Exception) -> Exception:
        """The error itself: nothing wraps what a handler raises."""
        return error

    async def output_schema(self, ctx: Context, name: str) -> OutputSchema | None:
        """The schema that the host's function names, or else the one in its list of tools.

        The list is asked as this very client would ask, on each call, since nothing is
        remembered; a list that is dear to make is spared by the function.
        """
        if self._schema_of is not None:
            return self._told(self._schema_of, name)
        try:
            async for tool in self._listed(ctx):
                if tool.name == name:
                    return tool.output_schema
        except Exception:
            # The tool has done its work: its result goes out, if without a schema.
            logger.exception("the list of tools fails, so that %r has no output schema", name)
        return None

    def declared(self, tool: Tool) -> OutputSchema | None:
        """What the host's function says, or else the tool itself."""
        if self._schema_of is not None:
            return self._told(self._schema_of, tool.name)
        return tool.output_schema

    def unknown(self, name: str) -> Passed:
        """Raises MCPError: an unknown tool is invalid params."""
        raise unknown_tool(name)

    @staticmethod
    def _told(schema_of: SchemaOf, name: str) -> OutputSchema | None:
        try:
            return schema_of(name)
        except Exception:
            logger.exception("the output schema of the tool %r cannot be told", name)
        return None

    async def _listed(self, ctx: Context) -> AsyncIterator[Tool]:
        if self._list is None:
            return
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            params = PaginatedRequestParams(cursor=cursor)
            asked = replace(ctx, method="tools/list", params={"cursor": cursor} if cursor else None)
            page = await self._list.handler(asked, params)
            if not isinstance(page, ListToolsResult):
                return
            for tool in page.tools:
                yield tool
            cursor = page.next_cursor
            if cursor is None:
                return
