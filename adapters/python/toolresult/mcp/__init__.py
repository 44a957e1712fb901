"""Model Context Protocol: reading results of tools/call, and servers of the package ``mcp``.

``attach`` makes a server of that package speak through a mapper; it comes with the extra
``toolresult[mcp]``. The readers need nothing of it, and a spec may be without one of them, so
all is imported when it is first used (PEP 562).

docs: docs/mcp.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolresult.extras import of_an_extra

if TYPE_CHECKING:
    from toolresult.mcp.attach import attach
    from toolresult.mcp.changes import Changes
    from toolresult.mcp.failures import invalid_arguments
    from toolresult.mcp.handshake import HandshakeReader
    from toolresult.mcp.stateless import StatelessReader
    from toolresult.mcp.toolsets import Toolsets

__all__ = [
    "Changes",
    "HandshakeReader",
    "StatelessReader",
    "Toolsets",
    "attach",
    "invalid_arguments",
]

_MODULES = {
    "Changes": "toolresult.mcp.changes",
    "HandshakeReader": "toolresult.mcp.handshake",
    "StatelessReader": "toolresult.mcp.stateless",
    "Toolsets": "toolresult.mcp.toolsets",
    "attach": "toolresult.mcp.attach",
    "invalid_arguments": "toolresult.mcp.failures",
}
_BRINGS = frozenset({"mcp", "mcp_types"})
"""What the extra brings, by the names of packages."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = of_an_extra(_MODULES[name], name, extra="mcp", package="mcp", brings=_BRINGS)
    globals()[name] = value  # found at once from now on
    return value
