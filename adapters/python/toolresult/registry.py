"""Renderers and readers by target, revision and phase."""

from __future__ import annotations

import importlib
from functools import cache
from typing import cast

from toolresult_core.runtime.reading import Reader
from toolresult_core.runtime.rendering import Renderer
from toolresult_core.targets import READERS, RENDERERS

FINAL = "final"

ADAPTERS = {
    "legacy-envelope": ("toolresult.legacy", {"1": "EnvelopeReader"}),
    "mcp-handshake": (
        "toolresult.mcp.reader",
        dict.fromkeys(("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"), "HandshakeReader"),
    ),
    "mcp-stateless": ("toolresult.mcp.reader", {"2026-07-28": "StatelessReader"}),
    "a2a": ("toolresult.a2a.reader", {"0.3": "TaskReader03", "1.0": "TaskReader10"}),
}
"""The module and classes here that fill the reader hooks of a target."""


class UnknownTargetError(ValueError):
    """A target, revision or phase that is not known. The message names those that are."""


def split(name: str) -> tuple[str, str]:
    """``"mcp-handshake@2025-06-18"`` as target and revision. Raises UnknownTargetError."""
    target, _, revision = name.partition("@")
    if target not in targets():
        raise UnknownTargetError(
            f"unknown target '{target[:80]}'; known are {', '.join(targets())}"
        )
    if revision not in revisions(target):
        known = ", ".join(f"{target}@{one}" for one in revisions(target))
        raise UnknownTargetError(
            f"unknown revision '{revision[:80]}' of {target}; known are {known}"
        )
    return target, revision


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


def newest_not_after(target: str, revision: str) -> str:
    """The newest known revision that is not after the given one.

    Revisions are compared as texts, which orders dates and ``major.minor`` with one
    digit each. Raises UnknownTargetError if all known ones are newer.
    """
    known = [one for one in revisions(target) if one <= revision]
    if not known:
        listed = ", ".join(revisions(target)) or "none"
        raise UnknownTargetError(
            f"no revision of {target} is as old as '{revision[:80]}'; known are {listed}"
        )
    return max(known)


@cache
def renderer(target: str, revision: str, phase: str | None) -> Renderer:
    """The renderer of a revision and phase. Raises UnknownTargetError.

    A target without phases takes any phase, so that one setting serves all targets.
    """
    own = phases(target, revision)
    if own and phase not in own:
        raise UnknownTargetError(
            f"unknown phase '{str(phase)[:80]}' of {target}; known are {', '.join(own)}"
        )
    split(f"{target}@{revision}")
    module, name = RENDERERS[target, revision, phase if own else None]
    found = getattr(importlib.import_module(f"toolresult_core.targets.{module}"), name)
    return cast("Renderer", found())


@cache
def reader(target: str, revision: str) -> Reader:
    """The reader of a revision. Raises UnknownTargetError."""
    split(f"{target}@{revision}")
    if target in ADAPTERS:
        module, names = ADAPTERS[target]
        # one class that reads all revisions also reads one that a spec has added since
        name = names.get(revision) or next(iter(names.values()))
        if revision not in names and len(set(names.values())) > 1:
            raise UnknownTargetError(
                f"no adapter reads {target}@{revision} yet; add it to {__name__}"
            )
        found = getattr(importlib.import_module(module), name)
    else:
        module, name = READERS[target, revision]
        found = getattr(importlib.import_module(f"toolresult_core.targets.{module}"), name)
    return cast("Reader", found())
