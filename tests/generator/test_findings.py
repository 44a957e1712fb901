"""How findings are said."""

from __future__ import annotations

import pytest

from toolresult_generator.codes import CODES
from toolresult_generator.findings import (
    Finding,
    FindingsError,
    Place,
    did_you_mean,
    nearest,
    printable,
    quoted,
)


def test_the_text_has_place_code_message_and_advice() -> None:
    finding = Finding(Place("spec/a.yaml", 3, 7), "unknown_key", "no such key", "remove it")
    assert str(finding) == "spec/a.yaml:3:7: unknown_key: no such key (remove it)"
    assert str(Finding(Place("f"), "tag", "no")) == "f:1:1: tag: no"
    assert finding.to_json() == {
        "file": "spec/a.yaml",
        "line": 3,
        "column": 7,
        "code": "unknown_key",
        "message": "no such key",
        "advice": "remove it",
    }


def test_a_code_needs_a_meaning() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        Finding(Place("f"), "nonsense", "x")
    assert all(meaning.endswith(".") for meaning in CODES.values())


def test_findings_sort_by_place() -> None:
    first, second = Finding(Place("a", 2, 1), "tag", "x"), Finding(Place("a", 10, 1), "alias", "x")
    assert FindingsError([second, first, second]).findings == (first, second)


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\nb", "\u202eabc", "\ud800", "\u2028"])
def test_foreign_text_cannot_disturb_a_terminal(text: str) -> None:
    said = str(Finding(Place(text), "tag", text, text))
    assert said.isprintable()
    said.encode()
    assert quoted(text).isprintable()


def test_long_quotes_are_cut() -> None:
    assert len(quoted("x" * 10_000)) == 62
    assert printable("é😀") == "é😀"


def test_the_nearest_name() -> None:
    known = ["summary", "content", "not_found"]
    assert nearest("sumary", known) == "summary"
    assert nearest("Not-Found", known) == "not_found"
    assert nearest("xyz", known) is None
    assert did_you_mean("contnet", known) == 'did you mean "content"?'
    assert did_you_mean("xyz", known) == "known: content, not_found, summary"
    assert did_you_mean("xyz", []) == ""
