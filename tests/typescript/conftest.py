"""All tests of this folder drive Node: ``tox -e typescript`` runs them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.toolchain import mark_folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_folder(items, Path(__file__).parent)
