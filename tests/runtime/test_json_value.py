"""Json: frozen, compared by its text, spliced as bytes."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from toolresult_core.runtime.errors import ResultError
from toolresult_core.runtime.json_value import ABSENT, Absent, Json

FALSY: list[Any] = [None, False, 0, 0.0, "", [], {}]


@pytest.mark.parametrize("value", FALSY)
def test_falsy_values_are_values(value: Any) -> None:
    made = Json.of(value)
    assert made == value
    assert made.value == value
    assert Json.parse(made.canonical) == made
    assert made.value is not ABSENT


@pytest.mark.parametrize(
    ("value", "kind", "depth"),
    [
        ({}, "object", 1),
        ([[{}]], "array", 3),
        ("[", "string", 0),
        (-1, "number", 0),
        (1.5, "number", 0),
        (True, "boolean", 0),
        (False, "boolean", 0),
        (None, "null", 0),
    ],
)
def test_kind_and_depth(value: Any, kind: str, depth: int) -> None:
    assert Json.of(value).kind == kind
    assert Json.of(value).depth == depth


def test_equal_text_is_equal_value() -> None:
    assert Json.of(1.0) == Json.of(1) == 1
    assert Json.of(True) != Json.of(1)
    assert Json.of(True) != 1
    assert Json.of({"b": 1, "a": -0.0}) == {"a": 0, "b": 1.0}
    assert hash(Json.of([1.0])) == hash(Json.of([1]))
    assert Json.of(1) != object()
    assert Json.of(1) != {"a": b""}


def test_later_changes_have_no_effect() -> None:
    source: dict[str, Any] = {"a": [1]}
    made = Json.of(source)
    source["a"].append(2)
    assert made == {"a": [1]}


def test_frozen_all_the_way_down() -> None:
    value = Json.of({"a": [{"b": 1}]}).value
    changes = [
        lambda: value.update(x=1),
        lambda: value.pop("a"),
        lambda: value.__setitem__("a", 1),
        lambda: value.__ior__({"x": 1}),
        lambda: value["a"].append(1),
        lambda: value["a"].__iadd__([1]),
        value["a"][0].clear,
        value["a"].sort,
        lambda: value["a"].__setitem__(0, 1),
        lambda: setattr(Json.of(1), "canonical", b"2"),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="immutable"):
            change()
    assert json.dumps(value) == '{"a": [{"b": 1}]}'
    free = value.copy()
    free["x"] = 1
    assert type(free) is dict
    assert copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


@given(st.recursive(st.text() | st.integers(), st.lists, max_leaves=10).filter(
    lambda value: "\\ud" not in ascii(value)
))  # fmt: skip
def test_escaped_is_the_inside_of_a_string(value: Any) -> None:
    made = Json.of(value)
    assert json.loads(b'"' + made.escaped + b'"') == made.canonical.decode()
    assert made.escaped is made.escaped


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (2**53, True),
        (-(2**53), True),
        (2**53 + 1, False),
        ({"a": [-(2**53) - 1]}, False),
        (1e17, False),
        (1e300, True),
        (0.1234567890123456789, True),
        ("99999999999999999999", True),
    ],
)
def test_exact_in_double(value: Any, exact: bool) -> None:
    assert Json.of(value).exact_in_double is exact


def test_parse_gives_the_place() -> None:
    with pytest.raises(ResultError) as caught:
        Json.parse('{"a":[1,NaN]}')
    assert (caught.value.code, caught.value.pointer) == ("invalid_number", "/a/1")
    assert Json.parse("[" * 100 + "]" * 100).depth == 100
    with pytest.raises(ResultError) as caught:
        Json.parse("[" * 101 + "]" * 101)
    assert (caught.value.code, caught.value.pointer) == ("too_deep", "/0" * 100)


def test_absent_has_no_truth_and_is_one() -> None:
    with pytest.raises(TypeError):
        bool(ABSENT)
    assert Absent() is ABSENT
    assert copy.deepcopy(ABSENT) is ABSENT
    assert pickle.loads(pickle.dumps(ABSENT)) is ABSENT
    assert repr(ABSENT) == "ABSENT"


def test_copies_pickles_and_shows() -> None:
    made = Json.of({"a": [1]})
    assert copy.deepcopy(made) is made
    assert pickle.loads(pickle.dumps(made)) == made
    assert Json.of(made) is made
    assert repr(made) == 'Json({"a":[1]})'
    assert len(repr(Json.of(["x" * 10_000]))) < 300


def test_a_field_of_a_users_model() -> None:
    class Model(BaseModel):
        value: Json

    model = Model(value={"a": [1.0]})  # type: ignore[arg-type]  # pydantic converts
    assert model.value == {"a": [1]}
    assert model.model_dump_json() == '{"value":{"a":[1]}}'
    with pytest.raises(ValueError, match="invalid_number"):
        Model(value=float("nan"))  # type: ignore[arg-type]  # pydantic converts
