"""Tells the log that a store fails while results are rendered, which no client hears of."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolresult.store.interface import StoreError

logger = logging.getLogger("toolresult.store")


class StoreTrouble:
    """Remembers what the log has: each kind of failure once, until the store works again.

    Serves all threads; two at the same moment may both tell.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()

    def failed(self, error: StoreError, outcome: str) -> None:
        """Says what failed: the code and the store's own message, which names no secret."""
        if error.code.value not in self._told:
            self._told.add(error.code.value)
            logger.warning("a result cannot be stored, and %s: %s", outcome, error)

    def works(self) -> None:
        """What fails from now on is told again."""
        if self._told:
            self._told.clear()
            logger.warning("results can be stored again")
