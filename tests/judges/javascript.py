"""Values as a program in JavaScript sees them, which has one kind of number."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from tests.mcp_server.clients import HANDSHAKE

PROTO: Final = "__proto__"
"""A key that the SDK for TypeScript leaves out of objects that it copies key by key."""


def as_the_sdk_gives_it(wire: dict[str, Any], revision: str, *, copied: Container[str]) -> Any:
    """What of a result a client on the SDK for TypeScript gives to its caller.

    ``copied`` are the members of the result that lose a key ``__proto__`` of their own; within
    these it stays. On 2026-07-28 the client has looked at ``resultType`` itself.
    """
    given = {key: _copy(wire[key]) if key in copied else wire[key] for key in wire}
    if revision not in HANDSHAKE:
        del given["resultType"]
    return as_javascript(given)


def _copy(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: item for key, item in value.items() if key != PROTO}


def as_javascript(value: Any) -> Any:
    """The value with every number as the double that JavaScript makes of it."""
    if isinstance(value, dict):
        return {key: as_javascript(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_javascript(item) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            # The word keeps true and 1 apart, which are equal in Python.
            return ("number", float(value))
        except OverflowError:
            return ("number", None)  # infinity, which JSON.stringify writes as null
    return value if value is not None else ("number", None)
