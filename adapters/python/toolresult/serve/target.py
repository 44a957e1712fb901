"""The server that somebody names on the command line: ``myshop.tools:server``."""

from __future__ import annotations

import importlib
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer

from toolresult.mcp.border import Border
from toolresult.mcp.mcpserver import lowlevel_of
from toolresult.serve.app import AnyServer


class NoServerError(Exception):
    """What was named is no server. The message says what it is, and what was expected."""


def named_server(name: str) -> AnyServer:
    """The server of a name ``module:attribute``; the attribute may be a function that makes it.

    The module is imported, so name only what you trust. Raises NoServerError; what the module
    or the function raises is its cause.
    """
    module_name, _, attribute = name.partition(":")
    if not module_name or not attribute:
        raise NoServerError("expected MODULE:NAME, such as myshop.tools:server")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            raise NoServerError(f"there is no module {error.name} here") from error
        raise NoServerError(f"importing it fails: {_told(error)}") from error
    except Exception as error:
        raise NoServerError(f"importing it fails: {_told(error)}") from error
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise NoServerError(f"the module {module_name} has no {attribute}")
        found = getattr(found, part)
    return _server(found)


def is_attached(server: AnyServer) -> bool:
    """Whether somebody has attached the server to a mapper already."""
    lowlevel = lowlevel_of(server) if isinstance(server, MCPServer) else server
    return any(isinstance(one, Border) for one in lowlevel.middleware)


def _server(found: Any) -> AnyServer:
    if not isinstance(found, (Server, MCPServer)) and callable(found):
        try:
            found = found()
        except Exception as error:
            raise NoServerError(f"calling it fails: {_told(error)}") from error
    if not isinstance(found, (Server, MCPServer)):
        kind = f"{type(found).__module__}.{type(found).__qualname__}"
        raise NoServerError(
            "expected an MCPServer or a low-level Server of the MCP SDK, "
            f"or a function that makes one; it is {kind}"
        )
    return found


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
