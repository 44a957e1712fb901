"""The command `toolresult serve`, run as a program, for as long as a block lasts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "toolresult_generator", "serve")


@dataclass(frozen=True)
class Running:
    """A server that has said where it is."""

    process: subprocess.Popen[str]
    mcp: str
    """The URL of MCP."""
    base: str
    """The address, which is that of the A2A agent: http://host:port."""
    said: str
    """What it printed."""


def environment() -> dict[str, str]:
    """That of a program with the sources of these tests."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@contextmanager
def serving(*arguments: str, cwd: Path = ROOT) -> Iterator[Running]:
    """Serves at a free port. What goes to stderr has to be empty of tracebacks at the end."""
    process = subprocess.Popen(
        [*PROGRAM, "--port", "0", *arguments],
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, f"it does not start: {process.communicate()[1]}"
            said += line
        url = next(word for word in said.split() if word.startswith("http"))
        yield Running(process, url, url.removesuffix("/mcp"), said)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=20)
        finally:
            process.kill()
