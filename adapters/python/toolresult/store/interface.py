"""What a store does: put, get, purge, stats; the versions of lists; one error class.

A store keeps the serialized bytes of results that are too large to send inline
and hands out a link for each: a signed, short-lived pointer that only the
principal it was made for can use. The clock always comes from the caller; a
store never asks for the time itself, so tests and replays decide what "now" is.

docs: docs/stores.md
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from types import TracebackType
from typing import Protocol, runtime_checkable

DEFAULT_LIFETIME = timedelta(hours=1)
"""How long a link can be read where the host does not say otherwise."""

LEGACY_FORMAT_VERSION = 0
"""The format version of the legacy string, which carries no version itself."""

NOT_FOUND_MESSAGE = "There is no stored result for this link, or it can no longer be read."
"""The one answer to every pointer that gives nothing, whatever the reason."""


class StoreErrorCode(str, Enum):
    """The closed set of reasons why a store did not do what was asked."""

    NOT_FOUND = "not_found"
    """The pointer is tampered with, expired, another principal's, or unknown."""
    UNAVAILABLE = "store_unavailable"
    """The store is missing, closed, cannot be opened, or its device fails."""
    LOCKED = "store_locked"
    """Another process held the store for longer than the busy timeout."""
    FULL = "store_full"
    """The disk, or the bound given to the store, is used up."""
    DAMAGED = "store_damaged"
    """What was stored cannot be read back as it was written."""
    NEWER = "store_newer"
    """The store was written by a later version of this library."""
    NOT_A_STORE = "not_a_store"
    """The file is a database of some other program, or no database."""
    TOO_LARGE = "too_large"
    """The payload is larger than the store takes."""
    INVALID_KEYS = "invalid_keys"
    """The key file cannot be used."""


class StoreError(Exception):
    """A store did not do what was asked.

    ``code`` is stable. ``message`` is safe to send to a client: it names no
    path, no key, no principal and no text of the database library. The cause,
    where there is one, is chained (``__cause__``) for the log.
    """

    def __init__(self, code: StoreErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def is_fault(self) -> bool:
        """Whether the store failed, rather than the pointer being no good."""
        return self.code is not StoreErrorCode.NOT_FOUND

    def __str__(self) -> str:
        return f"{self.code.value}: {self.message}"

    def __reduce__(self) -> tuple[type[StoreError], tuple[StoreErrorCode, str]]:
        # The default would call the class with the message alone.
        return type(self), (self.code, self.message)


def not_found() -> StoreError:
    """The answer to every bad pointer; made in one place so that none differs."""
    return StoreError(StoreErrorCode.NOT_FOUND, NOT_FOUND_MESSAGE)


@dataclass(frozen=True)
class StoredLink:
    """What ``put`` hands out once the result is safely stored."""

    uri: str
    """``toolresult://stored/<token>``, ASCII."""
    size: int
    """Bytes that the link yields."""
    expires_at: str
    """RFC 3339 in UTC with ``Z``, whole seconds: the pointer's own expiry."""
    mime_type: str


@dataclass(frozen=True)
class StoredPayload:
    """What ``get`` gives back, exactly as it was put."""

    payload: bytes
    format_version: int
    """0 for the legacy string (UTF-8), else the version inside the payload."""
    mime_type: str
    stored_at: str
    """RFC 3339 in UTC with ``Z``, whole seconds."""
    expires_at: str
    """RFC 3339 in UTC with ``Z``, whole seconds."""


@dataclass(frozen=True)
class StoreStats:
    """What a store holds at one moment."""

    count: int
    """Stored results, expired ones included."""
    expired: int
    """Those of them that no link can reach any more."""
    payload_bytes: int
    """Bytes of all payloads."""
    file_bytes: int | None
    """Bytes on disk, write-ahead log included; None where there is no file."""
    oldest_stored_at: str | None
    newest_stored_at: str | None
    schema_version: int | None
    """The layout of the database; None where there is none."""


MAX_LIST_NAME = 200
"""Characters of a list's name."""


def check_list_name(name: str) -> str:
    """The name, for stores to call first. Raises ValueError for what is no name of a list."""
    if not isinstance(name, str) or not 0 < len(name) <= MAX_LIST_NAME or not name.isprintable():
        raise ValueError(f"name: expected 1 to {MAX_LIST_NAME} printable characters")
    return name


@runtime_checkable
class ListVersions(Protocol):
    """The versions of lists, such as that of a server's tools, seen by all workers alike.

    A version is a number that says whether a list has changed and nothing else: 0 for a
    list that never did, one more with every change. Readers compare for *different*, never
    for *greater*, since a store that is made anew begins at 0 again.

    What a store must do, with one row per name and no clock: ``raise_list_version`` adds one
    in a single atomic write, so that of two workers at once each counts, and returns once
    every worker that reads the store from then on sees it. ``list_version`` is read for each
    request of a session, so it is one lookup by a key and takes no lock that a writer would
    wait for. A purge of results leaves versions alone. Both may be called from any thread;
    faults raise ``StoreError``, a name that is none raises ``ValueError``
    (:func:`check_list_name`).
    """

    def list_version(self, name: str) -> int:
        """The version of the list with that name; 0 if it never changed."""
        ...

    def raise_list_version(self, name: str) -> int:
        """Says that the list has changed, and returns its new version."""
        ...


@runtime_checkable
class Store(Protocol):
    """A place for results that are too large to send inline.

    Every method may be called from any thread. ``now`` must be aware of its
    time zone. Faults of the store raise ``StoreError``; arguments that no
    caller should pass (an empty principal, a naive time, a lifetime that is
    not positive) raise ``ValueError``.
    """

    def put(
        self,
        payload: bytes,
        *,
        principal: str,
        now: datetime,
        lifetime: timedelta,
        format_version: int,
        mime_type: str,
    ) -> StoredLink:
        """Store ``payload`` and return its link, only once it is safely stored.

        The link can be read by ``principal`` until ``now + lifetime``, rounded
        up to a whole second. Raises ``StoreError``; then no link exists.
        """
        ...

    def get(self, uri: str, *, principal: str, now: datetime) -> StoredPayload:
        """The payload behind ``uri``.

        ``uri`` is untrusted text. Raises ``StoreError``: ``not_found``, with one
        and the same message, for a pointer that is tampered with, expired,
        another principal's, or unknown; another code for a fault of the store.
        """
        ...

    def purge(self, *, now: datetime, older_than: timedelta | None = None) -> int:
        """Delete stored results and return how many.

        Without ``older_than`` those that have expired, which no link can reach.
        With it those that were stored at least that long ago, expired or not.
        """
        ...

    def stats(self, *, now: datetime) -> StoreStats:
        """Counts and sizes. Raises ``StoreError`` on a fault."""
        ...

    def close(self) -> None:
        """Let go of files. Any later call raises ``store_unavailable``; closing twice is fine."""
        ...

    def __enter__(self) -> Store: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class VersionedStore(Store, ListVersions, Protocol):
    """What every store of this package is: results, and the versions of lists."""

    def __enter__(self) -> VersionedStore: ...
