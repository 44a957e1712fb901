"""The page of the committed spec and a browser, made once for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from toolresult_generator.director import Loaded, load_model
from toolresult_generator.proof.matrix import Matrix, measure
from toolresult_generator.proof.page.document import Document, of_matrix
from toolresult_generator.proof.page.page import html

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

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


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """One browser for all tests. Without one they are skipped, but never on a build server."""
    # imported here: without selenium, the tests that need no browser are run all the same
    from tests.page.browser import MISSING, chromium, programs

    if programs() is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        driver.get("about:blank")
        yield driver
