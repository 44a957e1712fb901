"""Reads the legacy envelope: a JSON string with a boolean ``success``.

>>> from toolresult import legacy
>>> legacy.read('{"success":true,"data":[1,2]}').data.value
[1, 2]
"""

from __future__ import annotations

from typing import Any

from toolresult.drafts import (
    add_foreign,
    error_draft,
    is_extension_key,
    result_of,
)
from toolresult_core import Result, ResultError
from toolresult_core.runtime.parse import parse_json
from toolresult_core.runtime.reading import Draft, Members
from toolresult_core.runtime.rendering import WIRE_DEPTH
from toolresult_core.targets.legacy_envelope_reader import LegacyEnvelopeReader

_OWN = ("success", "data", "error", "_meta")
_META_ONLY = ("errorCode", "errorDetails", "summary", "content", "storedResults", "resourceUri")
"""Names that mean something in ``_meta`` and nothing beside the envelope's keys."""


class EnvelopeReader(LegacyEnvelopeReader):
    """Reads envelopes; any other string is one text part."""

    written_for = "5f1ea2c679571da1"

    def read_envelope(self, text: Any) -> Result:
        """The result of a string. Raises ResultError for a text that no result can hold."""
        if not isinstance(text, str):
            raise ResultError("wrong_type", "", "expected a string")
        envelope = _envelope(text)
        if envelope is not None:
            try:
                return self._result(envelope)
            except ResultError:
                pass  # not one that construction accepts, so it is a text like any other
        return Result.text(text)

    def _result(self, envelope: dict[str, Any]) -> Result:
        draft = self._meta(envelope)
        if envelope["success"]:
            self._success(draft, envelope)
        else:
            self._failure(draft, envelope)
        self._beside(draft, envelope)
        return result_of(draft)

    def _meta(self, envelope: dict[str, Any]) -> Draft:
        meta = envelope.get("_meta", {})
        draft: Draft = {}
        if not isinstance(meta, dict):
            add_foreign(draft, "legacy", "_meta", meta)
            return draft
        members = Members(meta)
        draft = self.read_envelope_meta(members)
        _resource_uri(draft, meta)
        for key, value in members.rest().items():
            _place(draft, "legacy_meta", key, value)
        return draft

    def _success(self, draft: Draft, envelope: dict[str, Any]) -> None:
        if "data" in envelope:
            draft["data"] = envelope["data"]
        _disown_error(draft)
        if envelope.get("error") is not None:
            add_foreign(draft, "legacy", "error", envelope["error"])

    def _failure(self, draft: Draft, envelope: dict[str, Any]) -> None:
        code, message, details = _reported(envelope)
        named = draft.get("error", {})
        if code is None and "code" in named:
            code = named.pop("code")
        if details is None and "details" in named:
            details = named.pop("details")
        _disown_error(draft)  # what the error object says wins over _meta
        if "data" in envelope:
            if details is not None and "data" in details:
                add_foreign(draft, "legacy", "data", envelope["data"])
            else:
                details = {**(details or {}), "data": envelope["data"]}
        draft["error"] = error_draft(code, message, details)

    def _beside(self, draft: Draft, envelope: dict[str, Any]) -> None:
        """Keys beside the envelope's: fields where they are still free, else foreign."""
        metadata = draft.setdefault("metadata", {})
        for key, value in envelope.items():
            if key in _OWN:
                continue
            found: Draft = {}
            if key not in _META_ONLY:
                found = self.read_envelope_meta(Members({key: value})).get("metadata", {})
            if not found or not _put(metadata, _way_to(value, found), found):
                _place(draft, "legacy", key, value)


def _way_to(value: Any, found: Draft) -> list[str]:
    """The names that lead to what was read from one value: to itself, or to its record."""
    names: list[str] = []
    at: Any = found
    while at is not value and isinstance(at, dict) and len(at) == 1:
        ((name, at),) = at.items()
        names.append(name)
    return names if at is value else names[:1]


def _put(into: Draft, names: list[str], found: Draft) -> bool:
    """Puts what stands at the end of the names where they lead, unless something is there."""
    for name in names[:-1]:
        into, found = into.setdefault(name, {}), found[name]
    if names[-1] in into:
        return False
    into[names[-1]] = found[names[-1]]
    return True


def _envelope(text: str) -> dict[str, Any] | None:
    """The object of an envelope, or None for any other text."""
    try:
        value = parse_json(text, max_depth=WIRE_DEPTH)
    except ResultError:
        return None
    if isinstance(value, dict) and isinstance(value.get("success"), bool):
        return value
    return None


def _reported(envelope: dict[str, Any]) -> tuple[Any, Any, dict[str, Any] | None]:
    """Code, message and details of the envelope's error: a string, an object or neither."""
    if "error" not in envelope:
        return None, None, None
    error = envelope["error"]
    if isinstance(error, str):
        return None, error, None
    if not isinstance(error, dict):
        return None, None, {"error": error}
    rest = dict(error)
    message = rest.pop("message") if isinstance(error.get("message"), str) else None
    code = rest.pop("code") if isinstance(error.get("code"), str) else None
    return code, message, rest or None


def _disown_error(draft: Draft) -> None:
    """What ``_meta`` says of an error that is not reported there is a foreign value."""
    named = draft.pop("error", {})
    for field, key in (("code", "errorCode"), ("details", "errorDetails")):
        if field in named:
            add_foreign(draft, "legacy_meta", key, named[field])


def _resource_uri(draft: Draft, meta: dict[str, Any]) -> None:
    """``resourceUri`` repeats the first stored result; alone it is a value without a field."""
    uri = meta.get("resourceUri")
    stored = draft.get("stored", [])
    if "resourceUri" in meta and not (stored and stored[0]["uri"] == uri):
        add_foreign(draft, "legacy_meta", "resourceUri", uri)


def _place(draft: Draft, origin: str, key: str, value: Any) -> None:
    extensions = draft.get("metadata", {}).get("extensions", {})
    if is_extension_key(key) and key not in extensions:
        draft.setdefault("metadata", {}).setdefault("extensions", {})[key] = value
    else:
        add_foreign(draft, origin, key, value)


def read(text: str) -> Result:
    """The result of a legacy string: an envelope, or else one text part, unchanged."""
    return EnvelopeReader().read_envelope(text)
