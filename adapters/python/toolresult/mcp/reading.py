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
from toolresult.mcp import repeats
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
        return roles if repeats.roles_fit(roles, failed=self.failed) else None

    # ------------------------------------------------------------- ours

    def _own(self, roles: list[str]) -> Result:
        """The result by its layout. Raises ResultError where a block does not fit its role."""
        draft = self._metadata()
        error = draft.pop("error", {})
        message: Any = None
        for index, role in enumerate(roles):
            if role == "part":
                draft.setdefault("content", []).append(self._part(index))
            elif role == "stored":
                draft.setdefault("stored", []).append(self._stored(index))
            elif role == "data":
                draft["data"] = self._data(index)
            elif role == "summary":
                draft["summary"] = self._text(index)
            elif role == "message":
                message = self._text(index)
            elif role == "error":
                _fit(repeats.is_error(self._json(index), error), index)
            elif role == "metadata":
                _fit(repeats.is_metadata(self._json(index), self.meta), index)
            elif role == "placeholder":
                _fit(self._text(index) == repeats.PLACEHOLDER, index)
        if "envelope" in roles:
            message = self._envelope(roles.index("envelope"), draft, error)
        self._structured_of_ours(draft, error)
        if self.failed:
            draft["error"] = error_draft(error.get("code"), message, error.get("details"))
        result = result_of(draft)
        self._check_stand_ins(roles, result)
        return result

    def _data(self, index: int) -> Any:
        """The data of a text, which is not parsed where it is that of ``structuredContent``."""
        if "structuredContent" in self.wire:
            data = self._structured()
            if canonical(data, max_depth=WIRE_DEPTH) == self._text(index).encode():
                return data
        return self._json(index)

    def _structured_of_ours(self, draft: Draft, error: Draft) -> None:
        """Takes the data from ``structuredContent``, which the text repeats where it has it."""
        if "structuredContent" not in self.wire:
            return
        if self.failed:
            fits = repeats.is_error(self.wire["structuredContent"], error)
        else:
            data = self._structured()
            fits = repeats.same(draft.setdefault("data", data), data)
            draft["data"] = data
        if not fits:
            raise repeats.Unfit("/structuredContent")

    def _envelope(self, index: int, draft: Draft, error: Draft) -> str | None:
        """Takes from the envelope what only it says in text: data, summary and message."""
        envelope, inner = self._json(index), legacy.read(self._text(index))
        _fit(isinstance(envelope, dict) and envelope.get("success") is (not self.failed), index)
        _fit((inner.error is not None) is self.failed, index)
        _fit(("data" in envelope) is (inner.data is not ABSENT), index)
        if inner.summary is not None:
            draft["summary"] = inner.summary
        if inner.data is not ABSENT:
            draft["data"] = envelope["data"]
        message = inner.error.message if inner.error is not None else None
        known = {
            "success": not self.failed,
            "error": message,
            "errorCode": error.get("code"),
            "errorDetails": error.get("details"),
            "resourceUri": draft["stored"][0].get("uri") if "stored" in draft else None,
            "summary": inner.summary,
        }
        said = {key: value for key, value in known.items() if value is not None}
        if inner.data is not ABSENT:
            said["data"] = envelope["data"]
        _fit(repeats.is_envelope(envelope, said, self.meta), index)
        return message

    def _check_stand_ins(self, roles: list[str], result: Result) -> None:
        """Raises ResultError for a block that stands in for a part and is not as we write it."""
        content, stored = iter(result.content), iter(result.stored)
        for index, role in enumerate(roles):
            if role == "part":
                _fit(repeats.is_part(self.blocks[index], next(content)), index)
            elif role == "stored":
                _fit(repeats.is_stored(self.blocks[index], next(stored)), index)

    def _text(self, index: int) -> str:
        block = self.blocks[index]
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str) or block.get("type") != "text":
            raise repeats.Unfit(f"/content/{index}")
        return text

    def _json(self, index: int) -> Any:
        return parse_json(self._text(index), max_depth=WIRE_DEPTH)

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
            structured = "structuredContent" in self.wire
            if structured and repeats.is_error(self.wire["structuredContent"], error):
                structured = False
            message = None
            for index, part in enumerate(parts):
                if part["kind"] == "text" and part["text"]:
                    message = parts.pop(index)["text"]
                    break
            if structured:
                value = self.wire["structuredContent"]
                if details is None:
                    details = value if isinstance(value, dict) else {"data": value}
                else:
                    add_foreign(draft, "mcp", "structuredContent", value)
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


def _fit(fits: bool, index: int) -> None:
    """Raises ResultError for a block that is not as we write it."""
    if not fits:
        raise repeats.Unfit(f"/content/{index}")


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
    if marker.keys() & draft.keys():
        raise repeats.Unfit("")  # what the block says, no marker says again
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
