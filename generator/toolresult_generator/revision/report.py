"""The report: everything that was found, as data, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from toolresult_generator.revision.changes import Change
from toolresult_generator.revision.contain import Answer
from toolresult_generator.revision.meaning import Chance, Judged, Weight
from toolresult_generator.revision.propose import Proposal
from toolresult_generator.revision.trial import Trial, TriedCell


class Verdict(Enum):
    """What to do. The values are stable."""

    AS_IS = "adopt as is"
    RULES = "needs rules"


@dataclass(frozen=True)
class Definition:
    """One definition that was compared."""

    of: str
    """`result` or `tool`."""
    name: str
    allows_all: Answer
    """Whether it allows everything that it allowed before."""


@dataclass(frozen=True)
class Report:
    """What a revision does to the results that can be produced."""

    schema: str
    digest: str
    """SHA-256 of the file, in hex."""
    old: str
    """The schema that it was compared with."""
    old_is_ours: bool
    """Whether that was our own strict schema, for want of the protocol's."""
    like: str
    definitions: tuple[Definition, ...]
    changes: tuple[Judged, ...]
    trial: Trial
    proposal: Proposal

    @property
    def verdict(self) -> Verdict:
        """Whether outputs may go on as they are, and nothing could go better or is not known."""
        asks = self.trial.broken() or self.must or self.may
        return Verdict.RULES if asks else Verdict.AS_IS

    @property
    def must(self) -> tuple[Judged, ...]:
        """What has to be looked at before anyone adopts the revision."""
        return tuple(one for one in self.changes if one.weight.must_look)

    @property
    def may(self) -> tuple[Judged, ...]:
        """What could be used."""
        return tuple(one for one in self.changes if one.weight is Weight.CHANCE or one.chances)

    def chances_of(self, cell: TriedCell) -> tuple[tuple[Change, Chance], ...]:
        """The chances of a cell."""
        return tuple(
            (one.change, chance)
            for one in self.changes
            for chance in one.chances
            if (chance.path, chance.label) == (cell.path, cell.plan.label)
        )

    def state(self, cell: TriedCell) -> str:
        """`breaks`, `chance` or `valid`."""
        if cell.breaks:
            return "breaks"
        return "chance" if self.chances_of(cell) else "valid"
