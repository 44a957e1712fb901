"""Reads results of the handshake revisions."""

from __future__ import annotations

from typing import Any

from toolresult.mcp.reading import Forms, read_result
from toolresult_core import Result
from toolresult_core.targets.mcp_handshake_reader import McpHandshakeReader


class HandshakeReader(McpHandshakeReader):
    """Reads results of the handshake revisions."""

    written_for = "bfbb6e6f71c0dc74"

    def read_result(self, wire: Any) -> Result:
        """The result of tools/call. Raises ResultError for what is no tool result."""
        return read_result(wire, Forms(self.read_block, self.read_stored_block, self.read_meta))
