"""A serialized failure with every kind of part and most fields, used by several tests."""

from __future__ import annotations

from typing import Any

FULL: dict[str, Any] = {
    "format_version": 1,
    "summary": "s",
    "error": {"code": "missing_privilege", "message": "m", "details": {"a": 1}},
    "content": [
        {"kind": "text", "text": "", "audience": ["user"], "priority": 0.5},
        {"kind": "image", "data": "+//+", "mime_type": "image/png", "name": ""},
        {"kind": "audio", "data": "", "mime_type": "audio/wav"},
        {"kind": "binary", "data": "AA==", "mime_type": "a/b", "foreign": {"mcp": {"x": None}}},
        {"kind": "link", "uri": "u", "size": 0, "last_modified": "2026-07-28T12:00:00Z"},
        {"kind": "embedded", "uri": "u", "text": ""},
    ],
    "stored": [{"uri": "u", "size": 12, "mime_type": "a/b"}],
    "metadata": {
        "pagination": {"total": 0, "next_cursor": "c"},
        "dry_run": False,
        "query": None,
        "generated_at": "2026-07-28T12:00:00Z",
        "related_task": {"id": "t", "poll_interval_ms": 0},
        "extensions": {"com.example/a": None},
        "presentation": {"com.example/b": []},
        "foreign": {"legacy": {"anything": 1}},
    },
}
