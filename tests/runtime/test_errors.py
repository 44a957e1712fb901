"""The error: printable, picklable, and re-rooted."""

from __future__ import annotations

import pickle

from toolresult_core.runtime.errors import ResultError, pointer_of


def test_shows_place_code_and_message() -> None:
    assert str(ResultError("wrong_type", "/a/0", "no")) == "/a/0: wrong_type: no"
    assert str(ResultError("wrong_type", "", "no")) == "(result): wrong_type: no"


def test_control_and_bidi_characters_do_not_reach_a_terminal() -> None:
    text = str(ResultError("wrong_type", "/\x1b[31m\u202e\n", "no"))
    assert text.isprintable()
    assert "\\x1b" in text


def test_pickles_and_moves() -> None:
    error = ResultError("wrong_type", "/a", "no", offset=3).below("/b")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.pointer, again.message, again.offset) == (
        "wrong_type",
        "/b/a",
        "no",
        3,
    )


def test_pointers_escape() -> None:
    assert pointer_of(["a/b", 0, "~", "", "\ud800"]) == "/a~1b/0/~0//\ufffd"
