"""Everything that a rendering depends on beside the result. Nothing is ambient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal

from toolresult.registry import newest_not_after

if TYPE_CHECKING:
    from toolresult.store.interface import Store

Clock = Callable[[], datetime] | datetime
"""Gives the present time, with a time zone; a fixed one stands for itself."""
OnStoreFailure = Literal["inline", "fail"]
SchemaResults = Literal["inline", "link"]
OutputSchema = Mapping[str, Any] | bool
"""A JSON Schema, as plain values."""


class Default(Enum):
    """Stands for a value that the mapper has, or, where it has none, the library."""

    DEFAULT = "default"

    def __repr__(self) -> str:
        return self.name


DEFAULT: Final = Default.DEFAULT

KEPT: Final = "_kept"
"""Where a request keeps the mapper that rendered it last, and what that worked out."""


def now_of(clock: Clock) -> datetime:
    """The present time. Raises ValueError for a clock that names no time zone, TypeError for one
    that gives no time.
    """
    now = clock if isinstance(clock, datetime) else clock()
    if not hasattr(now, "utcoffset"):
        raise TypeError(f"clock: expected a datetime, and it gives {type(now).__qualname__}")
    if now.utcoffset() is None:
        raise ValueError("the clock gives a time without a time zone; give one, such as UTC")
    return now


@dataclass(frozen=True)
class Request:
    """What is asked of a mapper: ``Request("mcp-handshake@2025-06-18", phase="final")``.

    A field that is ``DEFAULT`` is taken from the mapper. Raises ValueError where target
    and revision name two revisions.
    """

    target: str
    """The target's name, or target and revision with an ``@`` between them."""
    revision: str = ""
    """The revision, where ``target`` does not name it. There is no default."""
    _: KW_ONLY
    phase: str | Default | None = DEFAULT
    """``transitional`` or ``final``; needed where the target has phases, else ignored."""
    limit: int | Default | None = DEFAULT
    """Bytes of the complete output; None is no limit; by default the target's own."""
    output_schema: OutputSchema | None = None
    """The output schema that the tool declares, if it does, before any wrapping."""
    structured_errors: bool | Default = DEFAULT
    """Sends ``{"error": …}`` as structured content for a tool without an output schema."""
    store: Store | Default | None = DEFAULT
    """Where a result goes that is too large to send. Needs a clock."""
    principal: str | Default | None = DEFAULT
    """Who may read what is stored. Without one nothing is stored."""
    clock: Clock | Default | None = DEFAULT
    """Sets ``generated_at`` where the tool has not, and the expiry of links."""
    stamp: bool | Default = DEFAULT
    """False leaves ``generated_at`` alone, so that the clock serves the store only."""
    lifetime: timedelta | Default | None = DEFAULT
    """How long the link to a stored result can be read; None is one hour."""
    on_store_failure: OnStoreFailure | Default = DEFAULT
    """Where the store fails: ``inline`` (the default) sends the whole result, ``fail``
    raises the store's error."""
    schema_results: SchemaResults | Default = DEFAULT
    """A success too large to send, of a tool with an output schema, on a revision with
    structured content: ``inline`` (the default) or ``link``."""
    artifact_id: str | None = None
    """The id of the artifact of an A2A task; by default made of the digest."""
    message_id: str | None = None
    """The id of the message of a failed A2A task; by default made of the digest."""

    def __post_init__(self) -> None:
        target, at, revision = self.target.partition("@")
        if at:
            if self.revision and self.revision != revision:
                raise ValueError(
                    f"two revisions are named: '{revision[:80]}' and '{self.revision[:80]}'"
                )
            object.__setattr__(self, "target", target)
            object.__setattr__(self, "revision", revision)

    def __getstate__(self) -> dict[str, Any]:
        # Without what a mapper keeps here, which a copy or another process has to work out anew.
        return {name: value for name, value in self.__dict__.items() if name != KEPT}

    @classmethod
    def newest(cls, target: str, not_after: str, **fields: Any) -> Request:
        """A request for the newest known revision that is not after the given one.

        For a peer that names a revision later than this library. Raises
        UnknownTargetError if all known ones are newer.
        """
        return cls(target, newest_not_after(target, not_after), **fields)
