"""The comparison of two versions of a spec, from files to everything that is said of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toolresult_generator.check import history
from toolresult_generator.difference import bindings, meaning, outputs, statuses
from toolresult_generator.difference.ask import Asker
from toolresult_generator.difference.side import Beside, Generated, generate
from toolresult_generator.difference.versions import Version, loaded, loaded_again
from toolresult_generator.director import Loaded
from toolresult_generator.findings import Finding, FindingsError
from toolresult_generator.model.target import Plan

Report = Callable[[str, "int | None", "int | None"], None]
"""Is told what is being done, and how much of it."""


@dataclass(frozen=True)
class Comparison:
    """Everything that the two versions were found to differ in."""

    old: Version
    new: Version
    differences: tuple[meaning.Difference, ...]
    statuses: tuple[statuses.StatusChange, ...]
    outputs: outputs.Outputs
    growth: tuple[Finding, ...]
    """What is against the rules of growth."""
    bindings: tuple[bindings.Binding, ...]
    plans: tuple[Plan, ...]
    """Of the old version."""

    @property
    def keeps_bytes(self) -> bool:
        """Whether every byte of what the old version renders is known to stay."""
        made = self.outputs
        return not (made.changes or made.removed or made.unmeasured)

    @property
    def is_safe(self) -> bool:
        """Whether nothing published changes: no byte, and no name."""
        return self.keeps_bytes and not self.growth


def compare(old: Version, new: Version, report: Report) -> Comparison:
    """Load, generate and render both. Raises FindingsError, whose findings name the side."""
    with tempfile.TemporaryDirectory(prefix="toolresult-diff-") as name:
        folders = (Path(name) / "old", Path(name) / "new")
        for folder in folders:
            folder.mkdir()
        report("generate", None, None)
        old_code, after, new_code = _generated(old, new, *folders)
        # started first, since both import what was generated while the old version is loaded
        with Asker(old_code.package, new_code.package) as asker:
            before = loaded_again(old)
            made = outputs.UNCHANGED
            if not outputs.same_code(before, after):
                made = outputs.compare(before, after, asker, report)
        report("compare", None, None)
        return Comparison(
            old=old,
            new=new,
            differences=tuple(meaning.compare(before.documents, after.documents)),
            statuses=tuple(statuses.compare(before, after)),
            outputs=made,
            growth=tuple(_growth(before, after)),
            bindings=tuple(bindings.compare(before, after, old_code, new_code)),
            plans=tuple(outputs.plans_of(before).values()),
        )


def _generated(
    old: Version, new: Version, old_folder: Path, new_folder: Path
) -> tuple[Generated, Loaded, Generated]:
    """The code of both, made side by side. Raises FindingsError with the findings of both."""
    with Beside(old, old_folder) as beside:
        try:
            after = loaded(new)
            new_code = generate(after, new_folder)
        except FindingsError as error:
            try:
                beside.result()
            except FindingsError as other:
                raise FindingsError([*other.findings, *error.findings]) from None
            raise
        return beside.result(), after, new_code


def _growth(old: Loaded, new: Loaded) -> list[Finding]:
    """The findings of the check of history, which are its rules alone."""
    before, after = old.documents.result, new.documents.result
    if before is None or after is None:
        return []
    return sorted(history.compare(before.root, after.root))
