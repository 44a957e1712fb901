"""Texts that stand in for parts."""

from __future__ import annotations

import hashlib

import pytest

from toolresult_core.runtime.checks import encode_base64
from toolresult_core.runtime.text_forms import (
    bytes_form,
    embedded_binary_form,
    embedded_text_form,
    link_form,
    link_name,
)

DATA = encode_base64(b"hello")
DIGEST = hashlib.sha256(b"hello").hexdigest()[:16]


@pytest.mark.parametrize("kind", ["image", "audio", "binary"])
@pytest.mark.parametrize(("name", "shown"), [("a.png", " a.png,"), ("", " ,"), (None, "")])
def test_bytes(kind: str, name: str | None, shown: str) -> None:
    text = bytes_form(kind, DATA, "image/png", name)
    assert text == f"[{kind}{shown} image/png, 5 bytes, sha256 {DIGEST}]"


def test_no_bytes() -> None:
    digest = hashlib.sha256().hexdigest()[:16]
    assert bytes_form("image", "", "a/b") == f"[image a/b, 0 bytes, sha256 {digest}]"


def test_links() -> None:
    uri = "file:///a/b.txt?x=1#y"
    assert link_form(uri) == f"[link b.txt] {uri}"
    assert link_form(uri, name="n") == f"[link n] {uri}"
    assert link_form(uri, name="") == f"[link ] {uri}"
    assert link_form(uri, mime_type="text/plain") == f"[link b.txt] {uri} (text/plain)"
    assert link_form(uri, size=0) == f"[link b.txt] {uri} (0 bytes)"
    assert link_form(uri, mime_type="a/b", size=12, description="d") == (
        f"[link b.txt] {uri} (a/b, 12 bytes) — d"
    )
    assert link_form(uri, description="d") == f"[link b.txt] {uri} — d"


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("file:///a/b.txt", "b.txt"),
        ("https://x/a/b?q=/c", "b"),
        ("https://x/a/b#/c", "b"),
        ("https://x/a/#f?x/y", "https://x/a/#f?x/y"),
        ("https://x/a/", "https://x/a/"),
        ("urn:isbn:1", "urn:isbn:1"),
        ("a?b", "a"),
        ("?b", "?b"),
        ("/", "/"),
    ],
)
def test_names_of_links(uri: str, name: str) -> None:
    assert link_name(uri) == name


def test_embedded() -> None:
    assert embedded_text_form("u", "a\nb") == "[embedded u]\na\nb"
    assert embedded_text_form("u", "") == "[embedded u]\n"
    assert embedded_binary_form("u", DATA) == f"[embedded u, 5 bytes, sha256 {DIGEST}]"
    assert embedded_binary_form("u", DATA, "a/b") == f"[embedded u, a/b, 5 bytes, sha256 {DIGEST}]"
