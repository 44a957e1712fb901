"""Which folders of the generated output have to be generated anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolresult_generator.difference.outputs import same_code
from toolresult_generator.difference.side import RECORDED, Generated
from toolresult_generator.difference.structure import same
from toolresult_generator.director import Loaded
from toolresult_generator.load import Spec


@dataclass(frozen=True)
class Binding:
    """One emitter's output. ``files`` are those that differ."""

    name: str
    files: tuple[str, ...]
    reason: str = ""
    """Why it is to be generated anew where no file was compared."""

    @property
    def is_stale(self) -> bool:
        """Whether it has to be generated anew."""
        return bool(self.files or self.reason)


def compare(old: Loaded, new: Loaded, before: Generated, after: Generated) -> list[Binding]:
    """Every emitter, in the order of names.

    Vectors are not recorded twice to be compared: they follow from the model and the samples, so
    they are stale as soon as either changed.
    """
    found = [
        Binding(name, tuple(_differing(before.digests.get(name, {}), files)))
        for name, files in after.digests.items()
    ]
    reason = ""
    if not same_code(old, new):
        reason = "recorded from the Python, which changed"
    elif not _same_samples(old.documents, new.documents):
        reason = "recorded from the samples, which changed"
    return sorted([*found, Binding(RECORDED, (), reason)], key=lambda binding: binding.name)


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    paths = sorted({*before, *after})
    return [path for path in paths if before.get(path) != after.get(path)]


def _same_samples(old: Spec, new: Spec) -> bool:
    before = {document.path: document.root for document in old.samples}
    after = {document.path: document.root for document in new.samples}
    return before.keys() == after.keys() and all(same(before[path], after[path]) for path in before)
