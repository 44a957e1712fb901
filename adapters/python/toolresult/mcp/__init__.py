"""Model Context Protocol: reading results of tools/call, and output schemas per revision."""

from __future__ import annotations

from toolresult.mcp.reader import HandshakeReader, StatelessReader

__all__ = ["HandshakeReader", "StatelessReader"]
