"""The mapper of PHP against Python's."""

from __future__ import annotations

from tests.languages.mappers import Given, Rendered, Schemas, Times, Values


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
