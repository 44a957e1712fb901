"""The lowered targets that all tests here look at."""

from __future__ import annotations

import pytest
from tests.lowering.small import published, small

from toolresult_generator.languages.lowering import lower_reader, lower_target
from toolresult_generator.languages.lowering.modules import TargetModule
from toolresult_generator.languages.lowering.reading import ReaderModule
from toolresult_generator.model.target import Spec


@pytest.fixture(scope="session")
def specs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Spec, Spec]:
    """The published spec, and the small one."""
    return published(), small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def targets(specs: tuple[Spec, Spec]) -> list[TargetModule]:
    """Every target, lowered."""
    return [lower_target(target, spec.result) for spec in specs for target in spec.targets]


@pytest.fixture(scope="session")
def readers(specs: tuple[Spec, Spec]) -> list[ReaderModule]:
    """Every reader, lowered."""
    return [lower_reader(target) for spec in specs for target in spec.targets]
