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


MARKERS = [
    "layout", "parts", "part", "wrapped", "exactJson", "error", "extensions", "presentation",
    "foreign", "pagination", "relatedTask",
]  # fmt: skip
ROLES = [
    "envelope", "data", "message", "error", "summary", "part", "stored", "metadata", "placeholder",
]  # fmt: skip
_MARKER_MEMBERS = st.dictionaries(
    st.sampled_from(
        ["kind", "name", "name_derived", "uri", "text", "data", "size", "mime_type", "audience",
         "priority", "last_modified", "expires_at", "foreign", "stored", "0"]
    ),
    JSON | st.sampled_from(["image", "binary", "embedded", "summary", "stored", "", True]),
    max_size=3,
)  # fmt: skip
FORGED = st.one_of(
    JSON,
    st.lists(st.sampled_from(ROLES), max_size=4),
    st.just(True),
    st.lists(st.sampled_from(["com.example/review", "com.example/x", "a/b", "k"]), max_size=3),
    _MARKER_MEMBERS,
    st.dictionaries(st.sampled_from(["0", "1", "2", "01"]), _MARKER_MEMBERS, max_size=3),
    st.dictionaries(
        st.sampled_from(["legacy", "legacy_meta", "mcp", "a2a", "x"]),
        st.dictionaries(st.sampled_from(["k", "error", "com.example/x"]), JSON, max_size=2),
        max_size=2,
    ),
)
"""What may stand in place of a marker: any JSON, and values of the shapes that markers have."""


def _owners(value: Any) -> list[dict[str, Any]]:
    """The objects of a wire value that hold markers, or could."""
    found: list[dict[str, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found += [one[key] for key in ("_meta", "metadata") if isinstance(one.get(key), dict)]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


@pytest.mark.parametrize(
    "plan", [plan for plan in PLANS if plan.target != "legacy-envelope"], ids=str
)
@given(data=st.data(), value=RESULTS)
def test_our_own_output_with_forged_markers(
    plan: Plan, data: st.DataObject, value: dict[str, Any]
) -> None:
    wire = plan.render(Result.from_value(value)).wire
    owners = _owners(wire)
    if not owners:
        key = "metadata" if plan.target == "a2a" else "_meta"
        owners = [wire.setdefault(key, {})]
    forged = data.draw(st.dictionaries(st.sampled_from(MARKERS), FORGED, min_size=1, max_size=3))
    owner = data.draw(st.sampled_from(owners))
    owner.update({f"dev.toolresult/{name}": marker for name, marker in forged.items()})
    assert_reads_or_refuses(plan, json.dumps(wire))


@pytest.mark.parametrize("plan", PLANS, ids=str)
@given(data=st.data(), value=RESULTS)
def test_our_own_output_cut_short(plan: Plan, data: st.DataObject, value: dict[str, Any]) -> None:
    output = plan.render(Result.from_value(value)).bytes
    short = output[: data.draw(st.integers(0, len(output) - 1))]
    if plan.target == "legacy-envelope":
        text = short.decode(errors="ignore")  # what is no envelope is a text, unchanged
        assert plan.read(text) == Result.text(text)
    else:
        with pytest.raises(ResultError) as caught:
            plan.read(short)
        assert caught.value.code == "invalid_json"


@pytest.mark.parametrize("plan", PLANS, ids=str)
@given(text=st.text() | JSON.map(json.dumps))
def test_any_text(plan: Plan, text: str) -> None:
    assert_reads_or_refuses(plan, text)
