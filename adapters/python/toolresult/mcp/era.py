"""From the revision that a request speaks to the target and revision that we render."""

from __future__ import annotations

from typing import Final

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolresult.registry import newest_not_after

HANDSHAKE: Final = "mcp-handshake"
STATELESS: Final = "mcp-stateless"


def target_of(protocol_version: str) -> tuple[str, str]:
    """Target and revision for a request of that protocol version.

    The SDK has negotiated the version, so it is one that the SDK knows. Where it is newer
    than what we know, as with a later SDK, the newest of its era before it is spoken. The
    SDK says which versions are reached by a handshake; the others are stateless.

    Raises UnknownTargetError for one that is older than all we know.
    """
    handshake = protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
    target = HANDSHAKE if handshake else STATELESS
    return target, newest_not_after(target, protocol_version)
