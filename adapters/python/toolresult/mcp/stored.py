"""resources/read: gives a stored result to whom its link was made for."""

from __future__ import annotations

import base64
import inspect
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

import anyio.to_thread
from mcp.server.context import HandlerResult
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    BlobResourceContents,
    ListResourcesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextResourceContents,
)

from toolresult.mcp.border import Context
from toolresult.mcp.era import HANDSHAKE, target_of
from toolresult.mcp.failures import reference
from toolresult.request import Clock, now_of
from toolresult.store import Store, StoredPayload, StoreError

PrincipalOf = Callable[[Context], str | Awaitable[str | None] | None]
"""Who asks: from what the request proves, or None. See docs/stores.md, Principals."""

_SCHEME: Final = "toolresult://"
_NOT_FOUND_BEFORE: Final = -32002
"""The code of an unknown resource in the revisions with a handshake; invalid params later."""

logger = logging.getLogger(__name__)


async def principal_of(resolve: PrincipalOf | None, ctx: Context) -> str | None:
    """The principal of a request; None without one.

    Raises what the host's function raises, and TypeError for what is no text.
    """
    if resolve is None:
        return None
    found = resolve(ctx)
    if inspect.isawaitable(found):
        found = await found
    if found is not None and (not isinstance(found, str) or not _is_text(found)):
        raise TypeError(f"principal: expected a text or None, found {type(found).__qualname__}")
    return found or None


def _is_text(found: str) -> bool:
    try:
        found.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


class StoredResults:
    """The handler of resources/read, around that of the server for all other resources."""

    def __init__(self, server: Server[Any], store: Store, clock: Clock, who: PrincipalOf) -> None:
        self._others = server.get_request_handler("resources/read")
        self._store = store
        self._clock = clock
        self._who = who

    def register(self, server: Server[Any]) -> None:
        """Takes over resources/read. A server that had no resources gets an empty list of them.

        Without a list the SDK tells no client that the server has resources at all. Stored
        results are in no list: each has a link of its own, for one principal.
        """
        server.add_request_handler("resources/read", ReadResourceRequestParams, self.read)
        if server.get_request_handler("resources/list") is None:
            server.add_request_handler("resources/list", PaginatedRequestParams, _no_resources)

    async def read(self, ctx: Context, params: ReadResourceRequestParams) -> HandlerResult:
        """The stored result behind a link.

        Raises MCPError: the revision's "resource not found" for any other link of ours,
        whatever is wrong with it; an internal error where the store fails.
        """
        uri = str(params.uri)
        if not uri.startswith(_SCHEME):
            if self._others is None:
                raise _not_found(ctx, uri)
            return await self._others.handler(ctx, params)
        who = await principal_of(self._who, ctx)
        if who is None:
            raise _not_found(ctx, uri)
        now = now_of(self._clock)
        try:
            stored = await anyio.to_thread.run_sync(
                lambda: self._store.get(uri, principal=who, now=now)
            )
        except StoreError as error:
            if not error.is_fault:
                raise _not_found(ctx, uri) from error
            name = reference()
            logger.error("a stored result cannot be read, reference %s", name, exc_info=error)
            message = f"{error.message} Reference: {name}"
            raise MCPError(code=INTERNAL_ERROR, message=message) from error
        return ReadResourceResult(
            contents=[_contents(uri, stored)],
            ttl_ms=_left(stored, now),
            cache_scope="private",
        )


async def _no_resources(ctx: Context, params: PaginatedRequestParams) -> HandlerResult:
    return ListResourcesResult(resources=[])


def _contents(uri: str, stored: StoredPayload) -> TextResourceContents | BlobResourceContents:
    try:
        text = stored.payload.decode("utf-8")
    except UnicodeDecodeError:
        blob = base64.b64encode(stored.payload).decode("ascii")
        return BlobResourceContents(uri=uri, blob=blob, mime_type=stored.mime_type)
    return TextResourceContents(uri=uri, text=text, mime_type=stored.mime_type)


def _left(stored: StoredPayload, now: datetime) -> int:
    """Milliseconds for which the link can still be read."""
    ends = datetime.fromisoformat(stored.expires_at.replace("Z", "+00:00"))
    return max(0, int((ends - now).total_seconds() * 1000))


def _not_found(ctx: Context, uri: str) -> MCPError:
    target, _ = target_of(ctx.protocol_version)
    code = _NOT_FOUND_BEFORE if target == HANDSHAKE else INVALID_PARAMS
    return MCPError(code=code, message="Resource not found", data={"uri": uri})
