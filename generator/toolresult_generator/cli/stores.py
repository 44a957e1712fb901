"""The options that name a store, and how the store is opened.

docs: docs/stores.md
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import DataError, UsageError

if TYPE_CHECKING:
    from toolresult.store import KeyRing, StoreError, VersionedStore

STORE = "the store: an SQLite file, or postgresql+psycopg://user@host/database"
OBJECTS = "where its bytes are, if not in its rows: file:///folder or s3://bucket/prefix"


def add_store(parser: argparse.ArgumentParser) -> None:
    """Adds ``--store``, which is required, and ``--objects``."""
    parser.add_argument("--store", required=True, metavar="STORE", help=STORE)
    parser.add_argument("--objects", metavar="URL", help=OBJECTS)


def opened(
    args: argparse.Namespace,
    keys: str | os.PathLike[str] | KeyRing,
    *,
    place: str,
    create: bool = False,
) -> VersionedStore:
    """The store that the options of the command ``place`` name.

    Raises what ``open_store`` raises as StoreError; UsageError for what is no address of a
    store, and DataError where an extra is missing. No message shows an address.
    """
    from toolresult.store import open_store

    try:
        return open_store(args.store, keys, create=create, objects=args.objects)
    except ValueError as error:
        raise UsageError(f"--{error}", place=place) from None
    except ModuleNotFoundError as error:
        raise DataError(shown(args.store), "missing_module", str(error)) from None


@contextmanager
def faults_of_store(args: argparse.Namespace) -> Iterator[None]:
    """Turns StoreError into DataError; its place is the key file, or the store as ``shown``."""
    from toolresult.store import StoreError, StoreErrorCode

    try:
        yield
    except StoreError as error:
        place = args.key_file if error.code is StoreErrorCode.INVALID_KEYS else shown(args.store)
        raise DataError(place, error.code.value, told(error, args.store)) from None


def told(error: StoreError, store: str) -> str:
    """What a store's error says, and for a file that cannot be used, what is plain to see of it."""
    from toolresult.store import StoreErrorCode

    if error.code is not StoreErrorCode.UNAVAILABLE or "://" in store:
        return error.message
    if os.path.isdir(store):
        return f"{error.message} It is a folder."
    if not os.path.isdir(os.path.dirname(os.path.abspath(store))):
        return f"{error.message} There is no such folder."
    return error.message if os.path.exists(store) else f"{error.message} There is no such file."


def shown(store: str) -> str:
    """A store in a message: its path, or the option for an address, which may hold a password."""
    return "--store" if "://" in store else store
