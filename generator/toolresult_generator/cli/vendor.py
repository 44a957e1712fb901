"""`toolresult vendor`: a copy of the bindings of one language, for a project without packages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import DataError, UsageError
from toolresult_generator.cli.progress import Progress
from toolresult_generator.cli.report import report
from toolresult_generator.cli.specs import add_spec, spec_or_bundled
from toolresult_generator.findings import Finding, FindingsError, Place

if TYPE_CHECKING:
    from toolresult_generator.vendor.copy import Wanted
    from toolresult_generator.vendor.manifest import Copied

_PLACE = "toolresult vendor"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    from toolresult_generator.vendor.layout import LAYOUTS

    parser.add_argument("destination", type=folder, metavar="DEST", help="folder of the copy")
    parser.add_argument(
        "--language",
        choices=sorted(LAYOUTS),
        help="the language; the copy that is there knows its own",
    )
    add_spec(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; say what was edited and what an update would change, and exit with 1",
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that were edited")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def folder(text: str) -> Path:
    """The folder of a copy. Raises argparse.ArgumentTypeError for an empty text."""
    if not text:
        raise argparse.ArgumentTypeError("expected a folder; an empty text is no name")
    return Path(text)


def run(args: argparse.Namespace) -> int:
    """Write a copy, update it, or say how it differs."""
    try:
        return _vendor(args)
    except FindingsError as error:
        report(error.findings, args.format)
        return 1


def _vendor(args: argparse.Namespace) -> int:
    from toolresult_generator.vendor.copy import changes_to, wanted_copy
    from toolresult_generator.vendor.manifest import NAME, read_copied
    from toolresult_generator.write.compare import diff
    from toolresult_generator.write.publish import publish

    folder: Path = args.destination
    old = read_copied(folder)
    if args.check and old is None:
        finding = Finding(
            Place((folder / NAME).as_posix()),
            "no_copy",
            "is not there, or is damaged",
            "name the folder that `toolresult vendor` wrote to",
        )
        raise FindingsError([finding])
    language = _language(args.language, old)
    with Progress() as progress:
        try:
            wanted = wanted_copy(language, spec_or_bundled(args.spec), report=progress)
        except OSError as error:
            name = str(error.filename or error)
            raise DataError(name, "unreadable_file", error.strerror or "cannot be read") from None
        progress("compare")
        changes = changes_to(folder, wanted, old)
        if not args.check:
            progress("write")
            publish(folder, changes, force=args.force)
    if not args.check:
        return _done(args, f"{folder}: changed {len(changes)}; {_name(wanted.manifest)}")
    assert old is not None
    found = _findings(folder, old, wanted)
    if not found and not changes:
        return _done(args, f"{folder} is up to date: {_name(old)}")
    if args.format == "text":
        for line in diff(changes):
            sys.stdout.write(f"{line}\n")
    report(found, args.format)
    return 1


def _language(asked: str | None, old: Copied | None) -> str:
    from toolresult_generator.vendor.layout import LAYOUTS

    if old is None:
        if asked is None:
            raise UsageError("--language is needed for a new copy", place=_PLACE)
        return asked
    if asked not in (None, old.language):
        raise UsageError(f"the copy there is one for {old.language}", place=_PLACE)
    if old.language not in LAYOUTS:
        raise UsageError("the copy there is of a language that is unknown here", place=_PLACE)
    return old.language


def _findings(folder: Path, old: Copied, wanted: Wanted) -> list[Finding]:
    from toolresult_generator.vendor.copy import edited_files
    from toolresult_generator.vendor.manifest import NAME

    found = [
        Finding(
            Place((folder / path).as_posix()),
            "edited_output",
            "was changed by hand, or is gone",
            "move your change into the spec or an adapter; an update wants --force",
        )
        for path in edited_files(folder, old)
    ]
    if old != wanted.manifest:
        found.append(
            Finding(
                Place((folder / NAME).as_posix()),
                "drift",
                f"is behind: the copy is {_what(old)}, an update is {_what(wanted.manifest)}",
                f"run `toolresult vendor {folder}`",
            )
        )
    return found


def _name(copied: Copied) -> str:
    return f"{copied.language}, toolresult {copied.version}"


def _what(copied: Copied) -> str:
    return f"{_name(copied)}, spec {copied.spec}"


def _done(args: argparse.Namespace, message: str) -> int:
    if args.format == "json":
        report([], "json")
    else:
        sys.stderr.write(f"{message}\n")
    return 0
