"""Which spec a command works on, where none is named."""

from __future__ import annotations

import argparse
from pathlib import Path

_OWN = Path("spec")


def add_spec(parser: argparse.ArgumentParser) -> None:
    """Adds ``--spec`` for what works without a spec of one's own; see :func:`spec_or_bundled`."""
    parser.add_argument(
        "--spec",
        type=Path,
        help="spec folder (./spec if there is one, else the one that this version comes with)",
    )


def spec_or_bundled(asked: Path | None) -> Path:
    """The folder that was named, the one that is there, or the one of the package."""
    from toolresult_generator.bundled import bundled

    if asked is not None:
        return asked
    return _OWN if _OWN.is_dir() else bundled("spec")
