"""``toolresult store``, run as a command would be."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolresult.store as stores
from toolresult.store import Key, KeyRing, StoredLink, open_store
from toolresult_core import Result
from toolresult_generator.cli import main
from toolresult_generator.cli import store as command

if TYPE_CHECKING:
    from sqlalchemy import URL

Put = Callable[..., StoredLink]


def now() -> datetime:
    return datetime.now(timezone.utc)


def call(*arguments: str) -> int:
    """What the frame does: 2 for wrong usage comes from argparse."""
    parser = argparse.ArgumentParser(prog="toolresult store")
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    file = tmp_path / "keys"
    file.write_text(Key.generate("first").line + "\n")
    file.chmod(0o600)
    return file


def test_new_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("new-key", "--id", "first") == 0
    assert KeyRing.parse(capsys.readouterr().out).ids == ("first",)
    assert call("new-key") == 0
    line = capsys.readouterr().out
    assert line.startswith("key-")
    assert line.count("\n") == 1
    assert call("new-key", "--id", "a b") == 1
    assert capsys.readouterr().err.startswith("--id: invalid_keys: A key id has ")


def test_get_raw(
    path: Path, key_file: Path, put: Put, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    payload = bytes(range(256)) * 100
    with open_store(path, key_file) as store:
        link = put(store, payload, now=now())
    arguments = ["get", link.uri, "--store", str(path), "--key-file", str(key_file), "--raw"]
    assert call(*arguments, "--principal", "anna") == 0
    assert capfdbinary.readouterr().out == payload
    assert call(*arguments, "--principal", "otto") == 1
    out, err = capfdbinary.readouterr()
    assert out == b""
    assert err.decode() == (
        f"{link.uri}: not_found: There is no stored result for this link,"
        " or it can no longer be read.\n"
    )


def test_get_prints_the_serialized_result(
    path: Path, key_file: Path, put: Put, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = Result.success({"ids": [1, 2], "name": "ü"}, summary="two").to_json()
    with open_store(path, key_file) as store:
        link = put(store, text, now=now())
        later = put(store, b'{"format_version": 99, "data": 1}', now=now(), format_version=99)
    common = ["--store", str(path), "--key-file", str(key_file), "--principal", "anna"]
    assert call("get", link.uri, *common) == 0
    assert capfdbinary.readouterr().out == text + b"\n"
    assert call("get", later.uri, *common) == 1
    out, err = capfdbinary.readouterr()
    assert out == b""
    assert b": unknown_version: " in err


def test_get_reads_the_legacy_string(
    path: Path, key_file: Path, put: Put, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Version 0, stored before results carried a version."""
    text = b'{"success": true, "data": {"ids": [1, 2]}}'
    with open_store(path, key_file) as store:
        link = put(store, text, now=now(), format_version=0)
    common = ["--store", str(path), "--key-file", str(key_file), "--principal", "anna"]
    assert call("get", link.uri, *common) == 0
    printed = json.loads(capfdbinary.readouterr().out)
    assert printed["data"] == {"ids": [1, 2]}
    assert printed["format_version"] >= 1


def test_purge_and_stats(
    path: Path, key_file: Path, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_store(path, key_file) as store:
        put(store, b"12345", now=now() - timedelta(hours=3))
        put(store, b"67", now=now() - timedelta(hours=2), lifetime=timedelta(days=1))
        put(store, b"8", now=now())
    assert call("stats", "--store", str(path), "--format", "json") == 0
    stats = json.loads(capsys.readouterr().out)
    assert (stats["count"], stats["expired"], stats["payload_bytes"]) == (3, 1, 8)
    assert call("purge", "--store", str(path)) == 0
    assert capsys.readouterr().out == "1 deleted\n"
    assert call("purge", "--store", str(path), "--older-than", "1h30m") == 0
    assert capsys.readouterr().out == "1 deleted\n"
    assert call("purge", "--store", str(path), "--older-than", "1h30m") == 0
    assert capsys.readouterr().out == "0 deleted\n"
    assert call("stats", "--store", str(path)) == 0
    assert "results           1\n" in capsys.readouterr().out
    assert call("purge", "--store", str(path), "--older-than", "0s") == 0
    assert capsys.readouterr().out == "1 deleted\n"


@pytest.mark.parametrize("name", ["purge", "stats"])
def test_a_store_that_is_not_there_is_not_made(
    path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert call(name, "--store", str(path)) == 1
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        f"{path}: store_unavailable: The store cannot be used. There is no such file.\n",
    )
    assert not path.exists()


def test_a_bad_key_file(path: Path, key_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_store(path, key_file).close()
    secret = key_file.read_text().split(":")[1].strip()
    key_file.write_text(f"first;{secret}\n")
    common = ["--store", str(path), "--key-file", str(key_file), "--principal", "anna"]
    assert call("get", "toolresult://stored/x", *common) == 1
    _, err = capsys.readouterr()
    assert err == f"{key_file}: invalid_keys: Line 1: Expected `id:base64`.\n"


def test_a_link_cannot_write_to_the_terminal(
    path: Path, key_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_store(path, key_file).close()
    common = ["--store", str(path), "--key-file", str(key_file), "--principal", "anna"]
    assert call("get", "\x1b[2J\n" + "A" * 500, *common) == 1
    _, err = capsys.readouterr()
    assert err.startswith("?[2J?AAA")
    assert len(err) < 400
    assert "\x1b" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["put"],
        ["get", "x"],
        ["get", "x", "--store", "s", "--key-file", "k", "--principal", ""],
        ["purge", "--store", "s", "--older-than", "soon"],
        ["purge", "--store", "s", "--older-than", "-1h"],
        ["purge", "--store", "s", "--older-than", "999999999w"],
        ["stats", "--store", "s", "--format", "xml"],
    ],
    ids=str,
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        call(*arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err != ""


def test_durations() -> None:
    assert command.duration("90s") == timedelta(seconds=90)
    assert command.duration("1d12h") == timedelta(days=1, hours=12)
    assert command.duration("2w") == timedelta(weeks=2)
    assert command.duration("0s") == timedelta(0)


@given(st.text())
def test_any_text_is_a_duration_or_wrong_usage(text: str) -> None:
    with suppress(argparse.ArgumentTypeError):
        assert command.duration(text) >= timedelta(0)


def test_objects_beside_the_rows(
    path: Path, key_file: Path, put: Put, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    objects = (path.parent / "objects").as_uri()
    with open_store(path, key_file, objects=objects) as store:
        link = put(store, b"[1]", now=now())
    where = ["--store", str(path), "--objects", objects]
    mine = ["--key-file", str(key_file), "--principal", "anna", "--raw"]
    assert call("get", link.uri, *where, *mine) == 0
    assert capfdbinary.readouterr().out == b"[1]"
    assert call("get", link.uri, "--store", str(path), *mine) == 1
    assert capfdbinary.readouterr().err.decode() == (
        f"{path}: store_unavailable: The bytes of this result are in an object store,"
        " which is not open here.\n"
    )
    assert call("purge", *where, "--older-than", "0s") == 0
    assert capfdbinary.readouterr().out == b"1 deleted\n"
    assert list((path.parent / "objects").iterdir()) == []
    assert call("stats", "--store", str(path), "--objects", objects + "x") == 1
    assert (
        b": store_unavailable: The object store cannot be used.\n" in capfdbinary.readouterr().err
    )


@pytest.mark.parametrize(
    ("store", "objects", "message"),
    [
        ("mysql://u:geheim@h/x", None, "--store: expected the path of a file"),
        ("postgresql://u:geheim@h:y/x", None, "--store: expected an address such as"),
        ("x.db", "gs://geheim", "--objects: expected file:///folder or s3://bucket/prefix"),
    ],
)
def test_an_address_that_is_none(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    store: str,
    objects: str | None,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    more = [] if objects is None else ["--objects", objects]
    assert main(["store", "stats", "--store", store, *more]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"toolresult store: usage: {message}")
    assert "geheim" not in err
    assert list(tmp_path.iterdir()) == []


def test_an_extra_that_is_not_installed(
    capsys: pytest.CaptureFixture[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "toolresult.store.objects.store", None)
    monkeypatch.setitem(sys.modules, "obstore", None)
    for name in [name for name in sys.modules if name.startswith("toolresult.store.objects.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(stores), "ObjectStore", raising=False)
    assert main(["store", "stats", "--store", str(path), "--objects", "file:///x"]) == 1
    assert capsys.readouterr().err == (
        f"{path}: missing_module: toolresult.store.ObjectStore needs obstore:"
        " pip install 'toolresult[objects]'\n"
    )


@pytest.mark.needs_toolchain
def test_a_database(
    database: URL, key_file: Path, put: Put, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    url = database.render_as_string(hide_password=False)
    assert call("stats", "--store", url) == 1
    assert capfdbinary.readouterr().err == (
        b"--store: not_a_store: What is there is not a store of results.\n"
    )
    with open_store(url, key_file) as store:
        link = put(store, b"[1]", now=now())
    mine = ["--key-file", str(key_file), "--principal", "anna", "--raw"]
    assert call("get", link.uri, "--store", url, *mine) == 0
    assert capfdbinary.readouterr().out == b"[1]"
    assert call("stats", "--store", url, "--format", "json") == 0
    assert json.loads(capfdbinary.readouterr().out)["count"] == 1
    assert call("purge", "--store", url, "--older-than", "0s") == 0
    assert capfdbinary.readouterr().out == b"1 deleted\n"
    # A password that is wrong is not told to whoever reads the log.
    wrong = database.set(password="geheim").render_as_string(hide_password=False)
    assert call("stats", "--store", wrong) == 1
    err = capfdbinary.readouterr().err
    assert err == b"--store: store_unavailable: The store cannot be used.\n"
