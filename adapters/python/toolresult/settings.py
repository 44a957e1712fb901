"""What the settings of a mapper and of a request may be."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, get_args

from toolresult.request import Default, OnStoreFailure, SchemaResults

_ON_STORE_FAILURE: Final = get_args(OnStoreFailure)
_SCHEMA_RESULTS: Final = get_args(SchemaResults)


def check_settings(
    *,
    limit: object,
    store: object,
    principal: object,
    clock: object,
    lifetime: object,
    on_store_failure: object,
    schema_results: object,
) -> None:
    """Refuses what no rendering could use, before a tool has run for it.

    Raises ValueError for a limit that is none, a lifetime that is not positive and an unknown
    word, TypeError for a store, a principal, a clock or a lifetime of another type.
    """
    _check_limit(limit)
    if store is not None and not callable(getattr(store, "put", None)):
        raise TypeError(f"store: expected a store, such as MemoryStore(), not {_type(store)}")
    if principal is not None and not isinstance(principal, str):
        raise TypeError("principal: expected a text or None")
    if clock is not None and not isinstance(clock, datetime) and not callable(clock):
        raise TypeError(
            f"clock: expected a datetime, or a function that gives one, not {_type(clock)}"
        )
    if lifetime is not None:
        _check_lifetime(lifetime)
    if on_store_failure not in _ON_STORE_FAILURE:
        raise ValueError("on_store_failure: expected 'inline' or 'fail'")
    if schema_results not in _SCHEMA_RESULTS:
        raise ValueError("schema_results: expected 'inline' or 'link'")


def _check_limit(limit: object) -> None:
    if isinstance(limit, Default) or limit is None or (type(limit) is int and limit >= 0):
        return
    raise ValueError(
        f"limit: expected bytes, an integer that is not negative, or None, not {limit!r:.40}"
    )


def _check_lifetime(lifetime: object) -> None:
    if not isinstance(lifetime, timedelta):
        raise TypeError(f"lifetime: expected a timedelta or None, not {_type(lifetime)}")
    if lifetime <= timedelta(0):
        raise ValueError("lifetime: expected a positive duration")


def _type(value: object) -> str:
    return type(value).__qualname__
