"""What becomes of a result that is too large to send."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from toolresult import ABSENT, Mapper, Rendering, Request, Result, read, render
from toolresult.store import MemoryStore, StoreError, StoreErrorCode, open_result

NOON = datetime(2026, 7, 28, 12, tzinfo=timezone.utc)
JUNE = "mcp-handshake@2025-06-18"
STATELESS = "mcp-stateless@2026-07-28"
EVERYWHERE = [
    "legacy-envelope@1",
    "mcp-handshake@2024-11-05",
    "mcp-handshake@2025-03-26",
    JUNE,
    "mcp-handshake@2025-11-25",
    STATELESS,
    "a2a@0.3",
    "a2a@1.0",
]
LARGE = Result.success(
    {"rows": ["x" * 50] * 200},
    summary="200 rows",
    content=({"kind": "text", "text": "note", "foreign": {"mcp": {"_meta": {"k": 1}}}},),
    metadata={
        "dry_run": True,
        "extensions": {"com.example/a": 1},
        "presentation": {"com.example/b": 2},
        "foreign": {"mcp": {"m": 1}, "a2a": {"n": 2}, "legacy": {"l": 3}},
    },
)


def mapper(**fields: Any) -> tuple[Mapper, MemoryStore]:
    store = MemoryStore()
    given: dict[str, Any] = {
        "phase": "final",
        "store": store,
        "principal": "anna",
        "clock": lambda: NOON,
    } | fields
    return Mapper(stamp=False, **given), store


def stored_in(store: MemoryStore, rendering: Rendering) -> Result:
    assert rendering.stored is not None
    payload = store.get(rendering.stored.uri, principal="anna", now=NOON)
    assert json.loads(payload.payload)["format_version"] == payload.format_version
    return open_result(payload)


@pytest.mark.parametrize("target", EVERYWHERE)
def test_the_limit_is_exact(target: str) -> None:
    maps, store = mapper()
    whole = maps.render(LARGE, Request(target, limit=None))
    fits = maps.render(LARGE, Request(target, limit=whole.size))
    assert fits.bytes == whole.bytes
    assert fits.oversize is None
    assert store.stats(now=NOON).count == 0
    over = maps.render(LARGE, Request(target, limit=whole.size - 1))
    assert over.oversize is not None
    assert (over.oversize.size, over.oversize.limit) == (whole.size, whole.size - 1)
    assert over.oversize.outcome == "stored"
    assert over.size <= whole.size - 1
    assert store.stats(now=NOON).count == 1


@pytest.mark.parametrize("target", EVERYWHERE)
def test_what_is_sent_and_what_is_stored(target: str) -> None:
    maps, store = mapper(lifetime=timedelta(minutes=5))
    sent = maps.render(LARGE, Request(target, limit=5_000))
    shown = read(sent.bytes, target)
    assert shown.summary == "200 rows"
    assert shown.content == ()
    assert shown.data is ABSENT
    assert shown.metadata is not None
    assert shown.metadata.dry_run is True
    assert sent.oversize is not None
    assert shown.metadata.response_size == sent.oversize.size
    assert sent.stored is not None
    (link,) = shown.stored
    assert (link.uri, link.size) == (sent.stored.uri, sent.stored.size)
    assert (link.name, link.mime_type) == ("result.json", "application/json")
    assert link.expires_at == "2026-07-28T12:05:00Z"
    if target != "legacy-envelope@1":
        assert shown.metadata.presentation == {"com.example/b": 2}
    kept = stored_in(store, sent)
    assert kept.data == LARGE.data
    assert kept.to_value() == {
        "format_version": 1,
        "data": {"rows": ["x" * 50] * 200},
        "summary": "200 rows",
        "content": [{"kind": "text", "text": "note"}],
        "metadata": {
            "dry_run": True,
            "extensions": {"com.example/a": 1},
            "foreign": {"legacy": {"l": 3}},
        },
    }
    lost = {loss.path for loss in sent.losses}
    assert {"/data", "/content", "/content/0/foreign"} <= lost
    assert not any(path.startswith("/stored") for path in lost)


def test_stored_without_metadata_where_all_of_it_is_the_interfaces() -> None:
    result = Result.success("x" * 5000, metadata={"presentation": {"com.example/b": 2}})
    maps, store = mapper()
    sent = maps.render(result, Request(JUNE, limit=2_000))
    assert stored_in(store, sent) == Result.success("x" * 5000)


@pytest.mark.parametrize("target", EVERYWHERE)
def test_still_too_large(target: str) -> None:
    large = LARGE.replace(summary="s" * 3_000)
    maps, store = mapper()
    sent = maps.render(large, Request(target, limit=2_000))
    assert sent.oversize is not None
    assert sent.oversize.outcome == "shortened"
    shown = read(sent.bytes, target)
    assert shown == Result(stored=shown.stored)
    assert len(shown.stored) == 1
    assert sent.size <= 2_000
    assert stored_in(store, sent).summary == "s" * 3_000
    lost = {loss.path for loss in sent.losses}
    assert {
        "/data",
        "/summary",
        "/content",
        "/metadata/dry_run",
        "/metadata/presentation",
        "/metadata/foreign/mcp",
        "/metadata/foreign/a2a",
        "/metadata/foreign/legacy",
    } <= lost
    assert store.stats(now=NOON).count == 1


@pytest.mark.parametrize("length", [2_000, 2_001])
def test_a_message_is_cut_at_code_points(length: int) -> None:
    message = "😀" * length
    maps, _ = mapper()
    failure = Result.failure("not_found", message, {"why": "x" * 50_000})
    sent = maps.render(failure, Request(STATELESS, limit=100))
    shown = read(sent.bytes, STATELESS)
    assert shown.error is not None
    assert shown.error.code == "not_found"
    assert shown.error.details is None
    cut = length > 2_000
    assert shown.error.message == ("😀" * 2_000 + "…" if cut else message)
    assert ("/error/message" in {loss.path for loss in sent.losses}) is cut


def test_a_failure_keeps_code_message_and_summary() -> None:
    maps, store = mapper()
    failure = Result.failure("not_found", "gone", {"why": "x" * 5_000}, summary="short")
    sent = maps.render(failure, Request(JUNE, limit=3_000, output_schema={"type": "object"}))
    shown = read(sent.bytes, JUNE)
    assert shown.error is not None
    assert (shown.error.code, shown.error.message) == ("not_found", "gone")
    assert shown.summary == "short"
    assert stored_in(store, sent) == failure
    assert "/error/details" in {loss.path for loss in sent.losses}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"store": None}, "no_store"),
        ({"principal": None}, "no_principal"),
        ({"principal": ""}, "no_principal"),
    ],
)
def test_inline_without_a_store_or_a_principal(fields: dict[str, Any], reason: str) -> None:
    maps, store = mapper(**fields)
    sent = maps.render(LARGE, Request(JUNE, limit=1_000))
    assert sent.oversize is not None
    assert (sent.oversize.outcome, sent.oversize.reason) == ("inline", reason)
    assert sent.stored is None
    assert sent.bytes == render(LARGE, JUNE, phase="final", limit=None).bytes
    assert store.stats(now=NOON).count == 0


def test_a_store_without_a_clock_is_an_error_at_any_size() -> None:
    maps, _ = mapper(clock=None)
    with pytest.raises(ValueError, match="a store needs a clock"):
        maps.render(Result.success(1), JUNE)


class Broken(MemoryStore):
    def __init__(self, code: StoreErrorCode) -> None:
        super().__init__()
        self.code = code

    def put(self, payload: bytes, **_: Any) -> Any:
        raise StoreError(self.code, "no")


@pytest.mark.parametrize("code", list(StoreErrorCode))
def test_a_store_that_fails(code: StoreErrorCode) -> None:
    maps, _ = mapper(store=Broken(code))
    sent = maps.render(LARGE, Request(JUNE, limit=1_000))
    assert sent.oversize is not None
    assert (sent.oversize.outcome, sent.oversize.reason) == ("inline", code.value)
    assert sent.size == sent.oversize.size
    with pytest.raises(StoreError) as caught:
        maps.render(LARGE, Request(JUNE, limit=1_000, on_store_failure="fail"))
    assert caught.value.code is code


SCHEMA = {"type": "object"}


@pytest.mark.parametrize(
    ("target", "inline"),
    [
        ("legacy-envelope@1", False),
        ("mcp-handshake@2025-03-26", False),
        (JUNE, True),
        (STATELESS, True),
        ("a2a@1.0", False),
    ],
)
def test_a_tool_with_a_schema_owes_structured_content(target: str, inline: bool) -> None:
    maps, _ = mapper()
    sent = maps.render(LARGE, Request(target, limit=5_000, output_schema=SCHEMA))
    assert sent.oversize is not None
    assert sent.oversize.outcome == ("inline" if inline else "stored")
    assert sent.oversize.reason == ("output_schema" if inline else None)
    link = Request(target, limit=5_000, output_schema=SCHEMA, schema_results="link")
    assert maps.render(LARGE, link).stored is not None


@pytest.mark.parametrize("target", ["a2a@0.3", "a2a@1.0"])
def test_ids_are_of_the_result_before_reduction(target: str) -> None:
    maps, _ = mapper()
    whole = maps.render(LARGE, target).wire
    sent = maps.render(LARGE, Request(target, limit=5_000)).wire
    least = maps.render(LARGE, Request(target, limit=1)).wire
    ids = {one["artifacts"][0]["artifactId"] for one in (whole, sent, least)}
    assert ids == {f"result-{LARGE.digest[:16]}"}


@pytest.mark.parametrize(
    ("target", "limited"), [("a2a@1.0", False), (JUNE, True), ("legacy-envelope@1", True)]
)
def test_default_limits(target: str, limited: bool) -> None:
    assert (render("x" * 100_001, target, phase="final").oversize is not None) is limited


def test_the_clock_is_read_once_and_only_where_it_is_needed() -> None:
    calls: list[int] = []

    def clock() -> datetime:
        calls.append(1)
        return NOON

    maps, store = mapper(clock=clock)
    maps.render(LARGE, JUNE)
    assert calls == []
    maps.render(LARGE, Request(JUNE, limit=1_000))
    assert calls == [1]
    stamped = maps.render(LARGE, Request(JUNE, limit=5_000, stamp=True))
    assert calls == [1, 1]
    kept = stored_in(store, stamped)
    assert kept.metadata is not None
    assert kept.metadata.generated_at == "2026-07-28T12:00:00Z"


@pytest.mark.parametrize(
    "fields",
    [
        {"limit": -1},
        {"limit": 1.5},
        {"limit": True},
        {"on_store_failure": "ignore"},
        {"schema_results": "no"},
    ],
)
def test_settings_that_there_are_not(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        render(Result.success(1), JUNE, phase="final", **fields)


@pytest.mark.parametrize("data", [[], {}, None, "", 0, False])
@pytest.mark.parametrize("limit", [0, 1_000])
def test_empty_data_that_went_behind_a_link_is_told(data: Any, limit: int) -> None:
    maps, _ = mapper()
    result = Result.success(data, content=[{"kind": "text", "text": "t" * 1_000}])
    sent = maps.render(result, Request("a2a@1.0", limit=limit))
    assert sent.oversize is not None
    assert sent.oversize.outcome != "inline"
    assert "/data" in {loss.path for loss in sent.losses}
