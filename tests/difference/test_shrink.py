"""Vectors are made as short as what they show allows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolresult_generator.difference.ask import Vector
from toolresult_generator.difference.shrink import LARGEST, MAX_STEPS, shrink

V = {"format_version": 1}


def shrunk(value: Any, shows: Callable[[Any, Any], bool], **options: bool) -> Vector:
    """The shortest vector, and a check that no round asked for what it may not."""

    def still(tried: Iterable[tuple[str, Vector]]) -> Sequence[bool]:
        listed = list(tried)
        assert len(listed) <= MAX_STEPS
        return [shows(vector.value, vector.asked) for _, vector in listed]

    return shrink({"job": Vector.of(value, options)}, still)["job"]


def text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def test_what_is_not_needed_is_dropped_at_any_depth() -> None:
    value = {
        **V,
        "data": {"a": [1, {"b": {"c": 2, "d": [3]}}], "e": 4},
        "content": [{"kind": "text", "text": "x", "priority": 1}],
    }
    found = shrunk(value, lambda one, _: "c" in text(one.get("data", "")))
    assert found.text == '{"format_version":1,"data":{"a":[{"b":{"c":2}}]}}'


def test_long_lists_and_texts_are_halved() -> None:
    rounds = 0

    def shows(one: Any, _: Any) -> bool:
        nonlocal rounds
        rounds += 1
        return 777 in one.get("data", {}).get("rows", [])

    found = shrunk({**V, "data": {"rows": list(range(1000)), "more": "x" * 5000}}, shows)
    assert found.text == '{"format_version":1,"data":{"rows":[777]}}'
    assert rounds < 500
    found = shrunk({**V, "summary": "x" * 5000}, lambda one, _: len(one.get("summary", "")) > 2)
    assert found.value["summary"] == "xxxx"


def test_large_values_take_bounded_work_and_very_large_ones_none() -> None:
    asked = 0

    def shows(one: Any, _: Any) -> bool:
        nonlocal asked
        asked += 1
        return "needle" in text(one)

    rows = [{"id": number, "name": f"n{number}", "more": [1, 2]} for number in range(3000)]
    rows[2222]["more"] = {"deep": "needle"}
    found = shrunk({**V, "data": {"rows": rows}}, shows)
    assert len(found.text) < 100 and "needle" in found.text
    assert asked < 20 * MAX_STEPS + 500
    asked = 0
    value = {**V, "data": "needle" + "x" * LARGEST}
    assert shrunk(value, shows).value == value
    assert asked == 0


def test_half_of_a_base64_text_is_one() -> None:
    asked: list[str] = []

    def shows(one: Any, _: Any) -> bool:
        if one.get("data"):
            asked.append(one["data"])
        return "data" in one

    shrunk({**V, "data": "AAEC" * 10 + "AA=="}, shows)
    assert asked and all(len(data) % 4 == 0 for data in asked)


def test_options_are_dropped_as_well() -> None:
    options = {"wrap_output": True, "structured_errors": True}
    found = shrunk(dict(V), lambda _, asked: "wrap_output" in asked, **options)
    assert found.options == '{"wrap_output":true}'


def test_jobs_do_not_disturb_each_other() -> None:
    value = {**V, "data": {"a": 1}, "summary": "s"}

    def still(tried: Iterable[tuple[str, Vector]]) -> Sequence[bool]:
        return [job in vector.value for job, vector in tried]

    found = shrink({job: Vector.of(value, {}) for job in ("data", "summary")}, still)
    assert found["data"].value.keys() == {"format_version", "data"}
    assert found["summary"].text == '{"format_version":1,"summary":""}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=30,
)


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_the_outcome_still_shows_it_and_is_no_longer(data: Any) -> None:
    value = {**V, "data": data}
    before = Vector.of(value, {})
    depth = text(data).count("[")

    def shows(one: Any, _: Any) -> bool:
        return "data" in one and text(one["data"]).count("[") >= min(depth, 2)

    found = shrunk(value, shows)
    assert shows(found.value, {})
    assert found.rank <= before.rank
    assert found.value["format_version"] == 1


@pytest.mark.parametrize("value", [V, {**V, "data": None}])
def test_what_cannot_be_shorter_stays(value: Any) -> None:
    assert shrunk(value, lambda one, _: one == value).value == value
