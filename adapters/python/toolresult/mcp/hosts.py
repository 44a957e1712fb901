"""The kinds of servers that can be attached, each behind the same few words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.subscriptions import SubscriptionBus
from mcp.shared.exceptions import MCPError

from toolresult.mcp.calls import Handler, Tools
from toolresult.mcp.definitions import ListHandler
from toolresult.mcp.failures import Failures
from toolresult.mcp.lowlevel import LowLevelTools, SchemaOf
from toolresult.mcp.mcpserver import (
    MCPServerTools,
    bus_of,
    intercepted,
    lowlevel_of,
    unforeseen,
)


class Host(Protocol):
    """A server to attach."""

    @property
    def lowlevel(self) -> Server[Any]:
        """The low-level server that does the work."""
        ...

    @property
    def bus(self) -> SubscriptionBus | None:
        """What its own handler of subscriptions/listen hears, where that can be told."""
        ...

    def tools(self) -> Tools:
        """Its tools. Raises ValueError for a server that can call none."""
        ...

    def around(self, run: Handler) -> Handler:
        """The handler that runs a tool, with what the host has around it."""
        ...

    def listing(self, own: ListHandler) -> ListHandler:
        """The host's handler of tools/list, as the list is to be made."""
        ...

    def unforeseen(self, error: MCPError) -> Exception | None:
        """What this host made an error of the protocol of, though nobody meant it for the client.

        None for an error that a handler raised as such.
        """
        ...


@dataclass(frozen=True)
class _LowLevel:
    lowlevel: Server[Any]
    output_schema: SchemaOf | None
    bus: SubscriptionBus | None = None

    def tools(self) -> Tools:
        return LowLevelTools(self.lowlevel, self.output_schema)

    def around(self, run: Handler) -> Handler:
        return run

    def listing(self, own: ListHandler) -> ListHandler:
        return own

    def unforeseen(self, error: MCPError) -> Exception | None:
        return None


@dataclass(frozen=True)
class _MCPServer:
    server: MCPServer[Any]

    @property
    def lowlevel(self) -> Server[Any]:
        return lowlevel_of(self.server)

    @property
    def bus(self) -> SubscriptionBus | None:
        return bus_of(self.server)

    def tools(self) -> Tools:
        return MCPServerTools(self.server)

    def around(self, run: Handler) -> Handler:
        return intercepted(self.server, run)

    def listing(self, own: ListHandler) -> ListHandler:
        return own

    def unforeseen(self, error: MCPError) -> Exception | None:
        return unforeseen(error)


def host_of(server: Any, failures: Failures, output_schema: SchemaOf | None) -> Host:
    """The host that a server is. Raises TypeError for what is none."""
    if isinstance(server, MCPServer):
        return _MCPServer(server)
    if isinstance(server, Server):
        return _LowLevel(server, output_schema)
    if is_fastmcp(server):
        from toolresult.mcp.fastmcp import FastMCPHost, Mapping

        return FastMCPHost(server, Mapping(failures))
    raise TypeError(
        "expected mcp.server.MCPServer, mcp.server.lowlevel.Server or fastmcp.FastMCP, "
        f"found {type(server).__module__}.{type(server).__qualname__}"
    )


def is_fastmcp(server: Any) -> bool:
    """Whether it is a server of the package ``fastmcp``."""
    if all(kind.__module__.partition(".")[0] != "fastmcp" for kind in type(server).__mro__):
        return False
    # Imported for what is of that package alone: it is a large one.
    from fastmcp import FastMCP

    return isinstance(server, FastMCP)
