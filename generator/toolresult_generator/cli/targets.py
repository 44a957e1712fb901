"""`toolresult targets`: the targets, their revisions and phases."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

_DEFAULT = Path("spec")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "--spec",
        type=Path,
        help="spec folder, for titles and meanings (spec; without one, the names alone)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """List them."""
    spec = args.spec or (_DEFAULT if _DEFAULT.is_dir() else None)
    listed = _installed() if spec is None else _of_spec(spec)
    if args.format == "json":
        sys.stdout.write(json.dumps({"targets": listed}, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(line for target in listed for line in _lines(target)) + "\n")
    return 0


def _of_spec(folder: Path) -> list[dict[str, Any]]:
    from toolresult_generator.director import load_model

    return [
        {
            "name": target.name,
            "title": target.title,
            "meaning": target.meaning,
            "revisions": list(target.revisions),
            "phases": [{"name": name, "meaning": meaning} for name, meaning in target.phases],
            "limit": target.limit,
        }
        for target in load_model(folder).model.targets
    ]


def _installed() -> list[dict[str, Any]]:
    """What can be rendered, where there is no spec that says what it means."""
    from toolresult import registry

    listed = []
    for target in registry.targets():
        revisions = registry.revisions(target)
        phases = registry.phases(target, revisions[-1])
        renderer = registry.renderer(target, revisions[-1], phases[-1] if phases else None)
        listed.append(
            {
                "name": target,
                "title": target,
                "meaning": "",
                "revisions": list(revisions),
                "phases": [{"name": phase, "meaning": ""} for phase in phases],
                "limit": renderer.limit,
            }
        )
    return listed


def _lines(target: dict[str, Any]) -> list[str]:
    title = f"  {target['title']}" if target["title"] != target["name"] else ""
    lines = [f"{target['name']}{title}"]
    if target["meaning"]:
        lines.append(f"  {' '.join(target['meaning'].split())}")
    lines += [f"  {target['name']}@{revision}" for revision in target["revisions"]]
    for phase in target["phases"]:
        meaning = f": {' '.join(phase['meaning'].split())}" if phase["meaning"] else ""
        lines.append(f"  phase {phase['name']}{meaning}")
    return lines
