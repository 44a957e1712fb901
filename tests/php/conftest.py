"""All tests of this folder drive PHP: ``tox -e php`` runs them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.languages.driver import Driver, running
from tests.languages.pointers import two_keys
from tests.php.toolchain import ROOT, tool
from tests.toolchain import mark_folder

from toolresult.store import KeyRing

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_folder(items, HERE)


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    """PHP's mapper and stores."""
    settings = (
        "-d",
        "error_reporting=-1",
        "-d",
        "display_errors=stderr",
        "-d",
        "zend.assertions=1",
    )
    with running([tool("php"), *settings, str(HERE / "driver.php")], ROOT) as found:
        yield found


@pytest.fixture
def keys() -> KeyRing:
    return two_keys()
