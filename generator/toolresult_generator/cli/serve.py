"""`toolresult serve`: a server that any client can be pointed at.

docs: docs/serve.md
"""

from __future__ import annotations

import argparse
import errno
import logging
import os
import re
import sys
from contextlib import nullcontext, redirect_stdout
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import DataError, UsageError
from toolresult_generator.cli.given import byte_count
from toolresult_generator.cli.stores import OBJECTS, STORE, faults_of_store, opened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolresult.mcp.failures import Answer
    from toolresult.serve.app import AnyServer
    from toolresult.store import Store

_PLACE = "toolresult serve"
_HOST, _PORT = "127.0.0.1", 8000
_BRINGS = frozenset(
    {"mcp", "mcp_types", "a2a", "google", "sse_starlette", "starlette", "uvicorn", "anyio"}
)
"""What the extra brings, by the names of packages."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.epilog = (
        "The server is an MCPServer or a low-level Server of the MCP SDK, a FastMCP, or a "
        "function that makes one. Its module is imported, also from the folder that you are "
        "in. It is attached to a mapper, unless its module has done so; then --phase, --limit and "
        "--store are its module's affair."
    )
    parser.add_argument("server", nargs="?", metavar="MODULE:NAME", help="the server to serve")
    parser.add_argument(
        "--example",
        action="store_true",
        help="serve example tools that return every sample, over MCP and A2A",
    )
    parser.add_argument("--host", metavar="NAME", help=f"the address to listen at ({_HOST})")
    parser.add_argument(
        "--port", type=_port, metavar="NUMBER", help=f"the port; 0 takes a free one ({_PORT})"
    )
    parser.add_argument(
        "--stdio", action="store_true", help="serve one client on stdin and stdout, MCP alone"
    )
    parser.add_argument(
        "--phase",
        choices=("transitional", "final"),
        help="what clients of old revisions get (final)",
    )
    parser.add_argument(
        "--limit", type=byte_count, metavar="BYTES", help="above it a link is sent (the target's)"
    )
    parser.add_argument(
        "--store", metavar="STORE", help=f"keep large results there (in memory); {STORE}"
    )
    parser.add_argument("--objects", metavar="URL", help=OBJECTS)
    parser.add_argument("--key-file", metavar="FILE", help="its keys, one id:base64 a line")


def run(args: argparse.Namespace) -> int:
    """Serve until a signal, or the end of stdin, ends it."""
    _check(args)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        _serve(args)
    except ModuleNotFoundError as error:
        from toolresult.extras import is_missing

        if not is_missing(error, _BRINGS):
            raise
        message = f"{error.name} is not installed: pip install 'toolresult[serve]'"
        raise DataError(_PLACE, "missing_module", message) from None
    return 0


def _serve(args: argparse.Namespace) -> None:
    # Imported here, since these need the extra.
    from toolresult.request import DEFAULT
    from toolresult.serve import run
    from toolresult.serve.app import is_loopback

    server, failures = _server(args)
    host = args.host or _HOST
    with _store(args) as store:
        try:
            attached = run.attached(
                server,
                store,
                phase=args.phase or "final",
                limit=DEFAULT if args.limit is None else args.limit,
                local=args.stdio or is_loopback(host),
                failures=failures,
            )
        except ValueError as error:  # such as a server without tools
            raise DataError(args.server or _PLACE, "no_server", str(error)) from None
        if args.stdio:
            run.over_stdio(attached)
            return
        port = _PORT if args.port is None else args.port
        try:
            bound = run.listening(host, port)
        except (OSError, UnicodeError) as error:
            raise _not_listening(host, port, error) from None
        if args.example:
            from toolresult.serve.agent import agent_routes

            run.over_http(attached, host, bound, agent_routes)
        else:
            run.over_http(attached, host, bound)


def _check(args: argparse.Namespace) -> None:
    if args.example == (args.server is not None):
        message = "name the server as MODULE:NAME, or say --example"
        raise UsageError(f"{message}, not both" if args.example else message, place=_PLACE)
    given = [name for name in ("host", "port") if getattr(args, name) is not None]
    if args.stdio and given:
        raise UsageError(f"--{given[0]} is for HTTP, and --stdio is not", place=_PLACE)
    if (args.store is None) != (args.key_file is None):
        lacking = "--key-file" if args.key_file is None else "--store"
        raise UsageError(f"storing needs {lacking} too", place=_PLACE)
    if args.objects is not None and args.store is None:
        raise UsageError("storing needs --store too", place=_PLACE)


def _server(args: argparse.Namespace) -> tuple[AnyServer, Mapping[type[Exception], Answer] | None]:
    """The server, and what becomes of the exceptions that its tools are known to raise."""
    if args.example:
        from toolresult.serve.example import FAILURES, example_server

        return example_server(), FAILURES
    from toolresult.serve.target import NoServerError, named_server

    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        # Over the standard streams stdout is the protocol's: what a module prints goes to stderr.
        with redirect_stdout(sys.stderr) if args.stdio else nullcontext():
            return named_server(args.server), None
    except NoServerError as error:
        if os.environ.get("TOOLRESULT_DEBUG") == "1" and error.__cause__ is not None:
            import traceback

            traceback.print_exception(error.__cause__)
        raise DataError(args.server, "no_server", str(error)) from None


def _store(args: argparse.Namespace) -> Store:
    from toolresult.store import MemoryStore

    if args.store is None:
        return MemoryStore()
    with faults_of_store(args):
        return opened(args, args.key_file, place=_PLACE, create=True)


def _not_listening(host: str, port: int, error: Exception) -> DataError:
    reason = "there is no host of that name"
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            reason += "; name another port with --port, 0 for any that is free"
    return DataError(f"{host}:{port}", "io", reason)


def _port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text, re.ASCII) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, not {text[:40]!r}")
    return int(text)
