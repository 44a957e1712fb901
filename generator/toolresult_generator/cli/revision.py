"""`toolresult revision`: new revisions of protocols. Each of its commands is a module here."""

from __future__ import annotations

import argparse
import importlib

COMMANDS = ("fetch",)
"""Each is the module `revision_<name>` of this package, with `add_parser` and `run`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the commands of the group."""
    commands = parser.add_subparsers(dest="revision_command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = importlib.import_module(f"{__package__}.revision_{name}")
        module.add_parser(commands).set_defaults(revision_run=module.run)


def run(args: argparse.Namespace) -> int:
    """Run the command of the group."""
    return int(args.revision_run(args))
