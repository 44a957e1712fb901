"""`toolresult render`: a serialized result in, the JSON of a protocol revision out."""

from __future__ import annotations

import argparse
import json
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import UsageError, complain
from toolresult_generator.cli.given import (
    add_file,
    add_source,
    add_target,
    any_integer,
    byte_count,
    check_source,
    check_target,
    moment,
    result_of,
    take,
    write,
)
from toolresult_generator.cli.stores import OBJECTS, STORE, faults_of_store, opened

if TYPE_CHECKING:
    from toolresult import Rendering, Result

_PLACE = "toolresult render"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_target(parser)
    add_source(parser)
    parser.add_argument("--limit", type=byte_count, metavar="BYTES", help="size limit (none)")
    parser.add_argument(
        "--format", choices=("json", "pretty"), default="json", help="one line, or indented (json)"
    )
    parser.add_argument(
        "--now",
        type=moment,
        metavar="TIMESTAMP",
        help="the present time, for generated_at where the result has none, and for links",
    )
    parser.add_argument(
        "--losses",
        action="store_true",
        help="also say on stderr what is lost, and what became of a result over the limit",
    )
    storing = parser.add_argument_group("storing a result that is over the limit")
    storing.add_argument("--store", metavar="STORE", help=STORE)
    storing.add_argument("--objects", metavar="URL", help=OBJECTS)
    storing.add_argument("--principal", metavar="NAME", help="who may read what is stored")
    storing.add_argument("--key-file", metavar="FILE", help="keys, one id:base64 a line")
    add_file(parser, "a serialized result")


def run(args: argparse.Namespace) -> int:
    """Render and write the output."""
    check_target(args, _PLACE)
    check_source(args.source, _PLACE)
    _check_store(args)
    result = result_of(take(args.file), args.source)
    rendering = _stored(args, result) if args.store is not None else _plain(args, result)
    write(_pretty(rendering) if args.format == "pretty" else rendering.bytes)
    if args.losses:
        _tell_losses(rendering)
    return 0


def _tell_losses(rendering: Rendering) -> None:
    """The losses as messages are: pointer, status, reason. They are no fault: the code stays 0."""
    over = rendering.oversize
    if over is not None:
        why = "" if over.reason is None else f" ({over.reason})"
        told = f"the output had {over.size:,} bytes and may have {over.limit:,}; it was sent "
        told += f"whole{why}" if over.outcome == "inline" else "as a link"
        complain("(result)", over.outcome, told)
    for loss in rendering.losses:
        complain(loss.path or "(result)", loss.status.replace(" ", "_"), loss.reason)


def _check_store(args: argparse.Namespace) -> None:
    named = {"--store": args.store, "--principal": args.principal, "--key-file": args.key_file}
    missing = [name for name, value in named.items() if not value]
    if len(missing) == len(named) and all(
        value is None for value in (*named.values(), args.objects)
    ):
        return
    if args.limit is None:
        missing.append("--limit")
    if missing:
        raise UsageError(f"storing needs {', '.join(missing)} too", place=_PLACE)
    try:
        args.principal.encode()
    except UnicodeEncodeError:
        raise UsageError("--principal: expected text in UTF-8", place=_PLACE) from None
    if args.now is not None:
        from toolresult.store.interface import DEFAULT_LIFETIME
        from toolresult.store.times import expiry

        try:
            expiry(args.now, DEFAULT_LIFETIME)
        except ValueError:
            message = "--now: a link must end between the years 1970 and 9999"
            raise UsageError(message, place=_PLACE) from None


def _plain(args: argparse.Namespace, result: Result) -> Rendering:
    from toolresult import render

    return render(result, args.to, phase=args.phase, limit=args.limit, clock=args.now)


def _stored(args: argparse.Namespace, result: Result) -> Rendering:
    from toolresult import render

    with (
        faults_of_store(args),
        opened(args, args.key_file, place=_PLACE, create=True) as store,
    ):
        return render(
            result,
            args.to,
            phase=args.phase,
            limit=args.limit,
            store=store,
            principal=args.principal,
            clock=args.now or _now,
            # A time that was not given is for the link alone, and not in the result.
            stamp=args.now is not None,
            on_store_failure="fail",
        )


def _now() -> datetime:
    # The command line is the host here, and asks for the time only where a link needs it.
    return datetime.now(timezone.utc)


def _pretty(rendering: Rendering) -> bytes:
    from toolresult_core.runtime.parse import parse_json
    from toolresult_core.runtime.rendering import WIRE_DEPTH

    any_integer()
    # The legacy envelope is a string that holds JSON, and white space in it is allowed.
    value = parse_json(rendering.bytes, max_depth=WIRE_DEPTH, max_bytes=None)
    return json.dumps(value, ensure_ascii=False, indent=2).encode()
