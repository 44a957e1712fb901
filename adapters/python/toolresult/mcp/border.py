"""Where our output passes the SDK: around its handlers, after it has shaped what they return.

The SDK gives every revision the shapes of its newest one. On the way out a handler's result
goes through pydantic models (``mcp.server.runner``, ``_serialize``): these drop an explicit
null and what they have no field for, and refuse, as -32603 for the whole response, a
``structuredContent`` or an output schema that the revision's model does not take. What a
*middleware* returns is past all that: the SDK copies it into the JSON-RPC response as it is,
and all transports write that with nulls, integers and keys unharmed.

So a handler that has something of ours hands the SDK a stand-in that every revision takes,
and lays down in the request's slot what is to be sent in its place. The SDK does all that
it does for any request (the handshake, the check of parameters, cache hints, the stamp
``serverInfo``), and the border then puts the one over the other. Nothing is patched, and
the transports are the SDK's own.

The slot is of one request and gone with it: no state is kept between requests.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from pydantic import ValidationError

from toolresult.mcp.ending import passes_on
from toolresult.mcp.failures import reference

Wire = dict[str, Any]
Over = Callable[[Wire], Wire]
"""Makes what is sent out of what the SDK would send for the stand-in."""

Context = ServerRequestContext[Any, Any]

Unforeseen = Callable[[MCPError], Exception | None]
"""What a handler raised that an error of the protocol was made of without being asked to."""

logger = logging.getLogger(__name__)


class Slot:
    """What one request's handler wants sent."""

    over: Over | None = None


_SLOT: Final[ContextVar[Slot | None]] = ContextVar("toolresult_mcp_slot", default=None)


def send_over(over: Over) -> None:
    """Called by a handler: have this sent in place of the stand-in that it returns."""
    slot = _SLOT.get()
    if slot is None:
        raise RuntimeError("the middleware of toolresult.mcp is gone from the server's list")
    slot.over = over


class Border:
    """The middleware; the innermost, so that all others see what is really sent.

    ``unforeseen`` knows the errors of the protocol that the host makes of exceptions which
    nobody meant for the client.
    """

    def __init__(self, unforeseen: Unforeseen) -> None:
        self._unforeseen = unforeseen

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        slot = Slot()
        token = _SLOT.set(slot)
        try:
            sent = await call_next(ctx)
        except ValidationError:
            raise  # the protocol's own answer; the SDK sends no text of it
        except MCPError as error:
            cause = self._unforeseen(error)
            if cause is None:
                raise
            raise _neutral(ctx, cause) from cause
        except BaseException as error:
            # Of any handler. The SDK would send the text of it to clients of a handshake.
            if passes_on(error):
                raise
            raise _neutral(ctx, error) from error
        finally:
            _SLOT.reset(token)
        if slot.over is None or not isinstance(sent, dict):
            return sent
        return slot.over(sent)


def is_attached(server: Server[Any]) -> bool:
    """Whether a server has the middleware."""
    return any(isinstance(one, Border) for one in server.middleware)


def _neutral(ctx: Context, error: BaseException) -> MCPError:
    """An error that says nothing but a reference, which the log has with the traceback."""
    name = reference()
    logger.error("%s failed, reference %s", ctx.method, name, exc_info=error)
    return MCPError(code=INTERNAL_ERROR, message=f"Internal server error. Reference: {name}")
