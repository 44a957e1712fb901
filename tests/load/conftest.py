"""Two workers, which are processes of their own and share one SQLite store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.serve.running import Running, serving

from toolresult.store import Key

LIMIT = 2_000
"""Bytes of a result, above which it goes as a link."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder for the store, with its keys."""
    keys = tmp_path / "keys"
    keys.write_text(Key.generate().line + "\n")
    keys.chmod(0o600)
    return tmp_path


@pytest.fixture
def arguments(store: Path) -> tuple[str, ...]:
    """How to serve with that store."""
    stored = ("--store", str(store / "results.db"), "--key-file", str(store / "keys"))
    return ("--example", "--limit", str(LIMIT), *stored)


@pytest.fixture
def workers(arguments: tuple[str, ...]) -> Iterator[tuple[Running, Running]]:
    """The two."""
    with ExitStack() as stack:
        one, other = (stack.enter_context(serving(*arguments)) for _ in range(2))
        yield one, other
