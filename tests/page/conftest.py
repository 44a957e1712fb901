"""The page of the committed spec, made once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolresult_generator.director import Loaded, load_model
from toolresult_generator.proof.matrix import Matrix, measure
from toolresult_generator.proof.page.document import Document, of_matrix
from toolresult_generator.proof.page.page import html

SPEC = Path(__file__).parents[2] / "spec"


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    """The model of the committed spec."""
    return load_model(SPEC)


@pytest.fixture(scope="session")
def matrix(loaded: Loaded) -> Matrix:
    """Everything that the proof measures."""
    return measure(loaded, spec_folder=SPEC)


@pytest.fixture(scope="session")
def document(matrix: Matrix, loaded: Loaded) -> Document:
    """What the page shows."""
    return of_matrix(matrix, loaded)


@pytest.fixture(scope="session")
def page(document: Document) -> str:
    """The page."""
    return html(document)


@pytest.fixture(scope="session")
def spec() -> Path:
    """The folder of the committed spec."""
    return SPEC
