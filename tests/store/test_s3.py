"""Bytes in a bucket, through a real server of S3: what a folder's tests do not show."""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

import obstore
import pytest
from obstore.store import S3Store
from tests.store.servers import PASSWORD, S3Server

from toolresult.store import KeyRing, MemoryStore, ObjectStore, StoredLink, StoreError
from toolresult.store.objects import place

pytestmark = pytest.mark.needs_toolchain

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
Put = Callable[..., StoredLink]


@pytest.fixture
def store(bucket: str) -> Iterator[ObjectStore]:
    with ObjectStore(MemoryStore(max_count=10_000), bucket) as made:
        yield made


def plain(url: str) -> S3Store:
    """The bucket as others see it."""
    found: S3Store = S3Store.from_url(url, client_options={"allow_http": True})
    return found


def names(url: str) -> list[str]:
    return [one["path"] for page in obstore.list(plain(url)) for one in page]


def check_answer(error: StoreError, code: str) -> None:
    assert error.is_fault
    assert error.code.value == code
    for inside in ("127.0.0.1", "bucket", "http", "Generic", "s3"):
        assert inside.lower() not in str(error).lower()
    chain: BaseException | None = error
    while chain is not None:
        assert PASSWORD not in str(chain) + repr(chain)
        chain = chain.__cause__ or chain.__context__


def test_objects_are_below_the_prefix(store: ObjectStore, bucket: str, put: Put) -> None:
    put(store, b"x" * 1000)
    (name,) = names(bucket)
    (whole,) = names(bucket.removesuffix("/results"))
    assert whole == f"results/{name}"


def test_a_large_result_goes_in_one_piece(store: ObjectStore, bucket: str, put: Put) -> None:
    """An upload in parts that was broken off would stay, unseen, and cost money."""
    payload = bytes(range(256)) * 50_000
    link = put(store, payload)
    (page,) = obstore.list(plain(bucket))
    # The tag of an object that was put in parts ends in their number.
    assert "-" not in str(page[0]["e_tag"])
    assert store.get(link.uri, principal="anna", now=NOW).payload == payload


def test_an_object_that_has_gone(store: ObjectStore, bucket: str, put: Put) -> None:
    link = put(store, b"x" * 1000)
    obstore.delete(plain(bucket), names(bucket))
    with pytest.raises(StoreError) as caught:
        store.get(link.uri, principal="anna", now=NOW)
    check_answer(caught.value, "store_damaged")
    put(store)
    assert store.purge(now=NOW + HOUR) == 2


def test_an_object_that_was_changed(store: ObjectStore, bucket: str, put: Put) -> None:
    link = put(store, b"x" * 1000)
    obstore.put(plain(bucket), names(bucket)[0], b"y" * 1000)
    with pytest.raises(StoreError) as caught:
        store.get(link.uri, principal="anna", now=NOW)
    check_answer(caught.value, "store_damaged")


def test_a_purge_of_more_than_one_page(store: ObjectStore, bucket: str, put: Put) -> None:
    """S3 lists and deletes a thousand at once."""
    backend = plain(bucket)
    for number in range(1100):
        obstore.put(backend, f"1785230000_1785220000_{number:032x}", b"o", use_multipart=False)
    obstore.put(backend, "other", b"mine")
    kept = put(store, b"kept")
    assert store.stats(now=NOW).payload_bytes == 1104
    assert store.purge(now=NOW) == 0
    assert len(names(bucket)) == 2
    assert store.get(kept.uri, principal="anna", now=NOW).payload == b"kept"


def test_two_purges_at_once(store: ObjectStore, bucket: str, put: Put) -> None:
    """Deleting what is gone is no fault."""
    put(store)
    found = names(bucket)
    store._place.delete(found)
    store._place.delete(found)
    assert names(bucket) == []


@pytest.mark.parametrize("wrong", ["bucket", "server"])
def test_no_way_in(
    bucket: str,
    put: Put,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wrong: str,
) -> None:
    url = bucket
    if wrong == "bucket":
        url = "s3://no-such-bucket/results"
    else:
        monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:1")
    rows = MemoryStore()
    with caplog.at_level(logging.DEBUG), ObjectStore(rows, url) as store:
        with pytest.raises(StoreError) as caught:
            put(store)
        check_answer(caught.value, "store_unavailable")
        assert rows.stats(now=NOW).count == 0
        for call in (store.purge, store.stats):
            with pytest.raises(StoreError) as caught:
                call(now=NOW)
            check_answer(caught.value, "store_unavailable")
    assert PASSWORD not in caplog.text


def test_plain_http_needs_to_be_allowed(
    bucket: str, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ALLOW_HTTP")
    with ObjectStore(MemoryStore(), bucket) as store, pytest.raises(StoreError) as caught:
        put(store)
    check_answer(caught.value, "store_unavailable")


def test_a_server_that_does_not_answer(
    bucket: str, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the connection and says nothing: the wait is bounded."""
    monkeypatch.setitem(place.CLIENT, "timeout", timedelta(seconds=1))
    monkeypatch.setitem(place.RETRY, "max_retries", 1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with ObjectStore(MemoryStore(), bucket) as store:
            start = time.monotonic()
            with pytest.raises(StoreError) as caught:
                put(store)
            assert time.monotonic() - start < 15
    check_answer(caught.value, "store_unavailable")


def test_every_call_to_a_frozen_server_is_bounded(
    s3_server: S3Server, bucket: str, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connections, also those that are kept for later, stay open; then it goes on."""
    monkeypatch.setitem(place.CLIENT, "timeout", timedelta(seconds=1))
    monkeypatch.setitem(place.RETRY, "max_retries", 1)
    with ObjectStore(MemoryStore(), bucket) as store:
        link = put(store, b"kept")
        calls: list[Callable[[], object]] = [
            lambda: put(store),
            lambda: store.get(link.uri, principal="anna", now=NOW),
            lambda: store.purge(now=NOW),
            lambda: store.stats(now=NOW),
        ]
        with s3_server.frozen():
            for call in calls:
                start = time.monotonic()
                with pytest.raises(StoreError) as caught:
                    call()
                assert time.monotonic() - start < 15
                check_answer(caught.value, "store_unavailable")
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"
        put(store)


def test_a_server_that_freezes_in_the_middle_of_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how long the object is, sends some of it, and no more."""
    monkeypatch.setitem(place.CLIENT, "timeout", timedelta(seconds=1))
    monkeypatch.setitem(place.RETRY, "max_retries", 1)
    answer = (
        b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: "x"\r\n'
        b"Last-Modified: Tue, 28 Jul 2026 10:00:00 GMT\r\n\r\nsome"
    )
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{server.getsockname()[1]}")
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "access")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", PASSWORD)
        opened: list[socket.socket] = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    opened.append(connection)
                    connection.recv(65536)
                    connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        found = place.place_at("s3://bucket", create=False)
        start = time.monotonic()
        with pytest.raises(StoreError) as caught:
            found.read("1785236400_1785232800_" + "0" * 32, 1000)
        assert time.monotonic() - start < 15
        check_answer(caught.value, "store_unavailable")
        server.shutdown(socket.SHUT_RDWR)
        for connection in opened:
            connection.close()


def test_a_server_that_stops_and_comes_back(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    server = S3Server()
    try:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        rows = MemoryStore()
        with ObjectStore(rows, f"s3://{server.new_bucket()}") as store:
            link = put(store, b"x")
            server.stop()
            calls: list[Callable[[], object]] = [
                lambda: put(store),
                lambda: store.get(link.uri, principal="anna", now=NOW),
                lambda: store.stats(now=NOW),
            ]
            for call in calls:
                with pytest.raises(StoreError) as caught:
                    call()
                check_answer(caught.value, "store_unavailable")
            assert rows.stats(now=NOW).count == 1
            # moto forgets all: the bucket is gone, and the same store says so.
            server.start()
            with pytest.raises(StoreError):
                put(store)
    finally:
        server.stop()


def test_the_secret_is_in_no_repr(store: ObjectStore) -> None:
    for shown in (repr(store), repr(vars(store)), repr(vars(store._place))):
        assert PASSWORD not in shown


def test_the_command_line(path: Path, bucket: str, keys: KeyRing, put: Put, tmp_path: Path) -> None:
    """stats and purge, in a process of their own."""
    from toolresult.store import open_store

    with open_store(path, keys, objects=bucket) as store:
        put(store, b"12345")

    command = [sys.executable, "-m", "toolresult_generator", "store"]

    def run(*words: str) -> str:
        return subprocess.run(
            [*command, *words, "--store", str(path), "--objects", bucket],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    stats = json.loads(run("stats", "--format", "json"))
    assert (stats["count"], stats["payload_bytes"]) == (1, 5)
    assert run("purge", "--older-than", "0s") == "1 deleted\n"
    assert names(bucket) == []
