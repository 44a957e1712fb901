"""The folder or bucket that objects are in, through obstore.

Three things that obstore leaves to its user are done here:

- It would make a folder anew that was deleted while it is open, and hide the loss. So the folder
  is compared (device and inode) with the one that was opened, before a write and after.
- In a folder it writes a whole file or none, but does not wait for the disk.
- Its threads do not survive a fork, and a child that calls it would wait for them for ever. So a
  child of a process that has used it is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

import obstore
from obstore.store import LocalStore, S3Store

from toolresult.store.interface import StoreErrorCode
from toolresult.store.objects.faults import fault, translated
from toolresult.store.objects.names import covers, is_name
from toolresult.store.permissions import warn_of_permissions
from toolresult.store.record import Cutoff

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig
    from obstore.store import ObjectStore as Backend

CLIENT: ClientConfig = {"connect_timeout": timedelta(seconds=5), "timeout": timedelta(seconds=30)}
RETRY: RetryConfig = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}
"""obstore's own would let a request wait for three minutes."""
_PAGE = 1000
_EXPECTED = "objects: expected file:///folder or s3://bucket/prefix, without credentials"

_used_in: int | None = None


class Place:
    """Where objects are: any store of obstore. A folder gets the care that is said above."""

    def __init__(self, backend: Backend) -> None:
        self._backend: Any = backend
        self._folder: Path | None = None
        if isinstance(backend, LocalStore):
            if backend.prefix is None:
                raise ValueError("objects: expected a LocalStore with a folder")
            self._folder = Path(os.path.abspath(backend.prefix))
            with translated():
                self._identity = _identity(self._folder)

    def write(self, name: str, payload: bytes) -> None:
        """All of ``payload``, or nothing. Returns once it is safe."""
        with self._call():
            # In parts, an upload that was broken off would stay in a bucket and cost money.
            obstore.put(self._backend, name, payload, use_multipart=False)
            if self._folder is not None:
                _flush(self._folder / name)
                _flush(self._folder)

    def read(self, name: str, size: int) -> bytes | None:
        """The object of that name, or None where there is none. Reads no more than ``size``.

        Raises ``store_damaged`` for an object of another size.
        """
        with self._call():
            try:
                found = obstore.get(self._backend, name)
            except FileNotFoundError:
                return None
            if found.meta["size"] != size:
                raise fault(StoreErrorCode.DAMAGED)
            return bytes(found.bytes())

    def delete(self, names: list[str]) -> None:
        """Deletes objects; those that are gone already are none the less gone."""
        with self._call():
            try:
                obstore.delete(self._backend, names)
            except FileNotFoundError:
                # Another purge was faster with one. In a folder the rest is still there.
                for name in names:
                    with suppress(FileNotFoundError):
                        obstore.delete(self._backend, name)

    def total(self) -> int:
        """Bytes of all objects."""
        return sum(size for page in self._pages() for _, size in page)

    def purge(self, limit: Cutoff) -> None:
        """Deletes the objects that ``limit`` covers, whether or not a row refers to them."""
        for page in self._pages():
            if names := [name for name, _ in page if covers(limit, name)]:
                self.delete(names)
        if self._folder is not None:
            with self._call():
                _delete_unfinished(self._folder, limit)

    def _pages(self) -> Iterator[list[tuple[str, int]]]:
        """Names and sizes of our objects, some at a time."""
        with self._call():
            pages = obstore.list(self._backend, chunk_size=_PAGE)
        while True:
            with self._call():
                page = next(pages, None)
            if page is None:
                return
            yield [(one["path"], one["size"]) for one in page if is_name(one["path"])]

    @contextmanager
    def _call(self) -> Iterator[None]:
        """Around each use of obstore. Raises ``StoreError``."""
        _check_process()
        with translated():
            self._check_folder()
            yield
            self._check_folder()

    def _check_folder(self) -> None:
        if self._folder is not None and _identity(self._folder) != self._identity:
            raise fault(StoreErrorCode.UNAVAILABLE)


def place_at(url: str, *, create: bool) -> Place:
    """The folder of a ``file:///`` URL or the bucket of an ``s3://`` URL.

    A folder is made if ``create``, for the owner alone; a bucket must be there. Its address and
    credentials come from the environment (``AWS_REGION``, ``AWS_ACCESS_KEY_ID``,
    ``AWS_ENDPOINT``…). Raises ``StoreError``, and what ``check_url`` raises.
    """
    parts = check_url(url)
    if parts.scheme == "file":
        return Place(_folder(Path(unquote(parts.path)), create=create))
    # What is said here replaces all that obstore would read in the environment about clients.
    plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true")
    client: ClientConfig = {**CLIENT, "allow_http": plain}
    with translated():
        return Place(S3Store.from_url(url, client_options=client, retry_config=RETRY))


def check_url(url: str) -> SplitResult:
    """The parts of a URL of a folder or bucket. Raises ValueError for any other."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(_EXPECTED) from None
    is_folder = parts.scheme == "file" and not parts.netloc and parts.path.startswith("/")
    is_bucket = parts.scheme == "s3" and bool(parts.netloc) and "@" not in parts.netloc
    if parts.query or parts.fragment or not (is_folder or is_bucket):
        raise ValueError(_EXPECTED)
    return parts


def _folder(path: Path, *, create: bool) -> LocalStore:
    with translated():
        if create:
            with suppress(FileExistsError):
                path.mkdir(mode=0o700)
        _identity(path)
        warn_of_permissions(path)
        return LocalStore(path)


def _identity(folder: Path) -> tuple[int, int]:
    found = os.stat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError
    return found.st_dev, found.st_ino


def _flush(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _delete_unfinished(folder: Path, limit: Cutoff) -> None:
    """What a killed process left: obstore writes to ``NAME#1`` first, and does not list those."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name, mark, number = entry.name.partition("#")
            if mark and number.isdecimal() and covers(limit, name):
                with suppress(FileNotFoundError):
                    os.unlink(entry.path)


def _check_process() -> None:
    global _used_in  # noqa: PLW0603 -- obstore's threads are one per process too
    if _used_in is None:
        _used_in = os.getpid()
    elif _used_in != os.getpid():
        raise fault(StoreErrorCode.UNAVAILABLE)
