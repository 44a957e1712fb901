"""What is remembered to save time changes nothing, and holds no more than the data holds."""

from __future__ import annotations

import copy
import pickle

from toolresult import ImagePart, Json, Mapper, Request, Result, render
from toolresult.mapper import _JOBS
from toolresult.registry import renderer
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
    requests += [Request(TO, phase=phase) for phase in ("final", "transitional")] * (_JOBS // 2)
    requests += [Request(TO, limit=limit) for limit in (1, None)]
    expected = [Mapper(phase="final").render(result, request) for request in requests]
    for _ in range(2):
        assert [mapper.render(result, request) for request in requests] == expected
    assert len(mapper._jobs) <= _JOBS


def test_a_limit_is_looked_at_each_time() -> None:
    result = Result.success({"a": 1})
    assert render(result, TO, phase="final").oversize is None
    assert render(result, TO, phase="final", limit=1).oversize is not None
    assert render(result, TO, phase="final").oversize is None
