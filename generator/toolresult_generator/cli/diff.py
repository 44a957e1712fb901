"""`toolresult diff`: what a change of a spec means, and which bytes it changes."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path

from toolresult_generator.cli.errors import UsageError
from toolresult_generator.cli.progress import Progress
from toolresult_generator.cli.report import report
from toolresult_generator.findings import FindingsError

_PLACE = "toolresult diff"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "old", metavar="OLD", help="a spec folder, or a git revision of the one that --spec names"
    )
    parser.add_argument(
        "new", metavar="NEW", nargs="?", help="as OLD (the folder that --spec names, as it is)"
    )
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Compare; 1 if a byte of what was published changes, or a rule of growth is broken."""
    from toolresult_generator.difference.as_json import to_json
    from toolresult_generator.difference.as_text import to_text
    from toolresult_generator.difference.compared import compare
    from toolresult_generator.difference.versions import NEW, OLD, UnknownVersionError, opened

    try:
        with ExitStack() as stack:
            progress = stack.enter_context(Progress())
            old = stack.enter_context(opened(OLD, args.old, args.spec))
            new = stack.enter_context(opened(NEW, args.new, args.spec))
            found = compare(old, new, progress)
    except UnknownVersionError as error:
        raise UsageError(str(error), place=_PLACE) from None
    except FindingsError as error:
        report(error.findings, args.format)
        return 1
    if args.format == "json":
        sys.stdout.write(json.dumps(to_json(found), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(to_text(found))
    return 0 if found.is_safe else 1
