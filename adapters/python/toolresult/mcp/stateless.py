"""Reads results of the stateless revisions."""

from __future__ import annotations

from typing import Any

from toolresult.mcp.reading import Forms, read_result
from toolresult_core import Result
from toolresult_core.targets.mcp_stateless_reader import McpStatelessReader


class StatelessReader(McpStatelessReader):
    """Reads results of the stateless revisions."""

    written_for = "b50847cd3eb496e6"

    def read_result(self, wire: Any) -> Result:
        """The result of tools/call. Raises ResultError for what is no tool result."""
        return read_result(wire, Forms(self.read_block, self.read_stored_block, self.read_meta))
