"""All tests of this folder drive PHP: ``tox -e php`` runs them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.languages.driver import Driver, running
from tests.languages.pointers import two_keys
from tests.php.package import PACKAGE, php

from toolresult.store import KeyRing

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.needs_toolchain)


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    """PHP's mapper and stores."""
    with running([*php(), str(PACKAGE / "tests" / "driver.php")], PACKAGE) as found:
        yield found


@pytest.fixture
def keys() -> KeyRing:
    return two_keys()
