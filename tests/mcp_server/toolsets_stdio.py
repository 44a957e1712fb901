"""The shop of test_toolsets over stdio: ``python -m tests.mcp_server.toolsets_stdio``."""

from __future__ import annotations

from tests.mcp_server.test_toolsets import shop

if __name__ == "__main__":
    shop("highlevel").run("stdio")
