"""orjson is used where it writes what is canonical, and only there."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from toolresult_core.runtime import encoder


def module(*, plus: bool, fragment: bool = True) -> ModuleType:
    """An orjson that writes exponents with or without a plus sign, and nothing but numbers."""

    def dumps(value: Any, default: Any = None, option: int = 0) -> bytes:
        texts = (str(number).replace("e-07", "e-7") for number in value)
        text = ",".join(texts)
        return f"[{text if plus else text.replace('e+', 'e')}]".encode()

    made = ModuleType("orjson")
    vars(made).update(dumps=dumps, OPT_SORT_KEYS=1)
    if fragment:
        vars(made).update(Fragment=bytes)
    return made


def load(monkeypatch: pytest.MonkeyPatch, orjson: ModuleType | None) -> str | None:
    monkeypatch.setitem(sys.modules, "orjson", orjson)
    loaded = encoder._load_orjson()
    return None if loaded is None else loaded.name


def test_orjson_of_today_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(monkeypatch, module(plus=True)) == "orjson"


@pytest.mark.parametrize(
    "orjson",
    [None, module(plus=False), module(plus=True, fragment=False)],
    ids=["none", "numbers-of-3.10", "no-fragments"],
)
def test_what_is_missing_or_writes_otherwise_is_not_used(
    monkeypatch: pytest.MonkeyPatch, orjson: ModuleType | None
) -> None:
    assert load(monkeypatch, orjson) is None
