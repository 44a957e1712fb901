"""The keys that sign pointers: a ring of them, and the file they are kept in.

A key file has one key per line, ``id:base64``. The first key signs, all verify.
Blank lines and lines that begin with ``#`` are skipped. No message of this
module ever shows a line of the file, since a misplaced key may be anywhere.
"""

from __future__ import annotations

import base64
import binascii
import logging
import os
import re
import secrets
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field

from toolresult.store.interface import StoreError, StoreErrorCode

KEY_BYTES = 32
"""Bytes of a new key, and the least that a key may have: as many as SHA-256 gives."""
MAX_KEY_BYTES = 64
"""A block of SHA-256. HMAC hashes longer keys down, so more would be for show."""
MAX_KEYS = 16
"""Every key costs one HMAC per pointer, so their number is bounded."""
MAX_FILE_BYTES = 64 * 1024

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_log = logging.getLogger("toolresult.store")


def _refuse(message: str) -> StoreError:
    return StoreError(StoreErrorCode.INVALID_KEYS, message)


@dataclass(frozen=True)
class Key:
    """One secret with a name for people. The name is not part of any pointer."""

    id: str
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise _refuse(
                "A key id has 1 to 64 letters, digits, dots, hyphens and underscores"
                " and begins with a letter or digit."
            )
        if not KEY_BYTES <= len(self.secret) <= MAX_KEY_BYTES:
            raise _refuse(
                f"A key has {KEY_BYTES} to {MAX_KEY_BYTES} bytes."
                " Make one with `toolresult store new-key`."
            )

    @classmethod
    def generate(cls, id: str | None = None) -> Key:
        """A new random key; without ``id`` its name is random too."""
        return cls(id or f"key-{secrets.token_hex(4)}", secrets.token_bytes(KEY_BYTES))

    @property
    def line(self) -> str:
        """The line of a key file that holds this key. Secret."""
        return f"{self.id}:{base64.b64encode(self.secret).decode('ascii')}"


class KeyRing:
    """One to sixteen keys. The first signs, all verify.

    Raises ``StoreError`` (``invalid_keys``) for none, too many, or one twice.
    """

    def __init__(self, keys: Iterable[Key]) -> None:
        self._keys = tuple(keys)
        if not self._keys:
            raise _refuse("There is no key. Make one with `toolresult store new-key`.")
        if len(self._keys) > MAX_KEYS:
            raise _refuse(f"There are more than {MAX_KEYS} keys. Remove those no longer needed.")
        if len({key.id for key in self._keys}) < len(self._keys):
            raise _refuse("Two keys have the same id.")
        if len({key.secret for key in self._keys}) < len(self._keys):
            raise _refuse("The same key is there twice, under two ids.")

    @classmethod
    def generate(cls) -> KeyRing:
        """A ring of one new random key, for stores that end with the process."""
        return cls([Key.generate()])

    @classmethod
    def parse(cls, text: str) -> KeyRing:
        """The ring that the text of a key file describes."""
        keys = []
        for number, line in enumerate(text.splitlines(), 1):
            entry = line.strip()
            if not entry or entry.startswith("#"):
                continue
            try:
                keys.append(_parse_line(entry))
            except StoreError as error:
                # The cause may quote the line (binascii does not, but may come to).
                raise _refuse(f"Line {number}: {error.message}") from None
        return cls(keys)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> KeyRing:
        """The ring kept in the file at ``path``.

        Logs a warning if others than the owner may read the file.
        """
        try:
            with open(path, "rb") as file:
                status = os.fstat(file.fileno())
                raw = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise _refuse(f"The key file cannot be read ({error.strerror}).") from error
        if len(raw) > MAX_FILE_BYTES:
            raise _refuse(f"The key file has more than {MAX_FILE_BYTES} bytes.")
        if os.name == "posix" and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            _log.warning(
                "%s: key_file_permissions: others than the owner can use this file;"
                " run chmod 600 on it",
                os.fspath(path),
            )
        try:
            text = raw.decode("ascii")
        except UnicodeDecodeError:
            raise _refuse("The key file holds other characters than ASCII.") from None
        return cls.parse(text)

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of the keys, the signing one first."""
        return tuple(key.id for key in self._keys)

    @property
    def signing(self) -> bytes:
        """The secret that signs."""
        return self._keys[0].secret

    @property
    def verifying(self) -> tuple[bytes, ...]:
        """All secrets, the signing one first."""
        return tuple(key.secret for key in self._keys)

    def __repr__(self) -> str:
        return f"KeyRing(ids={self.ids!r})"


def _parse_line(entry: str) -> Key:
    id, colon, encoded = entry.partition(":")
    if not colon:
        raise _refuse("Expected `id:base64`.")
    try:
        secret = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise _refuse("Expected standard, padded base64 after the colon.") from None
    return Key(id.strip(), secret)
