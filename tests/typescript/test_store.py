"""Pointers and stores of Python and TypeScript: what one makes the other takes, or both refuse."""

from __future__ import annotations

import base64
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.typescript.package import Driver, driver

from toolresult.store import KeyRing, SqliteStore, Store, StoreError, open_store
from toolresult.store.interface import NOT_FOUND_MESSAGE
from toolresult.store.keys import Key
from toolresult.store.pointer import PREFIX, Pointer, sign, verify

NOW = datetime(2026, 7, 28, 10, 0, 0, 250_000, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
ID = bytes(range(0xA0, 0xB0))
PRINCIPALS = ["anna", "integration:42/user:7", "Jürgen 😀", "a\x00b", "x" * 1_000]
PAYLOADS = [b"", b"{}", '{"data":"ü😀"}'.encode(), bytes(range(256)) * 300]


def stamp(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def text(keys: KeyRing) -> str:
    """The text of the key file of a ring."""
    secrets = zip(keys.ids, keys.verifying, strict=True)
    return "\n".join(Key(id, secret).line for id, secret in secrets)


@pytest.fixture(scope="module")
def node() -> Iterator[Driver]:
    with driver("store-driver.js", with_sqlite=True) as found:
        yield found


@pytest.fixture
def keys() -> KeyRing:
    return KeyRing([Key.generate("new"), Key.generate("old")])


def answered(node: Driver, **request: Any) -> Any:
    answer = node.ask(**request)
    assert "is" in answer, answer
    return answer["is"]


# ------------------------------------------------------------- pointers


@pytest.mark.parametrize("principal", PRINCIPALS)
def test_both_sign_the_same_bytes(node: Driver, keys: KeyRing, principal: str) -> None:
    for expires_at in (1, 1_785_236_400, 253_402_300_799):
        ours = sign(Pointer(ID, expires_at), principal=principal, keys=keys)
        theirs = answered(
            node,
            do="sign",
            record_id=base64.b64encode(ID).decode(),
            expires_at=str(expires_at),
            principal=principal,
            keys=text(keys),
        )
        assert theirs == ours


def test_the_example_of_the_documents(node: Driver) -> None:
    key = Key("example", bytes(range(32)))
    assert (
        answered(
            node,
            do="sign",
            record_id=base64.b64encode(ID).decode(),
            expires_at="1785236400",
            principal="anna",
            keys=key.line,
        )
        == PREFIX + "AQAAAABqaIuwoKGio6SlpqeoqaqrrK2ur2yXXHRKJiBszg9UwUM0l--IbuiiA6vNQ1WHkFnRVCnw"
    )


def test_what_python_signs_is_verified(node: Driver, keys: KeyRing) -> None:
    expires_at = int((NOW + HOUR).timestamp())
    uri = sign(Pointer(ID, expires_at), principal="anna", keys=keys)
    found = answered(node, do="verify", uri=uri, principal="anna", now=stamp(NOW), keys=text(keys))
    assert found == {"record_id": base64.b64encode(ID).decode(), "expires_at": expires_at}


def changed(uri: str) -> dict[str, str]:
    """A good pointer, spoilt in every way."""
    token = uri[len(PREFIX) :]
    spoilt = {}
    for at in (0, 1, 5, 11, 12, 20, 33, 34, 50, 75):
        other = "A" if token[at] != "A" else "B"
        spoilt[f"the character {at}"] = f"{PREFIX}{token[:at]}{other}{token[at + 1 :]}"
    return {
        **spoilt,
        "shorter": uri[:-1],
        "longer": uri + "A",
        "padded": uri[:-1] + "=",
        "standard alphabet": PREFIX + token.replace("-", "+").replace("_", "/") + " ",
        "another alphabet": PREFIX + "+" * 76,
        "no ASCII": PREFIX + "ä" * 76,
        "another scheme": uri.replace("toolresult", "toolresulT"),
        "nothing": "",
        "zeros": PREFIX + "A" * 76,
        "a line feed": uri[:-1] + "\n",
    }


def test_both_refuse_the_same_in_the_same_words(node: Driver, keys: KeyRing) -> None:
    expires = NOW.replace(microsecond=0) + HOUR
    good = sign(Pointer(ID, int(expires.timestamp())), principal="anna", keys=keys)
    other = KeyRing.generate()
    cases: dict[str, tuple[str, str, datetime, KeyRing]] = {
        name: (uri, "anna", NOW, keys) for name, uri in changed(good).items()
    }
    cases["expired"] = (good, "anna", expires, keys)
    cases["long expired"] = (good, "anna", expires + 1_000 * HOUR, keys)
    cases["foreign"] = (good, "bert", NOW, keys)
    cases["foreign by case"] = (good, "Anna", NOW, keys)
    cases["another key"] = (good, "anna", NOW, other)
    cases["the key is gone"] = (
        good, "anna", NOW, KeyRing([Key("old", keys.verifying[1])]),
    )  # fmt: skip
    for name, (uri, principal, now, ring) in cases.items():
        with pytest.raises(StoreError) as caught:
            verify(uri, principal=principal, now=now, keys=ring)
        assert caught.value.code == "not_found", name
        answer = node.ask(
            do="verify", uri=uri, principal=principal, now=stamp(now), keys=text(ring)
        )
        assert answer == {"error": "not_found", "message": NOT_FOUND_MESSAGE}, name
    # a second before its end it is still good, to both
    last = expires - timedelta(seconds=1)
    verify(good, principal="anna", now=last, keys=keys)
    answered(node, do="verify", uri=good, principal="anna", now=stamp(last), keys=text(keys))


def test_keys_are_rotated(node: Driver) -> None:
    old, new = Key.generate("2026-07"), Key.generate("2026-08")
    expires_at = str(int((NOW + HOUR).timestamp()))
    by_old = sign(Pointer(ID, int(expires_at)), principal="anna", keys=KeyRing([old]))
    rotated = f"# rotated\r\n{new.line}\n\n  {old.line}  \n"
    ask = {"principal": "anna", "now": stamp(NOW)}
    answered(node, do="verify", uri=by_old, keys=rotated, **ask)
    by_new = answered(
        node,
        do="sign",
        record_id=base64.b64encode(ID).decode(),
        expires_at=expires_at,
        principal="anna",
        keys=rotated,
    )
    both = KeyRing([old, new])  # a worker that has the new key already, but signs with the old
    assert verify(by_new, principal="anna", now=NOW, keys=both).record_id == ID
    assert node.ask(do="verify", uri=by_old, keys=new.line, **ask)["error"] == "not_found"


@pytest.mark.parametrize("principal", ["", "\ud800"])
def test_a_principal_that_no_caller_should_pass(
    node: Driver, keys: KeyRing, principal: str
) -> None:
    with pytest.raises(ValueError, match="principal"):
        verify("", principal=principal, now=NOW, keys=keys)
    answer = node.ask(do="verify", uri="", principal=principal, now=stamp(NOW), keys=text(keys))
    assert answer["thrown"] == "RangeError"
    assert "principal" in answer["message"]


# ----------------------------------------------------------------- keys

KEY = base64.b64encode(bytes(range(32))).decode()
KEY_TEXTS = [
    f"one:{KEY}",
    f"one:{KEY}\ntwo:{base64.b64encode(bytes(range(1, 65))).decode()}",
    f"\n# c\n one : {KEY} \n",
    f"a\x0cb:{KEY}",
    f"one:{KEY}\rtwo:{base64.b64encode(bytes(range(1, 33))).decode()}",
    "",
    "# nothing",
    KEY,
    f"one {KEY}",
    f":{KEY}",
    f"-x:{KEY}",
    f"{'i' * 64}:{KEY}",
    f"{'i' * 65}:{KEY}",
    f"one:{KEY[:-1]}",
    f"one:{KEY}=",
    f"one:{KEY.replace('A', '-', 1)}",
    f"one:{KEY[:10]} {KEY[10:]}",
    f"one:{base64.b64encode(bytes(31)).decode()}",
    f"one:{base64.b64encode(bytes(65)).decode()}",
    f"one:{KEY}\none:{base64.b64encode(bytes(32)).decode()}",
    f"one:{KEY}\ntwo:{KEY}",
    "\n".join(f"k{n}:{base64.b64encode(bytes([n]) * 32).decode()}" for n in range(16)),
    "\n".join(f"k{n}:{base64.b64encode(bytes([n]) * 32).decode()}" for n in range(17)),
]


@pytest.mark.parametrize("lines", KEY_TEXTS, ids=lambda lines: repr(lines)[:30])
def test_key_files_are_read_and_refused_alike(node: Driver, lines: str) -> None:
    answer = node.ask(do="parse", keys=lines)
    try:
        ids = list(KeyRing.parse(lines).ids)
    except StoreError as error:
        assert answer == {"error": "invalid_keys", "message": error.message}
    else:
        assert answer == {"is": ids}


def test_a_new_key_is_one_to_both(node: Driver) -> None:
    line = answered(node, do="new_key", id="2026-07")
    assert KeyRing.parse(line).ids == ("2026-07",)


# ---------------------------------------------------------------- files


def put(store: Store, payload: bytes, principal: str = "anna") -> str:
    return store.put(
        payload,
        principal=principal,
        now=NOW,
        lifetime=HOUR,
        format_version=1,
        mime_type="application/json",
    ).uri


@pytest.mark.parametrize("first", ["python", "typescript"])
def test_one_file_for_both(node: Driver, keys: KeyRing, tmp_path: Path, first: str) -> None:
    """Whoever makes the file: both write into it, each reads what the other wrote."""
    path, key_file = tmp_path / "results.db", tmp_path / "keys"
    key_file.write_text(text(keys))
    key_file.chmod(0o600)
    place = {"path": str(path), "key_file": str(key_file)}
    if first == "typescript":
        answered(node, do="stats", now=stamp(NOW), **place)
        assert path.stat().st_mode & 0o777 == 0o600
    with open_store(path, key_file) as store:
        for payload in PAYLOADS:
            uri = put(store, payload)
            found = answered(node, do="get", uri=uri, principal="anna", now=stamp(NOW), **place)
            assert base64.b64decode(found["payload"]) == payload
            ours = store.get(uri, principal="anna", now=NOW)
            assert (found["formatVersion"], found["mimeType"]) == (1, "application/json")
            assert (found["storedAt"], found["expiresAt"]) == (ours.stored_at, ours.expires_at)

            link = answered(
                node,
                do="put",
                payload=base64.b64encode(payload).decode(),
                principal="anna",
                now=stamp(NOW),
                lifetime="3600",
                format_version="0",
                mime_type="text/plain; charset=ü",
                **place,
            )
            read = store.get(link["uri"], principal="anna", now=NOW)
            assert read.payload == payload
            assert (read.format_version, read.mime_type) == (0, "text/plain; charset=ü")
            assert (link["size"], link["expiresAt"]) == (len(payload), read.expires_at)
            foreign = node.ask(do="get", uri=uri, principal="bert", now=stamp(NOW), **place)
            assert foreign == {"error": "not_found", "message": NOT_FOUND_MESSAGE}
        stats = store.stats(now=NOW)
        found = answered(node, do="stats", now=stamp(NOW), **place)
        assert found["count"] == stats.count == 2 * len(PAYLOADS)
        assert found["payloadBytes"] == stats.payload_bytes
        assert found["schemaVersion"] == stats.schema_version
        assert found["oldestStoredAt"] == stats.oldest_stored_at
        later = NOW + 2 * HOUR
        assert answered(node, do="stats", now=stamp(later), **place)["expired"] == stats.count
        assert answered(node, do="purge", now=stamp(later), **place) == stats.count
        assert store.stats(now=NOW).count == 0
    answered(node, do="close", **place)


def schema(path: Path) -> Any:
    with sqlite3.connect(path) as db:
        tables = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        return tables, *(
            db.execute(f"PRAGMA {name}").fetchone()
            for name in ("application_id", "user_version", "journal_mode")
        )


def test_both_make_the_same_file(node: Driver, keys: KeyRing, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs.db", tmp_path / "ours.db"
    answered(node, do="stats", now=stamp(NOW), path=str(theirs), keys=text(keys))
    with SqliteStore(ours, keys):
        pass
    assert schema(theirs) == schema(ours)


def test_what_was_changed_in_the_file_is_noticed_by_both(
    node: Driver, keys: KeyRing, tmp_path: Path
) -> None:
    path = tmp_path / "results.db"
    with SqliteStore(path, keys) as store:
        uri = put(store, b'{"format_version":1}')
        for change in (
            "payload = x'00'",
            "format_version = 2",
            "mime_type = 'x'",
            "stored_at = 7",
            "payload = 'text'",
            "expires_at = 9223372036854775807",
        ):
            with sqlite3.connect(path) as db:
                before = db.execute("SELECT * FROM stored_result").fetchall()
                db.execute(f"UPDATE stored_result SET {change}")
            with pytest.raises(StoreError) as caught:
                store.get(uri, principal="anna", now=NOW)
            assert caught.value.code == "store_damaged"
            place = {"path": str(path), "keys": text(keys)}
            answer = node.ask(do="get", uri=uri, principal="anna", now=stamp(NOW), **place)
            assert answer == {"error": "store_damaged", "message": caught.value.message}, change
            with sqlite3.connect(path) as db:
                db.execute("DELETE FROM stored_result")
                db.executemany("INSERT INTO stored_result VALUES (?, ?, ?, ?, ?, ?, ?)", before)


def broken(kind: str, path: Path) -> None:
    """A file that is no store of this version."""
    if kind == "a folder":
        path.mkdir()
    elif kind == "too short":
        path.write_bytes(b"SQLite")
    elif kind == "no database":
        path.write_bytes(b"no database at all " * 100)
    elif kind == "another program's":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE notes (text)")
    elif kind == "newer":
        with SqliteStore(path, KeyRing.generate()):
            pass
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 7")
    elif kind == "no table":
        with SqliteStore(path, KeyRing.generate()):
            pass
        with sqlite3.connect(path) as db:
            db.execute("DROP TABLE stored_result")


KINDS = ["missing", "a folder", "too short", "no database", "another program's", "newer"]


@pytest.mark.parametrize("kind", [*KINDS, "no table"])
def test_other_files_are_refused_alike(
    node: Driver, keys: KeyRing, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "results.db"
    broken(kind, path)
    with pytest.raises(StoreError) as caught, SqliteStore(path, keys, create=False) as store:
        store.stats(now=NOW)
    answer = node.ask(do="stats", now=stamp(NOW), path=str(path), keys=text(keys), create="no")
    assert answer == {"error": caught.value.code.value, "message": caught.value.message}


@pytest.mark.parametrize("content", [b"short", b"a text, and no database\n" * 100])
def test_both_refuse_what_is_no_database(
    node: Driver, keys: KeyRing, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, keys)
    answer = node.ask(do="stats", now=stamp(NOW), path=str(path), keys=text(keys))
    assert answer == {"error": "not_a_store", "message": caught.value.message}
    assert path.read_bytes() == content


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody may write to, root neither."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    if os.getuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("root may write everywhere, and mounting is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_both_say_that_a_folder_is_read_only(node: Driver, keys: KeyRing, read_only: Path) -> None:
    path = read_only / "results.db"
    with pytest.raises(StoreError, match="read-only for this process") as caught:
        SqliteStore(path, keys)
    answer = node.ask(do="stats", now=stamp(NOW), path=str(path), keys=text(keys))
    assert answer == {"error": "store_unavailable", "message": caught.value.message}


def test_a_file_that_goes_is_not_made_anew(node: Driver, keys: KeyRing, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    place = {"path": str(path), "keys": text(keys)}
    answered(node, do="stats", now=stamp(NOW), **place)
    path.rename(tmp_path / "elsewhere.db")
    assert node.ask(do="stats", now=stamp(NOW), **place)["error"] == "store_unavailable"
    assert not path.exists()
    (tmp_path / "elsewhere.db").rename(path)
    assert answered(node, do="stats", now=stamp(NOW), **place)["count"] == 0


def test_another_writer_that_does_not_end(node: Driver, keys: KeyRing, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    place = {"path": str(path), "keys": text(keys)}
    answered(node, do="stats", now=stamp(NOW), **place)
    with sqlite3.connect(path, isolation_level=None) as db:
        db.execute("BEGIN IMMEDIATE")
        answer = node.ask(
            do="put", payload="", principal="anna", now=stamp(NOW), lifetime="1",
            format_version="1", mime_type="x", **place,
        )  # fmt: skip
        assert answer == {"error": "store_locked", "message": "The store is busy. Try again."}
        assert answered(node, do="stats", now=stamp(NOW), **place)["count"] == 0  # readers read
        db.execute("ROLLBACK")


def test_both_write_at_once(node: Driver, keys: KeyRing, tmp_path: Path) -> None:
    """Writers of two languages take turns; nothing that was handed out is lost."""
    path = tmp_path / "results.db"
    place = {"path": str(path), "keys": text(keys)}
    with SqliteStore(path, keys) as store, ThreadPoolExecutor(1) as pool:

        def write_ours() -> list[str]:
            return [put(store, f"ours {number}".encode()) for number in range(100)]

        ours = pool.submit(write_ours)
        theirs = [
            answered(
                node,
                do="put",
                payload=base64.b64encode(f"theirs {number}".encode()).decode(),
                principal="anna",
                now=stamp(NOW),
                lifetime="3600",
                format_version="1",
                mime_type="text/plain",
                **place,
            )["uri"]
            for number in range(100)
        ]
        for number, uri in enumerate(ours.result()):
            found = answered(node, do="get", uri=uri, principal="anna", now=stamp(NOW), **place)
            assert base64.b64decode(found["payload"]) == f"ours {number}".encode()
        for number, uri in enumerate(theirs):
            payload = store.get(uri, principal="anna", now=NOW).payload
            assert payload == f"theirs {number}".encode()
        assert store.stats(now=NOW).count == 200
