"""`toolresult revision check`: try a protocol's schema before anyone adopts it."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolresult_generator.cli.errors import UsageError
from toolresult_generator.cli.progress import Progress

if TYPE_CHECKING:
    from toolresult_generator.director import Loaded
    from toolresult_generator.revision.check import Request
    from toolresult_generator.revision.report import Report

_PLACE = "toolresult revision check"
_TARGET = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_REVISION = re.compile(r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "schema", type=Path, metavar="SCHEMA", help="the protocol's JSON Schema, or descriptor set"
    )
    parser.add_argument(
        "--like",
        required=True,
        metavar="TARGET@REVISION",
        help="the revision whose outputs are tried",
    )
    parser.add_argument("--phase", metavar="PHASE", help="one phase alone (all)")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="SCHEMA",
        help="the schema of that revision (the official one where it is, else our own)",
    )
    parser.add_argument(
        "--as",
        dest="name",
        metavar="TARGET@REVISION",
        help="what to call it (the same target, and the name of the file)",
    )
    parser.add_argument(
        "--result", metavar="NAME", help="the definition of a result (CallToolResult, or Task)"
    )
    parser.add_argument("--tool", metavar="NAME", help="the definition of a tool (Tool, for MCP)")
    parser.add_argument("--spec", type=Path, default=Path("spec"), help="spec folder (spec)")
    parser.add_argument(
        "--write", action="store_true", help="put the proposal into the spec folder"
    )
    parser.add_argument("--format", choices=("text", "json", "html"), default="text")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the report to a file, not to stdout"
    )


def run(args: argparse.Namespace) -> int:
    """Check and report; 1 unless the revision can be adopted as is."""
    from toolresult_generator.director import load_model
    from toolresult_generator.proof.fresh import run_with_own_values

    with Progress() as progress:
        # what an earlier proposal left to do does not keep the next one from being tried
        loaded = load_model(args.spec, report=progress, despite=frozenset({"gap"}))
    request = _request(args, loaded)
    code = run_with_own_values(loaded, args.spec, args.arguments)
    if code is not None:
        return code
    from toolresult_generator.revision.check import check_revision
    from toolresult_generator.revision.report import Verdict

    with Progress() as progress:
        report = check_revision(request, loaded, progress)
        if args.write:
            from toolresult_generator.revision.publish import publish

            progress("write")
            publish(report.proposal, args.spec)
    _show(report, args)
    return 0 if report.verdict is Verdict.AS_IS else 1


def _request(args: argparse.Namespace, loaded: Loaded) -> Request:
    """What is asked for. Raises UsageError for what there is not."""
    from toolresult_generator.findings import did_you_mean, quoted
    from toolresult_generator.revision.check import RESULT_NAMES, TOOL_NAMES, Request

    name, _, revision = args.like.partition("@")
    targets = {target.name: target for target in loaded.model.targets}
    target = targets.get(name)
    if target is None:
        advice = did_you_mean(name, targets)
        raise UsageError(f"--like: unknown target {quoted(name)}; {advice}", place=_PLACE)
    if revision not in target.revisions:
        known = ", ".join(f"{name}@{one}" for one in target.revisions)
        message = f"--like: unknown revision {quoted(revision)} of {name}; known are {known}"
        raise UsageError(message, place=_PLACE)
    plans = tuple(plan for plan in target.plans if plan.revision == revision)
    phases = [plan.phase for plan in plans if plan.phase is not None]
    if args.phase is not None:
        plans = tuple(plan for plan in plans if plan.phase == args.phase)
        if not plans:
            known = ", ".join(phases) or "none"
            message = f"unknown phase {quoted(args.phase)} of {name}; known are {known}"
            raise UsageError(message, place=_PLACE)
    result = args.result or RESULT_NAMES.get(target.origin or "")
    if result is None:
        message = f"{name} is no protocol with a schema known here; name the definition of a result"
        raise UsageError(f"{message} with --result", place=_PLACE)
    new_target, new_revision = _new_name(args, name, target.revisions)
    return Request(
        schema=args.schema,
        old=args.against,
        spec=args.spec,
        target=target,
        revision=revision,
        plans=plans,
        result_name=result,
        tool_name=args.tool or TOOL_NAMES.get(target.origin or ""),
        new_target=new_target,
        new_revision=new_revision,
    )


def _new_name(args: argparse.Namespace, like: str, known: tuple[str, ...]) -> tuple[str, str]:
    """What to call the new revision. Raises UsageError for what is no name."""
    target, at, revision = (args.name or f"{like}@{args.schema.stem}").partition("@")
    if not at or not _TARGET.fullmatch(target) or not _REVISION.fullmatch(revision):
        told = "--as" if args.name else "the name of the file is no revision; name it with --as"
        message = f"{told}: expected TARGET@REVISION, such as mcp-handshake@2025-11-25"
        raise UsageError(message, place=_PLACE)
    if args.name is None and revision in known:
        revision = f"{revision}-next"  # a revision that is there is tried as if it were another
    if len(target) > 60 or len(revision) > 40:
        raise UsageError("--as: the name is too long", place=_PLACE)
    return target, revision


def _show(report: Report, args: argparse.Namespace) -> None:
    if args.format == "json":
        from toolresult_generator.revision.report_json import to_json

        shown = json.dumps(to_json(report), ensure_ascii=False, indent=1) + "\n"
    elif args.format == "html":
        from toolresult_generator.revision.page import html

        shown = html(report)
    else:
        from toolresult_generator.revision.report_text import text

        shown = text(report)
    if args.out is None:
        sys.stdout.write(shown)
        return
    from toolresult_generator.proof.page.publish import write_page

    write_page(args.out, shown)
