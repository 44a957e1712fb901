"""Well-formed results of each revision, written by hand in the shapes of each protocol."""

from __future__ import annotations

from typing import Any

from tests.wire.wire_schemas import A2A_EXTENSION, NAMESPACE, REVISIONS

Wire = dict[str, Any]

PNG = "iVBORw0KGgo="
MCP_REVISIONS = tuple(revision for revision in REVISIONS if revision.startswith("mcp-"))
STRUCTURED = tuple(r for r in MCP_REVISIONS if r.partition("@")[2] >= "2025-06-18")
"""The MCP revisions that know structuredContent, resource links and _meta of blocks."""


def ours(name: str) -> str:
    """A key under our namespace."""
    return f"{NAMESPACE}/{name}"


def text(value: str, **more: Any) -> Wire:
    """An MCP text block."""
    return {"type": "text", "text": value, **more}


def mcp_metadata() -> Wire:
    """Every metadata field, and keys of others, as _meta of an MCP result."""
    return {
        ours("pagination"): {"total": 120, "limit": 25, "page": 1, "nextCursor": "abc"},
        ours("dryRun"): True,
        ours("responseSize"): 24000,
        ours("query"): None,
        ours("generatedAt"): "2026-07-28T10:00:00Z",
        ours("expiresAt"): "2026-07-28T12:00:00.250Z",
        ours("relatedTask"): {"id": "t9", "pollIntervalMs": 1000},
        ours("extensions"): ["com.example/review"],
        ours("presentation"): ["com.example/picker"],
        ours("foreign"): {
            "legacy": {"preview": {"total": "9.99"}},
            "legacy_meta": {"took ms": 12},
            "mcp": {"odd key!": 1},
            "a2a": {"k": None},
        },
        "com.example/review": {"score": 3},
        "com.example/picker": None,
        "ui": {"resourceUri": "ui://picker"},
        # foreign keys go back as they were read, whatever syntax MCP has for them
        "odd key!": 1,
        "com.example/a/b\n": [],
        "traceparent\n": 1,
        "": None,
    }


def mcp_success(revision: str) -> Wire:
    """Data, a summary, one part of every kind that the revision has, a stored result."""
    structured = revision in STRUCTURED
    blocks: list[tuple[str, Wire]] = [
        ("data", text("[1,2]")),
        ("summary", text("Two products.")),
        ("part", text("", annotations={"audience": ["user"], "priority": 0.5})),
        ("part", {"type": "image", "data": PNG, "mimeType": "image/png"}),
        ("part", {"type": "resource", "resource": {"uri": "a/b.txt", "text": ""}}),
        (
            "part",
            {
                "type": "resource",
                "resource": {
                    "uri": "ni:///sha-256;iVBORw0KGgo?ct=application/pdf",
                    "mimeType": "application/pdf",
                    "blob": "",
                },
            },
        ),
    ]
    parts: Wire = {
        "5": {"kind": "binary", "name": "invoice.pdf", "foreign": {"a2a": {"metadata": {}}}},
        "6": {"name_derived": True, "expires_at": "2026-07-28T12:00:00Z"},
    }
    if structured:
        link = {
            "type": "resource_link",
            "uri": "toolresult://stored/1",
            "name": "1",
            "mimeType": "application/json",
            "size": 0,
            "annotations": {"lastModified": "2026-07-28T10:00:00Z"},
            "_meta": {"com.example/page": 3},
        }
        blocks.append(("stored", link))
    else:
        blocks.append(("stored", text("[link 1] toolresult://stored/1")))
        parts["6"] |= {"uri": "toolresult://stored/1", "size": 0, "mime_type": "application/json"}
        parts["2"] = {"last_modified": "2026-07-28T10:00:00Z"}
    if revision.partition("@")[2] >= "2025-03-26":
        blocks.append(("part", {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}))
    blocks.append(("metadata", text('{"_meta":{"dryRun":true}}')))
    result: Wire = {
        "content": [block for _, block in blocks],
        "_meta": {**mcp_metadata(), ours("layout"): [role for role, _ in blocks]},
    }
    result["_meta"][ours("parts")] = parts
    if revision.startswith("mcp-stateless"):
        return {"resultType": "complete", "structuredContent": [1, 2], **result}
    if structured:
        result["structuredContent"] = {"result": [1, 2]}
        result["_meta"][ours("wrapped")] = True
    return result


def mcp_failure(revision: str) -> Wire:
    """A failure with details."""
    result: Wire = {
        "content": [text("No such product."), text('{"error":{"code":"not_found"}}')],
        "isError": True,
        "_meta": {
            ours("layout"): ["message", "error"],
            ours("error"): {"code": "not_found", "details": {}},
        },
    }
    return {"resultType": "complete", **result} if "stateless" in revision else result


def mcp_copy(revision: str) -> Wire:
    """An object alone: one text copy, with a layout only where nothing else tells."""
    if revision not in STRUCTURED:
        return {"content": [text('{"a":1}')], "_meta": {ours("layout"): ["data"]}}
    result: Wire = {"content": [text('{"a":1}')], "structuredContent": {"a": 1}}
    return {"resultType": "complete", **result} if "stateless" in revision else result


def mcp_empty(revision: str) -> Wire:
    """The empty success."""
    result: Wire = {"content": [text("Done.")], "_meta": {ours("layout"): ["placeholder"]}}
    return {"resultType": "complete", **result} if "stateless" in revision else result


def a2a_metadata() -> Wire:
    """Every metadata field, and keys of others, as metadata of an artifact."""
    metadata = mcp_metadata()
    metadata[ours("responseSize")] = "9007199254740993"
    metadata[ours("exactJson")] = [ours("responseSize")]
    return metadata


def a2a_1_0() -> dict[str, Wire]:
    """Examples of A2A 1.0."""
    parts: list[Wire] = [
        {"data": None, "mediaType": "application/json"},
        {
            "text": "9007199254740993",
            "mediaType": "application/json",
            "metadata": {ours("exactJson"): True},
        },
        {
            "text": "Two products.",
            "mediaType": "text/plain",
            "metadata": {ours("part"): {"kind": "summary"}},
        },
        {
            "text": "",
            "mediaType": "text/plain",
            "metadata": {ours("part"): {"audience": ["user"], "priority": 0}, "k": [1.5]},
        },
        {"raw": PNG, "filename": "", "mediaType": "image/png"},
        {"raw": "", "metadata": {ours("part"): {"kind": "embedded", "uri": "a/c.bin"}}},
        {"text": "", "metadata": {ours("part"): {"kind": "embedded", "uri": "a/c.txt"}}},
        {
            "url": "file:///a/b.txt",
            "metadata": {ours("part"): {"title": "B", "description": "", "size": 0}},
        },
        {
            "url": "toolresult://stored/1",
            "mediaType": "application/json",
            "metadata": {ours("part"): {"kind": "stored", "size": 2**53}},
        },
    ]
    artifact = {"artifactId": "result-0123456789abcdef", "name": "result", "parts": parts}
    metadata = {"metadata": a2a_metadata(), "extensions": [A2A_EXTENSION]}
    done, failed = {"state": "TASK_STATE_COMPLETED"}, {"state": "TASK_STATE_FAILED"}
    message = {
        "messageId": "message-0123456789abcdef",
        "role": "ROLE_AGENT",
        "parts": [
            {"text": "No such product.", "mediaType": "text/plain"},
            {"data": {"code": "not_found", "details": {}}, "mediaType": "application/json"},
        ],
    }
    return {
        "success": {"status": done, "artifacts": [{**artifact, **metadata}]},
        "failure": {"status": {**failed, "message": {**message, "metadata": a2a_metadata()}}},
        "failure-with-artifact": {
            "status": {**failed, "message": message},
            "artifacts": [artifact],
        },
        "metadata-alone": {"status": done, "metadata": a2a_metadata()},
        "empty": {"status": done},
    }


def a2a_0_3() -> dict[str, Wire]:
    """Examples of A2A 0.3."""
    parts: list[Wire] = [
        {"kind": "data", "data": {}},
        {"kind": "data", "data": {"value": None}, "metadata": {"data_part_compat": True}},
        {
            "kind": "text",
            "text": "9007199254740993",
            "metadata": {"mimeType": "application/json", ours("exactJson"): True},
        },
        {
            "kind": "text",
            "text": "Two products.",
            "metadata": {ours("part"): {"kind": "summary"}},
        },
        {"kind": "text", "text": ""},
        {"kind": "file", "file": {"bytes": PNG, "mimeType": "image/png", "name": ""}},
        {
            "kind": "file",
            "file": {"bytes": ""},
            "metadata": {ours("part"): {"kind": "embedded", "uri": "a/c.bin"}},
        },
        {
            "kind": "text",
            "text": "",
            "metadata": {ours("part"): {"kind": "embedded", "uri": "a/c.txt"}},
        },
        {"kind": "file", "file": {"uri": "file:///a/b.txt"}, "metadata": {"k": None}},
        {
            "kind": "file",
            "file": {"uri": "toolresult://stored/1", "mimeType": "application/json"},
            "metadata": {ours("part"): {"kind": "stored", "size": 0}},
        },
    ]
    artifact = {"artifactId": "result-0123456789abcdef", "name": "result", "parts": parts}
    metadata = {"metadata": a2a_metadata(), "extensions": [A2A_EXTENSION]}
    message = {
        "kind": "message",
        "messageId": "message-0123456789abcdef",
        "role": "agent",
        "parts": [
            {"kind": "text", "text": "No such product."},
            {"kind": "data", "data": {"code": "not_found"}},
        ],
    }
    return {
        "success": {"status": {"state": "completed"}, "artifacts": [{**artifact, **metadata}]},
        "failure": {"status": {"state": "failed", "message": message}},
        "failure-with-artifact": {
            "status": {"state": "failed", "message": {**message, "metadata": {"k": 1}}},
            "artifacts": [artifact],
        },
        "metadata-alone": {"status": {"state": "completed"}, "metadata": {"k": 1}},
        "empty": {"status": {"state": "completed"}},
    }


def legacy() -> dict[str, Wire]:
    """Examples of what the legacy string holds."""
    return {
        "success": {"success": True, "data": [1], "_meta": {"total": 1, "summary": "One."}},
        "null-data": {"success": True, "data": None},
        "failure": {"success": False, "error": "No.", "_meta": {"errorCode": "not_found"}},
        "foreign": {"success": True, "error": {"a": 1}, "_meta": {"total": "many"}, "odd key!": 1},
        "empty": {"success": True},
    }


def examples(revision: str) -> dict[str, Wire]:
    """Named well-formed values of a revision, made anew on every call."""
    if revision == "legacy-envelope@1":
        return legacy()
    if revision == "a2a@1.0":
        return a2a_1_0()
    if revision == "a2a@0.3":
        return a2a_0_3()
    return {
        "success": mcp_success(revision),
        "failure": mcp_failure(revision),
        "copy": mcp_copy(revision),
        "empty": mcp_empty(revision),
    }
