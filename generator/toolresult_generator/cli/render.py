"""`toolresult render`: a serialized result in, the JSON of a protocol revision out."""

from __future__ import annotations

import argparse
import json
import sys

from toolresult_generator.cli.errors import DataError, UsageError
from toolresult_generator.cli.input import bad_result, read_text

LEGACY = "legacy-envelope@1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_target(parser)
    parser.add_argument("--limit", type=_bytes, metavar="BYTES", help="the most bytes (no limit)")
    parser.add_argument("--format", choices=("json", "pretty"), default="json")
    parser.add_argument("--store", metavar="FILE", help="where a result over the limit is stored")
    parser.add_argument("--principal", metavar="NAME", help="for whom the stored result is")
    parser.add_argument("--key-file", metavar="FILE", help="keys that sign the link")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the result (stdin)")


def add_target(parser: argparse.ArgumentParser) -> None:
    """The options that say what is read and what it becomes."""
    parser.add_argument("--to", required=True, metavar="TARGET@REVISION")
    parser.add_argument("--phase", default="final", help="transitional or final (final)")
    parser.add_argument(
        "--from",
        dest="origin",
        choices=(LEGACY,),
        help="the input is the legacy string, not a serialized result",
    )


def run(args: argparse.Namespace) -> int:
    """Render to stdout; nothing else goes there."""
    from toolresult import Mapper, Request, UnknownTargetError

    result = given_result(args)
    phase = known_phase(args, "toolresult render")
    store = _store(args)
    try:
        request = Request(
            args.to,
            phase=phase,
            limit=args.limit,
            store=store,
            principal=args.principal,
            clock=_system_clock if store is not None else None,
            stamp=False,
        )
        rendering = Mapper().render(result, request)
    except UnknownTargetError as error:
        raise UsageError(str(error), place="toolresult render") from None
    finally:
        if store is not None:
            store.close()
    if args.format == "pretty" and not rendering.is_text:
        text = json.dumps(rendering.wire, ensure_ascii=False, indent=2)
        sys.stdout.write(text + "\n")
    else:
        sys.stdout.flush()
        for chunk in rendering.chunks:
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.write(b"\n")
    return 0


def given_result(args: argparse.Namespace):  # type: ignore[no-untyped-def]  # imported at need
    """The result that the command is given. Raises DataError."""
    from toolresult import Result, ResultError, legacy

    text, shown = read_text(args.file)
    try:
        return legacy.read(text) if args.origin == LEGACY else Result.from_json(text)
    except ResultError as error:
        raise bad_result(error, text, shown) from None


def known_phase(args: argparse.Namespace, place: str) -> str | None:
    """The phase, None for a target without phases. Raises UsageError."""
    from toolresult import UnknownTargetError, registry

    try:
        target, revision = registry.split(args.to)
    except UnknownTargetError as error:
        raise UsageError(str(error), place=place) from None
    phases = registry.phases(target, revision)
    if args.phase not in (phases or ("transitional", "final")):
        known = ", ".join(phases or ("transitional", "final"))
        raise UsageError(f"unknown phase '{args.phase}'; known are {known}", place=place)
    return str(args.phase) if phases else None


def _store(args: argparse.Namespace):  # type: ignore[no-untyped-def]  # imported at need
    given = [args.store is not None, args.principal is not None, args.key_file is not None]
    if not any(given):
        return None
    if not all(given):
        raise UsageError(
            "--store, --principal and --key-file go together", place="toolresult render"
        )
    from toolresult.store import StoreError, open_store

    try:
        return open_store(args.store, args.key_file)
    except StoreError as error:
        raise DataError(args.store, error.code.value, error.message) from None


def _system_clock():  # type: ignore[no-untyped-def]  # datetime is imported at need
    from datetime import datetime, timezone

    return datetime.now(timezone.utc)


def _bytes(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"expected a number of bytes, not {text!r}")
    return int(text)
