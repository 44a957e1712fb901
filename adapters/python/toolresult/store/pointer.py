"""Signed pointers: ``toolresult://stored/<token>``.

The token is the unpadded base64url form (RFC 4648, section 5) of 57 bytes:

====== ===== ==========================================================
offset bytes meaning
====== ===== ==========================================================
0      1     version of the pointer, 0x01
1      8     expiry, seconds since 1970, unsigned, big-endian
9      16    id of the stored result, random
25     32    tag
====== ===== ==========================================================

tag = HMAC-SHA256(key, ``toolresult-stored-pointer`` || 0x00 || bytes 0 to 24 ||
principal in UTF-8). The principal is in no pointer: it is an input of the tag
alone, so the tag is a keyed hash that binds it without showing it, and a
pointer in other hands fails just like one that was tampered with. All parts
before the principal have a fixed length, so no two inputs run together; 57 is
divisible by three, so no token has a second spelling.

docs: docs/stores.md
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime

from toolresult.store.interface import not_found
from toolresult.store.keys import KeyRing
from toolresult.store.times import seconds

PREFIX = "toolresult://stored/"
VERSION = 1
ID_BYTES = 16
TOKEN_LENGTH = 76
URI_LENGTH = len(PREFIX) + TOKEN_LENGTH

_LABEL = b"toolresult-stored-pointer\x00"
_HEAD_BYTES = 1 + 8 + ID_BYTES
_TAG_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
# What a text that is no token is verified as: the same work, and it never fits.
_NO_TOKEN = bytes(_HEAD_BYTES + _TAG_BYTES)


@dataclass(frozen=True)
class Pointer:
    """What a valid pointer points to."""

    record_id: bytes
    """16 random bytes."""
    expires_at: int
    """Seconds since 1970; at this second the pointer is no longer valid."""


def new_record_id() -> bytes:
    """A random id for a new record."""
    return secrets.token_bytes(ID_BYTES)


def sign(pointer: Pointer, *, principal: str, keys: KeyRing) -> str:
    """The URI of ``pointer`` for ``principal``, signed with the first key.

    Raises ValueError for an empty principal or one that UTF-8 cannot hold.
    """
    head = bytes([VERSION]) + pointer.expires_at.to_bytes(8, "big") + pointer.record_id
    if len(head) != _HEAD_BYTES:
        raise ValueError(f"record_id: expected {ID_BYTES} bytes")
    tag = _tag(keys.signing, head, principal_bytes(principal))
    return PREFIX + base64.urlsafe_b64encode(head + tag).decode("ascii")


def verify(uri: str, *, principal: str, now: datetime, keys: KeyRing) -> Pointer:
    """The pointer that ``uri`` carries, if it was made for ``principal`` and is still valid.

    ``uri`` is untrusted. The tag is compared first, with every key and in
    constant time; only then is anything inside the token looked at. Raises
    ``StoreError`` (``not_found``) for every pointer that is not good, and
    ValueError for a ``principal`` or ``now`` that no caller should pass.
    """
    who = principal_bytes(principal)
    moment = seconds(now)
    token = _decode(uri)
    head, tag = token[:_HEAD_BYTES], token[_HEAD_BYTES:]
    genuine = False
    for key in keys.verifying:  # No early end: the time taken does not tell which key signed.
        genuine |= hmac.compare_digest(_tag(key, head, who), tag)
    expires_at = int.from_bytes(head[1:9], "big")
    if not genuine or head[0] != VERSION or moment >= expires_at:
        raise not_found()
    return Pointer(head[9:], expires_at)


def principal_bytes(principal: str) -> bytes:
    """``principal`` in UTF-8. Raises ValueError if it is empty or holds a lone surrogate."""
    if not principal:
        raise ValueError("principal: expected a non-empty string")
    try:
        return principal.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("principal: expected text without lone surrogates") from None


def _decode(uri: str) -> bytes:
    """The 57 bytes of the token, or bytes that verify for nobody."""
    if len(uri) != URI_LENGTH or not uri.startswith(PREFIX):
        return _NO_TOKEN
    token = uri[len(PREFIX) :]
    # The decoder itself would skip characters outside the alphabet.
    return base64.urlsafe_b64decode(token) if _TOKEN.fullmatch(token) else _NO_TOKEN


def _tag(key: bytes, head: bytes, principal: bytes) -> bytes:
    return hmac.digest(key, _LABEL + head + principal, "sha256")
