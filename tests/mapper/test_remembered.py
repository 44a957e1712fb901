"""What is remembered to save time changes nothing, and holds no more than the data holds."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from toolresult import ImagePart, Json, Mapper, Request, Result, UnknownTargetError, render
from toolresult.mapper import _NAMES
from toolresult.registry import renderer
from toolresult.store import MemoryStore
from toolresult_core.runtime.checks import encode_base64
from toolresult_core.runtime.members import remembered
from toolresult_core.runtime.rendering import Options

TO = "mcp-handshake@2025-11-25"
RENDERER = renderer("mcp-handshake", "2025-11-25", "final")


def test_rendering_again_gives_the_same_object() -> None:
    for result in (Result.success({"a": [1]}), Result(data=Json(1), summary="é"), Result.text("x")):
        first = RENDERER.render(result)
        assert RENDERER.render(result) is first
        assert RENDERER.render(result, Options()) is first


def test_other_options_give_another_rendering() -> None:
    result = Result.failure("not_found", "gone")
    plain = RENDERER.render(result)
    structured = RENDERER.render(result, Options(structured_errors=True))
    assert b"structuredContent" in structured.bytes
    assert b"structuredContent" not in plain.bytes
    assert RENDERER.render(result).bytes == plain.bytes


def test_a_changed_copy_is_rendered_for_itself() -> None:
    result = Result.success({"a": 1})
    before = RENDERER.render(result).bytes
    changed = result.replace(summary="new")
    assert b"new" in RENDERER.render(changed).bytes
    for same in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert same == result
        assert RENDERER.render(same).bytes == before


def test_large_data_are_remembered_and_pictures_are_not() -> None:
    data = Result.success(["x" * 100] * 10_000)
    assert RENDERER.render(data) is RENDERER.render(data)
    assert isinstance(data.data, Json)
    held = {id(text) for text in data.data.texts}
    assert sum(len(c) for c in RENDERER.render(data).chunks if id(c) not in held) < 1000

    picture = Result.success(
        content=[ImagePart(data=encode_base64(bytes(100_000)), mime_type="image/png")]
    )
    first = RENDERER.render(picture)
    assert RENDERER.render(picture) is not first
    assert RENDERER.render(picture).bytes == first.bytes
    assert remembered(picture) == {}


def test_a_mapper_keeps_requests_apart() -> None:
    mapper = Mapper(phase="final")
    result = Result.success({"a": 1}, summary="s")
    requests: list[Request | str] = ["a2a@1.0", "a2a@0.3", TO, "legacy-envelope@1"]
    requests += [Request(TO, phase=phase) for phase in ("final", "transitional")] * 30
    requests += [Request(TO, limit=limit) for limit in (1, None)]
    expected = [Mapper(phase="final").render(result, request) for request in requests]
    for _ in range(2):
        assert [mapper.render(result, request) for request in requests] == expected
    for number in range(3 * _NAMES):
        with pytest.raises(UnknownTargetError):
            mapper.render(result, f"a2a@{number}")
    assert len(mapper._named) <= _NAMES


def test_a_schema_may_change_between_two_renderings() -> None:
    schema = {"type": "object"}
    request = Request("mcp-handshake@2025-06-18", phase="final", output_schema=schema)
    result = Result.success({"a": 1})
    mapper = Mapper()
    assert mapper.render(result, request).wire["structuredContent"] == {"a": 1}
    schema["type"] = "array"
    assert mapper.render(result, request).wire["structuredContent"] == {"result": {"a": 1}}


def test_a_request_goes_with_all_that_it_names() -> None:
    store = MemoryStore()
    gone = weakref.ref(store)
    clock = datetime(2026, 7, 28, tzinfo=timezone.utc)
    mapper = Mapper(phase="final")
    for rendering in (
        render(Result.success(1), TO, phase="final", store=store, clock=clock, principal="p"),
        mapper.render(Result.success(1), Request(TO, store=store, clock=clock, principal="p")),
    ):
        assert rendering.oversize is None
    del store
    gc.collect()
    assert gone() is None


def test_a_request_serves_two_mappers_and_can_be_copied() -> None:
    request = Request(TO)
    result = Result.success({"a": 1})
    final, transitional = Mapper(phase="final"), Mapper(phase="transitional")
    first = [mapper.render(result, request).bytes for mapper in (final, transitional)]
    Mapper(phase="final", clock=lambda: datetime.now(timezone.utc)).render(result, request)
    assert first[0] != first[1]
    for same in (
        request,
        copy.copy(request),
        replace(request),
        pickle.loads(pickle.dumps(request)),
    ):
        assert same == request
        assert [mapper.render(result, same).bytes for mapper in (final, transitional)] == first


def test_a_limit_is_looked_at_each_time() -> None:
    result = Result.success({"a": 1})
    assert render(result, TO, phase="final").oversize is None
    assert render(result, TO, phase="final", limit=1).oversize is not None
    assert render(result, TO, phase="final").oversize is None
