"""Canonical JSON: the text of RFC 8785, exact integers, and the place of every refusal."""

from __future__ import annotations

import enum
import json
import math
import struct
from collections import OrderedDict, defaultdict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult_core.runtime import canonical as under_test
from toolresult_core.runtime.canonical import canonical, escape, member_order, number, quote
from toolresult_core.runtime.encoder import ORJSON, PYDANTIC, Encoder
from toolresult_core.runtime.errors import ResultError
from toolresult_core.runtime.parse import parse_json

ENCODERS = [encoder for encoder in (PYDANTIC, ORJSON) if encoder is not None]
"""orjson is an extra; without it there is nothing to compare pydantic's encoder with."""
EACH_ENCODER = pytest.mark.parametrize("encoder", ENCODERS, ids=[e.name for e in ENCODERS])


def write_with(encoder: Encoder, value: object) -> bytes:
    return under_test.write_with(encoder, value)[0]


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=30
)

NUMBERS = [
    (0.0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (-1.0, "-1"),
    (4.5, "4.5"),
    (1e15, "1000000000000000"),
    (1e16, "10000000000000000"),
    (9007199254740993.0, "9007199254740992"),
    (1e20, "100000000000000000000"),
    (123456789012345680000.0, "123456789012345683968"),
    (999999999999999900000.0, "999999999999999868928"),
    (1e21, "1e+21"),
    (-1e21, "-1e+21"),
    (1.5e300, "1.5e+300"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (1e-4, "0.0001"),
    (-1e-4, "-0.0001"),
    (9.9e-5, "0.000099"),
    (1e-5, "0.00001"),
    (1.5e-5, "0.000015"),
    (-1.234e-5, "-0.00001234"),
    (1e-6, "0.000001"),
    (1.25e-6, "0.00000125"),
    (9.999e-7, "9.999e-7"),
    (1e-7, "1e-7"),
    (-1e-7, "-1e-7"),
    (1e-10, "1e-10"),
    (5e-324, "5e-324"),
    (2**53 + 1, "9007199254740993"),
    (-(2**64), "-18446744073709551616"),
    (2**200, str(2**200)),
]


@pytest.mark.parametrize(("value", "text"), NUMBERS)
@EACH_ENCODER
def test_numbers_have_the_text_of_ecmascript(value: float, text: str, encoder: Any) -> None:
    assert number(value).decode() == text
    assert canonical(value).decode() == text
    # Inside containers other code writes them: short and long arrays, and objects.
    assert write_with(encoder, [value]).decode() == f"[{text}]"
    assert write_with(encoder, [value] * 9).decode() == f"[{','.join([text] * 9)}]"
    assert write_with(encoder, {"a": value}).decode() == f'{{"a":{text}}}'


def test_rfc_8785_example() -> None:
    # Section 3.2.2 and 3.2.3, but for the number that RFC 8785 rounds: it is a float here too.
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert canonical(value).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


@EACH_ENCODER
def test_keys_are_sorted_by_utf_16_units(encoder: Any) -> None:
    # The order of RFC 8785, 3.2.3: the astral key has a first unit below U+FB33.
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    text = write_with(encoder, {"deep": [{key: 1 for key in keys}]}).decode()
    assert list(json.loads(text)["deep"][0]) == [
        "\r",
        "1",
        "\u0080",
        "\u00f6",
        "\u20ac",
        "\U0001f600",
        "\ufb33",
    ]


def test_astral_text_in_values_alone_keeps_the_fast_path_right() -> None:
    assert (
        canonical({"b": "\U0001f600", "a": "\ue000"}).decode() == '{"a":"\ue000","b":"\U0001f600"}'
    )


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", '""'),
        ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
        ("\x00\x1f\x7f", '"\\u0000\\u001f\x7f"'),
        ("/<>&\u2028\u2029", '"/<>&\u2028\u2029"'),
        ('"\\', '"\\"\\\\"'),
        ("\U0001f600", '"\U0001f600"'),
    ],
)
def test_strings_escape_only_what_they_must(text: str, quoted: str) -> None:
    assert quote(text).decode() == quoted
    assert canonical(text).decode() == quoted
    for encoder in ENCODERS:
        assert write_with(encoder, [text]).decode() == f"[{quoted}]"


@pytest.mark.parametrize("digits", [617, 618, 4300, 4301, 5000, 100_000])
def test_integers_of_thousands_of_digits_are_exact(digits: int) -> None:
    text = "1234567890" * (digits // 10) + "7" * (digits % 10)
    value = parse_json(text)
    assert value % 10**9 == int(text[-9:])
    assert value.bit_length() == pytest.approx(digits * math.log2(10), abs=4)
    assert canonical(value).decode() == text
    assert canonical(-value).decode() == f"-{text}"
    assert canonical({"a": [value]}).decode() == f'{{"a":[{text}]}}'


def test_an_integer_of_more_than_a_million_digits_is_refused() -> None:
    with pytest.raises(ResultError) as caught:
        canonical({"a": [10**1_000_000]})
    assert (caught.value.code, caught.value.pointer) == ("invalid_number", "/a/0")
    assert len(canonical(10**1_000_000 - 1)) == 1_000_000


class Colour(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Text(str):
    __slots__ = ()


class Reading(float):
    __slots__ = ()


class Mapped(dict[str, int]):
    pass


BAD_VALUES: list[Any] = [
    b"x",
    bytearray(b"x"),
    Decimal(1),
    {1, 2},
    frozenset(),
    object(),
    Colour.RED,
    Level.LOW,
    Text("x"),
    Reading(1.5),
    Mapped(),
    1j,
    range(3),
    iter(()),
    Ellipsis,
]


@pytest.mark.parametrize("bad", BAD_VALUES, ids=lambda v: type(v).__name__)
@EACH_ENCODER
def test_what_is_no_json_is_refused_with_its_place(bad: Any, encoder: Any) -> None:
    for value, pointer in [
        (bad, ""),
        ([0, bad], "/1"),
        ([0] * 20 + [bad], "/20"),
        ({"a": {"b~/": bad}}, "/a/b~0~1"),
    ]:
        with pytest.raises(ResultError) as caught:
            write_with(encoder, value)
        assert (caught.value.code, caught.value.pointer) == ("invalid_value", pointer)
        assert "to_plain" in caught.value.message


@pytest.mark.parametrize("bad", [1, None, True, 1.5, (1,), Colour.RED, Text("x"), b"k"])
@EACH_ENCODER
def test_keys_must_be_strings(bad: Any, encoder: Any) -> None:
    # After an object with the same keys as plain strings, lest those vouch for it.
    value = [{"red": 1, "x": 1}, {"red2": 1, bad: 1}]
    with pytest.raises(ResultError) as caught:
        write_with(encoder, value)
    assert caught.value.code == "invalid_value"
    assert caught.value.pointer.startswith("/1/")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@EACH_ENCODER
def test_numbers_that_are_none_are_refused(bad: float, encoder: Any) -> None:
    for value, pointer in [
        (bad, ""),
        ([1.5, bad], "/1"),
        ([1.5] * 20 + [bad], "/20"),
        ({"a": bad}, "/a"),
        ({"b": bad, "a": [bad]}, "/a/0"),
    ]:
        with pytest.raises(ResultError) as caught:
            write_with(encoder, value)
        assert (caught.value.code, caught.value.pointer) == ("invalid_number", pointer)


def test_floats_whose_sum_overflows_are_fine() -> None:
    assert canonical([1.5e308] * 9) == b"[" + b",".join([b"1.5e+308"] * 9) + b"]"


@pytest.mark.parametrize("bad", ["\ud800", "a\udfff", "\udc00\ud800", "\ud8001e-7\ud801"])
@EACH_ENCODER
def test_lone_surrogates_are_refused(bad: str, encoder: Any) -> None:
    for value, pointer in [(bad, ""), ([bad], "/0"), ([1e-7, bad], "/1"), ({"k": bad}, "/k")]:
        with pytest.raises(ResultError) as caught:
            write_with(encoder, value)
        assert (caught.value.code, caught.value.pointer) == ("invalid_text", pointer)
    with pytest.raises(ResultError) as caught:
        write_with(encoder, {"a": {bad: 1}})
    assert caught.value.code == "invalid_text"
    assert caught.value.pointer.startswith("/a/")
    str(caught.value).encode()  # printable whatever it is about
    with pytest.raises(ResultError, match="invalid_text"):
        quote(bad)


def test_the_first_offence_is_first_in_canonical_order() -> None:
    with pytest.raises(ResultError) as caught:
        canonical({"b": b"", "a": [1, math.nan, "\ud800"]})
    assert (caught.value.code, caught.value.pointer) == ("invalid_number", "/a/1")
    with pytest.raises(ResultError) as caught:
        canonical({"\ufb33": b"", "\U0001f600": math.nan})
    assert caught.value.pointer == "/\U0001f600"


def nested(depth: int, leaf: Any = 0) -> Any:
    value: Any = leaf
    for index in range(depth):
        value = [value] if index % 2 else {"a": value}
    return value


@EACH_ENCODER
def test_a_hundred_levels_are_the_most(encoder: Any) -> None:
    assert write_with(encoder, nested(100)).count(b"0") == 1
    assert write_with(encoder, nested(99, []))
    leaves: list[Any] = [0, []]
    for leaf in leaves:
        with pytest.raises(ResultError) as caught:
            write_with(encoder, nested(101, leaf))
        assert caught.value.code == "too_deep"
        assert caught.value.pointer.count("/") == 100
    with pytest.raises(ResultError, match="too_deep"):
        write_with(encoder, nested(100, []))


def test_a_cycle_is_too_deep() -> None:
    array: list[Any] = [1]
    array.append({"again": array})
    with pytest.raises(ResultError) as caught:
        canonical(array)
    assert caught.value.code == "too_deep"
    assert caught.value.pointer.startswith("/1/again/1/again/")


def test_dicts_lists_and_tuples_of_the_standard_library_are_taken() -> None:
    value = OrderedDict(b=(1, 2.0), a=defaultdict(list, {"x": []}))
    assert canonical(value) == b'{"a":{"x":[]},"b":[1,2]}'


def test_the_value_is_left_alone() -> None:
    value = {"b": [1.0, 1e-7, {"c": 2.0}], "a": 1.0}
    canonical(value)
    assert list(value) == ["b", "a"]
    assert json.dumps(value) == '{"b": [1.0, 1e-07, {"c": 2.0}], "a": 1.0}'


@given(VALUES)
def test_the_text_is_canonical_and_says_the_same_value(value: Any) -> None:
    text = canonical(value)
    back = parse_json(text)
    assert back == value
    assert canonical(back) == text
    # The encoders agree, and the writer that they fall back to.
    for encoder in ENCODERS:
        assert write_with(encoder, value) == text


@given(st.binary(min_size=8, max_size=8))
def test_every_double_survives(raw: bytes) -> None:
    value = struct.unpack("<d", raw)[0]
    if not math.isfinite(value):
        return
    text = number(value).decode()
    assert float(text) == value
    assert canonical([value] * 9).decode() == f"[{','.join([text] * 9)}]"


@given(st.lists(TEXT, unique=True))
def test_order_is_that_of_utf_16(names: list[str]) -> None:
    units = [list(struct.unpack(f">{len(n.encode('utf-16-be')) // 2}H", n.encode("utf-16-be")))
             for n in names]  # fmt: skip
    by_units = [name for _, name in sorted(zip(units, names, strict=True))]
    assert sorted(names, key=member_order) == by_units
    assert list(json.loads(canonical({name: 0 for name in names}))) == by_units


@given(TEXT)
def test_escaped_text_is_the_text_in_a_string(text: str) -> None:
    for size in (1, 70_000):  # the shorter one is written by an encoder
        inner = canonical([text] * (size // (len(text) + 3) + 1))
        assert b'"' + escape(inner) + b'"' == quote(inner.decode())
