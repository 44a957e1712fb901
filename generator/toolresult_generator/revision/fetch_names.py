"""Which schemas can be asked for, and by which names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolresult_generator.findings import did_you_mean, quoted

KNOWN = {
    "mcp": ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"),
    "a2a": ("0.3", "1.0"),
}
"""Protocols and their revisions, the oldest first. Others of the same form can be asked for."""
TARGETS = {"mcp-handshake": "mcp", "mcp-stateless": "mcp"}
"""Targets of the spec whose protocol has another name."""

_REVISION = re.compile("[0-9A-Za-z][0-9A-Za-z.-]{0,39}")


class BadNameError(ValueError):
    """A name that no schema has. The message says so to people."""


@dataclass(frozen=True)
class Wanted:
    """One schema: ``mcp`` and ``2026-07-28``. Both are safe as names of files."""

    protocol: str
    revision: str

    @property
    def label(self) -> str:
        """``mcp@2026-07-28``."""
        return f"{self.protocol}@{self.revision}"


def parse(name: str) -> tuple[str, str | None]:
    """The protocol and, if it is said, the revision of a name. Raises BadNameError."""
    given, mark, revision = name.partition("@")
    protocol = TARGETS.get(given, given)
    if protocol not in KNOWN:
        advice = did_you_mean(given, [*KNOWN, *TARGETS])
        raise BadNameError(f"there is no protocol {quoted(given)} ({advice})")
    if mark and not _REVISION.fullmatch(revision):
        raise BadNameError(f"{quoted(revision)} is no name of a revision, such as 2026-07-28")
    return protocol, revision if mark else None
