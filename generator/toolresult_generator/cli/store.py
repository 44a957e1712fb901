"""``toolresult store``: read a link, purge, look at a store, make a key.

docs: docs/stores.md
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from toolresult_generator.cli.stores import add_store, opened, shown, told

if TYPE_CHECKING:
    from toolresult.store import Store, StoredPayload, StoreStats

_PLACE = "toolresult store"

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DURATION = re.compile(r"(?:[0-9]{1,9}[smhdw])+", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the commands ``get``, ``purge``, ``stats`` and ``new-key`` to ``parser``."""
    commands = parser.add_subparsers(dest="store_command", metavar="COMMAND", required=True)

    get = commands.add_parser(
        "get", help="print the result behind a link", description="Print the result behind a link."
    )
    get.add_argument("link", metavar="LINK", help="toolresult://stored/…")
    add_store(get)
    get.add_argument(
        "--principal", required=True, type=_principal, metavar="NAME", help="whose link it is"
    )
    get.add_argument("--key-file", required=True, metavar="FILE", help="keys, one id:base64 a line")
    get.add_argument(
        "--raw",
        action="store_true",
        help="print the stored bytes as they are, whatever their format version",
    )
    get.set_defaults(store_run=_get)

    purge = commands.add_parser(
        "purge",
        help="delete expired or old results",
        description="Delete expired results; with --older-than those stored at least that long ago,"
        " even if their link could still be read.",
    )
    add_store(purge)
    purge.add_argument(
        "--older-than", type=duration, metavar="DURATION", help="an age: 90s, 15m, 12h, 7d, 1d12h"
    )
    purge.set_defaults(store_run=_purge)

    stats = commands.add_parser(
        "stats", help="show what a store holds", description="Show what a store holds."
    )
    add_store(stats)
    stats.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    stats.set_defaults(store_run=_stats)

    new_key = commands.add_parser(
        "new-key",
        help="print a new key",
        description="Print a new random key as a line for a key file. Keep it secret.",
    )
    new_key.add_argument(
        "--id", type=_name, metavar="NAME", help="its name for people (default: random)"
    )
    new_key.set_defaults(store_run=_new_key)


def run(args: argparse.Namespace) -> int:
    """Runs what was parsed. 0, or 1 after a message on stderr (``place: code: message``)."""
    from toolresult.store import StoreError

    try:
        return int(args.store_run(args))
    except StoreError as error:
        message = told(error, getattr(args, "store", ""))
        return _report(_place(args, error.code.value), error.code.value, message)


def duration(text: str) -> timedelta:
    """``text`` such as ``90s``, ``15m``, ``12h``, ``7d``, ``2w`` or ``1d12h``.

    Raises argparse.ArgumentTypeError.
    """
    if not _DURATION.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"expected a duration such as 90s, 15m, 12h, 7d or 1d12h, not {text!r}"
        )
    try:
        return sum(
            (
                timedelta(**{_UNITS[unit]: int(number)})
                for number, unit in re.findall(r"([0-9]+)([smhdw])", text)
            ),
            timedelta(0),
        )
    except OverflowError:
        raise argparse.ArgumentTypeError(f"the duration is too long: {text!r}") from None


def _principal(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("expected text in UTF-8") from None
    return _name(text)


def _name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected a name that is not empty")
    return text


def _get(args: argparse.Namespace) -> int:
    with opened(args, args.key_file, place=_PLACE) as store:
        stored = store.get(args.link, principal=args.principal, now=_now())
    if args.raw:
        return _write(stored.payload)
    return _write_serialized(stored)


def _write_serialized(stored: StoredPayload) -> int:
    """The result in its serialized form on a line, whatever form it was stored in."""
    from toolresult.store import open_result
    from toolresult_core.runtime.errors import ResultError

    try:
        return _write(open_result(stored).to_json() + b"\n")
    except ResultError as error:
        return _report(error.pointer or "(result)", error.code, error.message)


def _write(output: bytes) -> int:
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()
    return 0


def _purge(args: argparse.Namespace) -> int:
    with _maintained(args) as store:
        count = store.purge(now=_now(), older_than=args.older_than)
    print(f"{count} deleted")
    return 0


def _stats(args: argparse.Namespace) -> int:
    with _maintained(args) as store:
        stats = store.stats(now=_now())
    if args.format == "json":
        print(json.dumps(dataclasses.asdict(stats)))
    else:
        _print_stats(stats)
    return 0


def _print_stats(stats: StoreStats) -> None:
    rows = {
        "results": stats.count,
        "of them expired": stats.expired,
        "bytes of results": stats.payload_bytes,
        "bytes on disk": stats.file_bytes,
        "oldest": stats.oldest_stored_at or "-",
        "newest": stats.newest_stored_at or "-",
        "layout": stats.schema_version,
    }
    for name, value in rows.items():
        print(f"{name:<17} {value}")


def _new_key(args: argparse.Namespace) -> int:
    from toolresult.store import Key

    print(Key.generate(args.id).line)
    return 0


def _maintained(args: argparse.Namespace) -> Store:
    """The store for work that neither makes nor reads pointers, and so needs none of its keys."""
    from toolresult.store import KeyRing

    return opened(args, KeyRing.generate(), place=_PLACE)


def _now() -> datetime:
    # The command line is the host here, and the one place that asks for the time.
    return datetime.now(timezone.utc)


def _place(args: argparse.Namespace, code: str) -> str:
    """What the message is about: the link, the key file or the store."""
    if code == "not_found":
        return str(args.link)
    if code == "invalid_keys":
        return str(getattr(args, "key_file", None) or "--id")
    return shown(args.store)


def _report(place: str, code: str, message: str) -> int:
    # A link comes from outside and may hold anything, control sequences included.
    shown = "".join(c if c.isprintable() else "?" for c in place[:200])
    print(f"{shown}: {code}: {message}", file=sys.stderr)
    return 1
