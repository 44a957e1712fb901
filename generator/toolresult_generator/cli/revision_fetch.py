"""`toolresult revision fetch`: take a protocol's own schema, and pin it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import UsageError
from toolresult_generator.cli.progress import Progress

if TYPE_CHECKING:
    from toolresult_generator.revision.fetch import Fetched, Taken
    from toolresult_generator.revision.fetch_names import Wanted

_PLACE = "toolresult revision fetch"
_PACKAGE = "package"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "name", metavar="NAME[@REVISION]", help="mcp or a2a, and a revision (the newest known)"
    )
    parser.add_argument(
        "--from",
        dest="source",
        metavar="FILE|package",
        help="a file, or the word package for an installed package (the protocol's repository)",
    )
    parser.add_argument(
        "--to", type=Path, metavar="DIR", help="where schemas are put (schemas, beside the spec)"
    )
    parser.add_argument(
        "--lock", type=Path, metavar="FILE", help="where they are pinned (schemas.lock.json in DIR)"
    )
    parser.add_argument(
        "--update", action="store_true", help="take a schema that is not what was pinned"
    )
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Fetch, compare and pin; 1 for a schema that changed, that is none or cannot be had."""
    from toolresult_generator.revision.fetch import settle
    from toolresult_generator.revision.fetch_lock import NAME

    wanted = _wanted(args)
    folder: Path = args.to or args.spec.parent / "schemas"
    lock: Path = args.lock or folder / NAME
    for option, path in (("--to", folder), ("--lock", lock)):
        if path.resolve().is_relative_to(args.spec.resolve()):
            raise UsageError(f"{option} is inside the spec folder", place=_PLACE)
    with Progress() as progress:
        progress(f"fetch {wanted.label}")
        taken = _take(args.source, wanted)
        fetched = settle(wanted, taken, folder, lock, update=args.update)
    _say(fetched, args.format)
    return 0


def _wanted(args: argparse.Namespace) -> Wanted:
    from toolresult_generator.revision.fetch_names import KNOWN, BadNameError, Wanted, parse

    try:
        protocol, revision = parse(args.name)
    except BadNameError as error:
        raise UsageError(str(error), place=_PLACE) from None
    if revision is None and args.source not in (None, _PACKAGE):
        example = f"{protocol}@{KNOWN[protocol][-1]}"
        message = f"a file does not say its revision; name it, such as {example}"
        raise UsageError(message, place=_PLACE)
    return Wanted(protocol, revision or KNOWN[protocol][-1])


def _take(source: str | None, wanted: Wanted) -> Taken:
    if source == _PACKAGE:
        from toolresult_generator.revision.fetch_package import from_package

        return from_package(wanted)
    if source is not None:
        from toolresult_generator.revision.fetch import from_file

        return from_file(Path(source))
    from toolresult_generator.revision.fetch_network import NoSchemaError, from_network

    try:
        return from_network(wanted)
    except NoSchemaError as error:
        raise UsageError(str(error), place=_PLACE) from None


def _say(fetched: Fetched, form: str) -> None:
    pin = fetched.pin
    if form == "json":
        document = {
            "name": fetched.wanted.label,
            "outcome": fetched.outcome.value,
            "path": fetched.file.as_posix(),
            **pin.to_json(),
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        return
    made = f", derived {pin.derived}" if pin.derived else ""
    sys.stdout.write(
        f"{fetched.wanted.label}: {fetched.outcome.value}: {fetched.file.as_posix()}\n"
        f"  sha256 {pin.sha256}, {pin.size} bytes, from {pin.source}{made}\n"
    )
