"""What the reader hooks share: metadata by origin, unknown error codes, the finished result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolresult_core import ErrorCode, Result, ResultError
from toolresult_core.constants import DEFAULT_ERROR_CODE, FORMAT_VERSIONS, NAMESPACE
from toolresult_core.runtime.checks import check_extension_key
from toolresult_core.runtime.reading import Draft

NO_MESSAGE = "The tool reported a failure without a message."
"""Stands in for the message of a failure that has none: one always has a readable text."""

OWN_PREFIX = f"{NAMESPACE}/"
"""Keys that are the mapping's own: control values, never foreign."""

_CODES = frozenset(code.value for code in ErrorCode)


def is_extension_key(key: str) -> bool:
    """Whether a key may name an extension or a presentation value."""
    try:
        check_extension_key(key, NAMESPACE)
    except ResultError:
        return False
    return True


def is_rpc_error(value: Mapping[str, Any]) -> bool:
    """Whether this is the error of a JSON-RPC or REST response, which is no result of a tool."""
    error = value.get("error", value)
    return isinstance(error, dict) and "message" in error and type(error.get("code")) is int


def names_at(members: Mapping[str, Any], key: str) -> list[str]:
    """The list of names under one of our own keys; empty if there is none."""
    value = members.get(OWN_PREFIX + key)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def place_metadata(
    draft: Draft,
    left: Mapping[str, Any],
    origin: str,
    extensions: Iterable[str],
    presentation: Iterable[str],
) -> None:
    """Puts what is left of a metadata map where it belongs: named by us, or foreign.

    ``extensions`` and ``presentation`` are the keys that our own markers name.
    """
    metadata = draft.setdefault("metadata", {})
    named = {key: "extensions" for key in extensions}
    named.update({key: "presentation" for key in presentation})
    for key, value in left.items():
        if key.startswith(OWN_PREFIX):
            continue
        place = named.get(key)
        if place is not None and is_extension_key(key):
            metadata.setdefault(place, {})[key] = value
        else:
            add_foreign(draft, origin, key, value)


def add_foreign(draft: Draft, origin: str, key: str, value: Any) -> None:
    """Notes a foreign value of the result; the first one of a key stays."""
    metadata = draft.setdefault("metadata", {})
    metadata.setdefault("foreign", {}).setdefault(origin, {}).setdefault(key, value)


def error_draft(code: Any, message: Any, details: dict[str, Any] | None) -> Draft:
    """The error of a failure as others report it.

    A code that the spec lacks becomes the default one, and stays readable in the
    details (growth rule of the result object: readers of wires are tolerant).
    """
    error: Draft = {
        "code": DEFAULT_ERROR_CODE,
        "message": message if isinstance(message, str) and message else NO_MESSAGE,
    }
    if isinstance(code, str):
        if code in _CODES:
            error["code"] = code
        else:
            details = dict(details or {})
            details["wire_code" if "code" in details else "code"] = code
    if details is not None:
        error["details"] = details
    return error


def result_of(draft: Draft) -> Result:
    """The result of a draft. Raises ResultError."""
    return Result.from_value({"format_version": max(FORMAT_VERSIONS), **draft})
