"""`toolresult read`: the JSON of a protocol revision in, a serialized result out."""

from __future__ import annotations

import argparse

from toolresult_generator.cli.given import add_file, check_source, result_of, take, write

_PLACE = "toolresult read"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "--from", dest="source", required=True, metavar="TARGET@REVISION", help="the format"
    )
    add_file(parser, "wire JSON; for legacy-envelope@1 the string itself")


def run(args: argparse.Namespace) -> int:
    """Read and write the serialized result."""
    check_source(args.source, _PLACE)
    write(result_of(take(args.file), args.source).to_json())
    return 0
