"""Strategies: any valid result, and JSON of any shape."""

from __future__ import annotations

import base64
from typing import Any

from hypothesis import strategies as st

TEXTS = st.text(max_size=12) | st.sampled_from(
    ["", " ", "0", "\U0001f45f", "\u2028", "\x00", '"\\', "</script>", "e\u0301", "[1,2]", "Done.",
     '{"success":true,"data":1}', '{"_meta":{"total":1}}',
     # what every object of JavaScript and every class of Python or PHP has
     "constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "__class__"]
)  # fmt: skip
FILLED = TEXTS.filter(bool)
COUNTS = st.integers(0, 9) | st.sampled_from([2**53, 2**53 + 1, 2**64, 10**30])
NUMBERS = (
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([2**53 + 1, -(2**63) - 1, 10**40, 1e21, 1e-7, 5e-324, -0.0, 0.1])
)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS


def _deep(depth: int) -> Any:
    value: Any = "deep"
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
) | st.sampled_from([29, 30, 31, 97]).map(_deep)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=3)
TIMES = st.sampled_from(
    ["2026-07-28T10:00:00Z", "0000-02-29T23:59:59.000Z", "9999-12-31T00:00:00.123456789012Z"]
)
BYTES = st.binary(max_size=8).map(lambda data: base64.b64encode(data).decode())
TYPES = st.sampled_from(
    ["text/plain", "image/png", "image/svg+xml", "image/", "audio/wav", "application/pdf", "x",
     "application/octet-stream", "IMAGE/PNG", "té xt/…", "application/json"]
)  # fmt: skip
URIS = st.sampled_from(
    ["file:///a/b.txt", "relative/x?q#f", "/", "?", "a/b/", "urn:x:é", "http://x/\U0001f45f"]
) | TEXTS.filter(bool)
EXTENSION_KEYS = st.sampled_from(
    ["com.example/review", "com.example/x", "a/b", "b/a", "dev.toolresult.sub/x", "org.z/y"]
)
WELL_KNOWN = st.sampled_from(
    ["total", "dryRun", "summary", "content", "errorCode", "resourceUri", "storedResults",
     "success", "data", "error", "_meta", "metadata", "isError", "structuredContent", "traceparent",
     "dev.toolresult/layout", "dev.toolresult/parts", "dev.toolresult/part", "dev.toolresult/x",
     "dev.toolresult/exactJson", "dev.toolresult/foreign", "io.modelcontextprotocol/related-task",
     "io.modelcontextprotocol/x", "com.example/review", "data_part_compat", "mimeType", "mediaType",
     "filename", "icons", "annotations", "resource", "kind", "name", "file", "type"]
)  # fmt: skip
FOREIGN = st.dictionaries(WELL_KNOWN | TEXTS, JSON, max_size=3)
_UNFIT: dict[str, st.SearchStrategy[Any]] = {
    "total": st.sampled_from([None, "many", -1, 1.5, True, [1]]),
    "nextCursor": st.sampled_from([None, "", 1, {}]),
    "dryRun": st.sampled_from([None, 0, "true", [True]]),
    "expiresAt": st.sampled_from([None, "soon", 1, "2026-02-29T00:00:00Z"]),
    "relatedTask": st.sampled_from([None, "t", {}, {"id": ""}, {"id": "t", "more": 1}]),
}
"""Values that a short name's field can't hold, and that a reader therefore keeps as foreign."""
_UNFIT_IN_META: dict[str, st.SearchStrategy[Any]] = {
    **_UNFIT,
    "errorCode": st.sampled_from([None, 404, ["not_found"]]),
    "errorDetails": st.sampled_from([None, "why", []]),
    "summary": st.sampled_from([None, 1, ["a"]]),
    "content": st.sampled_from([None, "a", [], ["a", 1], {}]),
    "storedResults": st.sampled_from([None, [], [{"uri": "a"}], "a"]),
    "resourceUri": JSON,
}
_BESIDE: dict[str, st.SearchStrategy[Any]] = {
    **_UNFIT,
    "_meta": st.sampled_from([None, 1, "a", []]),
    "error": JSON.filter(lambda value: value is not None),
    "success": JSON,
    **{name: JSON for name in ("errorCode", "errorDetails", "summary", "content", "storedResults")},
    "resourceUri": JSON,
}


def _found(named: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Foreign values as readers of the envelope find them.

    Under an extension's key, or under a short name with a fitting value, one would have become
    an extension or a field; ``data`` is never left over but where the details have it too.
    """
    taken = {*_UNFIT_IN_META, *_BESIDE, "data", "query", "com.example/review"}
    others = (WELL_KNOWN | TEXTS).filter(lambda key: key not in taken)
    return st.tuples(
        st.dictionaries(others, JSON, max_size=3),
        st.fixed_dictionaries({}, optional=named),
    ).map(lambda two: {**two[0], **two[1]})


LEGACY = _found(_BESIDE)
LEGACY_META = _found(
    {**_UNFIT_IN_META, **{name: JSON for name in ("_meta", "error", "success", "data")}}
)


def _record(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(required, optional=optional)


_ICON = {"src": "data:,", "mimeType": "image/png", "sizes": ["1x1"], "theme": "dark"}
_BLOCK_VALUES = st.sampled_from(
    [
        {"_meta": {}},
        {"_meta": {"a": 1}},
        {"_meta": 1},
        {"resource": {"_meta": {"b": None}, "x": 1}},
        {"resource": {"_meta": {}}},
        {"resource": 1},
        {"icons": [_ICON]},
        {"icons": []},
        {"icons": [{"src": 1}]},
        {"annotations": {"priority": 7, "lastModified": "soon"}},
        {"metadata": {"k": [1]}},
        {"metadata": {"k": 2**60, "mimeType": "text/html"}},
        {"metadata": {"dev.toolresult/part": {"kind": "audio"}, "data_part_compat": True}},
        {"mediaType": "text/html"},
        {"mediaType": ""},
        {"mediaType": 1},
        {"filename": "f", "extra": 2**60},
    ]
)


def _has_no_empty_metadata(found: object) -> bool:
    """Empty metadata of a part is the same as none, so that no reader finds it."""
    return not (isinstance(found, dict) and found.get("metadata") == {})


PART_FOREIGN = _record(
    {},
    {
        "mcp": FOREIGN | _BLOCK_VALUES,
        "a2a": (FOREIGN | _BLOCK_VALUES).filter(_has_no_empty_metadata),
    },
)
_COMMON = {
    "audience": st.lists(st.sampled_from(["user", "assistant"]), max_size=3),
    "priority": st.sampled_from([0, 1, 0.5, 1e-7, 5e-324]),
    "last_modified": TIMES,
    "foreign": PART_FOREIGN,
}


def _part(kind: str, required: dict[str, Any], optional: dict[str, Any]) -> Any:
    return _record({"kind": st.just(kind), **required}, {**optional, **_COMMON})


_NAME = {"name": TEXTS}
PARTS = st.one_of(
    _part("text", {"text": TEXTS}, {}),
    *(
        _part(kind, {"data": BYTES, "mime_type": TYPES}, _NAME)
        for kind in ("image", "audio", "binary")
    ),
    _part(
        "link",
        {"uri": URIS},
        {"title": TEXTS, "description": TEXTS, "mime_type": TYPES, "size": COUNTS, **_NAME},
    ),
    _part("embedded", {"uri": URIS, "text": TEXTS}, {"mime_type": TYPES, **_NAME}),
    _part("embedded", {"uri": URIS, "data": BYTES}, {"mime_type": TYPES, **_NAME}),
)
STORED = _record(
    {"uri": URIS, "size": COUNTS, "mime_type": TYPES}, {"name": TEXTS, "expires_at": TIMES}
)
EXTENSIONS = st.dictionaries(EXTENSION_KEYS, JSON, max_size=2)
METADATA = _record(
    {},
    {
        "pagination": _record(
            {}, {"total": COUNTS, "limit": COUNTS, "page": COUNTS, "next_cursor": FILLED}
        ),
        "dry_run": st.booleans(),
        "response_size": COUNTS,
        "query": JSON,
        "generated_at": TIMES,
        "expires_at": TIMES,
        "related_task": _record({"id": FILLED}, {"poll_interval_ms": COUNTS}),
        "extensions": EXTENSIONS,
        "presentation": EXTENSIONS,
        "foreign": _record(
            {}, {"legacy": LEGACY, "legacy_meta": LEGACY_META, "mcp": FOREIGN, "a2a": FOREIGN}
        ),
    },
)


def _one_place(value: dict[str, Any]) -> dict[str, Any]:
    """One key in both maps is refused: presentation gives way."""
    metadata = value.get("metadata", {})
    for key in metadata.get("extensions", {}):
        metadata.get("presentation", {}).pop(key, None)
    return value


_SHARED = {
    "summary": TEXTS,
    "content": st.lists(PARTS, max_size=3),
    "stored": st.lists(STORED, max_size=2),
    "metadata": METADATA,
}
CODES = st.sampled_from(["invalid_arguments", "missing_privilege", "not_found", "tool_error"])
ERRORS = _record({"code": CODES, "message": FILLED}, {"details": OBJECTS})
RESULTS = (
    _record({"format_version": st.just(1)}, {"data": JSON, **_SHARED})
    | _record({"format_version": st.just(1), "error": ERRORS}, _SHARED)
).map(_one_place)
"""Any valid result, in its serialized form."""
