"""Values are looked at in the large: tables by columns, arrays of numbers as bytes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult_core.runtime.canonical import MAX_DEPTH, write_with
from toolresult_core.runtime.encoder import ORJSON, PYDANTIC, Encoder
from toolresult_core.runtime.errors import ResultError
from toolresult_core.runtime.frozen import FrozenDict, FrozenList
from toolresult_core.runtime.parse import depth_of
from toolresult_core.runtime.slow_writer import SlowWriter
from toolresult_core.runtime.walk import Walk

ENCODERS = [encoder for encoder in (PYDANTIC, ORJSON) if encoder is not None]
EACH_ENCODER = pytest.mark.parametrize("encoder", ENCODERS, ids=[e.name for e in ENCODERS])

NAMES = st.sampled_from(["a", "b", "c", "Z", "é", "\ufb33", "\U0001f600"])
FLOATS = st.sampled_from(
    [0.0, -0.0, 0.1, 1.5, 2.0, -3.0, 5e-6, -1e-5, 2e-7, 1e20, 1e21, -1e22, 5e-324]
) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | FLOATS
    | (st.text("ab\0raw:", max_size=7) | st.just("\0raw:1:\0"))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=12)
        | st.dictionaries(NAMES, inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=12,
)


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    """More rows than are looked at one by one, mostly with the same names."""
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    columns = [
        draw(st.sampled_from([FLOATS, SCALARS, VALUES, st.lists(SCALARS, max_size=3)]))
        for _ in names
    ]
    rows: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(9, 14))):
        order = (
            draw(st.permutations(range(len(names)))) if draw(st.booleans()) else range(len(names))
        )
        rows.append({names[place]: draw(columns[place]) for place in order})
    if draw(st.booleans()):
        rows[draw(st.integers(0, 8))] = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    return rows


def check(value: Any) -> None:
    expected = SlowWriter(MAX_DEPTH).write(value)
    for encoder in ENCODERS:
        text, depth = write_with(encoder, value)
        assert text == expected
        assert depth in (None, depth_of(expected))


@given(tables())
def test_a_table_has_the_text_of_its_rows(rows: list[dict[str, Any]]) -> None:
    check(rows)
    check({"b": rows, "a": [rows[0], 1.0]})
    check([{"a": rows, "b": 2.0}] * 9)


@given(st.lists(FLOATS, min_size=9, max_size=60))
def test_an_array_of_floats_has_the_text_of_each(values: list[float]) -> None:
    check(values)
    check([{"x": value, "y": 0.5} for value in values])


@given(VALUES)
def test_depth_is_seen_on_the_way(value: Any) -> None:
    check(value)
    check([value] * 9)


def test_the_rows_are_left_alone() -> None:
    rows = [{"b": 1.0 * n, "a": [1.0, n], "c": {"x": 2.0}} for n in range(20)]
    before = repr(rows)
    check(rows)
    assert repr(rows) == before


def test_frozen_and_mixed_rows_are_taken() -> None:
    rows = [
        FrozenDict(b=1.0, a=FrozenList([n])) if n % 2 else {"a": [n], "b": 2.0} for n in range(9)
    ]
    check(rows)
    check([(n,) for n in range(9)] + [[1.0]])


@pytest.mark.parametrize("mark", ["\0raw:", ":\0", "\0raw:7:\0"])
def test_text_that_looks_like_a_mark_is_text(mark: str) -> None:
    check([1e21, mark, 5e-6])
    check({mark: [1e21, mark]})
    check(mark)


class Text(str):
    """A subclass, which only looks like a string."""


@pytest.mark.parametrize("bad", [b"", Text("x"), {1}, 1j, math.nan, math.inf, "\ud800", {1: 2}])
@EACH_ENCODER
def test_what_is_wrong_in_a_table_is_found(bad: Any, encoder: Encoder) -> None:
    rows: list[dict[Any, Any]] = [{"b": n, "a": 0.5, "c": [n]} for n in range(20)]
    for row, pointer in (
        ({"b": 0, "a": bad, "c": []}, "/7/a"),
        ({"b": 0, "a": 1.5, "c": [1, bad]}, "/7/c/1"),
    ):
        rows[7] = row
        with pytest.raises(ResultError) as caught:
            write_with(encoder, rows)
        assert caught.value.pointer.startswith(pointer)
    for name in (1, None, Text("a")):
        rows[7] = {"b": 0, name: 0.5, "c": []}
        with pytest.raises(ResultError) as caught:
            write_with(encoder, rows)
        assert (caught.value.code, caught.value.pointer[:3]) == ("invalid_value", "/7/")


@EACH_ENCODER
def test_a_cycle_through_a_wide_table_is_refused_at_once(encoder: Encoder) -> None:
    rows: list[dict[str, Any]] = [{"again": None} for _ in range(5_000)]
    for row in rows:
        row["again"] = rows
    lists: list[Any] = []
    lists.extend([lists] * 5_000)
    for cycle in (rows, lists):
        with pytest.raises(ResultError) as caught:
            write_with(encoder, cycle)
        assert caught.value.code == "too_deep"


@EACH_ENCODER
def test_a_hundred_levels_through_tables_are_the_most(encoder: Encoder) -> None:
    value: Any = 0
    for level in range(50):
        # Two levels: an array of objects, alike or not.
        value = [{"a": value}, *({"a": 1} if level % 3 else {} for _ in range(8))]
    text, depth = write_with(encoder, value)
    assert (text, depth) == (SlowWriter(MAX_DEPTH).write(value), MAX_DEPTH)
    for deeper in ([value], [value] * 9, {"a": value}, [{"a": value}] * 9):
        with pytest.raises(ResultError) as caught:
            write_with(encoder, deeper)
        assert caught.value.code == "too_deep"


@pytest.mark.parametrize("text", ["\0raw:true:\0", "\0raw:[1],2:\0", "\0raw:1},{},{:\0"])
def test_no_text_is_taken_for_a_mark_in_rows_of_two_orders(text: str) -> None:
    check([{"n": text, "s": 2e-6}] + [{"s": 1, "n": "n"}] * 8)
    check([{"n": text, "s": 2e-6}] * 9)
    check([{"n": [text] * 9, "s": [2e-6] * 9}, *[{"s": 1, "n": text}] * 8])


class Counting:
    """An encoder that counts how often a value is looked at."""

    def __init__(self) -> None:
        self.looks = 0

    def raw(self, text: str) -> object:
        self.looks += 1
        return 0


@pytest.mark.parametrize("sorts", [False, True])
@pytest.mark.parametrize("other", [{"b": 1, "a": 0}, {"b": 1}, {"a": 0, "c": 1}, {}])
def test_every_value_is_looked_at_once(sorts: bool, other: dict[str, int]) -> None:
    counting = Counting()
    encoder = Encoder("counting", counting.raw, lambda value, raws: b"", True, sorts)
    value: Any = 2e-6  # written raw, so that it is counted
    for _ in range(40):
        value = [{"a": value, "b": 1}] + [other] * 8
    walk = Walk(encoder, MAX_DEPTH)
    walk.items(value, MAX_DEPTH)
    assert (counting.looks, walk.raws) == (1, 1)
