"""The comparison of testees can fail: a language that differs in one byte, or in a refusal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.languages.agree import agreed
from tests.languages.testees import PYTHON, Testee
from tests.properties.results import JSON

from toolresult.testee import answer_line


class InProcess:
    """Python's testee, with an answer that can be altered."""

    def __init__(self, name: str = "python", old: str = "", new: str = "") -> None:
        self.name = name
        self._old, self._new = old, new

    def ask(self, request: Mapping[str, Any]) -> Callable[[], dict[str, Any]]:
        return lambda: self._answer(request)

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        answer = answer_line(json.dumps(request).encode())
        del answer["id"]
        text = json.dumps(answer)
        return dict(json.loads(text.replace(self._old, self._new) if self._old else text))


CHECK = {"id": "1", "do": "check", "text": '{"format_version":1,"data":{"a":[1,2]}}'}
REFUSED = {"id": "2", "do": "check", "text": '{"format_version":1,"datas":1}'}


def test_equal_answers() -> None:
    assert agreed([InProcess(), InProcess("other")], CHECK) == {
        "output": '{"data":{"a":[1,2]},"format_version":1}'
    }


def test_the_first_byte_that_differs_is_told_with_a_vector() -> None:
    with pytest.raises(AssertionError, match="output differs at byte 16") as caught:
        agreed([InProcess(), InProcess("other", "[1,2]", "[1,3]")], CHECK)
    vector = json.loads(str(caught.value).splitlines()[-1])
    assert vector == {**CHECK, "output": '{"data":{"a":[1,2]},"format_version":1}'}


@pytest.mark.parametrize(("old", "new"), [("unknown_field", "wrong_type"), ("/datas", "/data")])
def test_a_refusal_that_differs_is_told(old: str, new: str) -> None:
    with pytest.raises(AssertionError, match="error: expected"):
        agreed([InProcess(), InProcess("other", old, new)], REFUSED)


def test_what_differs_is_shrunk() -> None:
    @settings(
        max_examples=2000,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.fixed_dictionaries({}, optional={"dry_run": st.booleans(), "query": JSON}))
    def compare(metadata: dict[str, Any]) -> None:
        value = {"format_version": 1, "metadata": metadata}
        request = {"id": "1", "do": "check", "text": json.dumps(value)}
        agreed([InProcess(), InProcess("other", '\\"dry_run\\":true', '\\"dry_run\\":1')], request)

    with pytest.raises(AssertionError) as caught:
        compare()
    text = json.loads(str(caught.value).splitlines()[-1])["text"]
    assert json.loads(text) == {"format_version": 1, "metadata": {"dry_run": True}}


def test_a_process_is_asked() -> None:
    testee = Testee("python", PYTHON)
    assert agreed([InProcess(), testee], REFUSED)["error"]["code"] == "unknown_field"
    testee.close()


def test_a_process_that_ends_is_told() -> None:
    testee = Testee("short", ["true"])
    with pytest.raises((AssertionError, BrokenPipeError)):
        testee.ask(CHECK)()
    testee.close()
