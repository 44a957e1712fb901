"""`toolresult targets`: the targets, their revisions and phases."""

from __future__ import annotations

import argparse
import json
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """List them."""
    from toolresult import registry

    rows = [
        {"target": target, "revision": revision, "phases": list(registry.phases(target, revision))}
        for target in registry.targets()
        for revision in registry.revisions(target)
    ]
    if args.format == "json":
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
        return 0
    for row in rows:
        phases = f"  {', '.join(row['phases'])}" if row["phases"] else ""
        sys.stdout.write(f"{row['target']}@{row['revision']}{phases}\n")
    return 0
