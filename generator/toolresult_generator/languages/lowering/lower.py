"""From a target's plans to the module of its renderers."""

from __future__ import annotations

from toolresult_generator.languages.lowering.modules import TargetModule
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Target


def lower_target(target: Target, result: ResultSpec) -> TargetModule:
    """The renderers of a target. Equal input gives equal output."""
    raise NotImplementedError
