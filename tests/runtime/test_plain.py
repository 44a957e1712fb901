"""The explicit conversion of Python objects to JSON values."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import pathlib
import uuid
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel, Field

from toolresult_core import Json, Result, ResultError, TextPart, to_plain


class Colour(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Point(NamedTuple):
    x: int
    y: dt.date


@dataclasses.dataclass
class Line:
    points: list[Point]


class Model(BaseModel):
    size: decimal.Decimal = Field(serialization_alias="theSize")
    maybe: int | None = None


UTC = dt.timezone.utc
DAY = dt.date(2026, 7, 28)
ID = uuid.UUID(int=1)

CONVERTED: list[tuple[Any, Any]] = [
    (None, None),
    ({"a": [1, 2.5, True, None, ""]}, {"a": [1, 2.5, True, None, ""]}),
    (DAY, "2026-07-28"),
    (dt.datetime(2026, 7, 28, 12, 0, 0, 500_000, UTC), "2026-07-28T12:00:00.500Z"),
    (dt.time(12, 0, 0, 20_000), "12:00:00.020"),
    (dt.datetime(2026, 7, 28, 12, tzinfo=UTC), "2026-07-28T12:00:00Z"),
    (
        dt.datetime(2026, 7, 28, 12, 0, 0, 5, dt.timezone(dt.timedelta(hours=2))),
        "2026-07-28T12:00:00.000005+02:00",
    ),
    (dt.time(1, 2), "01:02:00"),
    (decimal.Decimal("1.10"), "1.10"),
    (ID, "00000000-0000-0000-0000-000000000001"),
    (pathlib.PurePosixPath("/a/b"), "/a/b"),
    (b"\xfb\xff\xfe", "+//+"),
    (Colour.RED, "red"),
    (Level.LOW, 1),
    (Point(1, DAY), {"x": 1, "y": "2026-07-28"}),
    (Line([Point(1, DAY)]), {"points": [{"x": 1, "y": "2026-07-28"}]}),
    (Model(size=decimal.Decimal(2)), {"theSize": "2", "maybe": None}),
    ({Colour.RED: 1, 2: 2, ID: 3}, {"red": 1, "2": 2, str(ID): 3}),
    ({"b", "a"}, ["a", "b"]),
    (frozenset({2, 10, 1}), [1, 10, 2]),
    (collections.deque([1]), [1]),
    (range(3), [0, 1, 2]),
    ((1, (2,)), [1, [2]]),
    (collections.Counter("aa"), {"a": 2}),
    (Json.of({"a": 1}), {"a": 1}),
    (TextPart(text="x"), {"kind": "text", "text": "x"}),
]


@pytest.mark.parametrize(("value", "plain"), CONVERTED)
def test_conversions(value: Any, plain: Any) -> None:
    assert to_plain(value) == plain
    assert Result.success(to_plain({"x": [value]})).to_value()["data"] == {"x": [plain]}


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        (object(), ""),
        ({"a": [dt.datetime(2026, 7, 28)]}, "/a/0"),
        ({"a": decimal.Decimal("NaN")}, "/a"),
        ({"a": {None: 1}}, "/a/NoneType"),
        ({"a": {True: 1}}, "/a/bool"),
        ({1: 1, "1": 2}, "/1"),
        (Model, ""),
        (len, ""),
    ],
)
def test_what_has_no_rule_is_refused(value: Any, pointer: str) -> None:
    with pytest.raises(ResultError) as caught:
        to_plain(value)
    assert (caught.value.code, caught.value.pointer) == ("invalid_value", pointer)


def test_a_cycle_is_too_deep() -> None:
    array: list[Any] = []
    array.append(array)
    with pytest.raises(ResultError, match="too_deep"):
        to_plain(array)
