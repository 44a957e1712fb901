"""`toolresult generate`: write what the spec gives, or with `--check` say what differs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolresult_generator.cli.errors import UsageError
from toolresult_generator.cli.progress import Progress
from toolresult_generator.cli.report import report
from toolresult_generator.findings import FindingsError
from toolresult_generator.languages import EMITTERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument(
        "--out", type=Path, default=Path("generated"), help="output folder (generated)"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; show what differs and exit with 1"
    )
    parser.add_argument(
        "--language",
        action="append",
        choices=sorted(EMITTERS),
        help="generate this alone; may be given more than once",
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite generated files that were edited by hand"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Generate, compare or find nothing to do."""
    try:
        return _generate(args)
    except FindingsError as error:
        report(error.findings, args.format)
        return 1


def _generate(args: argparse.Namespace) -> int:
    from toolresult_generator.write.compare import unchanged
    from toolresult_generator.write.fingerprint import fingerprint
    from toolresult_generator.write.manifest import read_manifest

    out: Path = args.out
    if out.resolve().is_relative_to(args.spec.resolve()):
        raise UsageError("--out is inside the spec folder", place="toolresult generate")
    emitters = frozenset(args.language or EMITTERS)
    # before the spec is loaded: a file that changes after this is seen by the next run
    inputs = fingerprint(args.spec)
    old = read_manifest(out)
    if not args.check and unchanged(out, old, inputs, emitters):
        return _done(args, "nothing to do")

    from toolresult_generator.director import plan
    from toolresult_generator.write.compare import compare, diff, findings
    from toolresult_generator.write.publish import publish

    with Progress() as progress:
        outputs = plan(args.spec, emitters, report=progress)
        progress("compare")
        # a spec that was loaded without findings has a fingerprint, but for files that vanish
        changes, _ = compare(out, outputs, inputs or "", old)
        if not args.check:
            progress("write")
            publish(out, changes, force=args.force)
    if not args.check:
        return _done(args, f"{len(changes)} files written to {out}")
    if not changes:
        return _done(args, f"{out} is up to date")
    if args.format == "text":
        for line in diff(changes):
            sys.stdout.write(f"{line}\n")
    report(findings(out, changes), args.format)
    return 1


def _done(args: argparse.Namespace, message: str) -> int:
    if args.format == "json":
        report([], "json")
    elif sys.stderr.isatty():
        sys.stderr.write(f"{message}\n")
    return 0
