from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.a2a_server.agent import Tool, serving


@pytest.fixture(scope="session")
def tool() -> Tool:
    return Tool()


@pytest.fixture(scope="session")
def base(tool: Tool) -> Iterator[str]:
    """The address of the server."""
    with serving(tool) as address:
        yield address
