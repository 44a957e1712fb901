"""What ``open_store`` takes: a path, the address of a database, and where objects are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from toolresult.store import (
    Key,
    KeyRing,
    ListVersions,
    ObjectStore,
    PostgresStore,
    SqliteStore,
    StoredLink,
    StoreError,
    open_store,
)

if TYPE_CHECKING:
    from sqlalchemy import URL

NOW = datetime(2026, 7, 28, 10, tzinfo=timezone.utc)
Put = Callable[..., StoredLink]


@pytest.mark.parametrize("kind", ["path", "text", "absolute", "relative"])
def test_an_sqlite_file(
    path: Path, keys: KeyRing, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(path.parent)
    places: dict[str, str | Path] = {
        "path": path,
        "text": str(path),
        "absolute": f"sqlite:///{path}",
        "relative": f"sqlite:///{path.name}",
    }
    with open_store(places[kind], keys) as store:
        assert isinstance(store, SqliteStore)
    assert path.exists()


def test_keys_from_a_file(path: Path, tmp_path: Path, put: Put) -> None:
    file = tmp_path / "keys"
    file.write_text(Key.generate("first").line)
    file.chmod(0o600)
    with open_store(path, file) as store:
        link = put(store, b"x")
    with open_store(path, KeyRing.load(file)) as store:
        assert store.get(link.uri, principal="anna", now=NOW).payload == b"x"


def test_objects_beside_a_file(path: Path, keys: KeyRing, put: Put) -> None:
    folder = path.parent / "objects"
    with open_store(path, keys, objects=folder.as_uri()) as store:
        assert isinstance(store, ObjectStore)
        assert isinstance(store, ListVersions)
        put(store)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.needs_toolchain
@pytest.mark.parametrize("driver", ["postgresql", "postgresql+psycopg"])
def test_a_database(database: URL, keys: KeyRing, put: Put, driver: str) -> None:
    url = database.set(drivername=driver).render_as_string(hide_password=False)
    with open_store(url, keys) as store:
        assert isinstance(store, PostgresStore)
        assert isinstance(store, ListVersions)
        put(store)


@pytest.mark.parametrize(
    "place",
    [
        "mysql://u:geheim@h/x",
        "postgres://u:geheim@h/x",
        "postgresql+asyncpg://u:geheim@h/x",
        "sqlite://u:geheim@h",
        "sqlite:///",
        "sqlite:///x.db?password=geheim",
        "://geheim",
    ],
)
def test_no_address_of_a_store(keys: KeyRing, place: str) -> None:
    with pytest.raises(ValueError, match=r"^store: expected") as caught:
        open_store(place, keys)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    "objects",
    [
        "",
        "objects",
        "/objects",
        "file://objects",
        "file://host/objects",
        "file:///objects?x=geheim",
        "file:///objects#geheim",
        "s3://",
        "s3:///results",
        "s3://access:geheim@bucket/results",
        "s3://bucket?secret=geheim",
        "s3://[bucket",
        "gs://bucket",
        "https://bucket.s3.amazonaws.com/x",
        "memory:///",
    ],
)
def test_no_address_of_objects(path: Path, keys: KeyRing, objects: str) -> None:
    """It is said before anything is made."""
    with pytest.raises(ValueError, match=r"^objects: expected") as caught:
        open_store(path, keys, objects=objects)
    assert "geheim" not in str(caught.value)
    assert not path.exists()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="sees open files in /proc")
def test_objects_that_cannot_be_used_leave_no_connection(path: Path, keys: KeyRing) -> None:
    with pytest.raises(StoreError, match=r"^store_unavailable: ") as caught:
        open_store(path, keys, objects=(path.parent / "a" / "b").as_uri())
    assert caught.value.__traceback__ is not None  # which keeps all that it knew
    opened = [os.readlink(one) for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
    assert not [name for name in opened if name.startswith(str(path))]


MISSING = """
import sys
sys.modules[sys.argv[1]] = None
from toolresult.store import KeyRing, open_store
try:
    open_store(sys.argv[2], KeyRing.generate(), objects=sys.argv[3] or None)
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "place", "objects", "told"),
    [
        (
            "sqlalchemy",
            "postgresql+psycopg://h/x",
            "",
            "toolresult.store.PostgresStore needs sqlalchemy and psycopg: "
            "pip install 'toolresult[postgresql]'",
        ),
        (
            "psycopg",
            "postgresql+psycopg://h/x",
            "",
            "toolresult.store.PostgresStore needs sqlalchemy and psycopg: "
            "pip install 'toolresult[postgresql]'",
        ),
        (
            "obstore",
            "results.db",
            "file:///objects",
            "toolresult.store.ObjectStore needs obstore: pip install 'toolresult[objects]'",
        ),
    ],
)
def test_the_extra_is_named(
    tmp_path: Path, module: str, place: str, objects: str, told: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING, module, place, objects],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == told + "\n"
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_imported_before_it_is_used(tmp_path: Path) -> None:
    program = (
        "import sys, toolresult, toolresult.store as s; "
        "s.open_store('x.db', s.KeyRing.generate()).close(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"sqlalchemy", "psycopg", "psycopg_binary", "obstore"}
    assert "sqlite3" in loaded
