"""`toolresult revision`: new protocol revisions, and what they do to results that are produced.

Each subcommand is a module of this package, `revision_<name>`, with the two functions that every
command has (:mod:`toolresult_generator.cli.frame`). It is imported when it was asked for.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping

SUBCOMMANDS: Mapping[str, str] = {
    "check": "say what a schema changes, what it breaks, and what to write",
    "fetch": "take a protocol's own schema from a file, a package or its repository, and pin it",
}
"""The subcommands and what they do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommands with their options."""
    commands = parser.add_subparsers(dest="subcommand", metavar="COMMAND", required=True)
    for name, purpose in SUBCOMMANDS.items():
        subparser = commands.add_parser(
            name, help=purpose, description=f"{purpose[:1].upper()}{purpose[1:]}."
        )
        importlib.import_module(f"{__package__}.revision_{name}").add_arguments(subparser)


def run(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    return int(importlib.import_module(f"{__package__}.revision_{args.subcommand}").run(args))
