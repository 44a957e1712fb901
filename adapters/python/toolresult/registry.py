"""Renderers and readers by target, revision and phase, with the adapters that fill their hooks."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Final, TypeVar, cast

from toolresult.hooks import GENERATED, check_filled, check_rules, hooked, is_adapter
from toolresult_core.runtime.reading import Reader
from toolresult_core.runtime.rendering import Renderer
from toolresult_core.targets import READERS, RENDERERS

FINAL = "final"

_OURS: Final = {
    "LegacyEnvelopeReader": ("toolresult.legacy", "EnvelopeReader"),
    "McpHandshakeReader": ("toolresult.mcp.handshake", "HandshakeReader"),
    "McpStatelessReader": ("toolresult.mcp.stateless", "StatelessReader"),
    "A2a03Reader": ("toolresult.a2a.reader", "TaskReader03"),
    "A2a10Reader": ("toolresult.a2a.reader", "TaskReader10"),
}
"""Where the adapters of this package are, by the generated class that each fills."""

_registered: list[type] = []
"""The adapters of others, the last one first."""

T = TypeVar("T")


class UnknownTargetError(ValueError):
    """A target, revision or phase that is not known. The message names those that are."""


def register_adapters(*adapters: type) -> None:
    """Has these classes fill the hooks that their bases declare, before any adapter known so far.

    An adapter derives from a generated ``…Reader``, or from one ``…Hooks`` or several: the
    renderers of every revision and phase that have these hooks are then made with it. Raises
    TypeError for a class that derives from neither; OldAdapterError, a TypeError, for one whose
    ``written_for`` is not the digest of the rule of each hook, which stands in the base;
    MissingAdapterError, another one, for one that leaves a hook of its bases open.
    """
    for adapter in adapters:
        if not is_adapter(adapter):
            raise TypeError(
                f"{adapter!r} is no adapter: it derives from no …Reader and no …Hooks "
                f"of {GENERATED}"
            )
        check_filled(adapter.__name__, adapter)
        check_rules(adapter)
    register(adapters)


def register(adapters: Iterable[type]) -> None:
    """The same without a look at the classes.

    For the command and the testee: while a spec grows, they have to run with adapters of the
    rules before, which `toolresult check` reports.
    """
    for adapter in adapters:
        if adapter not in _registered:
            _registered.insert(0, adapter)
    for known in (renderer, renderer_asked, reader):
        known.cache_clear()


def split(name: str) -> tuple[str, str]:
    """``"mcp-handshake@2025-06-18"`` as target and revision. Raises UnknownTargetError."""
    target, _, revision = name.partition("@")
    check_target(target)
    if revision not in revisions(target):
        known = ", ".join(f"{target}@{one}" for one in revisions(target))
        raise UnknownTargetError(
            f"unknown revision '{revision[:80]}' of {target}; known are {known}"
        )
    return target, revision


def check_target(target: str) -> None:
    """Raises UnknownTargetError for a target that there is not."""
    if target not in targets():
        raise UnknownTargetError(
            f"unknown target '{target[:80]}'; known are {', '.join(targets())}"
        )


def targets() -> tuple[str, ...]:
    """The known targets."""
    return tuple(dict.fromkeys(target for target, _, _ in RENDERERS))


def revisions(target: str) -> tuple[str, ...]:
    """The revisions of a target, the oldest first."""
    return tuple(dict.fromkeys(rev for name, rev, _ in RENDERERS if name == target))


def phases(target: str, revision: str) -> tuple[str, ...]:
    """The phases of a revision; empty for a target that has none."""
    return tuple(
        phase
        for name, rev, phase in RENDERERS
        if (name, rev) == (target, revision) and phase is not None
    )


def all_phases() -> tuple[str, ...]:
    """The phases that any target has."""
    return tuple(dict.fromkeys(phase for _, _, phase in RENDERERS if phase is not None))


def check_phase(phase: str | None) -> None:
    """Refuses a phase that no target has. Raises UnknownTargetError."""
    known = all_phases()
    if phase is not None and known and phase not in known:
        raise UnknownTargetError(f"unknown phase '{str(phase)[:80]}'; known are {', '.join(known)}")


def newest_not_after(target: str, revision: str) -> str:
    """The newest known revision that is not after the given one.

    Revisions are compared as texts, which orders dates and ``major.minor`` with one
    digit each. Raises UnknownTargetError for an unknown target, and if all known ones are newer.
    """
    check_target(target)
    known = [one for one in revisions(target) if one <= revision]
    if not known:
        listed = ", ".join(revisions(target))
        raise UnknownTargetError(
            f"no revision of {target} is as old as '{revision[:80]}'; known are {listed}"
        )
    return max(known)


@cache
def renderer(target: str, revision: str, phase: str | None) -> Renderer:
    """The renderer of a revision and phase. Raises UnknownTargetError, MissingAdapterError.

    A target without phases takes any phase, so that one setting serves all targets.
    """
    own = phases(target, revision)
    if own and phase not in own:
        raise UnknownTargetError(
            f"unknown phase '{str(phase)[:80]}' of {target}; known are {', '.join(own)}"
        )
    split(f"{target}@{revision}")
    generated = _generated(*RENDERERS[target, revision, phase if own else None])
    return cast("Renderer", _made(f"{target}@{revision}", _filled(generated)))


@lru_cache(maxsize=256)
def renderer_asked(target: str, revision: str, phase: str | None) -> Renderer:
    """As :func:`renderer`, for names that may be anything; a target with phases needs one."""
    split(f"{target}@{revision}")
    own = phases(target, revision)
    if own and phase is None:
        raise UnknownTargetError(f"name a phase of {target}; known are {', '.join(own)}")
    return renderer(target, revision, phase)


@cache
def reader(target: str, revision: str) -> Reader:
    """The reader of a revision. Raises UnknownTargetError, MissingAdapterError."""
    split(f"{target}@{revision}")
    generated = _generated(*READERS[target, revision])
    found = next((one for one in _registered if issubclass(one, generated)), None)
    if found is None and generated.__name__ in _OURS:
        module, name = _OURS[generated.__name__]
        found = getattr(importlib.import_module(module), name)
    return cast("Reader", _made(f"{target}@{revision}", found or generated))


def _generated(module: str, name: str) -> type[Any]:
    return cast("type[Any]", getattr(importlib.import_module(f"{GENERATED}.{module}"), name))


def _filled(generated: type) -> type:
    """A renderer class whose hooks come from the adapters that were registered for them."""
    whole = next((one for one in _registered if issubclass(one, generated)), None)
    if whole is not None:
        return whole
    wanted = set(hooked(generated)) - {generated}
    # one that fills the hooks of another revision is no base of this one
    fitting = [
        one
        for one in _registered
        if not issubclass(one, Renderer) and wanted.intersection(one.__mro__)
    ]
    if not fitting:
        return generated
    return type(generated.__name__, (*fitting, generated), {"__doc__": generated.__doc__})


def _made(what: str, found: type[T]) -> T:
    check_filled(what, found)
    return found()
