"""Pointers, keys and stores of TypeScript against Python's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.languages.driver import Driver
from tests.languages.pointers import Keys, Pointers, answered, text, two_keys
from tests.languages.stores import Files, Lists, Opened, read_only  # noqa: F401 - a fixture
from tests.typescript.package import driver as program

from toolresult.store import KeyRing


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    """TypeScript's keys, pointers and stores."""
    with program("store-driver.js", with_sqlite=True) as found:
        yield found


@pytest.fixture
def keys() -> KeyRing:
    return two_keys()


class TestPointers(Pointers):
    pass


class TestKeys(Keys):
    pass


class TestFiles(Files):
    pass


class TestLists(Lists):
    pass


@pytest.mark.parametrize(
    "given",
    [
        {"do": "verify", "principal": ""},
        {"do": "list_version", "name": ""},
        {"do": "list_version", "name": "\ud800"},
        {"do": "raise_list_version", "name": 7},
        {"do": "put", "mime_type": ""},
        {"do": "put", "mime_type": "a\x00b"},
        {"do": "put", "mime_type": "\ud800"},
        {"do": "put", "format_version": "-1"},
    ],
    ids=str,
)
def test_what_no_caller_should_pass_is_a_range_error(
    driver: Driver, keys: KeyRing, given: dict[str, object]
) -> None:
    """As this language has no ValueError."""
    good = {
        "principal": "anna",
        "now": "2026-07-28T10:00:00Z",
        "lifetime": "1",
        "format_version": "1",
        "mime_type": "x",
        "keys": text(keys),
    }
    if given["do"] == "put":
        answered(driver, **{**good, "do": "put"})
    assert driver.ask(**{**good, **given})["thrown"] == "RangeError"


class TestOpened(Opened):
    pass
