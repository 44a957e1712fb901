"""How the strings of the legacy envelope are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolresult import legacy

NO_MESSAGE = "The tool reported a failure without a message."


def said(text: str) -> dict[str, Any]:
    found = json.loads(legacy.read(text).to_json())
    del found["format_version"]
    return dict(found)


def read(**envelope: Any) -> dict[str, Any]:
    return said(json.dumps(envelope))


def failure(code: str, message: str, /, **details: Any) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code, "message": message}
    return {"error": {**error, "details": details} if details else error}


@pytest.mark.parametrize("text", ['{"success":true}', ' \r\n\t{"success":true} \n'])
def test_an_envelope(text: str) -> None:
    """Reading: a JSON object with a boolean success, surrounding white space allowed."""
    assert said(text) == {}


@pytest.mark.parametrize(
    "text",
    ["", "a", "[]", '{"success":1}', '{"success":"true"}', "{}", '{"success":true', "true",
     '{"success":true,"success":true}', '{"success":true,"data":NaN}', '\ufeff{"success":true}',
     '{"success":true,"data":"\\ud800"}', '{"success":true,"data":' + "[" * 101 + "]" * 101 + "}"],
)  # fmt: skip
def test_any_other_string_is_one_text_part(text: str) -> None:
    """Reading: any other string is passed through unchanged as one text part."""
    assert said(text) == {"content": [{"kind": "text", "text": text}]}


@pytest.mark.parametrize("data", [None, 0, False, "", [], {}])
def test_data(data: Any) -> None:
    """success: data is left out when absent, null when null."""
    assert read(success=True, data=data) == {"data": data}


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("No.", failure("tool_error", "No.")),
        ("", failure("tool_error", NO_MESSAGE)),
        ({"message": "No.", "code": "not_found"}, failure("not_found", "No.")),
        ({"message": "No.", "a": 1}, failure("tool_error", "No.", a=1)),
        ({"message": 1}, failure("tool_error", NO_MESSAGE, message=1)),
        ({"code": 404}, failure("tool_error", NO_MESSAGE, code=404)),
        ({"code": "odd"}, failure("tool_error", NO_MESSAGE, code="odd")),
        (["No."], failure("tool_error", NO_MESSAGE, error=["No."])),
        (None, failure("tool_error", NO_MESSAGE, error=None)),
    ],
)
def test_an_error(error: Any, expected: Any) -> None:
    """Reading: error may be a string or an object; anything else goes under details.error."""
    assert read(success=False, error=error) == expected


def test_a_failure_without_error() -> None:
    """Reading: no message, or an empty one."""
    assert read(success=False) == failure("tool_error", NO_MESSAGE)


@pytest.mark.parametrize("data", [None, {"a": 1}])
def test_data_of_a_failure(data: Any) -> None:
    """Reading: success:false with data goes under details.data."""
    assert read(success=False, error="No.", data=data) == failure("tool_error", "No.", data=data)


def test_error_of_a_success() -> None:
    """Reading: success:true with a non-null error keeps it under foreign.legacy."""
    assert read(success=True, error={"a": 1}) == {
        "metadata": {"foreign": {"legacy": {"error": {"a": 1}}}}
    }
    assert read(success=True, error=None) == {}


def test_short_names() -> None:
    """Reading: a short name becomes that field, in _meta first, then beside the keys."""
    assert read(success=True, total=1, limit=5, _meta={"total": 2, "dryRun": False}) == {
        "metadata": {
            "pagination": {"total": 2, "limit": 5},
            "dry_run": False,
            "foreign": {"legacy": {"total": 1}},
        }
    }


def test_a_short_name_with_an_unfitting_value_is_foreign() -> None:
    """Reading: a fitting value becomes the field; all else is foreign."""
    assert read(success=True, dryRun="yes", _meta={"total": "many"}) == {
        "metadata": {"foreign": {"legacy": {"dryRun": "yes"}, "legacy_meta": {"total": "many"}}}
    }


def test_names_that_are_read_in_meta_only() -> None:
    """Reading: errorCode, errorDetails, summary, content, storedResults in _meta only."""
    stored = {"uri": "u", "size": 0, "mimeType": "a/b"}
    names = {"summary": "s", "content": ["t"], "storedResults": [stored]}
    assert read(success=True, _meta=names) == {
        "summary": "s",
        "content": [{"kind": "text", "text": "t"}],
        "stored": [{"uri": "u", "size": 0, "mime_type": "a/b"}],
    }
    beside = {**names, "errorCode": "not_found", "errorDetails": {}}
    assert read(success=True, **beside) == {"metadata": {"foreign": {"legacy": beside}}}


def test_the_error_object_wins() -> None:
    """Reading: the error object wins over errorCode and errorDetails."""
    meta = {"errorCode": "not_found", "errorDetails": {"a": 1}}
    assert read(success=False, error="No.", _meta=meta) == failure("not_found", "No.", a=1)
    found = read(success=False, error={"message": "No.", "code": "tool_error", "b": 2}, _meta=meta)
    assert found == {
        **failure("tool_error", "No.", b=2),
        "metadata": {"foreign": {"legacy_meta": meta}},
    }


def test_extensions_and_foreign_values() -> None:
    """Reading: keys that pass the extension rules become extensions; all else is foreign."""
    assert read(success=True, odd=1, _meta={"com.example/a": 1, "io.mcp.x/a": 2}) == {
        "metadata": {
            "extensions": {"com.example/a": 1},
            "foreign": {"legacy": {"odd": 1}, "legacy_meta": {"io.mcp.x/a": 2}},
        }
    }


def test_a_lone_resource_uri_is_foreign() -> None:
    """Reading: a lone resourceUri is foreign too."""
    assert read(success=True, _meta={"resourceUri": "u"}) == {
        "metadata": {"foreign": {"legacy_meta": {"resourceUri": "u"}}}
    }
