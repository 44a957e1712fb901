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
from tempfile import TemporaryDirectory

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
    """What it printed before it began to serve."""
    log: Path
    """What goes to stderr."""

    def told(self) -> str:
        """What stands in the log by now."""
        return self.log.read_text(encoding="utf-8")


def environment() -> dict[str, str]:
    """That of a program with the sources of these tests."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@contextmanager
def _interrupts_heeded() -> Iterator[None]:
    """What is started here heeds them, which a shell has its background jobs not do."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def serving(*arguments: str, cwd: Path = ROOT) -> Iterator[Running]:
    """Serves at a free port."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        # A file, since nobody reads a pipe meanwhile, and a full one would stop the server.
        with log.open("wb") as stderr, _interrupts_heeded():
            process = subprocess.Popen(
                [*PROGRAM, "--port", "0", *arguments],
                cwd=cwd,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        try:
            assert process.stdout is not None
            said = ""
            while "Ctrl-C" not in said:
                line = process.stdout.readline()
                assert line, f"it does not start: {log.read_text()}"
                said += line
            url = next(word for word in said.split() if word.startswith("http"))
            yield Running(process, url, url.removesuffix("/mcp"), said, log)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=20)
            finally:
                process.kill()
