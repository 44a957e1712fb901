"""Whatever is fed to a reader: a result that keeps, or a clear refusal, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.results import JSON, RESULTS
from tests.properties.round_trip import PLANS, Plan, expected_after

from toolresult_core import Result, ResultError


def assert_reads_or_refuses(plan: Plan, text: str) -> None:
    try:
        result = plan.read(text)
    except ResultError as error:
        assert error.message
        return
    rendering = plan.render(result)
    assert plan.read(rendering.bytes) == expected_after(result, rendering.losses)


@st.composite
def spoilt(draw: st.DrawFn, value: Any) -> Any:
    """A wire value with one member, at any depth, renamed, removed or given another value."""
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        kind = draw(st.sampled_from(["below", "below", "below", "rename", "remove", "retype"]))
        rest = {name: inner for name, inner in value.items() if name != key}
        if kind == "below":
            return {**rest, key: draw(spoilt(value[key]))}
        if kind == "rename":
            return {**rest, key + "x": value[key]}
        return rest if kind == "remove" else {**rest, key: draw(JSON)}
    if isinstance(value, list) and value:
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(spoilt(value[index])), *value[index + 1 :]]
    return draw(JSON)


@pytest.mark.parametrize("plan", PLANS, ids=str)
@given(data=st.data(), value=RESULTS)
def test_our_own_output_spoilt(plan: Plan, data: st.DataObject, value: dict[str, Any]) -> None:
    wire = plan.render(Result.from_value(value)).wire
    inner = json.loads(wire) if isinstance(wire, str) else wire
    assert_reads_or_refuses(plan, json.dumps(data.draw(spoilt(inner))))


@pytest.mark.parametrize("plan", PLANS, ids=str)
@given(text=st.text() | JSON.map(json.dumps))
def test_any_text(plan: Plan, text: str) -> None:
    assert_reads_or_refuses(plan, text)
