"""Reads finished tasks: status, artifacts in order, parts by their markers.

What the two revisions spell differently stands in one :class:`_Spelling` each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toolresult.drafts import (
    OWN_PREFIX,
    error_draft,
    is_rpc_error,
    names_at,
    place_metadata,
    result_of,
)
from toolresult_core import Result, ResultError
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.parse import parse_json
from toolresult_core.runtime.reading import Draft, Members
from toolresult_core.runtime.rendering import WIRE_DEPTH
from toolresult_core.targets.a2a_reader import A2a03Reader, A2a10Reader

_PART, _EXACT = OWN_PREFIX + "part", OWN_PREFIX + "exactJson"
_COMPATIBLE = "data_part_compat"
_UNTYPED = "application/octet-stream"


@dataclass(frozen=True)
class _Spelling:
    """How one revision spells what all revisions say."""

    completed: str
    failed: tuple[str, ...]
    data: Callable[[dict[str, Any], dict[str, Any]], tuple[Any] | None]
    """The value of a data part in a tuple, or None for another part."""
    typed: Callable[[dict[str, Any]], dict[str, Any]]
    """The part with a media type on raw bytes that have none."""
    part: Callable[[Members, str | None], Draft]
    stored_part: Callable[[Members], Draft]
    metadata: Callable[[Members], Draft]


class TaskReader03(A2a03Reader):
    """Reads tasks of revision 0.3."""

    written_for = "85d9c615ba40f1aa"

    def read_task(self, wire: Any) -> Result:
        """The result of a finished task. Raises ResultError for what is none."""
        spelling = _Spelling(
            "completed",
            ("failed", "rejected"),
            _data_03,
            _typed_03,
            lambda block, kind: _with_media_type(self.read_part(block, kind)),
            self.read_stored_part,
            self.read_metadata,
        )
        return _Reading(wire, spelling).result()


class TaskReader10(A2a10Reader):
    """Reads tasks of revision 1.0."""

    written_for = "08a49c86db3672ad"

    def read_task(self, wire: Any) -> Result:
        """The result of a finished task. Raises ResultError for what is none."""
        spelling = _Spelling(
            "TASK_STATE_COMPLETED",
            ("TASK_STATE_FAILED", "TASK_STATE_REJECTED"),
            _data_10,
            _typed_10,
            self.read_part,
            self.read_stored_part,
            self.read_metadata,
        )
        return _Reading(wire, spelling).result()


class _Reading:
    """One task on its way from the wire."""

    def __init__(self, wire: Any, spelling: _Spelling) -> None:
        self.spelling = spelling
        self.task, self.base = _task(wire)
        self.status = _object(self.task.get("status"), f"{self.base}/status")
        state = self.status.get("state")
        self.failed = isinstance(state, str) and state in spelling.failed
        if not self.failed and state != spelling.completed:
            expected = ", ".join([spelling.completed, *spelling.failed])
            raise ResultError(
                "unknown_kind",
                f"{self.base}/status/state",
                f"expected one of {expected}; a task in another state has no result yet",
            )
        self.draft: Draft = {}
        self.metadata: dict[str, Any] = {}
        self.has_data = False

    def result(self) -> Result:
        """The result that the task ended with."""
        self._artifacts()
        message = self.status.get("message")
        if message is not None:
            where = f"{self.base}/status/message"
            members = _object(message, where)
            self._collect(members.get("metadata"))
            (self._failure if self.failed else self._remark)(members, where)
        elif self.failed:
            self.draft["error"] = error_draft(None, None, None)
        self._collect(self.task.get("metadata"))
        self._place_metadata()
        return result_of(self.draft)

    # ------------------------------------------------------------- parts

    def _artifacts(self) -> None:
        artifacts = _list(self.task.get("artifacts", []), f"{self.base}/artifacts")
        for number, artifact in enumerate(artifacts):
            where = f"{self.base}/artifacts/{number}"
            members = _object(artifact, where)
            self._collect(members.get("metadata"))
            for part, place in _parts(members, where):
                self._part(part, place, may_be_data=not self.failed)

    def _part(self, part: dict[str, Any], where: str, *, may_be_data: bool) -> None:
        metadata = _plain(part.get("metadata"))
        marker = metadata.get(_PART)
        kind = marker.get("kind") if isinstance(marker, dict) else None
        block = {**part, "metadata": metadata} if metadata else part
        value = self._data(part, metadata)
        if value is not None:
            if isinstance(kind, str) and self._marked(block, kind, where):
                return
            if may_be_data and not self.has_data:
                self.has_data = True
                self.draft["data"] = value[0]
            else:
                text = canonical(value[0], max_depth=WIRE_DEPTH).decode()
                self._content().append({"kind": "text", "text": text})
            return
        if kind == "summary" and isinstance(part.get("text"), str) and "summary" not in self.draft:
            self.draft["summary"] = part["text"]
        elif not (kind == "stored" and self._stored(block, where)) and not (
            isinstance(kind, str) and self._marked(block, kind, where)
        ):
            members = Members(self.spelling.typed(block), where)
            self._content().append(_without_own(self.spelling.part(members, None)))

    def _stored(self, block: dict[str, Any], where: str) -> bool:
        """Takes a part as a stored result if it can be one; whether it was one."""
        try:
            stored = self.spelling.stored_part(Members(block, where))
        except ResultError:
            return False  # a marker that does not fit the part is not ours
        self.draft.setdefault("stored", []).append(stored)
        return True

    def _marked(self, block: dict[str, Any], kind: str, where: str) -> bool:
        """Takes a part as content of the kind that its marker says; whether it was one."""
        if kind != "embedded":  # only that kind may be without a type
            block = self.spelling.typed(block)
        try:
            part = self.spelling.part(Members(block, where), kind)
        except ResultError:
            return False  # a marker that does not fit the part is not ours
        if part["kind"] != kind or (kind == "embedded" and "uri" not in part):
            return False
        self._content().append(_without_own(part))
        return True

    def _data(self, part: dict[str, Any], metadata: dict[str, Any]) -> tuple[Any] | None:
        """The value of a data part, or of a text that stands in for one; None for other parts."""
        if metadata.get(_EXACT) is True and isinstance(part.get("text"), str):
            try:
                return (parse_json(part["text"], max_depth=WIRE_DEPTH),)
            except ResultError:
                return None
        return self.spelling.data(part, metadata)

    def _content(self) -> list[Draft]:
        content: list[Draft] = self.draft.setdefault("content", [])
        return content

    # ----------------------------------------------------------- message

    def _remark(self, message: dict[str, Any], where: str) -> None:
        """What a completed task says beside its artifacts: its summary, if it is one text."""
        parts = list(_parts(message, where))
        if len(parts) == 1 and "summary" not in self.draft:
            text = parts[0][0].get("text")
            if isinstance(text, str):
                self.draft["summary"] = text
                return
        for part, place in parts:
            self._part(part, place, may_be_data=False)

    def _failure(self, message: dict[str, Any], where: str) -> None:
        text: str | None = None
        found: tuple[Any] | None = None
        for part, place in _parts(message, where):
            value = self._data(part, _plain(part.get("metadata")))
            if value is not None and found is None:
                found = value
            elif (
                value is None
                and text is None
                and isinstance(part.get("text"), str)
                and part["text"]
            ):
                text = part["text"]
            else:
                self._part(part, place, may_be_data=False)
        code, details = _code_and_details(found)
        self.draft["error"] = error_draft(code, text, details)

    # ---------------------------------------------------------- metadata

    def _collect(self, metadata: Any) -> None:
        for key, value in _plain(metadata).items():
            self.metadata.setdefault(key, value)

    def _place_metadata(self) -> None:
        members = Members(self.metadata)
        draft = self.spelling.metadata(members)
        self.draft.update(draft)
        place_metadata(
            self.draft,
            members.rest(),
            "a2a",
            names_at(self.metadata, "extensions"),
            names_at(self.metadata, "presentation"),
        )


def _task(wire: Any) -> tuple[dict[str, Any], str]:
    """The task, bare or as a response has it, and its pointer. Raises ResultError otherwise."""
    members = _object(wire, "")
    if isinstance(members.get("task"), dict):
        return members["task"], "/task"
    if is_rpc_error(members):
        raise ResultError("unknown_kind", "", "expected a task; this is an error, no result of one")
    for key in ("message", "statusUpdate", "artifactUpdate"):
        if key in members:
            raise ResultError(
                "unknown_kind", f"/{key}", "expected a task; this is no result of one"
            )
    kind = members.get("kind", "task")
    if kind != "task":
        raise ResultError("unknown_kind", "/kind", "expected a task; this is no result of one")
    if "status" not in members:
        hint = "; pass the value of its result" if "jsonrpc" in members else ""
        raise ResultError("missing_field", "/status", f"expected a task with its status{hint}")
    return members, ""


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ResultError("wrong_type", where, "expected an object")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise ResultError("wrong_type", where, "expected a list")
    return value


def _parts(owner: dict[str, Any], where: str) -> Iterator[tuple[dict[str, Any], str]]:
    for number, part in enumerate(_list(owner.get("parts", []), f"{where}/parts")):
        place = f"{where}/parts/{number}"
        yield _object(part, place), place


def _plain(metadata: Any) -> dict[str, Any]:
    """Metadata with the values that went as exact JSON texts parsed again."""
    if not isinstance(metadata, dict):
        return {}
    exact = metadata.get(_EXACT)
    if not isinstance(exact, list):
        return metadata
    plain = {key: value for key, value in metadata.items() if key != _EXACT}
    for key in exact:
        if isinstance(key, str) and isinstance(plain.get(key), str):
            try:
                plain[key] = parse_json(plain[key], max_depth=WIRE_DEPTH)
            except ResultError:
                continue
    return plain


def _code_and_details(found: tuple[Any] | None) -> tuple[Any, dict[str, Any] | None]:
    """Code and details of a failure, if its data holds nothing else; else all of it is details."""
    if found is None:
        return None, None
    value = found[0]
    if not isinstance(value, dict):
        return None, {"data": value}
    details = value.get("details", {})
    if (
        isinstance(value.get("code"), str)
        and isinstance(details, dict)
        and value.keys() <= {"code", "details"}
    ):
        return value["code"], value.get("details")
    return None, value


def _without_own(draft: Draft) -> Draft:
    """A part without keys of our own among its foreign metadata: they are never foreign."""
    foreign = draft.get("foreign", {}).get("a2a")
    metadata = foreign.get("metadata") if isinstance(foreign, dict) else None
    if isinstance(metadata, dict):
        kept = {key: value for key, value in metadata.items() if not key.startswith(OWN_PREFIX)}
        if kept:
            foreign["metadata"] = kept
        else:
            del foreign["metadata"]
    return draft


def _data_03(part: dict[str, Any], metadata: dict[str, Any]) -> tuple[Any] | None:
    if part.get("kind") != "data" or "data" not in part:
        return None
    value = part["data"]
    if metadata.get(_COMPATIBLE) is True and isinstance(value, dict) and value.keys() == {"value"}:
        return (value["value"],)
    return (value,)


def _data_10(part: dict[str, Any], metadata: dict[str, Any]) -> tuple[Any] | None:
    return (part["data"],) if "data" in part else None


def _typed_03(part: dict[str, Any]) -> dict[str, Any]:
    file = part.get("file")
    if isinstance(file, dict) and "bytes" in file and not file.get("mimeType"):
        return {**part, "file": {**file, "mimeType": _UNTYPED}}
    return part


def _typed_10(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, "mediaType": _UNTYPED} if "raw" in part and not part.get("mediaType") else part


def _with_media_type(draft: Draft) -> Draft:
    """A text's media type, which revision 0.3 keeps in metadata, where revision 1.0 has it."""
    foreign = draft.get("foreign", {}).get("a2a")
    metadata = foreign.get("metadata") if isinstance(foreign, dict) else None
    if draft["kind"] != "text" or not isinstance(metadata, dict):
        return draft
    media_type = metadata.get("mimeType")
    if isinstance(media_type, str):
        rest = {key: value for key, value in metadata.items() if key != "mimeType"}
        kept = {key: value for key, value in foreign.items() if key != "metadata"}
        if media_type != "text/plain":
            kept.setdefault("mediaType", media_type)
        draft["foreign"]["a2a"] = {**kept, **({"metadata": rest} if rest else {})}
    return draft
