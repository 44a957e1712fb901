"""Pointers: their bytes, what binds them, what they show, and rotation of keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult.store import Key, KeyRing, MemoryStore, StoreError
from toolresult.store.pointer import Pointer, sign, verify

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
SECRET = bytes(range(32))
KEYS = KeyRing([Key("doc", SECRET)])
ID = bytes(range(0xA0, 0xB0))
EXPIRY = 1785236400  # 2026-07-28T11:00:00Z
# The example of docs/stores.md, for implementations in other languages.
EXAMPLE = (
    "toolresult://stored/AQAAAABqaIuwoKGio6SlpqeoqaqrrK2ur2"
    "yXXHRKJiBszg9UwUM0l--IbuiiA6vNQ1WHkFnRVCnw"
)


def by_hand(principal: str) -> str:
    """The pointer as the documentation says it, without the code under test."""
    head = b"\x01" + EXPIRY.to_bytes(8, "big") + ID
    tag = hmac.new(
        SECRET, b"toolresult-stored-pointer\x00" + head + principal.encode(), hashlib.sha256
    ).digest()
    return "toolresult://stored/" + base64.urlsafe_b64encode(head + tag).decode()


def test_byte_by_byte() -> None:
    made = sign(Pointer(ID, EXPIRY), principal="anna", keys=KEYS)
    assert made == by_hand("anna") == EXAMPLE
    assert len(made) == 96
    assert verify(made, principal="anna", now=NOW, keys=KEYS) == Pointer(ID, EXPIRY)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_principal(principal: str) -> None:
    made = sign(Pointer(ID, EXPIRY), principal=principal, keys=KEYS)
    assert made == by_hand(principal)
    assert verify(made, principal=principal, now=NOW, keys=KEYS).record_id == ID


@given(st.data())
def test_no_changed_token_verifies(data: st.DataObject) -> None:
    """One to three characters of the URI replaced by anything."""
    made = sign(Pointer(ID, EXPIRY), principal="anna", keys=KEYS)
    characters = list(made)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(made) - 1))
        characters[place] = data.draw(st.characters())
    changed = "".join(characters)
    if changed != made:
        with pytest.raises(StoreError, match=r"^not_found: "):
            verify(changed, principal="anna", now=NOW, keys=KEYS)


@given(st.integers(0, 57 * 8 - 1))
def test_no_bit_can_be_flipped(bit: int) -> None:
    token = bytearray(base64.urlsafe_b64decode(EXAMPLE.removeprefix("toolresult://stored/")))
    token[bit // 8] ^= 1 << bit % 8
    changed = "toolresult://stored/" + base64.urlsafe_b64encode(token).decode()
    with pytest.raises(StoreError, match=r"^not_found: "):
        verify(changed, principal="anna", now=NOW, keys=KEYS)


@given(st.text())
def test_any_text_is_an_answer_not_a_crash(text: str) -> None:
    for uri in (text, "toolresult://stored/" + text, text.ljust(96, "A")[:96]):
        with pytest.raises(StoreError, match=r"^not_found: "):
            verify(uri, principal="anna", now=NOW, keys=KEYS)


@given(st.text(min_size=1), st.text(min_size=1))
def test_a_pointer_is_bound_to_its_principal(mine: str, other: str) -> None:
    try:
        made = sign(Pointer(ID, EXPIRY), principal=mine, keys=KEYS)
        other.encode()
    except ValueError:  # A lone surrogate.
        return
    if mine != other:
        with pytest.raises(StoreError, match=r"^not_found: "):
            verify(made, principal=other, now=NOW, keys=KEYS)


def test_a_signed_pointer_of_another_version_is_refused() -> None:
    """Even with the right key: version 2 may mean something else."""
    head = b"\x02" + EXPIRY.to_bytes(8, "big") + ID
    tag = hmac.digest(SECRET, b"toolresult-stored-pointer\x00" + head + b"anna", "sha256")
    uri = "toolresult://stored/" + base64.urlsafe_b64encode(head + tag).decode()
    with pytest.raises(StoreError, match=r"^not_found: "):
        verify(uri, principal="anna", now=NOW, keys=KEYS)


def test_a_pointer_shows_neither_principal_nor_key() -> None:
    principal = "integration:0123456789abcdef"
    made = sign(Pointer(ID, EXPIRY), principal=principal, keys=KEYS)
    token = base64.urlsafe_b64decode(made.removeprefix("toolresult://stored/"))
    for shown in (principal.encode(), SECRET, hashlib.sha256(principal.encode()).digest()):
        for start in range(len(shown) - 3):
            assert shown[start : start + 4] not in token
    # Nor whether two pointers belong to the same principal: no bytes beyond the
    # version and the expiry are shared.
    other = sign(Pointer(bytes(16), EXPIRY), principal=principal, keys=KEYS)
    tail = base64.urlsafe_b64decode(other.removeprefix("toolresult://stored/"))[25:]
    assert not any(tail[i : i + 4] in token[25:] for i in range(29))


def test_rotation() -> None:
    """As the documentation says it: add the new key second, then first, then drop the old."""
    old, new = Key.generate("old"), Key.generate("new")
    point = Pointer(ID, EXPIRY)

    def readable(uri: str, ring: KeyRing) -> bool:
        try:
            return verify(uri, principal="anna", now=NOW, keys=ring) == point
        except StoreError:
            return False

    before, both, swapped, after = (
        KeyRing([old]),
        KeyRing([old, new]),
        KeyRing([new, old]),
        KeyRing([new]),
    )
    by_old = sign(point, principal="anna", keys=both)
    by_new = sign(point, principal="anna", keys=swapped)
    assert by_old == sign(point, principal="anna", keys=before) != by_new
    assert [readable(by_old, r) for r in (before, both, swapped, after)] == [True] * 3 + [False]
    assert [readable(by_new, r) for r in (before, both, swapped, after)] == [False] + [True] * 3


def test_rotation_of_a_store() -> None:
    old, new = Key.generate("old"), Key.generate("new")
    store = MemoryStore(KeyRing([old]))
    link = store.put(
        b"x", principal="anna", now=NOW, lifetime=HOUR, format_version=1, mime_type="a/b"
    )
    store._keys = KeyRing([new, old])
    assert store.get(link.uri, principal="anna", now=NOW).payload == b"x"
    store._keys = KeyRing([new])
    with pytest.raises(StoreError, match=r"^not_found: "):
        store.get(link.uri, principal="anna", now=NOW)
