"""The schema that a new one is compared with: the official one where it is, else our own.

Our strict schema says what we write, not what the protocol allows. Against it only what is new,
gone, renamed or required can be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from toolresult_generator import load
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Target
from toolresult_generator.proof.schemas import OfficialSchemas, filled
from toolresult_generator.revision.changes import Change, Kind
from toolresult_generator.revision.compare import METADATA_MEMBERS
from toolresult_generator.revision.dialect import normalise
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.meaning import Judged, Weight
from toolresult_generator.revision.source import read_schema
from toolresult_generator.revision.wire import Strict

_TOLD_BY_OURS = frozenset(
    {Kind.ADDED, Kind.REMOVED, Kind.RENAMED, Kind.REQUIRED, Kind.MOVED_IN, Kind.MOVED_OUT}
)


@dataclass(frozen=True)
class Old:
    """What is compared with."""

    graph: Graph
    is_ours: bool
    """Whether it is our strict schema, for want of the protocol's."""

    def matters(self, judged: Judged) -> bool:
        """Whether a change that was judged is one of the protocol.

        That it allows more than we write is what ours is for, unless something could use it.
        """
        told = judged.change.kind is Kind.WIDENED and judged.weight is Weight.NOTE
        return not (self.is_ours and told)

    def tells(self, change: Change) -> bool:
        """Whether a change can be told from it.

        Ours has keys of our own in maps of metadata, and tells alternatives apart by what is
        there where no value tells them.
        """
        if not self.is_ours:
            return True
        if any(f"/{name}/" in f"{change.place}/" for name in METADATA_MEMBERS):
            return bool(change.fact.at)
        if change.kind in (Kind.KIND_ADDED, Kind.KIND_REMOVED):
            return all(place.rpartition("/")[2].startswith("*(") for place in change.places)
        if change.kind is Kind.WIDENED:
            return bool(change.fact.at)  # what a place may hold, not a rule of ours that is gone
        return change.kind in _TOLD_BY_OURS


def strict_of(documents: load.Spec, result: ResultSpec, target: str, revision: str) -> Strict:
    """Our strict schema of a revision."""
    document = documents.wire_document(target, revision)
    if document is None:
        raise KeyError(f"{target}@{revision}")
    raw = cast("dict[str, Any]", document.root.to_plain())
    raw = cast("dict[str, Any]", raw.get("contentSchema", raw))
    return Strict(raw, Graph(normalise(filled(raw, result), document.file)))


def old_schema(
    named: Path | None, spec: Path, target: Target, revision: str, strict: Strict
) -> Old:
    """The schema of a revision: the file that was named, the official one, or ours."""
    file = named or OfficialSchemas.beside(spec).file(target.name, revision)
    if file is None:
        return Old(strict.graph, is_ours=True)
    found = read_schema(file)
    return Old(Graph(normalise(found.document, found.name)), is_ours=False)
