"""Answers as they are to be: integers are written as integers, empty names are there.

The SDK writes what it holds in protobuf types, where every number is a double, so that a
client gets ``1.0`` where the tool said ``1``. Its routes are wrapped: their answers are
parsed, put right, and written by our canonical writer, one by one in a stream.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, Final

from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from toolresult.a2a.border import drop_defaults, restore_empty_names
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.rendering import WIRE_DEPTH

_LINE_ENDS: Final = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Ends of lines to ``str.splitlines``, by which clients cut streams, the SDK's own among them.
In canonical JSON they stand in strings alone, and may be escaped there."""


def exact(routes: Iterable[BaseRoute]) -> list[BaseRoute]:
    """The SDK's routes, with answers whose values are those that were meant."""
    return [_exact_route(route) for route in routes]


def _exact_route(route: BaseRoute) -> BaseRoute:
    if isinstance(route, Mount):
        return Mount(route.path, routes=exact(route.routes))
    if isinstance(route, Route):
        endpoint = _exact_endpoint(route.endpoint)
        return Route(route.path, endpoint, methods=route.methods, name=route.name)
    return route


def _exact_endpoint(
    endpoint: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        response = await endpoint(request)
        if isinstance(response, EventSourceResponse):
            response.body_iterator = _exact_events(response.body_iterator)
        elif isinstance(response, JSONResponse):
            response.body = exact_json(bytes(response.body))
            response.headers["content-length"] = str(len(response.body))
        return response

    return answer


async def _exact_events(events: AsyncIterable[Any]) -> AsyncIterator[Any]:
    """The events of a stream, which the SDK gives in three forms."""
    try:
        async for event in events:
            if isinstance(event, ServerSentEvent):
                event.data = _exact_text(event.data)
                yield event
            elif isinstance(event, dict):
                yield {**event, "data": _exact_text(event["data"])}
            else:
                yield _exact_text(event)
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


def _exact_text(text: Any) -> str:
    """As :func:`exact_json`, and without what many clients take for the end of a line."""
    return exact_json(str(text)).decode().translate(_LINE_ENDS)


def exact_json(text: bytes | str) -> bytes:
    """An answer of the SDK with its integers and empty names, as canonical JSON."""
    answer = json.loads(text)
    drop_defaults(answer)
    restore_empty_names(answer)
    return canonical(answer, max_depth=WIRE_DEPTH)
