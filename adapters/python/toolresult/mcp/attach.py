"""The one line that makes a server speak through a mapper."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, SubscriptionBus
from mcp_types import (
    CallToolRequestParams,
    PaginatedRequestParams,
    SubscriptionsListenRequestParams,
)

from toolresult.mapper import Mapper
from toolresult.mcp.border import Border, is_attached
from toolresult.mcp.calls import Calls
from toolresult.mcp.changes import Changes
from toolresult.mcp.definitions import Definitions
from toolresult.mcp.failures import Answer, Failures
from toolresult.mcp.hosts import host_of
from toolresult.mcp.lowlevel import SchemaOf
from toolresult.mcp.notices import Notices
from toolresult.mcp.purging import Purging
from toolresult.mcp.stored import PrincipalOf, StoredResults
from toolresult.mcp.toolsets import Toolsets
from toolresult.mcp.validation import OutputValidation, Validation
from toolresult.request import Request
from toolresult_core import Result

if TYPE_CHECKING:
    from fastmcp import FastMCP


def attach(
    server: Server[Any] | MCPServer[Any] | FastMCP[Any],
    mapper: Mapper,
    *,
    principal: PrincipalOf | None = None,
    failures: Mapping[type[Exception], Answer] | None = None,
    output_schema: SchemaOf | None = None,
    validation: Validation = "warn",
    toolsets: Toolsets | None = None,
    changes: Changes | None = None,
    bus: SubscriptionBus | None = None,
    purge_every: timedelta | None = None,
) -> None:
    """Have the tools of a server answer through a mapper: ``attach(server, mapper)``.

    Call it once, when a low-level server has its handlers; an ``MCPServer`` or a ``FastMCP``
    may get tools later. From then on a tool may return a ``Result``, a legacy string, a
    plain value or the SDK's own result, and each client gets what its revision has.

    ``mapper`` says the phase; it must have one. With a store and a ``principal``, a result
    over the limit is stored and a link sent, which resources/read gives back to the same
    principal. ``principal`` gets the SDK's request context and names who asks, or gives
    None; then, and without it, results go inline. A principal of the mapper's own counts
    for nothing here, since it would be everyone's.

    ``failures`` says what becomes of exceptions that tools raise: by class, an error code,
    or a function that makes a failure of the exception (see
    :class:`toolresult.mcp.failures.Failures`). ``output_schema`` gives, for a low-level
    server, the output schema of a tool by its name; without it the server's own list of
    tools is asked. ``validation`` is what becomes of a success whose data does not fit that
    schema: the log is told (``"warn"``), a failure is sent in its place (``"strict"``), or
    nobody looks (``"off"``).

    ``toolsets`` says which tools a request may see. ``changes`` tells clients that the list
    of tools has changed; ``bus`` is, for a low-level server with a handler of
    subscriptions/listen of its own, what that handler hears. ``purge_every`` deletes expired
    results from the mapper's store for as long as the server runs.

    Raises ValueError for a server that is attached already or has no handler of tools/call,
    for a mapper with a store and no clock, for ``purge_every`` without a store, and for
    ``changes`` without the bus that they need; UnknownTargetError for a mapper without a
    phase; ResultError for an unknown error code; TypeError for another kind of server, and for
    arguments of another type.
    """
    _check_types(mapper, principal, toolsets, changes)
    # A mapper that cannot render is known now, and not when the first tool has run.
    mapper.render(Result.success(), Request("mcp-handshake", "2024-11-05", limit=None))
    known = Failures(failures)
    checks = OutputValidation(validation)
    host = host_of(server, known, output_schema)
    lowlevel = host.lowlevel
    if is_attached(lowlevel):
        raise ValueError("this server is attached already")
    tools = host.tools()
    heard = None if changes is None else _heard(lowlevel, bus or host.bus)
    purging = None if purge_every is None else _purging(mapper, purge_every)

    # Nothing is raised from here on, so that a server is attached or it is not.
    calls = Calls(tools, mapper, known, principal, checks, toolsets)
    run = host.around(calls.run)
    lowlevel.add_request_handler("tools/call", CallToolRequestParams, calls.sending(run))
    listed = lowlevel.get_request_handler("tools/list")
    if listed is not None:
        show = Definitions(host.listing(listed.handler), tools.declared, toolsets).show
        lowlevel.add_request_handler("tools/list", PaginatedRequestParams, show)
    if principal is not None and mapper.store is not None and mapper.clock is not None:
        StoredResults(lowlevel, mapper.store, mapper.clock, principal).register(lowlevel)
    if changes is not None and heard is not None:
        _listen(lowlevel, changes, heard)
    if purging is not None:
        lowlevel.lifespan = purging.around(lowlevel.lifespan)
    if changes is not None or toolsets is not None:
        lowlevel.middleware.append(Notices(lowlevel, changes))
    lowlevel.middleware.append(Border(host.unforeseen))


def _check_types(mapper: object, principal: object, toolsets: object, changes: object) -> None:
    if not isinstance(mapper, Mapper):
        raise TypeError(
            f"mapper: expected a toolresult.Mapper, such as Mapper(phase='final'), "
            f"found {type(mapper).__qualname__}"
        )
    if principal is not None and not callable(principal):
        raise TypeError(
            "principal: expected a function that gets the request's context and names who asks, "
            f"found {type(principal).__qualname__}"
        )
    if toolsets is not None and not isinstance(toolsets, Toolsets):
        raise TypeError(f"toolsets: expected Toolsets({{…}}), found {type(toolsets).__qualname__}")
    if changes is not None and not isinstance(changes, Changes):
        raise TypeError(f"changes: expected Changes(…), found {type(changes).__qualname__}")


def _heard(lowlevel: Server[Any], bus: SubscriptionBus | None) -> SubscriptionBus:
    """The bus that streams of subscriptions/listen hear. Raises ValueError."""
    if bus is not None:
        return bus
    if lowlevel.get_request_handler("subscriptions/listen") is not None:
        raise ValueError(
            "changes: the server has a handler of subscriptions/listen of its own; "
            "give its bus too: attach(…, changes=…, bus=…)"
        )
    return InMemorySubscriptionBus()


def _listen(lowlevel: Server[Any], changes: Changes, bus: SubscriptionBus) -> None:
    own = lowlevel.get_request_handler("subscriptions/listen")
    listen = ListenHandler(bus) if own is None else own.handler
    handler = changes.listening(listen, bus)
    lowlevel.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, handler)


def _purging(mapper: Mapper, every: timedelta) -> Purging:
    if mapper.store is None or mapper.clock is None:
        raise ValueError("purge_every: the mapper has no store, or no clock")
    return Purging(mapper.store, mapper.clock, every)
