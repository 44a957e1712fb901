"""How objects are called, and how a row refers to one.

A name is ``<expires_at>_<stored_at>_<32 hex digits>``, times in seconds since 1970. The digits are
random, so nobody guesses a name. The times let a purge decide by the name alone, with the same
rule as for rows: whatever is left of a put that was never finished goes when its result would have.
"""

from __future__ import annotations

import json
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from toolresult.store.faults import fault
from toolresult.store.interface import StoreErrorCode
from toolresult.store.record import Cutoff, Record

_NAME = re.compile(r"(-?[0-9]{1,12})_(-?[0-9]{1,12})_[0-9a-f]{32}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_MAX_REFERENCE = 4096


def new_name(record: Record) -> str:
    """A name for the bytes of ``record`` that nothing else has."""
    return f"{record.expires_at}_{record.stored_at}_{secrets.token_hex(16)}"


def is_name(name: str) -> bool:
    """Whether an object is one of ours. Others in the same place are left alone."""
    return _NAME.fullmatch(name) is not None


def covers(limit: Cutoff, name: str) -> bool:
    """Whether a purge deletes the object of that name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return False
    return int(found[1 if limit.column == "expires_at" else 2]) <= limit.moment


@dataclass(frozen=True)
class Reference:
    """What a row has in place of a payload."""

    name: str
    size: int
    """Bytes of the payload."""
    digest: str
    """SHA-256 of the payload, in hexadecimal."""
    mime_type: str
    """Of the result; that of the row says that it is a reference."""

    @classmethod
    def of(cls, name: str, payload: bytes, mime_type: str) -> Reference:
        """The reference to ``payload`` under that name."""
        return cls(name, len(payload), sha256(payload).hexdigest(), mime_type)

    def fits(self, payload: bytes) -> bool:
        """Whether these are the bytes that were put."""
        return len(payload) == self.size and sha256(payload).hexdigest() == self.digest

    def to_bytes(self) -> bytes:
        """As JSON, the payload of the row."""
        fields = {
            "object": self.name,
            "bytes": self.size,
            "sha256": self.digest,
            "media_type": self.mime_type,
        }
        return json.dumps(fields).encode()

    @classmethod
    def from_bytes(cls, text: bytes) -> Reference:
        """Reads what ``to_bytes`` wrote. Raises ``store_damaged`` for anything else.

        A name that is none of ours is refused here, so no row leads to another object or file.
        """
        fields: dict[str, object] = {}
        with suppress(ValueError, RecursionError):
            fields = json.loads(text) if len(text) <= _MAX_REFERENCE else {}
        match fields:
            case {
                "object": str(name),
                "bytes": int(size),
                "sha256": str(digest),
                "media_type": str(mime_type),
            } if len(fields) == 4 and is_name(name) and size >= 0 and _DIGEST.fullmatch(digest):
                return cls(name, size, digest, mime_type)
        raise fault(StoreErrorCode.DAMAGED)
