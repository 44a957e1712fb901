"""Every refusal of construction: its code, and the pointer of the first offence."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.values.full_result import FULL

from toolresult_core import ImagePart, Result, ResultError, TextPart

DEEP: Any = json.loads("[" * 101 + "]" * 101)

# path in FULL, what is put there (... removes it), code, pointer
CASES: list[tuple[str, Any, str, str]] = [
    ("/format_version", ..., "missing_field", "/format_version"),
    ("/format_version", 2, "unknown_version", "/format_version"),
    ("/format_version", 0, "unknown_version", "/format_version"),
    ("/format_version", -1, "unknown_version", "/format_version"),
    ("/format_version", 10**400, "unknown_version", "/format_version"),
    ("/format_version", True, "wrong_type", "/format_version"),
    ("/format_version", "1", "wrong_type", "/format_version"),
    ("/format_version", 1.5, "wrong_type", "/format_version"),
    ("/format_version", None, "wrong_type", "/format_version"),
    ("/format_version", math.nan, "invalid_number", "/format_version"),
    ("/data", 1, "contradiction", "/error"),
    ("/data", None, "contradiction", "/error"),
    ("/data", {"a": b""}, "invalid_value", "/data/a"),
    ("/data", {"a": DEEP}, "too_deep", "/data/a" + "/0" * 99),
    ("/summary", None, "wrong_type", "/summary"),
    ("/summary", 1, "wrong_type", "/summary"),
    ("/summary", "\ud800", "invalid_text", "/summary"),
    ("/unknown", 1, "unknown_field", "/unknown"),
    ("/un~known", 1, "unknown_field", "/un~0known"),
    ("/\ud800", 1, "invalid_text", "/\ufffd"),
    ("/error", None, "wrong_type", "/error"),
    ("/error", "x", "wrong_type", "/error"),
    ("/error/code", ..., "missing_field", "/error/code"),
    ("/error/code", "nope", "unknown_code", "/error/code"),
    ("/error/code", "", "unknown_code", "/error/code"),
    ("/error/code", 1, "wrong_type", "/error/code"),
    ("/error/code", None, "wrong_type", "/error/code"),
    ("/error/code", [], "wrong_type", "/error/code"),
    ("/error/code", "\ud800", "invalid_text", "/error/code"),
    ("/error/message", ..., "missing_field", "/error/message"),
    ("/error/message", "", "out_of_range", "/error/message"),
    ("/error/message", None, "wrong_type", "/error/message"),
    ("/error/details", None, "wrong_type", "/error/details"),
    ("/error/details", [], "wrong_type", "/error/details"),
    ("/error/details", {"a": [math.inf]}, "invalid_number", "/error/details/a/0"),
    ("/error/details", {"a": DEEP}, "too_deep", "/error/details/a" + "/0" * 99),
    ("/error/extra", 1, "unknown_field", "/error/extra"),
    ("/content", None, "wrong_type", "/content"),
    ("/content", {}, "wrong_type", "/content"),
    ("/content", "x", "wrong_type", "/content"),
    ("/content", {1}, "wrong_type", "/content"),
    ("/content/0", None, "wrong_type", "/content/0"),
    ("/content/0", "x", "wrong_type", "/content/0"),
    ("/content/0", [], "wrong_type", "/content/0"),
    ("/content/0/kind", ..., "missing_field", "/content/0/kind"),
    ("/content/0/kind", "video", "unknown_kind", "/content/0/kind"),
    ("/content/0/kind", "Text", "unknown_kind", "/content/0/kind"),
    ("/content/0/kind", 1, "wrong_type", "/content/0/kind"),
    ("/content/0/kind", True, "wrong_type", "/content/0/kind"),
    ("/content/0/kind", None, "wrong_type", "/content/0/kind"),
    ("/content/0/kind", [], "wrong_type", "/content/0/kind"),
    ("/content/0/kind", "\ud800", "invalid_text", "/content/0/kind"),
    ("/content/0/text", ..., "missing_field", "/content/0/text"),
    ("/content/0/text", None, "wrong_type", "/content/0/text"),
    ("/content/0/name", "n", "unknown_field", "/content/0/name"),
    ("/content/0/audience", "user", "wrong_type", "/content/0/audience"),
    ("/content/0/audience", None, "wrong_type", "/content/0/audience"),
    ("/content/0/audience", ["user", "me"], "out_of_range", "/content/0/audience/1"),
    ("/content/0/audience", [1], "wrong_type", "/content/0/audience/0"),
    ("/content/0/audience", ["\ud800"], "invalid_text", "/content/0/audience/0"),
    ("/content/0/priority", 1.1, "out_of_range", "/content/0/priority"),
    ("/content/0/priority", -0.1, "out_of_range", "/content/0/priority"),
    ("/content/0/priority", 10**400, "out_of_range", "/content/0/priority"),
    ("/content/0/priority", math.nan, "invalid_number", "/content/0/priority"),
    ("/content/0/priority", True, "wrong_type", "/content/0/priority"),
    ("/content/0/priority", "1", "wrong_type", "/content/0/priority"),
    ("/content/0/last_modified", "2026-07-28", "invalid_timestamp", "/content/0/last_modified"),
    ("/content/0/last_modified", 1, "wrong_type", "/content/0/last_modified"),
    ("/content/0/foreign", {"x": 1}, "unknown_field", "/content/0/foreign/x"),
    ("/content/0/foreign", {"mcp": []}, "wrong_type", "/content/0/foreign/mcp"),
    ("/content/1/data", ..., "missing_field", "/content/1/data"),
    ("/content/1/data", "-_-_", "invalid_base64", "/content/1/data"),
    ("/content/1/data", b"AAAA", "wrong_type", "/content/1/data"),
    ("/content/1/mime_type", ..., "missing_field", "/content/1/mime_type"),
    ("/content/1/mime_type", "", "out_of_range", "/content/1/mime_type"),
    ("/content/1/name", None, "wrong_type", "/content/1/name"),
    ("/content/2/data", "AA", "invalid_base64", "/content/2/data"),
    ("/content/3/text", "x", "unknown_field", "/content/3/text"),
    ("/content/4/uri", "", "out_of_range", "/content/4/uri"),
    ("/content/4/uri", ..., "missing_field", "/content/4/uri"),
    ("/content/4/size", -1, "out_of_range", "/content/4/size"),
    ("/content/4/size", 1.5, "wrong_type", "/content/4/size"),
    ("/content/4/size", True, "wrong_type", "/content/4/size"),
    ("/content/4/size", "1", "wrong_type", "/content/4/size"),
    ("/content/4/mime_type", "", "out_of_range", "/content/4/mime_type"),
    ("/content/5/data", "", "contradiction", "/content/5"),
    ("/content/5/text", ..., "contradiction", "/content/5"),
    ("/content/5/text", None, "wrong_type", "/content/5/text"),
    ("/stored", {}, "wrong_type", "/stored"),
    ("/stored/0", 1, "wrong_type", "/stored/0"),
    ("/stored/0/uri", "", "out_of_range", "/stored/0/uri"),
    ("/stored/0/size", ..., "missing_field", "/stored/0/size"),
    ("/stored/0/mime_type", ..., "missing_field", "/stored/0/mime_type"),
    ("/stored/0/expires_at", "x", "invalid_timestamp", "/stored/0/expires_at"),
    ("/stored/0/kind", "x", "unknown_field", "/stored/0/kind"),
    ("/metadata", [], "wrong_type", "/metadata"),
    ("/metadata", None, "wrong_type", "/metadata"),
    ("/metadata/x", 1, "unknown_field", "/metadata/x"),
    ("/metadata/pagination", None, "wrong_type", "/metadata/pagination"),
    ("/metadata/pagination/total", -1, "out_of_range", "/metadata/pagination/total"),
    ("/metadata/pagination/next_cursor", "", "out_of_range", "/metadata/pagination/next_cursor"),
    ("/metadata/dry_run", 0, "wrong_type", "/metadata/dry_run"),
    ("/metadata/dry_run", None, "wrong_type", "/metadata/dry_run"),
    ("/metadata/response_size", 0.5, "wrong_type", "/metadata/response_size"),
    ("/metadata/query", [math.nan], "invalid_number", "/metadata/query/0"),
    ("/metadata/query", DEEP, "too_deep", "/metadata/query" + "/0" * 100),
    ("/metadata/generated_at", "2026-02-30T00:00:00Z", "invalid_timestamp",
     "/metadata/generated_at"),
    ("/metadata/related_task", {}, "missing_field", "/metadata/related_task/id"),
    ("/metadata/related_task/id", "", "out_of_range", "/metadata/related_task/id"),
    ("/metadata/extensions", {"a": 1}, "invalid_key", "/metadata/extensions/a"),
    ("/metadata/extensions", {"dev.toolresult/a": 1}, "invalid_key",
     "/metadata/extensions/dev.toolresult~1a"),
    ("/metadata/extensions", {"\ud800": 1}, "invalid_text", "/metadata/extensions/\ufffd"),
    ("/metadata/extensions", {1: 1}, "invalid_value", "/metadata/extensions/1"),
    ("/metadata/extensions", {"com.example/a": DEEP}, "too_deep",
     "/metadata/extensions/com.example~1a" + "/0" * 100),
    ("/metadata/extensions", [], "wrong_type", "/metadata/extensions"),
    ("/metadata/presentation", {"com.example/a": 1}, "invalid_key",
     "/metadata/presentation/com.example~1a"),
    ("/metadata/presentation", {"com.mcp/a": 1}, "invalid_key",
     "/metadata/presentation/com.mcp~1a"),
    ("/metadata/foreign", {"legacy": {"a": {"\ud800": 1}}}, "invalid_text",
     "/metadata/foreign/legacy/a/\ufffd"),
    ("/metadata/foreign", {"other": {}}, "unknown_field", "/metadata/foreign/other"),
]  # fmt: skip


def put(value: Any, path: str, item: Any) -> Any:
    changed = copy.deepcopy(value)
    *parents, last = [step.replace("~0", "~") for step in path.split("/")[1:]] if path else [""]
    if path == "/un~known":
        parents, last = [], "un~known"
    target = changed
    for step in parents:
        target = target[int(step) if isinstance(target, list) else step]
    key: Any = int(last) if isinstance(target, list) else last
    if item is ...:
        del target[key]
    else:
        target[key] = item
    return changed


def refused(make: Callable[[], Any]) -> tuple[str, str]:
    with pytest.raises(ResultError) as caught:
        make()
    assert caught.value.message
    str(caught.value).encode()
    return caught.value.code, caught.value.pointer


def test_the_sample_itself_is_fine() -> None:
    assert Result.from_value(FULL).to_value()["format_version"] == 1


@pytest.mark.parametrize(
    ("path", "item", "code", "pointer"),
    CASES,
    ids=[f"{c[0]}-{c[2]}-{i}" for i, c in enumerate(CASES)],
)
def test_refused_with_code_and_pointer(path: str, item: Any, code: str, pointer: str) -> None:
    changed = put(FULL, path, item)
    assert refused(lambda: Result.from_value(changed)) == (code, pointer)
    if path != "/format_version":
        # The constructor agrees, except that its None is absent where null is no value.
        del changed["format_version"]
        if item is not None or path.count("/") > 1 or path == "/data":
            assert refused(lambda: Result(**changed)) == (code, pointer)


@pytest.mark.parametrize("value", [None, True, 1, "x", [], b"{}", '{"success":true}'])
def test_only_an_object_is_a_serialized_result(value: Any) -> None:
    assert refused(lambda: Result.from_value(value)) == ("wrong_type", "")


ORDER: list[tuple[str, Any, str, Any, str]] = [
    # two faults, and the place of the one that is reported
    ("/unknown", 1, "/metadata/zz", 1, "/metadata/zz"),
    ("/zz", 1, "/aa", 1, "/aa"),
    ("/\ufb33", 1, "/\U0001f600", 1, "/\U0001f600"),
    ("/summary", 1, "/error/code", "x", "/summary"),
    ("/error/code", "x", "/error/message", 1, "/error/code"),
    ("/error/extra", 1, "/error/details", 1, "/error/details"),
    ("/content/1/data", "x", "/content/0/text", 1, "/content/0/text"),
    ("/content/1/audience", 1, "/content/1/mime_type", "", "/content/1/mime_type"),
    ("/content/0/kind", "x", "/content/0/text", 1, "/content/0/kind"),
    ("/stored/0/size", -1, "/content/4/size", -1, "/content/4/size"),
    ("/metadata/dry_run", 1, "/metadata/pagination/total", -1, "/metadata/pagination/total"),
    ("/format_version", 2, "/summary", 1, "/format_version"),
    ("/data", 1, "/error/code", "x", "/error"),
    ("/data", 1, "/summary", 1, "/summary"),
    ("/content/5/data", "", "/content/5/zz", 1, "/content/5/zz"),
    ("/metadata/presentation", 1, "/metadata/extensions", {"b": 1, "a": 1},
     "/metadata/extensions/a"),
    ("/metadata/query", {"b": b"", "a": [b""]}, "/metadata/foreign", 1, "/metadata/query/a/0"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "first", "other", "second", "pointer"), ORDER)
def test_the_first_offence_comes_first_in_the_order_of_the_spec(
    one: str, first: Any, other: str, second: Any, pointer: str
) -> None:
    assert (
        refused(lambda: Result.from_value(put(put(FULL, one, first), other, second)))[1] == pointer
    )


def test_faults_of_the_text_come_before_all_others() -> None:
    assert refused(lambda: Result.from_json('{"summary":1,"x":NaN}')) == ("invalid_number", "/x")
    assert refused(lambda: Result.from_json('{"summary":1,"summary":2}')) == (
        "invalid_json",
        "/summary",
    )
    assert refused(lambda: Result.from_json('{"format_version":9,"x":"\\ud800"}')) == (
        "invalid_text",
        "/x",
    )
    assert refused(lambda: Result.from_json("[" * 100_000))[0] == "too_deep"
    assert refused(lambda: Result.from_json(b"x" * 200_000_000)) == ("out_of_range", "")


def test_tools_get_the_same_places() -> None:
    assert refused(lambda: Result.success({"a": b""})) == ("invalid_value", "/data/a")
    assert refused(lambda: Result.success(1, summary=2)) == ("wrong_type", "/summary")  # type: ignore[arg-type]
    assert refused(lambda: Result.success(1, summary="\ud800")) == ("invalid_text", "/summary")
    assert refused(lambda: Result.success(math.nan)) == ("invalid_number", "/data")
    assert refused(lambda: Result.success(1, bogus=1)) == ("unknown_field", "/bogus")
    assert refused(lambda: Result.failure("x", "m")) == ("unknown_code", "/error/code")
    assert refused(lambda: Result.failure("not_found", "")) == ("out_of_range", "/error/message")
    assert refused(lambda: Result.failure("not_found", "m", [])) == (
        "wrong_type",
        "/error/details",
    )
    assert refused(lambda: Result.text("\ud800")) == ("invalid_text", "/content/0/text")
    assert refused(lambda: TextPart(text="x", kind="image")) == ("unknown_kind", "/kind")  # type: ignore[arg-type]
    assert refused(lambda: ImagePart.from_bytes(b"", mime_type="")) == (
        "out_of_range",
        "/mime_type",
    )
    assert refused(lambda: ImagePart.from_bytes(b"")) == ("missing_field", "/mime_type")
    with pytest.raises(TypeError):
        ImagePart.from_bytes("text", mime_type="a/b")  # type: ignore[arg-type]
