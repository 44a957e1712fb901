"""Gaps: what a proposed revision leaves to a person. Nothing is generated while one is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolresult_generator.check.context import Context
from toolresult_generator.findings import Finding
from toolresult_generator.load import Document


def check(context: Context) -> Iterable[Finding]:
    """A finding for every gap of a revision or capability."""
    for document in context.spec.targets:
        yield from _gaps(document)


def _gaps(document: Document) -> Iterator[Finding]:
    revisions = document.root.get("revisions")
    for name, revision in revisions.items() if revisions is not None else ():
        gaps = revision.get("gaps")
        for gap in gaps.sequence if gaps is not None else ():
            message = f"{document.name}@{name}: {gap.text or ''}"
            yield Finding(gap.place, "gap", message, "do that, and remove this line")
    capabilities = document.root.get("capabilities")
    for name, capability in capabilities.items() if capabilities is not None else ():
        left = capability.get("gap")
        if left is not None:
            message = f"capability {name} of {document.name}: {left.text or ''}"
            advice = "do that and remove the gap, or remove the capability"
            yield Finding(left.place, "gap", message, advice)
