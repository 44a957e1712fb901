"""What a rendering depends on, what is taken as a result, and the one-line face."""

from __future__ import annotations

import dataclasses
import os
import random
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import toolresult
from toolresult import (
    Mapper,
    Request,
    Result,
    ResultError,
    UnknownTargetError,
    read,
    render,
    result_of,
)
from toolresult.store import MemoryStore

NOON = datetime(2026, 7, 28, 14, 0, 0, 999999, timezone(timedelta(hours=2)))
JUNE = "mcp-handshake@2025-06-18"


def test_one_line_renders_and_reads_back() -> None:
    result = Result.success({"ids": [1, 2]}, summary="2 products updated")
    rendering = render(result, JUNE, phase="final")
    assert rendering.wire["structuredContent"] == {"ids": [1, 2]}
    assert rendering.losses == ()
    assert rendering.oversize is None
    assert read(rendering.bytes, JUNE) == result
    assert read(rendering.bytes.decode(), JUNE) == result
    assert read(rendering.wire, JUNE) == result


def test_envelope_is_a_string() -> None:
    rendering = render(Result.success(None), "legacy-envelope@1")
    assert rendering.wire == '{"success":true,"data":null}'
    assert read(rendering.wire, "legacy-envelope@1") == Result.success(None)
    assert read(rendering.bytes, "legacy-envelope@1") == Result.success(None)
    with pytest.raises(ResultError, match="not UTF-8"):
        read(b"\xff", "legacy-envelope@1")
    with pytest.raises(ResultError) as caught:
        read({"success": True}, "legacy-envelope@1")
    assert caught.value.code == "wrong_type"


@pytest.mark.parametrize("name", toolresult.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(toolresult, name) is not None or name == "ABSENT"
    assert name in dir(toolresult)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Rezult'"):
        toolresult.Rezult  # noqa: B018  (the access is what is tested)


def test_the_package_loads_nothing_heavy() -> None:
    code = "import sys, toolresult; print([m for m in sys.modules if 'pydantic' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "given",
    [
        Result.success([0]),
        {"format_version": 1, "data": [0]},
        '{"format_version":1,"data":[0]}',
        b' {"data":[0],"format_version":1}\n',
        '{"success":true,"data":[0]}',
        b'{"success":true,"data":[0]}',
    ],
)
def test_every_input_is_the_same_result(given: Any) -> None:
    assert result_of(given) == Result.success([0])


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "",
        "3",
        '["format_version"]',
        '{"format_version":"1.2","resource_changes":[]}',
        '{"format_version":null}',
        '{"data":1}',
        '{"a":',
        "[" * 100_000,
    ],
)
def test_other_text_is_the_legacy_string(text: str) -> None:
    assert result_of(text) == Result.text(text)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ('{"format_version":2}', "unknown_version"),
        ('{"format_version":0}', "unknown_version"),
        ('{"format_version":1,"data":1,"data":2}', "invalid_json"),
        ('{"format_version":1,"data":NaN}', "invalid_number"),
        ({"data": 1}, "missing_field"),
        (b"\xff", "invalid_json"),
        (7, "wrong_type"),
        (None, "wrong_type"),
    ],
)
def test_what_is_no_result_is_refused(given: Any, code: str) -> None:
    with pytest.raises(ResultError) as caught:
        render(given, "a2a@1.0")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("target", "phase", "says"),
    [
        ("mcp-handshake@2025-06-19", "final", "unknown revision '2025-06-19'"),
        ("mcp-handshake", "final", "unknown revision ''"),
        ("mcp@2025-06-18", "final", "unknown target 'mcp'"),
        (JUNE, None, "name a phase of mcp-handshake; known are transitional, final"),
        (JUNE, "last", "unknown phase 'last'"),
    ],
)
def test_unknown_names_are_errors(target: str, phase: str | None, says: str) -> None:
    with pytest.raises(UnknownTargetError, match=says):
        Mapper().render(Result.success(1), Request(target, phase=phase))
    with pytest.raises(UnknownTargetError):
        read("{}", "a2a@9")


@pytest.mark.parametrize("phase", ["fin", "", "Final"])
def test_a_mapper_refuses_a_phase_that_no_target_has(phase: str) -> None:
    says = f"unknown phase '{phase}'; known are transitional, final"
    with pytest.raises(UnknownTargetError, match=f"^{says}$"):
        Mapper(phase=phase)


def test_newest_not_after() -> None:
    assert Request.newest("mcp-handshake", "2025-09-01", phase="final").revision == "2025-06-18"
    with pytest.raises(UnknownTargetError):
        Request.newest("mcp-handshake", "2020-01-01")
    with pytest.raises(UnknownTargetError, match="unknown target 'nope'; known are"):
        Request.newest("nope", "2025-09-01")


def test_target_and_revision_in_one_or_two() -> None:
    assert Request(JUNE) == Request("mcp-handshake", "2025-06-18") == Request(JUNE, "2025-06-18")
    with pytest.raises(ValueError, match="two revisions"):
        Request(JUNE, "2025-11-25")
    with pytest.raises(dataclasses.FrozenInstanceError):
        Request(JUNE).phase = "final"  # type: ignore[misc]  # a request is frozen


def test_the_mapper_fills_gaps_and_the_request_wins() -> None:
    result = Result.success({"a": 1})
    mapper = Mapper(phase="transitional", limit=5)
    assert mapper.render(result, JUNE).wire["content"][0]["text"].startswith('{"success"')
    final = mapper.render(result, Request(JUNE, phase="final", limit=None))
    assert final.wire["content"][0]["text"] == '{"a":1}'
    assert final.oversize is None
    assert mapper.render(result, JUNE).oversize is not None


def test_a_clock_sets_generated_at_where_the_tool_has_not() -> None:
    mapper = Mapper(phase="final", clock=lambda: NOON)
    shown = read(mapper.render(Result.success(1), JUNE).wire, JUNE)
    assert shown.metadata is not None
    assert shown.metadata.generated_at == "2026-07-28T12:00:00Z"
    own = Result.success(1, metadata={"generated_at": "2000-01-01T00:00:00Z"})
    assert read(mapper.render(own, JUNE).wire, JUNE) == own
    unstamped = mapper.render(Result.success(1), Request(JUNE, stamp=False))
    assert read(unstamped.wire, JUNE) == Result.success(1)


def test_a_fixed_time_is_a_clock_that_stands_still() -> None:
    fixed = Mapper(phase="final", clock=NOON).render(Result.success(1), JUNE)
    running = Mapper(phase="final", clock=lambda: NOON).render(Result.success(1), JUNE)
    assert fixed.bytes == running.bytes
    assert b"2026-07-28T12:00:00Z" in fixed.bytes
    with pytest.raises(ValueError, match="time zone"):
        render(Result.success(1), "a2a@1.0", clock=datetime(2026, 7, 28))


def test_a_naive_clock_is_an_error() -> None:
    naive = Mapper(clock=lambda: datetime(2026, 7, 28))
    with pytest.raises(ValueError, match="time zone"):
        naive.render(Result.success(1), "a2a@1.0")


class _NoTime(datetime):
    """Stands where our modules have ``datetime``; `time` is not asked by the real one."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        raise AssertionError("the time was asked for")

    utcnow = today = now


def _refusing(real: Callable[..., Any]) -> Callable[..., Any]:
    def refuse(*arguments: Any, **named: Any) -> Any:
        # servers that other tests started go on in threads of their own
        if threading.current_thread() is threading.main_thread():
            raise AssertionError("something ambient was asked for")
        return real(*arguments, **named)

    return refuse


@pytest.fixture
def nothing_ambient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    render(Result.success([1]), "a2a@0.3")  # everything is imported before
    with monkeypatch.context() as patch:
        for name in ("time", "time_ns", "monotonic", "gmtime", "localtime", "strftime"):
            patch.setattr(time, name, _refusing(getattr(time, name)))
        for owner, name in (
            (os, "urandom"),
            (os, "getenv"),
            (os.environ, "get"),
            (random, "random"),
            (uuid, "uuid4"),
        ):
            patch.setattr(owner, name, _refusing(getattr(owner, name)))
        for name, module in list(sys.modules.items()):
            if name.startswith("toolresult") and getattr(module, "datetime", None) is datetime:
                patch.setattr(module, "datetime", _NoTime)
        yield


@pytest.mark.usefixtures("nothing_ambient")
@pytest.mark.parametrize(
    ("target", "phase"),
    [(JUNE, "final"), ("mcp-stateless@2026-07-28", "final"), ("a2a@0.3", None)],
)
def test_nothing_is_ambient(target: str, phase: str | None) -> None:
    first = render(Result.success([1]), target, phase=phase)
    assert first.bytes == render(Result.success([1]), target, phase=phase).bytes
    stored = _stored_link(target, phase)
    assert stored is not None
    assert stored.expires_at == "2026-07-28T13:00:01Z"  # rounded up


@pytest.mark.usefixtures("nothing_ambient")
def test_what_is_ambient_would_be_noticed() -> None:
    with pytest.raises(AssertionError, match="the time was asked for"):
        sys.modules["toolresult.mapper"].datetime.now()
    with pytest.raises(AssertionError, match="something ambient"):
        time.time()


def _stored_link(target: str, phase: str | None) -> Any:
    store = MemoryStore()
    return render(
        Result.success(["x" * 9_000]),
        target,
        phase=phase,
        limit=2_000,
        store=store,
        principal="anna",
        clock=lambda: NOON,
    ).stored


def test_ids_of_the_request() -> None:
    wire = render(Result.success(1), "a2a@1.0", artifact_id="mine").wire
    assert wire["artifacts"][0]["artifactId"] == "mine"
    failed = render(Result.failure("not_found", "gone"), "a2a@1.0", message_id="m1").wire
    assert failed["status"]["message"]["messageId"] == "m1"


@pytest.mark.parametrize(
    ("schema", "data", "structured"),
    [
        (None, {"a": 1}, {"a": 1}),
        ({"type": "object"}, {"a": 1}, {"a": 1}),
        ({}, {"a": 1}, {"result": {"a": 1}}),
        ({"type": ["object"]}, {"a": 1}, {"result": {"a": 1}}),
        (True, {"a": 1}, {"result": {"a": 1}}),
        ({"const": float("nan")}, {"a": 1}, {"a": 1}),
        (None, [1], {"result": [1]}),
    ],
)
def test_the_schema_decides_what_is_wrapped(schema: Any, data: Any, structured: Any) -> None:
    wire = render(Result.success(data), JUNE, phase="final", output_schema=schema).wire
    assert wire["structuredContent"] == structured
    later = render(
        Result.success(data), "mcp-stateless@2026-07-28", phase="final", output_schema=schema
    )
    assert later.wire["structuredContent"] == data
    assert read(wire, JUNE) == Result.success(data)


def test_structured_errors_are_for_tools_without_a_schema() -> None:
    failure = Result.failure("not_found", "gone")
    plain = render(failure, JUNE, phase="final", structured_errors=True).wire
    assert plain["structuredContent"]["error"]["code"] == "not_found"
    declared = render(
        failure, JUNE, phase="final", structured_errors=True, output_schema={"type": "object"}
    )
    assert "structuredContent" not in declared.wire
    assert "structuredContent" not in render(failure, JUNE, phase="final").wire
