"""Pointers, keys and stores of PHP against Python's."""

from __future__ import annotations

from tests.languages.pointers import Keys, Pointers
from tests.languages.stores import Files, Lists, Opened, read_only  # noqa: F401 - a fixture


class TestPointers(Pointers):
    pass


class TestKeys(Keys):
    pass


class TestFiles(Files):
    pass


class TestLists(Lists):
    pass


class TestOpened(Opened):
    pass
