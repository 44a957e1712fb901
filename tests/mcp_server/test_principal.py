"""What a host's function says of who asks is looked at before a tool runs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolresult.mcp.stored import principal_of


@pytest.mark.parametrize(("found", "principal"), [("anna", "anna"), ("", None), (None, None)])
def test_a_text_or_none(found: Any, principal: str | None) -> None:
    async def later(ctx: Any) -> Any:
        return found

    context: Any = object()
    for resolve in (later, lambda ctx: found):
        assert asyncio.run(principal_of(resolve, context)) == principal
    assert asyncio.run(principal_of(None, context)) is None


@pytest.mark.parametrize("found", [5, b"x", ["anna"], "\ud800"])
def test_nothing_else(found: Any) -> None:
    context: Any = object()
    with pytest.raises(TypeError, match="principal: expected a text or None"):
        asyncio.run(principal_of(lambda ctx: found, context))
