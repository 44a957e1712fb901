"""`toolresult read`: the JSON of a protocol revision in, the serialized result out."""

from __future__ import annotations

import argparse
import sys

from toolresult_generator.cli.errors import UsageError
from toolresult_generator.cli.input import bad_result, read_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--from", dest="origin", required=True, metavar="TARGET@REVISION")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the output (stdin)")


def run(args: argparse.Namespace) -> int:
    """Write the serialized result to stdout, on one line."""
    from toolresult import ResultError, UnknownTargetError, read, registry

    try:
        registry.split(args.origin)
    except UnknownTargetError as error:
        raise UsageError(str(error), place="toolresult read") from None
    text, shown = read_text(args.file)
    try:
        result = read(text, args.origin)
    except ResultError as error:
        raise bad_result(error, text, shown) from None
    sys.stdout.flush()
    sys.stdout.buffer.write(result.to_json() + b"\n")
    return 0
