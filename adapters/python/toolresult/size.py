"""What becomes of a result that is too large to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolresult_core import ABSENT, Metadata, Result, StoredResult
from toolresult_core.runtime.rendering import Loss

if TYPE_CHECKING:
    from toolresult.store.interface import StoredLink

NAME: Final = "result.json"
MIME_TYPE: Final = "application/json"
LONGEST_MESSAGE: Final = 2000
"""Code points of an error's message that are kept when nothing else helps."""

_BEHIND_LINK: Final = "the output was too large; it is in the stored result behind the link"
_GONE: Final = "the output was too large, and this is not stored"
_ORIGINS: Final = ("mcp", "a2a")
"""Origins whose foreign values belong to a protocol and not to the stored result."""


def to_store(result: Result) -> Result:
    """The result that goes into a store: without what a model must not read back.

    That is presentation, and the foreign values of MCP and A2A, of the result and of its
    parts.
    """
    changes: dict[str, Any] = {}
    metadata = result.metadata
    if metadata is not None:
        foreign = metadata.foreign
        if foreign is not None:
            foreign = foreign.replace(mcp={}, a2a={})
        if metadata.presentation or metadata.foreign is not None:
            rest = metadata.replace(presentation={}, foreign=foreign)
            changes["metadata"] = None if rest.is_empty else rest
    if any(part.foreign is not None for part in result.content):
        # A part has foreign values of these two origins only.
        changes["content"] = tuple(
            part if part.foreign is None else part.replace(foreign=None) for part in result.content
        )
    return result.replace(**changes) if changes else result


def linked(result: Result, link: StoredLink, size: int) -> Result:
    """The result that is sent in place of one whose output had ``size`` bytes."""
    error = result.error
    return result.replace(
        data=ABSENT,
        error=None if error is None else error.replace(details=None),
        content=(),
        stored=(_stored(link),),
        metadata=(result.metadata or Metadata()).replace(response_size=size),
    )


def shortened(result: Result, link: StoredLink) -> Result:
    """The least that is sent: the link, and of a failure code and message."""
    error = result.error
    if error is not None:
        message = error.message
        if len(message) > LONGEST_MESSAGE:
            message = message[:LONGEST_MESSAGE] + "…"
        error = error.replace(message=message, details=None)
    return Result(error=error, stored=(_stored(link),))


def losses_of_linked(result: Result, of_rendering: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """What reading the output of :func:`linked` does not give back of the whole result."""
    moved = [f"/{name}" for name in ("data", "content", "stored") if _has(result, name)]
    if result.error is not None and result.error.details is not None:
        moved.append("/error/details")
    metadata = result.metadata
    if metadata is not None and metadata.response_size is not None:
        moved.append("/metadata/response_size")
    found = [Loss(path, "withheld", _BEHIND_LINK) for path in moved]
    found += _foreign_of_parts(result)
    return (*found, *(loss for loss in of_rendering if _is_of_result(loss)))


def losses_of_shortened(result: Result, of_rendering: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """What reading the output of :func:`shortened` does not give back of the whole result."""
    moved = [f"/{name}" for name in ("data", "summary", "content", "stored") if _has(result, name)]
    found: list[Loss] = []
    if result.error is not None:
        if result.error.details is not None:
            moved.append("/error/details")
        if len(result.error.message) > LONGEST_MESSAGE:
            reason = f"cut at {LONGEST_MESSAGE:,} code points; whole in the stored result"
            found.append(Loss("/error/message", "text form", reason))
    gone: list[str] = []
    if result.metadata is not None:
        value = result.to_value()["metadata"]
        foreign = value.pop("foreign", {})
        gone += [f"/metadata/{name}" for name in ("presentation",) if value.pop(name, None)]
        gone += [f"/metadata/foreign/{origin}" for origin in _ORIGINS if origin in foreign]
        moved += [f"/metadata/{name}" for name in value]
        moved += [f"/metadata/foreign/{origin}" for origin in foreign if origin not in _ORIGINS]
    found += [Loss(path, "withheld", _BEHIND_LINK) for path in moved]
    found += [Loss(path, "withheld", _GONE) for path in gone]
    found += _foreign_of_parts(result)
    return (*found, *(loss for loss in of_rendering if _is_of_result(loss)))


def _stored(link: StoredLink) -> StoredResult:
    return StoredResult(
        uri=link.uri,
        size=link.size,
        mime_type=MIME_TYPE,
        name=NAME,
        expires_at=link.expires_at,
    )


def _has(result: Result, name: str) -> bool:
    value = getattr(result, name)
    if isinstance(value, tuple):  # and not data: an empty list in it is equal to an empty tuple
        return bool(value)
    return value is not ABSENT and value is not None


def _foreign_of_parts(result: Result) -> list[Loss]:
    return [
        Loss(f"/content/{index}/foreign", "withheld", _GONE)
        for index, part in enumerate(result.content)
        if part.foreign is not None
    ]


def _is_of_result(loss: Loss) -> bool:
    """Whether a renderer's loss is one of the whole result, and not of the link sent instead."""
    return not loss.path.startswith(("/stored", "/metadata/response_size"))
