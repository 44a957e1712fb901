"""How TypeScript is spelt and laid out; that prettier agrees is tested where Node is."""

from __future__ import annotations

import json

import pytest

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.typescript.layout import (
    LINE,
    WIDTH,
    Group,
    Indent,
    array,
    assignment,
    call,
    condition,
    join,
    lay_out,
    negation,
)
from toolresult_generator.languages.typescript.names import LANGUAGE, camel, pascal, variable
from toolresult_generator.languages.typescript.text import comment, constant, literal, template


def test_what_fits_stands_on_one_line() -> None:
    assert lay_out((call("f", ["a", "b"]), ";"), 1) == ["  f(a, b);"]
    assert lay_out(call("f", [])) == ["f()"]


@pytest.mark.parametrize("over", [0, 1])
def test_a_line_breaks_just_where_it_is_too_long(over: int) -> None:
    long = "x" * (WIDTH - len("f(a, );") + over)
    lines = lay_out((call("f", ["a", long]), ";"))
    assert lines == (["f(", "  a,", f"  {long},", ");"] if over else [f"f(a, {long});"])


def test_the_outer_list_breaks_before_the_inner() -> None:
    inner = call("g", ["b" * 40, "c" * 40])
    lines = lay_out(call("f", ["a" * 30, inner]))
    assert lines == ["f(", f"  {'a' * 30},", f"  g({'b' * 40}, {'c' * 40}),", ")"]


def test_what_follows_a_group_counts() -> None:
    fits = (Group(("(", Indent(("a" * 40,)), LINE, ")")), "b" * 57)
    assert len(lay_out(fits)) == 1
    assert len(lay_out((*fits, "b"))) == 2


def test_an_array_that_has_to_break_breaks_all_around_it() -> None:
    pairs = array([array(["1", "2"]), array(["3", "4"])], broken=True)
    assert lay_out(call("f", [pairs, "x"])) == [
        *("f(", "  [", "    [1, 2],", "    [3, 4],", "  ],", "  x,", ")"),
    ]


def test_tests_of_several_parts() -> None:
    parts = join((" &&", LINE), ["a" * 50, "b" * 50])
    assert lay_out(("if ", condition(parts), " {")) == [
        *("if (", f"  {'a' * 50} &&", f"  {'b' * 50}", ") {"),
    ]
    assert lay_out(("if ", condition(negation(parts), negated=True), " {")) == [
        *("if (!(", f"  {'a' * 50} &&", f"  {'b' * 50}", ")) {"),
    ]


def test_an_assignment_goes_on_in_the_next_line() -> None:
    value = "holder." + "f" * 95
    assert lay_out(assignment("const x", value)) == ["const x =", f"  {value};"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", '"plain"'),
        ('{"a":', "'{\"a\":'"),
        ("it's", '"it\'s"'),
        ('it\'s "so"', "'it\\'s \"so\"'"),
        ("a\nb\\", '"a\\nb\\\\"'),
        ("\u2028\u202e\x00", '"\\u2028\\u202e\\u0000"'),
        ("é\U0001f600", '"é\U0001f600"'),
        ("\U000e0001", '"\\u{e0001}"'),
    ],
)
def test_literals(text: str, expected: str) -> None:
    assert literal(text) == expected


def test_template_texts() -> None:
    assert template("`${x}` $ {") == "\\`\\${x}\\` $ {"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (1, "1"),
        (2**53, "9007199254740992n"),
        (-(2**60), "-1152921504606846976n"),
        (1.5, "1.5"),
        (1e300, "1e300"),
        ("a", '"a"'),
        ([1, {"b": None}], "JSON.parse('[1,{\"b\":null}]')"),
    ],
)
def test_constants(value: object, expected: str) -> None:
    assert constant(value) == expected


def test_a_comment_cannot_be_ended_from_inside() -> None:
    text = " ".join(comment("a */ b \u2028 \u202e {@link x}" + " word" * 40, 1))
    assert text.count("*/") == 1
    assert "{@" not in text
    assert all(ord(c) < 128 for c in text)


def test_comments_are_as_wide_as_lines() -> None:
    assert comment("a" * (WIDTH - 7)) == [f"/** {'a' * (WIDTH - 7)} */"]
    assert len(comment("a" * (WIDTH - 6))) == 3
    assert max(map(len, comment("word " * 60, 2))) <= WIDTH
    assert comment(["One.", "Two."]) == ["/**", " * One.", " *", " * Two.", " */"]


def test_spellings() -> None:
    assert camel("next_cursor") == "nextCursor"
    assert camel("content_2025_06_18_final") == "content2025_06_18Final"
    assert pascal("related_task") == "RelatedTask"
    assert LANGUAGE.convert("not_found", NameUse.ERROR_CODE) == "NotFound"
    assert LANGUAGE.convert("error", NameUse.RECORD) == "ErrorInfo"
    assert LANGUAGE.convert("image", NameUse.KIND) == "ImagePart"
    assert variable("new", frozenset()) == "new_"
    assert variable("keys", frozenset({"keys"})) == "keys_"


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("constructor", NameUse.FIELD),
        ("to_string", NameUse.FIELD),
        ("then", NameUse.RESULT_FIELD),
        ("is_empty", NameUse.FIELD),
        ("digest", NameUse.RESULT_FIELD),
        ("map", NameUse.RECORD),
        ("index", NameUse.TARGET),
        ("render", NameUse.HOOK),
        ("name", NameUse.ERROR_CODE),
    ],
)
def test_names_that_are_taken(name: str, use: NameUse) -> None:
    spelt = LANGUAGE.convert(name, use)
    if name == "name":  # members of an enumeration are in Pascal case, so that none is hidden
        assert LANGUAGE.reserved(spelt, use) is None
    else:
        assert LANGUAGE.reserved(spelt, use) is not None, spelt


@pytest.mark.parametrize("name", ["class", "delete", "await", "of", "default"])
def test_words_of_the_language_are_fine_as_members(name: str) -> None:
    assert LANGUAGE.reserved(LANGUAGE.convert(name, NameUse.FIELD), NameUse.FIELD) is None


def test_a_literal_says_what_the_text_is() -> None:
    text = "a\"'\\\n\t\u2028\x07é"
    body = literal(text)
    if body.startswith('"'):
        assert json.loads(body.replace("\\'", "'")) == text
