"""The mappers of Python and another language give the same bytes, losses and refusals.

What Python gives is worked out as the tests run. A folder of tests derives a ``Test…`` class from
each class here, and has a fixture ``driver``.
"""

from __future__ import annotations

import base64
import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.languages.driver import Driver
from tests.output_schema.test_output_schema import CASES

import toolresult
from toolresult import (
    Mapper,
    Request,
    ResultError,
    UnknownTargetError,
    advertised,
    result_of,
    to_plain,
)
from toolresult.registry import phases, revisions, targets
from toolresult.store import StoredLink, StoreError, StoreErrorCode

ROOT = Path(__file__).parents[2]
FORMATS = [f"{target}@{revision}" for target in targets() for revision in revisions(target)]
CLOCK = "2026-07-28T10:00:00.750Z"
STORING = {"store": "works", "principal": "anna", "clock": CLOCK}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"limit": None},
    {"limit": 0},
    {"limit": 300, "structured_errors": True},
    {"limit": 300, **STORING},
    {"limit": 700, **STORING, "lifetime": 90.5, "stamp": False},
    {"limit": 10, **STORING, "stamp": False},
    {"limit": 300, "clock": CLOCK, "principal": "anna"},
    {"limit": 300, "clock": CLOCK, "store": "works"},
    {"limit": 300, **STORING, "store": "store_full"},
    {"limit": 300, **STORING, "store": "store_full", "on_store_failure": "fail"},
    {"clock": CLOCK, "structured_errors": True},
]
REQUESTS: list[dict[str, Any]] = [
    {},
    {"output_schema": {"type": "object"}},
    {"output_schema": {"type": "array"}},
    {"output_schema": True, "schema_results": "link"},
    {"output_schema": {"type": "object"}, "schema_results": "link", "limit": 200},
    {"artifact_id": "a", "message_id": "m"},
    {"store": None, "limit": 100},
    {"principal": None, "limit": 100},
    {"principal": "", "limit": 100},
]


class KnownStore:
    """A store whose links are known beforehand, and that tells what it was asked to keep."""

    def __init__(self, failure: str) -> None:
        self.failure = failure
        self.kept: dict[str, Any] | None = None

    def put(
        self, payload: bytes, *, now: datetime, lifetime: timedelta, **fields: Any
    ) -> StoredLink:
        if self.failure != "works":
            raise StoreError(StoreErrorCode(self.failure), "It fails.")
        self.kept = {
            "payload": base64.b64encode(payload).decode(),
            "now": round(now.timestamp() * 1000),
            "lifetime": lifetime / timedelta(milliseconds=1),
            **fields,
        }
        mime_type = fields["mime_type"]
        return StoredLink(
            "toolresult://stored/known", len(payload), "2026-07-28T11:00:00Z", mime_type
        )


def fields(given: dict[str, Any], store: KnownStore | None) -> dict[str, Any]:
    made = dict(given)
    if given.get("clock") is not None:
        made["clock"] = datetime.fromisoformat(given["clock"].replace("Z", "+00:00"))
    if given.get("store") is not None:
        made["store"] = store
    if given.get("lifetime") is not None:
        made["lifetime"] = timedelta(seconds=given["lifetime"])
    return made


def given_of(case: dict[str, Any]) -> Any:
    if "text" in case:
        return case["text"]
    return base64.b64decode(case["base64"]) if "base64" in case else case["value"]


def ours(case: dict[str, Any]) -> Any:
    """What Python makes of a case, in the words of the driver."""
    try:
        if case["do"] == "result":
            return {"is": result_of(given_of(case)).to_json().decode()}
        if case["do"] == "value":
            made = getattr(toolresult, case["class"]).from_value(case["value"])
            return {"is": made.to_json().decode()}
        if case["do"] == "advertise":
            return {"is": advertised(case["schema"], case["target"], case["revision"])}
        return {"is": rendered(case)}
    except ResultError as error:
        return {"error": error.code, "pointer": error.pointer}
    except UnknownTargetError:
        return {"error": "unknown target"}
    except StoreError as error:
        return {"error": f"store: {error.code.value}"}
    except ValueError:
        return {"error": "value"}


def rendered(case: dict[str, Any]) -> dict[str, Any]:
    settings, request = case["settings"], case["request"]
    failure = request.get("store") or settings.get("store")
    store = None if failure is None else KnownStore(failure)
    found = Mapper(**fields(settings, store)).render(
        given_of(case), Request(**fields(request, store))
    )
    oversize = found.oversize
    return {
        "text": found.bytes.decode(),
        "size": found.size,
        "losses": [loss.to_value() for loss in found.losses],
        "oversize": oversize
        and {
            "size": oversize.size,
            "limit": oversize.limit,
            "outcome": oversize.outcome,
            "reason": oversize.reason,
            "link": oversize.link
            and {
                "uri": oversize.link.uri,
                "size": oversize.link.size,
                "expiresAt": oversize.link.expires_at,
                "mimeType": oversize.link.mime_type,
            },
        },
        "kept": store.kept if store else None,
    }


def same(driver: Driver, case: dict[str, Any]) -> Any:
    """Both answer the case alike; what they answer."""
    expected = ours(case)
    assert driver.ask(**case) == expected, json.dumps(case, ensure_ascii=False)[:2_000]
    return expected


def samples() -> list[str]:
    file = ROOT / "generated" / "vectors" / "a2a@1.0.jsonl"
    lines = file.read_text(encoding="utf-8").split("\n")
    vectors = [json.loads(line) for line in lines if line]
    return [one["text"] for one in vectors if one["do"] == "render" and not one["options"]]


def failure(message: str) -> str:
    error = {"code": "not_found", "message": message, "details": {"a": "b" * 500}}
    foreign = {"mcp": {"x": 1}, "a2a": {"y": 2}, "legacy": {"z": 3}, "legacy_meta": {"w": 4}}
    part = {"kind": "text", "text": "t" * 400, "foreign": {"mcp": {"q": 1}}}
    metadata = {
        "query": [1],
        "dry_run": False,
        "response_size": 7,
        "extensions": {"com.example/a": 1},
        "presentation": {"com.example/b": [2]},
        "foreign": foreign,
    }
    value = {
        "format_version": 1,
        "summary": "s" * 100,
        "error": error,
        "content": [part],
        "metadata": metadata,
    }
    return json.dumps(value, ensure_ascii=False)


def deep(depth: int) -> str:
    return "[" * depth + "]" * depth


GIVEN: list[dict[str, Any]] = [
    {"text": text}
    for text in (
        "",
        "plain words",
        "17",
        "null",
        '{"success":true,"data":null}',
        ' {"success": false, "error": {"message": "m", "code": "c", "x": 1}}\n',
        '{"success":"yes"}',
        '{"format_version":1,"data":9007199254740993}',
        '{"format_version":1.0,"data":1}',
        '{"format_version":"1.2"}',
        '{"format_version":null}',
        '{"format_version":99}',
        '{"format_version":10000000000000000000000000}',
        '{"format_version":-1}',
        '{"format_version":1,"data":1,"data":2}',
        '{"format_version":1,"data":NaN}',
        '{"format_version":1,"data":[-Infinity]}',
        '{"data":"NaN","format_version":1}',
        '{"a":NaN}',
        '{"format_version":1,"data":1e400}',
        '{"format_version":1,"data":"\\ud800"}',
        '{"format_version":1,"data":"a\\qb"}',
        '{"format_version":1,"data":1',
        '{"format_version":1,"data":01}',
        '{"format_version":1,"data":-NaN}',
        '{"format_version":1,"__proto__":1}',
        '{"format_version":1,"data":{"__proto__":{"a":1},"constructor":2}}',
        '\ufeff{"format_version":1}',
        '{"format_version":1,"data":' + deep(100) + "}",
        '{"format_version":1,"data":' + deep(101) + "}",
        '{"format_version":1,"data":' + deep(5_000) + "}",
        '{"format_version":1,"data":' + deep(5_000),
        '{"data":' + deep(5_000) + "}",
        '{"summary":"]}\\"","data":' + deep(5_000) + ',"format\\u005fversion":1}',
        '{"data":{"format_version":' + deep(5_000) + "}}",
        '{"data":["format_version",' + deep(5_000) + "]}",
        '{"data":"format_version","x":' + deep(5_000) + "}",
        '{"format_version" : ' + deep(5_000) + ',"x}',
        deep(5_000),
        '{"success":true,"data":' + deep(150) + "}",
        "\x00",
    )
]
GIVEN += [
    {"base64": base64.b64encode(raw).decode()}
    for raw in (b"words", b'{"format_version":1}', b"\xff", '{"success":true,"data":"ü"}'.encode())
]
VALUES: list[Any] = [
    {},
    {"format_version": 1, "data": [1, {"a": None}]},
    {"format_version": 1, "datas": 1},
    {"success": True},
    {"format_version": 1, "content": [{"kind": "image", "data": "a", "mime_type": "x"}]},
    [],
    7,
    None,
    True,
]
GIVEN += [{"value": value} for value in VALUES]
VALUES_ALONE: list[tuple[str, Any]] = [
    ("TextPart", {"kind": "text", "text": "a", "priority": 0.5, "audience": ["user"]}),
    ("TextPart", {"text": "a"}),
    ("TextPart", {"kind": "image", "text": "a"}),
    ("TextPart", {"kind": "text"}),
    ("TextPart", {"kind": "text", "text": "a", "mime_type": "x"}),
    ("TextPart", {"kind": "text", "text": "a", "lastModified": "2026-07-28T10:00:00Z"}),
    ("TextPart", {"kind": "text", "text": "a", "last_modified": "2026-07-28T10:00:00Z"}),
    ("ImagePart", {"kind": "image", "data": "AA==", "mime_type": "image/png", "name": "a.png"}),
    ("ImagePart", {"kind": "image", "data": "AA=", "mime_type": "image/png"}),
    ("EmbeddedPart", {"kind": "embedded", "uri": "a:b", "text": "a", "data": "AA=="}),
    ("EmbeddedPart", {"kind": "embedded", "uri": "a:b"}),
    ("LinkPart", {"kind": "link", "uri": "a:b", "foreign": {"mcp": {"icons": []}}}),
    ("ErrorInfo", {"code": "not_found", "message": "m", "details": {"a": None}}),
    ("ErrorInfo", {"code": "no_code", "message": "m"}),
    ("ErrorInfo", {"code": "not_found", "message": ""}),
    ("Metadata", {}),
    ("Metadata", {"dry_run": True, "related_task": {"id": "7", "poll_interval_ms": 5}}),
    ("Metadata", {"related_task": {"id": "7", "poll_interval_ms": -5}}),
    ("Metadata", {"pagination": {"page": 1.5}}),
    ("Pagination", {"total": 10, "next_cursor": "c"}),
    ("StoredResult", {"uri": "toolresult://stored/a", "size": 7, "expires_at": "x"}),
    ("Result", {"format_version": 1, "content": [{"kind": "text", "text": "a"}]}),
    ("Result", {"content": []}),
]
_NO_OBJECTS: list[Any] = [None, [], "a", 7]
VALUES_ALONE += [(name, one) for name in ("TextPart", "Metadata") for one in _NO_OBJECTS]


SCHEMAS: list[Any] = [schema for schema, _, _ in CASES.values()]
SCHEMAS += [
    {},
    True,
    None,
    [],
    "x",
    7,
    {"$schema": 1},
    {"type": "object"},
    {"type": "object", "properties": {"a": True, "b": False, "c": {"type": "null"}}},
    {"type": "object", "properties": [1]},
    {"type": "object", "properties": {"a": 1}},
    {"type": "object", "required": "a"},
    {"type": "object", "required": [1]},
    {"type": "object", "required": ["a"], "properties": {"__proto__": True}},
    {"type": "array", "items": {"$recursiveRef": "#"}},
    {"type": "array", "items": {"$recursiveRef": "#", "$ref": "#/x"}},
    {"type": "array", "items": {"$dynamicRef": "#/$defs/a%2Fb"}, "$defs": {"a": True}},
    {"type": "array", "items": {"$ref": "#/$defs/"}},
    {"type": "array", "items": {"$ref": "#/$defs"}},
    {"type": "array", "items": {"$ref": "#/%24defs%2Fa%ZZ%C3%BC"}},
    {"$id": "#anchor", "type": "array", "items": {"$ref": "#"}},
    {"type": "array", "$defs": 7, "definitions": {"a": {"$ref": "#/b"}}},
    {"allOf": [{"default": {"$ref": "#"}}, {"$ref": "other.json#/a"}], "title": "T"},
    {"const": json.loads(deep(99))},
    {"const": json.loads(deep(100))},
]


class Rendered:
    """What is sent, what is stored, what is lost."""

    def test_every_sample_in_every_format(self, driver: Driver) -> None:
        """All settings with all requests, spread over samples and formats, each many times."""
        texts = samples()
        assert len(texts) > 100
        outcomes: dict[str, int] = {}
        # drawn, so that the number of samples does not decide which of them meet
        draw = random.Random(1)
        for name in FORMATS:
            for text in texts:
                settings = draw.choice(SETTINGS)
                request = draw.choice(REQUESTS)
                phase = draw.choice(("final", "transitional"))
                answer = same(
                    driver,
                    {
                        "do": "render",
                        "text": text,
                        "settings": {"phase": phase, **settings},
                        "request": {"target": name, **request},
                    },
                )
                oversize = answer.get("is", {}).get("oversize") or {"outcome": "fits"}
                kind = answer.get("error") or oversize.get("reason") or oversize["outcome"]
                outcomes[kind] = outcomes.get(kind, 0) + 1
        # all that can become of a result has
        assert set(outcomes) == {
            "fits",
            "stored",
            "shortened",
            "no_store",
            "no_principal",
            "output_schema",
            "store_full",
            "store: store_full",
        }, outcomes
        assert all(count > 2 for count in outcomes.values()), outcomes

    @pytest.mark.parametrize("message", ["m", "ü" * 2_000, "😀" * 2_001, "a😀" * 1_500])
    @pytest.mark.parametrize("limit", [0, 900, 5_000])
    def test_failures_that_are_too_large(self, driver: Driver, message: str, limit: int) -> None:
        for name in FORMATS:
            for settings in ({**STORING}, {**STORING, "stamp": False}):
                same(
                    driver,
                    {
                        "do": "render",
                        "text": failure(message),
                        "settings": {"phase": "final", **settings},
                        "request": {"target": name, "limit": limit},
                    },
                )

    @pytest.mark.parametrize("name", FORMATS)
    def test_limits_are_exact(self, driver: Driver, name: str) -> None:
        def outcome(limit: int | None) -> tuple[int, str]:
            request = {"target": name, "limit": limit}
            settings = {"phase": "final", **STORING, "stamp": False}
            case = {"do": "render", "text": large, "settings": settings, "request": request}
            answer = same(driver, case)["is"]
            return answer["size"], (answer["oversize"] or {"outcome": "fits"})["outcome"]

        large = json.dumps({"format_version": 1, "data": ["x" * 5_000], "summary": "s" * 99})
        whole, _ = outcome(None)
        assert outcome(whole)[1] == "fits"
        linked, kind = outcome(whole - 1)
        assert kind == "stored"
        assert outcome(linked) == (linked, "stored")
        assert outcome(linked - 1)[1] == "shortened"

    @pytest.mark.parametrize(
        "request_",
        [
            {"target": "mcp-handshake"},
            {"target": "mcp-handshake@2025-06-18", "revision": "2025-11-25"},
            {"target": "mcp-handshake@2025-06-18", "revision": "2025-06-18"},
            {"target": "mcp-handshake@1999-01-01"},
            {"target": "nothing@1"},
            {"target": "mcp-handshake@2025-06-18"},
            {"target": "mcp-handshake@2025-06-18", "phase": "first"},
            {"target": "a2a@1.0", "phase": "first"},
            {"target": "a2a@1.0", "limit": -1},
            {"target": "a2a@1.0", "limit": 1.5},
            {"target": "a2a@1.0", "on_store_failure": "cry"},
            {"target": "a2a@1.0", "schema_results": "none"},
            {"target": "a2a@1.0", "store": "works"},
        ],
        ids=str,
    )
    def test_requests_that_are_refused(self, driver: Driver, request_: dict[str, Any]) -> None:
        for settings in ({}, {"phase": "final"}):
            case = {"do": "render", "text": "words", "settings": settings, "request": request_}
            same(driver, case)

    def test_every_phase_and_format_is_asked(self) -> None:
        assert len(FORMATS) == 8
        assert phases("mcp-handshake", "2025-06-18") == ("transitional", "final")


class Given:
    """What is taken for a result."""

    @pytest.mark.parametrize("given", GIVEN, ids=lambda given: str(given)[:50])
    def test_what_is_taken_for_a_result(self, driver: Driver, given: dict[str, Any]) -> None:
        same(driver, {"do": "result", **given})


class Schemas:
    """How output schemas are shown."""

    @pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: str(schema)[:50])
    def test_output_schemas_are_shown_alike(self, driver: Driver, schema: Any) -> None:
        for name in FORMATS:
            target, _, revision = name.partition("@")
            case = {"do": "advertise", "schema": schema, "target": target, "revision": revision}
            same(driver, case)


class Times:
    """What a moment becomes in data."""

    @pytest.mark.parametrize("digits", ["", ".5", ".250", ".007", ".000"])
    def test_a_moment_has_one_text(self, driver: Driver, digits: str) -> None:
        for moment in ("2026-07-28T10:00:00", "1969-12-31T23:59:59", "0999-01-01T00:00:00"):
            at = f"{moment}{digits or '.000'}Z"
            known = datetime.fromisoformat(f"{moment}.{digits[1:]:0<6}+00:00")
            assert driver.ask(do="plain_time", at=at) == {"is": to_plain(known)}


class Values:
    """Values that are made one by one of their serialized form."""

    @pytest.mark.parametrize(("name", "value"), VALUES_ALONE, ids=str)
    def test_a_value_is_made_of_its_serialized_form(
        self, driver: Driver, name: str, value: Any
    ) -> None:
        same(driver, {"do": "value", "class": name, "value": value})
