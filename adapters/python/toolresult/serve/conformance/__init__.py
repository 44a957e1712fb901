"""What the official conformance suite of MCP calls: its tools, resources and prompts.

The suite (npm ``@modelcontextprotocol/conformance``) prescribes their names, and what each one
does. They answer through results wherever a result can say it, so that the suite judges what
clients of this library get.
"""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool

from toolresult.serve.conformance import asking, content, rounds
from toolresult.serve.conformance.surroundings import add_surroundings

__all__ = ["add_surroundings", "fixture_tools"]


def fixture_tools() -> list[Tool]:
    """The tools that the suite calls. ``add_surroundings`` adds the rest of it to a server."""
    return [*content.tools(), *asking.tools(), *rounds.tools()]
