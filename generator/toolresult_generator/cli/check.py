"""`toolresult check`: say everything that is wrong with a spec."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolresult_generator.cli.errors import UsageError, complain
from toolresult_generator.cli.progress import Progress
from toolresult_generator.cli.report import report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument(
        "--against",
        metavar="REV|FOLDER",
        help="version that was published last: a git revision or a spec folder (HEAD, if the "
        "spec is in a repository)",
    )
    parser.add_argument(
        "--adapters",
        type=Path,
        action="append",
        metavar="FOLDER",
        help="adapters to compare with the rules of the spec; may be given more than once "
        "(the folder adapters beside the spec, if there is Python in it)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Check and report; 1 if there are findings."""
    from toolresult_generator.check import checked
    from toolresult_generator.check.adapters import python_files
    from toolresult_generator.load import load_spec

    # adapters of other languages are held against their rules where they are registered
    beside = args.spec.absolute().parent / "adapters"
    adapters = tuple(args.adapters or ([_shorter(beside)] if python_files(beside) else []))
    for folder in adapters:
        if not folder.is_dir():
            raise UsageError(f"--adapters: there is no folder {folder}", place="toolresult check")
    with Progress() as progress:
        progress("load")
        spec = load_spec(args.spec)
        progress("check")
        context = checked(spec, against=args.against, adapters=adapters)
    findings, why = sorted(context.findings), context.nothing_older
    report(findings, args.format)
    if why is not None:
        # on stderr in both formats: it is no finding, and the exit code is that of the findings
        advice = "--against names a revision or folder"
        complain(
            str(args.spec),
            "no_history",
            f"nothing is compared with what was published: {why} ({advice})",
        )
    if not findings and args.format == "text" and sys.stderr.isatty():
        sys.stderr.write(f"{args.spec}: nothing to complain about\n")
    return 1 if findings else 0


def _shorter(folder: Path) -> Path:
    """The folder as people here would name it: from where they stand, if it is below."""
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder
