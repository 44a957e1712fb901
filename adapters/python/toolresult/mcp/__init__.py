"""Model Context Protocol: reading results of tools/call, and servers of the package ``mcp``.

``attach`` makes a server of that package speak through a mapper; it comes with the extra
``toolresult[mcp]``. The readers need nothing of it, and a spec may be without one of them, so
all is imported when it is first used (PEP 562).

docs: docs/mcp.md
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolresult.mcp.attach import attach
    from toolresult.mcp.failures import invalid_arguments
    from toolresult.mcp.handshake import HandshakeReader
    from toolresult.mcp.stateless import StatelessReader

__all__ = ["HandshakeReader", "StatelessReader", "attach", "invalid_arguments"]

_MODULES = {
    "HandshakeReader": "toolresult.mcp.handshake",
    "StatelessReader": "toolresult.mcp.stateless",
    "attach": "toolresult.mcp.attach",
    "invalid_arguments": "toolresult.mcp.failures",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise ModuleNotFoundError(
            f"toolresult.mcp.{name} needs the package mcp: pip install 'toolresult[mcp]'",
            name=error.name,
        ) from error
    globals()[name] = value  # found at once from now on
    return value
