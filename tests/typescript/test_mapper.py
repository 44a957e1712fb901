"""The mapper of TypeScript against Python's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.languages.driver import Driver
from tests.languages.mappers import Given, Rendered, Schemas, Times, Values
from tests.typescript.package import driver as program


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    """TypeScript's mapper, whose driver asks `render` and `renderAsync` alike."""
    with program("mapper-driver.js") as found:
        yield found


class TestRendered(Rendered):
    pass


class TestGiven(Given):
    pass


class TestSchemas(Schemas):
    pass


class TestTimes(Times):
    pass


class TestValues(Values):
    pass
