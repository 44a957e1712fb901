"""Files that are no store stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolresult.store import KeyRing, SqliteStore, StoreError


@pytest.mark.parametrize("content", [b"x", b"hello\n", b"S" * 99])
@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_too_short_to_be_a_store_is_left_alone(
    tmp_path: Path, content: bytes, create: bool
) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, KeyRing.generate(), create=create)
    assert caught.value.code.value == "not_a_store"
    assert path.read_bytes() == content


def test_an_empty_file_is_no_store_for_who_only_reads(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, KeyRing.generate(), create=False)
    assert caught.value.code.value == "not_a_store"
    assert path.read_bytes() == b""


def test_a_folder_is_no_store_and_gets_no_advice(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreError) as caught:
        SqliteStore(tmp_path, KeyRing.generate())
    assert caught.value.code.value == "store_unavailable"
    assert caplog.messages == []
