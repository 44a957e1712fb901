"""What the checks work on, and what they have found so far."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from toolresult_generator.findings import Finding
from toolresult_generator.languages import languages
from toolresult_generator.load import Spec

if TYPE_CHECKING:
    from toolresult_generator.languages.base import Language
    from toolresult_generator.model.result import ResultSpec
    from toolresult_generator.model.target import Target


class Context:
    """One run of all checks over one spec."""

    def __init__(
        self, spec: Spec, against: str | None = None, adapters: tuple[Path, ...] = ()
    ) -> None:
        self.spec = spec
        self.against = against
        self.adapters = adapters
        """Folders of adapters to compare with the hooks."""
        self.findings: set[Finding] = set(spec.findings)
        self.nothing_older: str | None = None
        """Why the spec was compared with nothing older, if it was to be and could not."""
        self.targets: tuple[Target, ...] | None = None
        """The model of the targets, once the check of them has found nothing."""

    def add(self, findings: Iterable[Finding]) -> None:
        """Collect what a check has found."""
        self.findings.update(findings)

    def is_sound(self, file: str) -> bool:
        """Whether nothing was found about a file up to now."""
        return all(finding.place.file != file for finding in self.findings)

    @property
    def result(self) -> ResultSpec | None:
        """The model of the result; None while its document is missing or has findings."""
        document = self.spec.result
        if document is None or not self.is_sound(document.file):
            return None
        return self._built

    @cached_property
    def _built(self) -> ResultSpec | None:
        from toolresult_generator.model.build import build_result

        return None if self.spec.result is None else build_result(self.spec.result.root)

    @cached_property
    def languages(self) -> tuple[Language, ...]:
        """The languages whose names are checked."""
        return languages()
