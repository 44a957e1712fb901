"""Steps of JSON pointers (RFC 6901), as they are written and read."""

from __future__ import annotations


def token(key: str) -> str:
    """A key as it is written in a pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def untoken(text: str) -> str:
    """The key that a token of a pointer stands for."""
    return text.replace("~1", "/").replace("~0", "~")
