"""Agent2Agent: reading what a finished task says, and serving results as tasks.

Reading needs nothing but this library. The rest stands on the package ``a2a-sdk``, which the
extra ``toolresult[a2a]`` brings, and is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolresult.a2a.reader import TaskReader03, TaskReader10
from toolresult.extras import of_an_extra

if TYPE_CHECKING:
    from toolresult.a2a.card import declare_extension
    from toolresult.a2a.events import result_events
    from toolresult.a2a.executor import ResultExecutor
    from toolresult.a2a.routes import create_jsonrpc_routes, create_rest_routes

__all__ = [
    "ResultExecutor",
    "TaskReader03",
    "TaskReader10",
    "create_jsonrpc_routes",
    "create_rest_routes",
    "declare_extension",
    "result_events",
]

_ON_THE_SDK = {
    "ResultExecutor": "toolresult.a2a.executor",
    "create_jsonrpc_routes": "toolresult.a2a.routes",
    "create_rest_routes": "toolresult.a2a.routes",
    "declare_extension": "toolresult.a2a.card",
    "result_events": "toolresult.a2a.events",
}
"""The module of each name that needs the SDK."""
_BRINGS = frozenset({"a2a", "google", "sse_starlette", "starlette"})
"""What the extra brings, by the names of packages."""


def __getattr__(name: str) -> Any:
    if name not in _ON_THE_SDK:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = of_an_extra(_ON_THE_SDK[name], name, extra="a2a", package="a2a-sdk", brings=_BRINGS)
    globals()[name] = value  # found at once from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
