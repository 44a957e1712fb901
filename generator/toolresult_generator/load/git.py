"""What git says of a repository that nobody vouches for.

A revision's name is untrusted, and so is what a repository holds: names are no options, output
is bounded, nothing that a repository could configure is run, and nothing is fetched.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

MAX_NAME = 200
"""Characters of a revision's name."""
_SECONDS = 20
_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def said(where: Path, *arguments: str, given: bytes = b"", most: int) -> bytes | None:
    """What git prints; None if it fails, is too slow, says too much, or is not installed."""
    try:
        done = subprocess.run(
            ["git", "--no-replace-objects", *_SETTINGS, *arguments],
            cwd=where,
            env={**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"},
            input=given,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):  # ValueError: a null in a name
        return None
    return done.stdout if done.returncode == 0 and len(done.stdout) <= most else None


def line(output: bytes | None) -> str | None:
    """An output of one line; None for anything else."""
    text = (output or b"").decode("utf-8", "replace").strip()
    return text if text and "\n" not in text else None


def commit(where: Path, revision: str) -> str | None:
    """The name of the commit that a revision is, in hex; None if it is none."""
    if not revision or len(revision) > MAX_NAME:
        return None
    asked = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    found = line(said(where, *asked, most=1024)) or ""
    # `^main` is verified as well, and gives a name with a caret
    return found if re.fullmatch("[0-9a-f]{40,64}", found) else None
