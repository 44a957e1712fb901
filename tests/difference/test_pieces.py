"""Results cut down to some of their leaves are results again, with what they need."""

from __future__ import annotations

from typing import Any

import pytest
from tests.difference.conftest import SPEC

from toolresult import Result
from toolresult_generator.difference.pieces import alone, rows_of, told_by, ways_out, without
from toolresult_generator.director import load_model
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.sample import build_samples
from toolresult_generator.proof.leaves import leaves

IMAGE = {"kind": "image", "data": "AAEC", "mime_type": "image/png", "name": "n"}
NOTE = {"kind": "embedded", "uri": "u", "text": "t", "priority": 0.5}
VALUE: dict[str, Any] = {
    "format_version": 1,
    "error": {"code": "not_found", "message": "m", "details": {"a": 1}},
    "content": [IMAGE, NOTE],
    "stored": [{"uri": "s", "size": 1, "mime_type": "x/y", "name": "k"}],
    "metadata": {"dry_run": True, "pagination": {"total": 1, "page": 2}},
}


@pytest.fixture(scope="module")
def spec() -> ResultSpec:
    return load_model(SPEC, history=False).model.result


@pytest.mark.parametrize(
    ("pointer", "kept"),
    [
        ("/metadata/pagination/page", {"metadata": {"pagination": {"page": 2}}}),
        ("/error/details", {"error": VALUE["error"]}),
        ("/error/code", {"error": {"code": "not_found", "message": "m"}}),
        ("/content/0/name", {"content": [IMAGE]}),
        ("/content/1/priority", {"content": [NOTE]}),
        ("/content/1/text", {"content": [{"kind": "embedded", "uri": "u", "text": "t"}]}),
        ("/stored/0/size", {"stored": [{"uri": "s", "size": 1, "mime_type": "x/y"}]}),
    ],
)
def test_a_leaf_alone(spec: ResultSpec, pointer: str, kept: dict[str, Any]) -> None:
    assert alone(VALUE, spec, pointer) == {"format_version": 1, **kept}


@pytest.mark.parametrize(
    ("rows", "gone"),
    [
        ({"content.image.name"}, ("content", 0, "name")),
        ({"content.image.data"}, ("content", 0)),
        ({"content.embedded.text"}, ("content", 1)),
        ({"error.message"}, ("error",)),
        ({"stored.uri"}, ("stored",)),
        (
            {"metadata.dry_run", "metadata.pagination.total", "metadata.pagination.page"},
            ("metadata",),
        ),
    ],
)
def test_what_is_left_without_rows(
    spec: ResultSpec, rows: set[str], gone: tuple[str | int, ...]
) -> None:
    import copy

    wanted: Any = copy.deepcopy(VALUE)
    owner = wanted
    for key in gone[:-1]:
        owner = owner[key]
    del owner[gone[-1]]
    assert without(VALUE, spec, frozenset(rows)) == wanted


def test_pieces_of_every_sample_are_results(spec: ResultSpec) -> None:
    seen = 0
    for sample in build_samples(load_model(SPEC, history=False).documents):
        value: Any = sample.value
        for leaf in leaves(value, spec):
            piece = alone(value, spec, leaf.pointer)
            Result.from_value(piece)
            assert leaf.path in rows_of(piece, spec)
            rest = without(value, spec, frozenset({leaf.path}))
            Result.from_value(rest)
            assert leaf.path not in rows_of(rest, spec)
            seen += 1
    assert seen > 300


def test_rows_that_are_only_carried_along_are_not_told(spec: ResultSpec) -> None:
    assert told_by(alone(VALUE, spec, "/content/1/priority"), spec) == {"content.embedded.priority"}
    both = {"content.image.data", "content.image.mime_type"}
    assert told_by(alone(VALUE, spec, "/content/0/data"), spec) == both
    assert ways_out(frozenset(both), spec) == ("content.image.data",)
    assert ways_out(frozenset({"data", "summary"}), spec) == ("data", "summary")
    assert told_by({"format_version": 1}, spec) == frozenset()
