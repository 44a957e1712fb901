"""Values as a program in JavaScript sees them, which has one kind of number."""

from __future__ import annotations

from typing import Any, Final

from tests.mcp_server.clients import HANDSHAKE

PROTO: Final = "__proto__"
"""A key that the SDK for TypeScript leaves out of some objects that it copies key by key, and not
of others: it is left out of the comparison. That we send it is held by tests/serve."""


def as_the_sdk_gives_it(wire: dict[str, Any], revision: str) -> Any:
    """What of a result the SDK for TypeScript gives to its caller.

    On 2026-07-28 it has looked at ``resultType`` itself.
    """
    hidden: set[str] = set() if revision in HANDSHAKE else {"resultType"}
    return as_javascript({key: wire[key] for key in wire if key not in hidden})


def as_javascript(value: Any) -> Any:
    """The value with every number as the double that JavaScript makes of it."""
    if isinstance(value, dict):
        return {key: as_javascript(item) for key, item in value.items() if key != PROTO}
    if isinstance(value, list):
        return [as_javascript(item) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            # The word keeps true and 1 apart, which are equal in Python.
            return ("number", float(value))
        except OverflowError:
            return ("number", None)  # infinity, which JSON.stringify writes as null
    return value if value is not None else ("number", None)
