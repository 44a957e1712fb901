"""From the inverse of a target's forms to the module of its readers."""

from __future__ import annotations

from toolresult_generator.languages.lowering.reading import ReaderModule
from toolresult_generator.model.target import Target


def lower_reader(target: Target) -> ReaderModule:
    """The readers of a target. Equal input gives equal output."""
    raise NotImplementedError
