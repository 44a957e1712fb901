"""Fixtures of the generator's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.generator.spec_folder import SpecFolder


@pytest.fixture
def spec(tmp_path: Path) -> SpecFolder:
    return SpecFolder(tmp_path / "spec")


@pytest.fixture
def make_spec(tmp_path: Path) -> Callable[[str], SpecFolder]:
    return lambda name: SpecFolder(tmp_path / name)
