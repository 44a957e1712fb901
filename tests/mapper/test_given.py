"""Faulty serialized results are told from legacy strings, on every Python alike."""

from __future__ import annotations

import sys

import pytest

from toolresult import Result, ResultError, result_of

DIGITS = "7" * 6_000  # more than Python converts to an integer
HEAD = '{"format_version":1,"data":'


def nested(depth: int, kind: str = "[]") -> str:
    opening, closing = ('{"a":', "}") if kind == "{}" else ("[", "]")
    return f"{opening * depth}1{closing * depth}"


# Below and above what the standard parser of each Python goes down: 994 levels in 3.10 and 3.11,
# 1,497 in 3.12, 9,998 in 3.13.
@pytest.mark.parametrize("depth", [199, 950, 1_200, 5_000, 100_000])
@pytest.mark.parametrize("kind", ["[]", "{}"])
def test_a_deep_serialized_result_is_refused_and_never_a_text(depth: int, kind: str) -> None:
    for text in (
        f"{HEAD}{nested(depth, kind)}}}",
        f' {{"data":{nested(depth, kind)}, "format_version" : 1}}\n',
        f'{{"summary":"]}}\\"","data":{nested(depth, kind)},"format\\u005fversion":1}}',
    ):
        with pytest.raises(ResultError) as caught:
            result_of(text)
        assert caught.value.code == "too_deep"


@pytest.mark.parametrize(
    "text",
    [
        nested(5_000),
        f'[{{"format_version":{nested(5_000)}}}]',
        f'{{"data":{nested(5_000)}}}',
        f'{{"data":{{"format_version":{nested(5_000)}}}}}',
        f'{{"data":["format_version",{nested(5_000)}]}}',
        f'{{"data":"format_version","x":{nested(5_000)}}}',
        f"{HEAD}{nested(5_000)}",
        f'{HEAD}{nested(5_000)},"x}}',
        HEAD + "[" * 5_000,
        f'"{HEAD}{nested(5_000)}}}"',
    ],
    ids=lambda text: str(text)[:40],
)
def test_any_other_deep_text_is_the_legacy_string(text: str) -> None:
    assert result_of(text) == Result.text(text)


def test_digits_do_not_hide_a_fault() -> None:
    with pytest.raises(ResultError) as caught:
        result_of(f'{HEAD}1,"data":{DIGITS}}}')
    assert caught.value.code == "invalid_json"
    assert result_of(f"{HEAD}{DIGITS}}}").to_json().count(b"7") == 6_000


def test_a_fault_before_the_depth_is_refused_with_little_stack() -> None:
    text = f'{{"format_version":1,"format_version":1,"data":{nested(5_000)}}}'

    def below(levels: int) -> str:
        if levels:
            return below(levels - 1)
        with pytest.raises(ResultError) as caught:
            result_of(text)
        return caught.value.code

    assert below(0) == "invalid_json"
    used = len(_frames())
    assert below(sys.getrecursionlimit() - used - 150) == "invalid_json"


def _frames() -> list[object]:
    frame = sys._getframe()
    found: list[object] = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back  # type: ignore[assignment]  # None at the outermost
    return found
