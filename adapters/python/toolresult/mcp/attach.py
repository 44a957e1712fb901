"""The one line that makes a server speak through a mapper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from toolresult.mapper import Mapper
from toolresult.mcp.border import Border
from toolresult.mcp.calls import Calls, Tools
from toolresult.mcp.definitions import Definitions
from toolresult.mcp.failures import Answer, Failures
from toolresult.mcp.lowlevel import LowLevelTools, SchemaOf
from toolresult.mcp.mcpserver import MCPServerTools, intercepted, lowlevel_of
from toolresult.mcp.stored import PrincipalOf, StoredResults
from toolresult.request import Request
from toolresult_core import Result


def attach(
    server: Server[Any] | MCPServer[Any],
    mapper: Mapper,
    *,
    principal: PrincipalOf | None = None,
    failures: Mapping[type[Exception], Answer] | None = None,
    output_schema: SchemaOf | None = None,
) -> None:
    """Have the tools of a server answer through a mapper: ``attach(server, mapper)``.

    Call it once, when a low-level server has its handlers; an ``MCPServer`` may get tools
    later. From then on a tool may return a ``Result``, a legacy string, a plain value or
    the SDK's own result, and each client gets what its revision has.

    ``mapper`` says the phase; it must have one. With a store and a ``principal``, a result
    over the limit is stored and a link sent, which resources/read gives back to the same
    principal. ``principal`` gets the SDK's request context and names who asks, or gives
    None; then, and without it, results go inline. A principal of the mapper's own counts
    for nothing here, since it would be everyone's.

    ``failures`` says what becomes of exceptions that tools raise: by class, an error code,
    or a function that makes a failure of the exception (see
    :class:`toolresult.mcp.failures.Failures`). ``output_schema`` gives, for a low-level
    server, the output schema of a tool by its name; without it the server's own list of
    tools is asked.

    Raises ValueError for a server that is attached already or has no handler of tools/call,
    and for a mapper with a store and no clock; UnknownTargetError for a mapper without a
    phase; ResultError for an unknown error code; TypeError for another kind of server.
    """
    # A mapper that cannot render is known now, and not when the first tool has run.
    mapper.render(Result.success(), Request("mcp-handshake", "2024-11-05", limit=None))
    lowlevel = _lowlevel(server)
    if any(isinstance(one, Border) for one in lowlevel.middleware):
        raise ValueError("this server is attached already")
    tools: Tools
    if isinstance(server, MCPServer):
        tools = MCPServerTools(server)
    else:
        tools = LowLevelTools(lowlevel, output_schema)
    calls = Calls(tools, mapper, Failures(failures), principal)
    run = intercepted(server, calls.run) if isinstance(server, MCPServer) else calls.run
    lowlevel.add_request_handler("tools/call", CallToolRequestParams, calls.sending(run))
    listed = lowlevel.get_request_handler("tools/list")
    if listed is not None:
        show = Definitions(listed.handler, tools.declared).show
        lowlevel.add_request_handler("tools/list", PaginatedRequestParams, show)
    if principal is not None and mapper.store is not None and mapper.clock is not None:
        StoredResults(lowlevel, mapper.store, mapper.clock, principal).register(lowlevel)
    lowlevel.middleware.append(Border())


def _lowlevel(server: Any) -> Server[Any]:
    if isinstance(server, MCPServer):
        return lowlevel_of(server)
    if isinstance(server, Server):
        return server
    raise TypeError(
        "expected mcp.server.MCPServer or mcp.server.lowlevel.Server, "
        f"found {type(server).__module__}.{type(server).__qualname__}"
    )
