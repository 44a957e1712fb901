"""The SDK's routes, with answers that carry all that the mapping has.

The functions have the names and arguments of those in ``a2a.server.routes``: a server takes
them from here instead.
"""

from __future__ import annotations

# Before the rest: the SDK's routes and its adapters import each other, and only in this order
# does that work.
import a2a.server.routes
from a2a.compat.v0_3.rest_adapter import REST03Adapter
from a2a.server.request_handlers import RequestHandler
from a2a.server.routes import ServerCallContextBuilder
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from starlette.routing import BaseRoute, Route

from toolresult.a2a.exact import exact
from toolresult.a2a.revision_03 import ResultHandler03


def create_jsonrpc_routes(
    request_handler: RequestHandler,
    rpc_url: str,
    context_builder: ServerCallContextBuilder | None = None,
    enable_v0_3_compat: bool = False,
    shutdown_grace_period: float = 0,
) -> list[BaseRoute]:
    """The route of JSON-RPC; arguments are those of ``a2a.server.routes``."""
    dispatcher = _Dispatcher(
        request_handler, context_builder, enable_v0_3_compat, shutdown_grace_period
    )
    return exact([Route(rpc_url, dispatcher.handle_requests, methods=["POST"])])


def create_rest_routes(
    request_handler: RequestHandler,
    context_builder: ServerCallContextBuilder | None = None,
    enable_v0_3_compat: bool = False,
    path_prefix: str = "",
    shutdown_grace_period: float = 0,
) -> list[BaseRoute]:
    """The routes of REST; arguments are those of ``a2a.server.routes``."""
    routes: list[BaseRoute] = []
    if enable_v0_3_compat:
        adapter = REST03Adapter(request_handler, context_builder, shutdown_grace_period)
        adapter.handler.handler03 = ResultHandler03(request_handler)
        for (path, method), endpoint in adapter.routes().items():
            routes.append(Route(f"{path_prefix}{path}", endpoint, methods=[method]))
    routes += a2a.server.routes.create_rest_routes(
        request_handler,
        context_builder,
        path_prefix=path_prefix,
        shutdown_grace_period=shutdown_grace_period,
    )
    return exact(routes)


class _Dispatcher(JsonRpcDispatcher):
    """The SDK's dispatcher, with our handler behind its adapter for 0.3."""

    def __init__(
        self,
        request_handler: RequestHandler,
        context_builder: ServerCallContextBuilder | None,
        enable_v0_3_compat: bool,
        shutdown_grace_period: float,
    ) -> None:
        super().__init__(
            request_handler, context_builder, enable_v0_3_compat, shutdown_grace_period
        )
        if self._v03_adapter is not None:
            self._v03_adapter.handler = ResultHandler03(request_handler)
