"""The server that somebody names on the command line: ``myshop.tools:server``."""

from __future__ import annotations

import importlib
import inspect
import sysconfig
import traceback
from pathlib import Path
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer

from toolresult.mcp.hosts import is_fastmcp
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
    if not all(part.isidentifier() for part in module_name.split(".")):
        said = "expected MODULE:NAME, such as myshop.tools:server"
        stem = Path(module_name).stem
        if module_name.endswith(".py") and stem.isidentifier():
            said = (
                f"expected a module and no file: {stem}:{attribute}, from the folder that it is in"
            )
        raise NoServerError(said)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            said = f"there is no module {error.name} here"
            if module_name.endswith(".py"):
                said += f"; without .py: {module_name.removesuffix('.py')}:{attribute}"
            raise NoServerError(said) from error
        raise NoServerError(f"importing it fails: {_told(error)}") from error
    except (Exception, SystemExit) as error:
        raise NoServerError(f"importing it fails: {_told(error)}") from error
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise NoServerError(f"the module {module_name} has no {attribute}")
        found = getattr(found, part)
    return _server(found)


def _server(found: Any) -> AnyServer:
    if not _is_server(found) and callable(found):
        try:
            found = found()
        except (Exception, SystemExit) as error:
            raise NoServerError(f"calling it fails: {_told(error)}") from error
    if inspect.isawaitable(found):
        if inspect.iscoroutine(found):
            found.close()  # it will not be awaited, and nobody is to be warned of that
        raise NoServerError(
            "it is an async function; expected a plain one that makes the server, "
            "or the server itself"
        )
    if not _is_server(found):
        kind = f"{type(found).__module__}.{type(found).__qualname__}"
        raise NoServerError(
            "expected an MCPServer or a low-level Server of the MCP SDK, a FastMCP, "
            f"or a function that makes one; it is {kind}"
        )
    server: AnyServer = found
    return server


def _is_server(found: Any) -> bool:
    return isinstance(found, (Server, MCPServer)) or is_fastmcp(found)


def _told(error: BaseException) -> str:
    place = _place(error)
    at = "" if place is None else f" ({place})"
    return f"{type(error).__name__}: {error}{at}; TOOLRESULT_DEBUG=1 shows the traceback"


def _place(error: BaseException) -> str | None:
    """The file and line in the author's own code where it fails, ``shop.py:17``."""
    if isinstance(error, SyntaxError):
        return None  # its text says where
    libraries = tuple({sysconfig.get_path(one) for one in ("stdlib", "purelib", "platlib")})
    here = (*libraries, str(Path(__file__).parent))
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((*here, "<"))
    ]
    if not own:
        return None
    path = Path(own[-1].filename)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown}:{own[-1].lineno}"
