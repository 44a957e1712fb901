"""Settings that no rendering could use are refused when the mapper is made."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from toolresult import Mapper, Request, Result
from toolresult.store import KeyRing, MemoryStore, StoreError, StoreErrorCode

SECRET = "pa55word"
CLOCK = datetime(2026, 7, 28, tzinfo=timezone.utc)


@pytest.mark.parametrize("limit", [-1, "9", 1.5, True])
def test_a_limit_that_is_none(limit: Any) -> None:
    with pytest.raises(ValueError, match=r"^limit: expected bytes, .*, not "):
        Mapper(limit=limit)


def test_a_principal_that_is_none() -> None:
    with pytest.raises(TypeError, match=r"^principal: expected a text or None"):
        Mapper(principal=7)  # type: ignore[arg-type]  # what a wrong caller says


WRONG: list[tuple[str, Any, type[Exception]]] = [
    ("store", "results.db", TypeError),
    ("clock", 5, TypeError),
    ("lifetime", 5, TypeError),
    ("lifetime", timedelta(0), ValueError),
    ("lifetime", timedelta(-1), ValueError),
    ("on_store_failure", "cry", ValueError),
    ("schema_results", "none", ValueError),
]


@pytest.mark.parametrize(("name", "value", "error"), WRONG)
def test_settings_that_no_rendering_could_use(
    name: str, value: Any, error: type[Exception]
) -> None:
    """Of a mapper when it is made, of a request when it is rendered, small results too."""
    with pytest.raises(error, match=f"^{name}: expected "):
        Mapper(**{name: value})
    given = {"clock": CLOCK, name: value}
    with pytest.raises(error, match=f"^{name}: expected "):
        Mapper().render(Result.success(1), Request("a2a@1.0", **given))


def test_a_clock_that_gives_no_time() -> None:
    clock: Any = lambda: 5  # noqa: E731 - the shortest wrong clock
    with pytest.raises(TypeError, match="expected a datetime, and it gives int"):
        Mapper(clock=clock).render(Result.success(1), "a2a@1.0")


class Broken(MemoryStore):
    """Fails with an error whose cause names a secret, unless it works."""

    code: StoreErrorCode | None = StoreErrorCode.UNAVAILABLE

    def put(self, *args: Any, **settings: Any) -> Any:
        if self.code is None:
            return super().put(*args, **settings)
        raise StoreError(self.code, "It fails.") from OSError(SECRET)


@pytest.mark.parametrize("on_failure", ["inline", "fail"])
def test_a_store_that_fails_is_told_once_until_it_works(
    on_failure: Any, caplog: pytest.LogCaptureFixture
) -> None:
    store = Broken(KeyRing.generate())
    mapper = Mapper(
        phase="final",
        limit=10,
        store=store,
        clock=lambda: datetime(2026, 7, 28, tzinfo=timezone.utc),
        principal="anna",
        on_store_failure=on_failure,
    )
    request = Request("mcp-handshake@2025-06-18")
    codes = (StoreErrorCode.UNAVAILABLE, StoreErrorCode.UNAVAILABLE, StoreErrorCode.FULL)
    with caplog.at_level(logging.WARNING, logger="toolresult.store"):
        for code in (*codes, None, StoreErrorCode.FULL):
            store.code = code
            if code is None or on_failure == "inline":
                mapper.render(Result.success("x" * 5000), request)
            else:
                with pytest.raises(StoreError):
                    mapper.render(Result.success("x" * 5000), request)
    told = [record.getMessage() for record in caplog.records]
    happened = "the call fails" if on_failure == "fail" else "goes inline"
    unavailable, full = (
        f"a result cannot be stored, and {happened}: {code}: It fails."
        for code in ("store_unavailable", "store_full")
    )
    assert told == [unavailable, full, "results can be stored again", full]
    assert SECRET not in caplog.text
