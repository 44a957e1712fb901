"""Reads results of tools/call: our own by their layout, others' by what the protocol says.

The two eras differ in nothing that matters here but the rule they are generated
from, so both readers share one set of functions. Each is in a module of its own, since a
spec may have one era and not the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolresult import legacy
from toolresult.drafts import (
    OWN_PREFIX,
    add_foreign,
    error_draft,
    is_rpc_error,
    names_at,
    place_metadata,
    result_of,
)
from toolresult_core import Result, ResultError
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.json_value import ABSENT
from toolresult_core.runtime.parse import parse_json
from toolresult_core.runtime.reading import Draft, Members
from toolresult_core.runtime.rendering import WIRE_DEPTH

_TRANSPORT_PREFIX = "io.modelcontextprotocol/"
_TRANSPORT_KEYS = frozenset({"traceparent", "tracestate", "baggage"})
_RELATED_TASK = "io.modelcontextprotocol/related-task"
_RESULT_KEYS = frozenset({"content", "structuredContent", "isError", "_meta", "resultType"})
_ROLES = frozenset(
    {"envelope", "data", "message", "error", "summary", "part", "stored", "metadata", "placeholder"}
)


@dataclass(frozen=True)
class Forms:
    """The generated inverses of the output forms."""

    block: Callable[[Members, str | None], Draft]
    stored_block: Callable[[Members], Draft]
    meta: Callable[[Members], Draft]


def read_result(wire: Any, forms: Forms) -> Result:
    """The result of tools/call. Raises ResultError for what is no tool result."""
    return _Reading(wire, forms).result()


class _Reading:
    """One result on its way from the wire."""

    def __init__(self, wire: Any, forms: Forms) -> None:
        self.wire = _checked(wire)
        self.forms = forms
        meta = self.wire.get("_meta")
        self.meta: dict[str, Any] = meta if isinstance(meta, dict) else {}
        self.blocks: list[Any] = self.wire["content"]
        self.failed = self.wire.get("isError") is True

    def result(self) -> Result:
        """The result, as our own output if its markers hold together, else as anyone's."""
        roles = self._layout()
        if roles is not None:
            try:
                return self._own(roles)
            except ResultError:
                pass  # a layout that does not fit the blocks is not ours
        return self._foreign()

    def _layout(self) -> list[str] | None:
        roles = self.meta.get(OWN_PREFIX + "layout")
        if not isinstance(roles, list) or len(roles) != len(self.blocks):
            return None
        return roles if all(isinstance(r, str) and r in _ROLES for r in roles) else None

    # ------------------------------------------------------------- ours

    def _own(self, roles: list[str]) -> Result:
        draft = self._metadata()
        error = draft.pop("error", {})
        message: Any = None
        for index, role in enumerate(roles):
            if role == "part":
                draft.setdefault("content", []).append(self._part(index))
            elif role == "stored":
                draft.setdefault("stored", []).append(self._stored(index))
            elif role == "data":
                draft["data"] = parse_json(self._text(index), max_depth=WIRE_DEPTH)
            elif role == "summary":
                draft["summary"] = self._text(index)
            elif role == "message":
                message = self._text(index)
            elif role == "envelope":
                message = self._envelope(draft, self._text(index))
        if self.failed:
            draft.pop("data", None)
            draft["error"] = error_draft(error.get("code"), message, error.get("details"))
        elif "structuredContent" in self.wire:
            draft["data"] = self._structured()
        return result_of(draft)

    def _envelope(self, draft: Draft, text: str) -> str | None:
        """Takes from the envelope what only it says in text: data, summary and message."""
        inner = legacy.read(text)
        if inner.summary is not None:
            draft["summary"] = inner.summary
        if inner.data is not ABSENT:
            draft["data"] = inner.data
        return inner.error.message if inner.error is not None else None

    def _text(self, index: int) -> str:
        block = self.blocks[index]
        if not isinstance(block, dict) or not isinstance(block.get("text"), str):
            raise ResultError("wrong_type", f"/content/{index}/text", "expected a string")
        text: str = block["text"]
        return text

    def _marker(self, index: int) -> dict[str, Any]:
        markers = self.meta.get(OWN_PREFIX + "parts")
        marker = markers.get(str(index)) if isinstance(markers, dict) else None
        return dict(marker) if isinstance(marker, dict) else {}

    def _part(self, index: int) -> Draft:
        marker = self._marker(index)
        kind = marker.pop("kind", None)
        part = self.forms.block(self._members(index), kind if isinstance(kind, str) else None)
        return _with_marker(part, marker)

    def _stored(self, index: int) -> Draft:
        return _with_marker(self.forms.stored_block(self._members(index)), self._marker(index))

    def _members(self, index: int) -> Members:
        return Members(self.blocks[index], f"/content/{index}")

    # ---------------------------------------------------------- anyone's

    def _foreign(self) -> Result:
        draft = self._metadata()
        error = draft.pop("error", {})
        parts = [self.forms.block(self._members(index), None) for index in range(len(self.blocks))]
        if self.failed:
            details = error.get("details")
            message = None
            for index, part in enumerate(parts):
                if part["kind"] == "text" and part["text"]:
                    message = parts.pop(index)["text"]
                    break
            if details is None and "structuredContent" in self.wire:
                value = self.wire["structuredContent"]
                details = value if isinstance(value, dict) else {"data": value}
            draft["error"] = error_draft(error.get("code"), message, details)
        elif "structuredContent" in self.wire:
            draft["data"] = data = self._structured()
            copy = canonical(data, max_depth=WIRE_DEPTH)
            parts = [part for part in parts if not _is_copy(part, copy)]
        draft["content"] = parts
        return result_of(draft)

    def _structured(self) -> Any:
        value = self.wire["structuredContent"]
        wrapped = self.meta.get(OWN_PREFIX + "wrapped") is True
        if wrapped and isinstance(value, dict) and value.keys() == {"result"}:
            return value["result"]
        return value

    # ---------------------------------------------------------- metadata

    def _metadata(self) -> Draft:
        members = Members(self.meta)
        draft = self.forms.meta(members)
        left = {
            key: value
            for key, value in members.rest().items()
            if key not in _TRANSPORT_KEYS
            and (not key.startswith(_TRANSPORT_PREFIX) or self._is_odd_task(key, draft))
        }
        place_metadata(
            draft,
            left,
            "mcp",
            names_at(self.meta, "extensions"),
            names_at(self.meta, "presentation"),
        )
        for key, value in self.wire.items():
            # A known member with a value that does not fit is foreign, like an unknown one.
            odd = key == "isError" and not isinstance(value, (bool, type(None)))
            if odd or key not in _RESULT_KEYS:
                add_foreign(draft, "mcp", key, value)
        return draft

    def _is_odd_task(self, key: str, draft: Draft) -> bool:
        """A related task that does not fit the field is kept as it is, unless we know it better."""
        return key == _RELATED_TASK and "related_task" not in draft.get("metadata", {})


def _checked(wire: Any) -> dict[str, Any]:
    """The members of a tool result. Raises ResultError for anything that is none."""
    if not isinstance(wire, dict):
        raise ResultError("wrong_type", "", "expected the result object of tools/call")
    if "task" in wire:
        raise ResultError(
            "unknown_kind", "/task", "this announces a task; its result comes from tasks/result"
        )
    kind = wire.get("resultType", "complete")
    if kind != "complete":
        raise ResultError(
            "unknown_kind", "/resultType", "expected 'complete'; this asks for something else"
        )
    if "content" not in wire:
        hint = "a tool result has one"
        if is_rpc_error(wire):
            hint = "this is a JSON-RPC error, no result of a tool"
        elif "jsonrpc" in wire:
            hint = "this is a JSON-RPC message: pass the value of its result"
        raise ResultError("missing_field", "/content", f"expected a list of content blocks; {hint}")
    if not isinstance(wire["content"], list):
        raise ResultError("wrong_type", "/content", "expected a list of content blocks")
    return wire


def _with_marker(draft: Draft, marker: dict[str, Any]) -> Draft:
    """A part or stored result with what its marker says; ``foreign`` is joined, not replaced."""
    if marker.pop("name_derived", None) is True:
        draft.pop("name", None)
    foreign = marker.pop("foreign", None)
    for origin, values in foreign.items() if isinstance(foreign, dict) else ():
        if not isinstance(values, dict):
            continue
        known = draft.setdefault("foreign", {}).setdefault(origin, {})
        for key, value in values.items():
            known[key] = _joined(known[key], value) if key in known else value
    return {**draft, **marker}


def _joined(first: Any, second: Any) -> Any:
    """Two halves of one object: what had a place of its own on the block, and the rest."""
    if isinstance(first, dict) and isinstance(second, dict):
        return {**second, **first}
    return first


def _is_copy(part: Draft, copy: bytes) -> bool:
    """Whether a part is the text copy of the structured content."""
    if part != {"kind": "text", "text": part.get("text")}:
        return False
    try:
        return (
            canonical(parse_json(part["text"], max_depth=WIRE_DEPTH), max_depth=WIRE_DEPTH) == copy
        )
    except ResultError:
        return False
