"""The digest of what a hook depends on, in a form that is the same on every machine."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from enum import Enum

DIGITS = 16
"""Hex digits of the digest that are kept: enough to tell rules apart, and short enough to write."""

_PROSE = frozenset({"meaning"})
"""Fields that are for people alone, so that better words make no adapter old."""

_LATER = frozenset({"texts"})
"""Fields that the model has had for a shorter time than adapters have digests. Left out where they
are empty, so that a new version of the generator makes no adapter old that it does not concern."""


def digest_of(*parts: object) -> str:
    """The first hex digits of SHA-256 over the canonical form of the parts.

    A part is a scalar, an enumeration's member, a dataclass of the model, or a sequence of such.
    Raises TypeError for anything else.
    """
    text = json.dumps(plain(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def plain(value: object) -> object:
    """A value of the model as lists and scalars: an object is its class and its fields in order."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, (tuple, list)):
        return [plain(entry) for entry in value]
    if is_dataclass(value) and not isinstance(value, type):
        found = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in _PROSE}
        members = [plain(one) for name, one in found.items() if one or name not in _LATER]
        return [type(value).__name__, *members]
    raise TypeError(f"no canonical form for {type(value).__name__}")
