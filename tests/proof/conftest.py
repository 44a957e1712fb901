"""The matrix, measured once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolresult_generator.director import Loaded, load_model
from toolresult_generator.proof.matrix import Matrix, measure

SPEC = Path(__file__).parents[2] / "spec"


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    """The model of the committed spec."""
    return load_model(SPEC)


@pytest.fixture(scope="session")
def matrix(loaded: Loaded) -> Matrix:
    """Everything that the proof measures."""
    return measure(loaded, spec_folder=SPEC)
