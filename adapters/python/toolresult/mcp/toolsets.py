"""What a request may see: the toolsets that its URL names, within what its credentials allow.

Nothing is kept between requests but what a session of a handshake has enabled, so a client of
the stateless era says what it wants in the one thing that all its requests have: the URL.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from toolresult.mcp.border import Context
from toolresult.mcp.session import session_of
from toolresult_core import Result

AllowedOf = Callable[[Context], Collection[str] | Awaitable[Collection[str] | None] | None]
"""The names of the tools that the credentials of a request allow; None for all."""

ALL: Final = "all"
PARAMETER: Final = "toolsets"
_MOST_NAMES: Final = 100
"""Unknown names of the client's that it gets back."""
_NAME: Final = re.compile(r"[A-Za-z0-9._~-]{1,64}")
"""What a URL carries as it is (RFC 3986, unreserved)."""
_SHOWN: Final = 50
"""Characters of a name of the client's that it gets back."""


@dataclass(frozen=True)
class Toolsets:
    """Which tools belong together, and which of them a request may see.

    ``sets`` has the names of the tools of each toolset; a tool may be in several, and one
    that is in none is always seen. ``default`` are the toolsets of a request that names
    none, ``"all"`` for all. ``allowed`` is asked about each request: what its credentials
    do not allow is not there, whatever the URL says.

    Raises ValueError for names that no URL could name, and for unknown defaults.
    """

    sets: Mapping[str, Collection[str]]
    default: Collection[str] | Literal["all"] = ()
    allowed: AllowedOf | None = None
    _homes: Mapping[str, frozenset[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        homes: dict[str, set[str]] = {}
        for name, tools in self.sets.items():
            if name == ALL or not isinstance(name, str) or _NAME.fullmatch(name) is None:
                raise ValueError(
                    f"sets: {name!r:.80} is no name of a toolset; expected 1 to 64 of the "
                    f"characters A-Z a-z 0-9 . _ ~ -, and not {ALL!r}, since a URL names it"
                )
            if isinstance(tools, str):
                raise ValueError(f"sets: the tools of {name!r} are one text; expected a list")
            for tool in tools:
                homes.setdefault(tool, set()).add(name)
        if self.default != ALL:
            unknown = set(self.default) - set(self.sets)
            if isinstance(self.default, str) or unknown:
                raise ValueError(f"default: no such toolset: {self.default!r}")
        object.__setattr__(self, "_homes", {tool: frozenset(own) for tool, own in homes.items()})

    async def seen_by(self, ctx: Context) -> Seen:
        """What this request may see.

        Raises MCPError, invalid params, for a URL that names a toolset that there is not,
        and what ``allowed`` raises.
        """
        allowed = None
        if self.allowed is not None:
            found = self.allowed(ctx)
            allowed = await found if inspect.isawaitable(found) else found
        chosen = self._chosen(ctx, allowed)
        session = session_of(ctx)
        if session is not None:
            chosen |= session.enabled
        return Seen(self._homes, chosen, None if allowed is None else frozenset(allowed))

    async def enable(self, context: Any, names: Collection[str]) -> Result:
        """What a tool returns that enables toolsets for the rest of the conversation.

        ``context`` is the request's, as a low-level handler gets it, or the one that a
        function of an ``MCPServer`` or of FastMCP asks for. The client is told with the
        response that its list of tools has changed. On the stateless era, and on a server
        without sessions, there is nothing to remember it in: the failure says how to
        reconnect. A failure too for a toolset that there is not, or not for this request.
        """
        ctx: Context = getattr(context, "request_context", context)
        wanted = frozenset([names] if isinstance(names, str) else names)
        seen = await self.seen_by(ctx)
        there = self._there(seen.allowed)
        unknown = sorted(wanted - there)
        if unknown or not wanted:
            message = f"{_no_such(unknown)} {_there_are(there)}" if unknown else "Name a toolset."
            return Result.failure("invalid_arguments", message, {"toolsets": sorted(there)})
        session = session_of(ctx)
        if session is None:
            query = f"?{PARAMETER}={','.join(sorted((seen.chosen & there) | wanted))}"
            return Result.failure(
                "tool_error",
                "This connection keeps nothing between requests, so no toolset can be enabled "
                f"in it. Reconnect to the server's URL with {query}",
                {"reconnect_with": query},
            )
        session.enabled |= wanted
        tools = sorted({tool for name in wanted for tool in self.sets[name]})
        if seen.allowed is not None:
            tools = [tool for tool in tools if tool in seen.allowed]
        names_of = ", ".join(sorted(wanted))
        return Result.success(
            {"enabled": sorted(wanted), "tools": tools}, summary=f"On: {names_of}"
        )

    def _chosen(self, ctx: Context, allowed: Collection[str] | None) -> frozenset[str]:
        named = _named(ctx)
        if named is None:
            return frozenset(self.sets if self.default == ALL else self.default)
        if ALL in named:
            return frozenset(self.sets)
        there = self._there(allowed)
        unknown = sorted(named - there)
        if unknown:
            shown = [name[:_SHOWN] for name in unknown[:_MOST_NAMES]]
            raise MCPError(
                code=INVALID_PARAMS,
                message=f"{_no_such(unknown)} {_there_are(there)}",
                data={"unknown": shown, "toolsets": sorted(there)},
            )
        return named

    def _there(self, allowed: Collection[str] | None) -> frozenset[str]:
        """The toolsets that there are for a request: those with a tool that it may see."""
        if allowed is None:
            return frozenset(self.sets)
        return frozenset(
            name for name, tools in self.sets.items() if any(tool in allowed for tool in tools)
        )


@dataclass(frozen=True)
class Seen:
    """What one request may see."""

    homes: Mapping[str, frozenset[str]]
    """The toolsets of each tool that is in any."""
    chosen: frozenset[str]
    allowed: frozenset[str] | None

    def __contains__(self, tool: str) -> bool:
        if self.allowed is not None and tool not in self.allowed:
            return False
        own = self.homes.get(tool)
        return own is None or not own.isdisjoint(self.chosen)


def _named(ctx: Context) -> frozenset[str] | None:
    """The toolsets in the URL of a request; None where it names none."""
    query = getattr(ctx.request, "query_params", None)
    if query is None or PARAMETER not in query:
        return None
    texts = query.getlist(PARAMETER)
    return frozenset(name.strip() for text in texts for name in text.split(",") if name.strip())


def _no_such(unknown: list[str]) -> str:
    told = ", ".join(repr(name[:_SHOWN]) for name in unknown[:3])
    return f"There is no toolset {told}{' and more' if len(unknown) > 3 else ''}."


def _there_are(there: Collection[str]) -> str:
    return f"There are: {', '.join(sorted(there)) or 'none'}; or {ALL}."
