"""The strict parser: what it takes, what it refuses, and where."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult_core.runtime.errors import ResultError
from toolresult_core.runtime.parse import MAX_BYTES, depth_of, parse_json

GOOD: list[tuple[str, Any]] = [
    ("null", None),
    (" \t\r\n[ ] ", []),
    ('{"a":{},"b":[[],{}]}', {"a": {}, "b": [[], {}]}),
    ("-0", 0),
    ("-0.0", 0),
    ("1.0", 1),
    ("1e20", 10**20),
    ("1E+2", 100),
    ("1e21", 1e21),
    ("0.1", 0.1),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    ('"\\ud83d\\ude00"', "\U0001f600"),
    ('"\\\\ud800"', "\\ud800"),
    ('"\\\\\\\\ud800 \\ud83d\\ude00"', "\\\\ud800 \U0001f600"),
    ('"[[[[{{{{\\"[["', '[[[[{{{{"[['),
    ('"\x7f\u2028"', "\x7f\u2028"),
    ('{"__proto__":1,"":2}', {"__proto__": 1, "": 2}),
]


@pytest.mark.parametrize(("text", "value"), GOOD)
def test_valid_text(text: str, value: Any) -> None:
    for form in (text, text.encode()):
        found = parse_json(form)
        assert found == value
        assert type(found) is type(value)


BAD: list[tuple[str | bytes, str, str, int]] = [
    # text, code, pointer, byte offset
    ("", "invalid_json", "", 0),
    ("  ", "invalid_json", "", 2),
    ("tru", "invalid_json", "", 0),
    ("nul", "invalid_json", "", 0),
    ("01", "invalid_json", "", 1),
    ("1.", "invalid_json", "", 1),
    (".5", "invalid_json", "", 0),
    ("+1", "invalid_json", "", 0),
    ("-", "invalid_json", "", 0),
    ("1 2", "invalid_json", "", 2),
    ("[1,]", "invalid_json", "/1", 3),
    ("[1 2]", "invalid_json", "/0", 3),
    ("[1", "invalid_json", "/0", 2),
    ("[}", "invalid_json", "/0", 1),
    ('{"a":1,}', "invalid_json", "", 7),
    ('{"a" 1}', "invalid_json", "/a", 5),
    ('{"a":1 "b":2}', "invalid_json", "/a", 7),
    ("{a:1}", "invalid_json", "", 1),
    ("{'a':1}", "invalid_json", "", 1),
    ('{"a":', "invalid_json", "/a", 5),
    ('"a\nb"', "invalid_json", "", 2),
    ('["a]', "invalid_json", "/0", 1),
    ('"\\x"', "invalid_json", "", 1),
    ('"\\u12"', "invalid_json", "", 2),
    ("\ufeff1", "invalid_json", "", 0),
    (b"\xef\xbb\xbf1", "invalid_json", "", 0),
    (b'["\xff"]', "invalid_json", "", 2),
    (b'"\xed\xa0\x80"', "invalid_json", "", 1),
    ("/* c */ 1", "invalid_json", "", 0),
    ("\u00a01", "invalid_json", "", 0),
    ('{"a":1,"b":{"c":1,"d":2,"c":3}}', "invalid_json", "/b/c", 24),
    ('{"a":1,"\\u0061":2}', "invalid_json", "/a", 7),
    ("[1,NaN]", "invalid_number", "/1", 3),
    ("Infinity", "invalid_number", "", 0),
    ('{"x":-Infinity}', "invalid_number", "/x", 5),
    ("[1e999]", "invalid_number", "/0", 1),
    ("-1e400", "invalid_number", "", 0),
    ("1" + "0" * 400 + ".0", "invalid_number", "", 0),
    ('{"ü":"\\ud800"}', "invalid_text", "/ü", 6),
    ('["\\udc00\\ud800"]', "invalid_text", "/0", 1),
    ('["\\\\\\ud800"]', "invalid_text", "/0", 1),
    ('"\\ud800\\\\udc00"', "invalid_text", "", 0),
    ('{"\\ud800":1}', "invalid_text", "/\ufffd", 1),
    ('["\ud800"]', "invalid_text", "/0", 1),
]


@pytest.mark.parametrize(("text", "code", "pointer", "offset"), BAD)
def test_invalid_text(text: str | bytes, code: str, pointer: str, offset: int) -> None:
    with pytest.raises(ResultError) as caught:
        parse_json(text)
    error = caught.value
    assert (error.code, error.pointer, error.offset) == (code, pointer, offset)
    str(error).encode()


@pytest.mark.parametrize(
    ("text", "code", "pointer"),
    [
        ('{"a":1,"a":NaN}', "invalid_json", "/a"),
        ('{"a":NaN,"a":1}', "invalid_number", "/a"),
        ('{"a":1,"a":2', "invalid_json", "/a"),
        ('[1e999,"\\ud800"]', "invalid_number", "/0"),
        ('["\\ud800",1e999]', "invalid_text", "/0"),
        ('{"a":"\\ud800", x', "invalid_text", "/a"),
        ('{"b":{"c":1,"c":2},"a":NaN}', "invalid_json", "/b/c"),
    ],
)
def test_the_first_fault_in_the_text_is_reported(text: str, code: str, pointer: str) -> None:
    with pytest.raises(ResultError) as caught:
        parse_json(text)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":', "[[],"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_hundred_thousand_brackets_are_too_deep(opening: str, closed: bool) -> None:
    count = 100_000
    closing = "".join({"[": "]", "{": "}"}.get(char, "") for char in reversed(opening))
    closing = closing.replace("][", "") if opening == "[[]," else closing
    text = opening * count + ("0" + closing * count if closed else "")
    with pytest.raises(ResultError) as caught:
        parse_json(text)
    assert caught.value.code == "too_deep"
    assert caught.value.pointer.count("/") == 200


@pytest.mark.parametrize("depth", [1, 11, 12, 13, 100, 199, 200])
def test_depth_up_to_the_bound(depth: int) -> None:
    text = "[" * depth + "]" * depth
    value = parse_json(text, max_depth=depth)
    assert json.dumps(value) == text
    assert depth_of(text.encode()) == depth
    wide = "[" + ",".join([text] * 50) + "]"
    assert depth_of(wide.encode()) == depth + 1
    for too_deep in (text, wide):
        bound = depth - 1 if too_deep is text else depth
        with pytest.raises(ResultError, match="too_deep"):
            parse_json(too_deep, max_depth=bound)


def test_depth_ignores_brackets_in_strings() -> None:
    text = json.dumps({"a\\": '[[[\\"[[[', "b": ["\\", '"[{', "x\\\\"]})
    assert depth_of(text.encode()) == 2
    assert parse_json(text, max_depth=2) == json.loads(text)


def test_little_stack_is_enough() -> None:
    text = "[" * 150 + "]" * 150

    def dig(levels: int) -> Any:
        return dig(levels - 1) if levels else parse_json(text)

    frames = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frames, frame = frames + 1, frame.f_back
    assert json.dumps(dig(sys.getrecursionlimit() - frames - 60))


def test_long_integers_are_exact_up_to_a_million_digits() -> None:
    value = parse_json("[" + ",".join(["7" * 4400] * 50 + ["9" * 200_000]) + "]")
    assert len(value) == 51
    assert value[-1] == 10**200_000 - 1
    with pytest.raises(ResultError) as caught:
        parse_json("[" + "1" * 1_000_001 + "]")
    assert (caught.value.code, caught.value.pointer) == ("invalid_number", "/0")


def test_long_text_is_refused_before_it_is_read() -> None:
    with pytest.raises(ResultError) as caught:
        parse_json(b"[" * (MAX_BYTES + 1))
    assert (caught.value.code, caught.value.pointer) == ("out_of_range", "")
    with pytest.raises(ResultError, match="out_of_range"):
        parse_json('"éé"', max_bytes=5)
    assert parse_json('"éé"', max_bytes=6) == "éé"
    assert parse_json("[1]", max_bytes=None) == [1]


def test_a_long_pointer_is_whole_and_shown_short() -> None:
    with pytest.raises(ResultError) as caught:
        parse_json('{"' + "k" * 5000 + '":NaN}')
    assert caught.value.pointer == "/" + "k" * 5000
    assert len(str(caught.value)) < 400


PIECES = [*'[]{}",:\\ \n01-.eE', "true", "false", "null", "NaN", "\\ud800", "é", '"a":', '"b"']
JSONISH = st.lists(st.sampled_from(PIECES)).map("".join)


@given(JSONISH)
def test_agrees_with_the_standard_parser(text: str) -> None:
    try:
        value = parse_json(text)
    except ResultError as error:
        assert error.offset is not None
        if error.code == "invalid_json" and "twice" not in error.message:
            with pytest.raises(ValueError):
                json.loads(text)
        return
    assert value == json.loads(text)


@given(st.binary(max_size=40))
def test_any_bytes_give_a_value_or_a_clear_error(raw: bytes) -> None:
    try:
        parse_json(raw)
    except ResultError as error:
        assert str(error)


@pytest.mark.parametrize("given", [5, None, {}, [1], bytearray(b"1")])
def test_what_is_no_text(given: Any) -> None:
    with pytest.raises(ResultError, match="expected a JSON text or its bytes, found") as caught:
        parse_json(given)
    assert (caught.value.code, caught.value.pointer) == ("wrong_type", "")
