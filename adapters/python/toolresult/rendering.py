"""What the mapper gives back: a rendering, and what was done where it was too large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolresult_core.runtime.rendering import Rendering as PlainRendering

if TYPE_CHECKING:
    from toolresult.store.interface import StoredLink
    from toolresult_core.runtime.rendering import Loss

Outcome = Literal["stored", "shortened", "inline"]


@dataclass(frozen=True)
class Oversize:
    """What was done with a result whose output was above the limit."""

    size: int
    """Bytes of the output that was too large."""
    limit: int
    """The limit that it exceeded, in bytes."""
    outcome: Outcome
    """``stored``: sent as a link, with summary and metadata. ``shortened``: sent as a link
    with no more than an error's code and message. ``inline``: sent whole."""
    reason: str | None = None
    """Why it went inline: ``no_store``, ``no_principal``, ``output_schema``, or the code of
    the store's error, such as ``store_full``."""
    link: StoredLink | None = None
    """The link that yields the stored result."""


@dataclass(frozen=True, init=False)
class Rendering(PlainRendering):
    """One result in the format of one target, revision and phase.

    ``wire`` is the output as plain dicts, lists and scalars (for the legacy envelope the
    string), ``bytes`` the output itself, ``losses`` what reading it would not give back.
    """

    oversize: Oversize | None
    """None where the output is within the limit, or there is no limit."""

    def __init__(
        self,
        chunks: tuple[bytes, ...],
        losses: tuple[Loss, ...],
        is_text: bool = False,
        oversize: Oversize | None = None,
    ) -> None:
        self.__dict__.update(chunks=chunks, losses=losses, is_text=is_text, oversize=oversize)

    @property
    def stored(self) -> StoredLink | None:
        """The link that was sent in place of a result that was too large."""
        return self.oversize.link if self.oversize is not None else None
