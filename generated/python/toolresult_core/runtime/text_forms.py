"""Texts that stand in for parts where a format has no place for them."""

from __future__ import annotations

import hashlib
from typing import Final

from .checks import decode_base64

_DIGEST_DIGITS: Final = 16


def bytes_form(kind: str, data: str, mime_type: str, name: str | None = None) -> str:
    """An image, audio or binary part: its kind, name, type, size and digest.

    ``data`` is base64. An empty name is a name.
    """
    shown = "" if name is None else f" {name},"
    return f"[{kind}{shown} {mime_type}, {_size_and_digest(data)}]"


def link_form(
    uri: str,
    *,
    name: str | None = None,
    mime_type: str | None = None,
    size: int | None = None,
    description: str | None = None,
) -> str:
    """A link or a stored result. A missing name is derived from the URI; size is in bytes."""
    text = f"[link {link_name(uri) if name is None else name}] {uri}"
    facts = [mime_type] if mime_type is not None else []
    if size is not None:
        facts.append(f"{size} bytes")
    if facts:
        text += f" ({', '.join(facts)})"
    if description is not None:
        text += f" — {description}"
    return text


def embedded_text_form(uri: str, text: str) -> str:
    """An embedded resource that holds text."""
    return f"[embedded {uri}]\n{text}"


def embedded_binary_form(uri: str, data: str, mime_type: str | None = None) -> str:
    """An embedded resource that holds bytes; ``data`` is base64."""
    shown = "" if mime_type is None else f" {mime_type},"
    return f"[embedded {uri},{shown} {_size_and_digest(data)}]"


def link_name(uri: str) -> str:
    """What stands after the last ``/`` of a URI, without query and fragment, or all of it."""
    path = uri.partition("#")[0].partition("?")[0]
    return path.rpartition("/")[2] or uri


def _size_and_digest(data: str) -> str:
    content = decode_base64(data)
    digest = hashlib.sha256(content).hexdigest()[:_DIGEST_DIGITS]
    return f"{len(content)} bytes, sha256 {digest}"
