"""Key files: what is taken, what is refused, and that no message shows a key."""

from __future__ import annotations

import base64
import logging
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult.store import Key, KeyRing, StoreError

KEY = base64.b64encode(b"0123456789abcdefghijklmnopqrstuv").decode()
OTHER = base64.b64encode(b"vutsrqponmlkjihgfedcba9876543210").decode()


def test_a_file_with_everything(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"# first signs\r\n\r\n  2026-07:{KEY}  \r\n2026-01 : {OTHER}\n")
    file.chmod(0o600)
    ring = KeyRing.load(file)
    assert ring.ids == ("2026-07", "2026-01")
    assert ring.signing == b"0123456789abcdefghijklmnopqrstuv"
    assert ring.verifying[1] == b"vutsrqponmlkjihgfedcba9876543210"


def test_a_new_key_reads_back() -> None:
    key = Key.generate("mine")
    assert KeyRing.parse(key.line + "\n").verifying == (key.secret,)
    assert len(key.secret) == 32
    assert Key.generate().line != Key.generate().line


SHORT = base64.b64encode(b"only 31 bytes, one less than ok").decode()
LONG = base64.b64encode(bytes(range(65))).decode()
REFUSED = {
    "": "There is no key",
    "# nothing\n": "There is no key",
    KEY: "Line 1: Expected `id:base64`",
    f"a:{KEY}\nb{OTHER}": "Line 2: Expected `id:base64`",
    f"a:{KEY[:-1]}": "Line 1: Expected standard, padded base64",
    f"a:{KEY[:-4]}-_-_": "Line 1: Expected standard, padded base64",
    f"a:{KEY[:9]} {KEY[9:]}": "Line 1: Expected standard, padded base64",
    f"a:b:{KEY}": "Line 1: Expected standard, padded base64",
    f"a:{SHORT}": "Line 1: A key has 32 to 64 bytes",
    f"a:{LONG}": "Line 1: A key has 32 to 64 bytes",
    "a:": "Line 1: A key has 32 to 64 bytes",
    f":{KEY}": "Line 1: A key id has",
    f"{KEY}:{OTHER}": "Line 1: A key id has",
    f"a b:{KEY}": "Line 1: A key id has",
    f"{'i' * 65}:{KEY}": "Line 1: A key id has",
    f"a:{KEY}\na:{OTHER}": "Two keys have the same id",
    f"a:{KEY}\nb:{KEY}": "The same key is there twice",
    "\n".join(f"k{i}:{base64.b64encode(bytes([i]) * 32).decode()}" for i in range(17)): "16 keys",
}


def shows(text: str, secret: str) -> bool:
    """Whether eight characters in a row of ``secret`` are in ``text``."""
    return any(secret[i : i + 8] in text for i in range(len(secret) - 7))


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refused(text: str, message: str) -> None:
    with pytest.raises(StoreError) as caught:
        KeyRing.parse(text)
    assert caught.value.code.value == "invalid_keys"
    assert message in caught.value.message
    # Without the source lines of this test, which pytest adds: messages and causes alone.
    shown = "".join(traceback.format_exception_only(caught.value)) + repr(caught.value.__cause__)
    for secret in (KEY, OTHER, SHORT, LONG):
        assert not shows(shown, secret)


@given(st.text())
def test_any_text_is_a_ring_or_an_error(text: str) -> None:
    try:
        KeyRing.parse(text)
    except StoreError as error:
        assert error.code.value == "invalid_keys"


def test_neither_repr_nor_str_shows_a_key() -> None:
    key = Key("a", base64.b64decode(KEY))
    ring = KeyRing([key])
    for shown in (repr(key), str(key), repr(ring), str(ring), f"{ring!r}"):
        assert not shows(shown, KEY)
        assert "0123456789" not in shown
    assert repr(ring) == "KeyRing(ids=('a',))"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o666])
def test_a_file_that_others_can_use_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    file = tmp_path / "keys"
    file.write_text(f"a:{KEY}\n")
    file.chmod(mode)
    with caplog.at_level(logging.WARNING, "toolresult.store"):
        KeyRing.load(file)
    (record,) = caplog.records
    assert record.getMessage().startswith(f"{file}: key_file_permissions: ")
    assert not shows(record.getMessage(), KEY)
    file.chmod(0o600)
    caplog.clear()
    KeyRing.load(file)
    assert caplog.records == []


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^invalid_keys: The key file cannot be read"):
        KeyRing.load(tmp_path / "missing")
    with pytest.raises(StoreError, match=r"^invalid_keys: The key file cannot be read"):
        KeyRing.load(tmp_path)
    big = tmp_path / "big"
    big.write_bytes(b"#" * 70_000)
    with pytest.raises(StoreError, match=r"^invalid_keys: The key file has more than 65536 bytes"):
        KeyRing.load(big)
    binary = tmp_path / "binary"
    binary.write_bytes(b"a:\xff\xfe")
    with pytest.raises(StoreError, match=r"^invalid_keys: The key file holds other characters"):
        KeyRing.load(binary)
