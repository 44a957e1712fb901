"""Results and parts: made, frozen, compared, written and read."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from tests.values.full_result import FULL

from toolresult_core import (
    ABSENT,
    Audience,
    AudioPart,
    BinaryPart,
    EmbeddedPart,
    ErrorCode,
    ImagePart,
    Json,
    LinkPart,
    Metadata,
    Pagination,
    PartForeign,
    Result,
    ResultError,
    StoredResult,
    TextPart,
)

FALSY: list[Any] = [None, False, 0, 0.0, "", [], {}]


def test_one_line_each() -> None:
    assert Result.success({"ids": [1, 2]}, summary="2").to_json() == (
        b'{"data":{"ids":[1,2]},"format_version":1,"summary":"2"}'
    )
    assert Result.failure("not_found", "No product 7.").to_json() == (
        b'{"error":{"code":"not_found","message":"No product 7."},"format_version":1}'
    )
    assert Result.failure(ErrorCode.NOT_FOUND, "m", {}).to_value() == {
        "format_version": 1,
        "error": {"code": "not_found", "message": "m", "details": {}},
    }
    assert Result.text("hi").content == (TextPart(text="hi"),)
    image = ImagePart.from_bytes(b"\xfb\xff\xfe", mime_type="image/png", name="")
    assert image.to_json() == (b'{"data":"+//+","kind":"image","mime_type":"image/png","name":""}')
    assert image.to_bytes() == b"\xfb\xff\xfe"
    assert AudioPart.from_bytes(b"", mime_type="a/b").data == ""
    assert BinaryPart.from_bytes(bytearray(b"x"), mime_type="a/b").to_bytes() == b"x"
    assert EmbeddedPart.from_bytes(b"x", uri="u").to_bytes() == b"x"
    with pytest.raises(ValueError, match="no bytes"):
        EmbeddedPart(uri="u", text="x").to_bytes()


@pytest.mark.parametrize("value", FALSY)
def test_falsy_data_and_queries_are_there(value: Any) -> None:
    for result in (Result.success(value), Result(data=value), Result.success(value, content=[])):
        assert result.data is not ABSENT
        assert json.loads(result.to_json())["data"] == value
        assert Result.from_json(result.to_json()) == result
    metadata = Metadata(query=value)
    assert not metadata.is_empty
    assert json.loads(metadata.to_json()) == {"query": value}


def test_null_and_absent_stay_apart() -> None:
    absent, null = Result.success(), Result.success(None)
    assert absent.data is ABSENT
    assert null.data == Json.of(None)
    assert absent != null
    assert absent.to_json() == b'{"format_version":1}'
    assert null.to_json() == b'{"data":null,"format_version":1}'
    assert Result.success({"a": None}).to_json() == b'{"data":{"a":null},"format_version":1}'
    assert Result.failure("tool_error", "m").error.details is None  # type: ignore[union-attr]


def test_falsy_fields_are_there() -> None:
    parts = (
        TextPart(text="", priority=0),
        LinkPart(uri="u", name="", title="", description="", size=0),
    )
    metadata = Metadata(dry_run=False, response_size=0, pagination=Pagination(total=0, page=0))
    result = Result(summary="", content=parts, metadata=metadata)
    assert result.to_json() == (
        b'{"content":[{"kind":"text","priority":0,"text":""},'
        b'{"description":"","kind":"link","name":"","size":0,"title":"","uri":"u"}],'
        b'"format_version":1,'
        b'"metadata":{"dry_run":false,"pagination":{"page":0,"total":0},"response_size":0},'
        b'"summary":""}'
    )


def test_none_is_absent_to_the_constructor() -> None:
    assert Result(summary=None, error=None, metadata=None) == Result()
    assert TextPart(text="", priority=None, foreign=None) == TextPart(text="")


def test_empty_is_absent() -> None:
    empty = Result.from_value(
        {
            "format_version": 1,
            "content": [],
            "stored": [],
            "metadata": {
                "pagination": {},
                "extensions": {},
                "presentation": {},
                "foreign": {"legacy": {}, "mcp": {}},
            },
        }
    )
    assert empty == Result()
    assert empty.metadata is None
    assert TextPart(text="", audience=(), foreign=PartForeign(mcp={})) == TextPart(text="")
    assert Result.success({}) != Result.success()
    assert Metadata(pagination=Pagination()).is_empty


def test_numbers_that_are_equal_become_equal() -> None:
    one = Result.from_value({**FULL, "format_version": 1.0})
    assert one == Result.from_value(FULL)
    part = TextPart(text="", priority=1.0)
    assert part == TextPart(text="", priority=1)
    assert type(part.priority) is int
    assert TextPart(text="", priority=-0.0).to_json().count(b"-") == 0
    stored = StoredResult(uri="u", size=1e20, mime_type="a/b")  # type: ignore[arg-type]
    assert stored.size == 10**20
    assert b'"size":100000000000000000000' in stored.to_json()
    assert LinkPart(uri="u", size=10**5000).to_json().count(b"0") == 5000


def test_lists_become_tuples_and_maps_are_ordered() -> None:
    metadata = Metadata(extensions={"b/\u007a": 1, "a/b": {"x": [1.0]}})  # type: ignore[dict-item]
    assert list(metadata.extensions) == ["a/b", "b/z"]
    assert metadata.extensions["a/b"].value == {"x": [1]}
    part = TextPart(text="", audience=["assistant", "user"])  # type: ignore[arg-type]
    assert part.audience == (Audience.ASSISTANT, Audience.USER)
    assert [str(name) for name in part.audience] == ["assistant", "user"]


def test_frozen_all_the_way_down() -> None:
    result = Result.from_value({**FULL, "summary": "s"})
    assert result.metadata is not None
    assert result.error is not None
    for owner, name in ((result, "summary"), (result.error, "code"), (result.content[0], "text")):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(owner, name, "x")
    with pytest.raises(TypeError):
        result.content[0] = None  # type: ignore[index]
    with pytest.raises(TypeError, match="immutable"):
        result.metadata.extensions["com.example/x"] = Json.of(1)  # type: ignore[index]
    with pytest.raises(TypeError, match="immutable"):
        result.error.details.value["a"] = 2  # type: ignore[union-attr]
    with pytest.raises(ValidationError, match="frozen"):
        del result.summary


def test_the_fast_path_makes_what_the_constructor_makes() -> None:
    fast, slow = Result.success([1], summary="s"), Result(data=Json.of([1]), summary="s")
    assert fast == slow
    assert fast.__dict__ == slow.__dict__
    assert fast.__dict__.keys() == Result.model_fields.keys()
    assert fast.replace(summary=None) == Result.success([1])
    assert pickle.loads(pickle.dumps(fast)) == fast
    assert copy.deepcopy(fast) == fast
    assert fast.model_copy(update={"summary": "x"}).summary == "x"
    with pytest.raises(ResultError):
        fast.model_copy(update={"summary": 1})


def test_replace_checks() -> None:
    result = Result.success([1], metadata=Metadata(dry_run=True))
    failed = result.replace(data=ABSENT, error={"code": "tool_error", "message": "m"})
    assert failed.to_value().keys() == {"format_version", "error", "metadata"}
    with pytest.raises(ResultError, match="contradiction"):
        result.replace(error={"code": "tool_error", "message": "m"})
    assert result.replace(metadata=None) == Result.success([1])


def test_reads_what_it_writes() -> None:
    result = Result.from_value(FULL)
    again = Result.from_json(result.to_json())
    assert again == result
    assert hash(again) == hash(result)
    assert again.to_json() == result.to_json()
    assert result.to_value() == FULL
    assert json.loads(result.model_dump_json()) == FULL
    assert list(result.to_value()) == list(FULL)
    assert pickle.loads(pickle.dumps(result)) == result
    assert Result.from_json(result.to_json().decode()) == result


def test_the_text_is_canonical() -> None:
    text = Result.from_value(FULL).to_json()
    assert Json.parse(text).canonical == text


def test_equality_is_that_of_the_text() -> None:
    assert Result.success({"a": 1, "b": 2.0}) == Result.success({"b": 2, "a": 1})
    assert Result.success([True]) != Result.success([1])
    assert Result.success("1") != Result.success(1)
    assert TextPart(text="x") != LinkPart(uri="x")
    assert Result() != 1


def test_digest() -> None:
    plain = Result.success([1])
    assert plain.digest == hashlib.sha256(b'{"data":[1],"format_version":1}').hexdigest()
    at = "2026-07-28T12:00:00Z"
    assert Result.success([1], metadata=Metadata(generated_at=at)).digest == plain.digest
    dated = Result.success([1], metadata=Metadata(generated_at=at, dry_run=True))
    undated = Result.success([1], metadata=Metadata(dry_run=True))
    assert dated.digest == undated.digest != plain.digest
    expiring = Result.success([1], metadata=Metadata(expires_at=at))
    assert expiring.digest != plain.digest


def test_inside_a_users_model() -> None:
    class Envelope(BaseModel):
        result: Result

    envelope = Envelope.model_validate({"result": {"data": None}})
    assert envelope.result == Result.success(None)
    assert envelope.model_dump() == {"result": {"format_version": 1, "data": None}}
    with pytest.raises(ValidationError):
        Envelope.model_validate({"result": {"summary": None}})


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\u00e9\U0001f600\ue000"), inner),
    max_leaves=10,
)


@given(VALUES, st.none() | st.text(st.characters(exclude_categories=["Cs"])))
def test_any_data_comes_back(data: Any, summary: str | None) -> None:
    result = Result.success(data, summary=summary)
    assert Result.from_json(result.to_json()) == result == Result(data=data, summary=summary)
    assert result.data == Json.of(data)
