"""The named conversions of the spec: fields to a text."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final
from urllib.parse import quote as percent_encode

from .checks import decode_base64
from .members import ResultBase
from .text_forms import (
    bytes_form,
    embedded_binary_form,
    embedded_text_form,
    link_form,
    link_name,
)

if TYPE_CHECKING:
    from .rendering import Options

__all__ = [
    "bytes_text",
    "content_address",
    "digest_id",
    "embedded_text",
    "link_name",
    "link_text",
]

_ID_DIGITS: Final = 16


def bytes_text(kind: str, data: str, mime_type: str, name: str | None) -> str:
    """The text form of bytes: ``[image chart.png, image/png, 68 bytes, sha256 …]``."""
    return bytes_form(kind, data, mime_type, name)


def link_text(
    uri: str, name: str | None, mime_type: str | None, size: int | None, description: str | None
) -> str:
    """The text form of a link: ``[link b.txt] file:///a/b.txt (text/plain, 12 bytes) — …``."""
    return link_form(uri, name=name, mime_type=mime_type, size=size, description=description)


def embedded_text(uri: str, mime_type: str | None, text: str | None, data: str | None) -> str:
    """The text form of an embedded resource, which holds either a text or bytes in base64."""
    if text is not None:
        return embedded_text_form(uri, text)
    return embedded_binary_form(uri, data or "", mime_type)


def content_address(data: str, mime_type: str) -> str:
    """The address of bytes by their content (RFC 6920, section 3): ``ni:///sha-256;…?ct=…``.

    Percent-encoded but for unreserved characters, ``/`` and ``+``.
    """
    from base64 import urlsafe_b64encode

    digest = hashlib.sha256(decode_base64(data)).digest()
    name = urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")
    return f"ni:///sha-256;{name}?ct={percent_encode(mime_type, safe='/+')}"


def digest_id(result: ResultBase, options: Options, prefix: str) -> str:
    """An id that is the same for equal results: a prefix and the start of the digest."""
    digest = result.digest if options.digest is None else options.digest
    return prefix + digest[:_ID_DIGITS]
