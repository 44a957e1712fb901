"""What closes at the end of a ``with``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType

from typing_extensions import Self


class Closing(ABC):
    """A store that a ``with`` closes."""

    @abstractmethod
    def close(self) -> None:
        """Gives everything back."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
