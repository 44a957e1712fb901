"""What the log is told once, though it comes up with every request."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

_MOST: Final = 1_000
"""Of so many things it is remembered that the log has them; no other is told then."""


class Once:
    """Remembers what the log has been told, for as long as a server runs."""

    def __init__(self) -> None:
        self._told: set[Hashable] = set()

    def is_new(self, what: Hashable) -> bool:
        """Whether the log is to be told of it: the first time, and while there is room."""
        if what in self._told or len(self._told) >= _MOST:
            return False
        self._told.add(what)
        return True
