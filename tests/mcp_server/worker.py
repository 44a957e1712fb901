"""One of several processes that serve the same list of tools, with one SQLite store.

``python -m tests.mcp_server.worker STORE KEYS`` serves over HTTP on a free port, which it
writes, and a new tool for each request of ``add_tool``: it says so in the store, as a worker
that has loaded a plug-in would. Another worker gets the tool by ``load_tool``, without a word.
"""

from __future__ import annotations

import socket
import sys
from datetime import timedelta
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, ListToolsResult, PaginatedRequestParams, Tool

from toolresult import Mapper, Result
from toolresult.mcp import Changes, attach
from toolresult.store import ListVersions, open_store

POLL = timedelta(seconds=0.05)


def server(store: ListVersions) -> Server[Any]:
    """The tools ``add_tool``, ``load_tool``, and what these have added."""
    names = ["add_tool", "load_tool"]
    changes = Changes(store, poll=POLL)

    async def list_tools(ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        schema = {"type": "object"}
        return ListToolsResult(tools=[Tool(name=name, input_schema=schema) for name in names])

    async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
        if params.name in ("add_tool", "load_tool"):
            names.append((params.arguments or {})["name"])
        if params.name == "add_tool":
            await changes.tools_changed()
        return Result.success(names)

    made: Server[Any] = Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)
    attach(made, Mapper(phase="final"), changes=changes)
    return made


def main(path: str, key_file: str) -> None:
    """Serves until the process is ended."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    with open_store(path, key_file, create=False) as store:
        app = server(store).streamable_http_app()
        running = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", ws="none"))
        listening.listen(64)  # from here on a client waits for the rest to be ready
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
        running.run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
