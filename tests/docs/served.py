"""Commands of a page that serve: they run on, at a free port, while the rest of the page is run.

The page names the port that the command takes by default. What is run has the free one in its
place, and what is printed the page's.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PORT = "8000"
SERVES = re.compile(r"toolresult serve (?!.*--(?:stdio|help))[^;|&]+$")
"""One that is followed by another on its line is thought to end."""
_LAST = "Ctrl-C ends it."


@contextmanager
def served(command: str, folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Runs such a command until the end of the block; what it printed, and its port."""
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command} --port 0"],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        printed = ""
        while _LAST not in printed:
            line = process.stdout.readline()
            assert line, f"{command} ended and printed:\n{printed}"
            printed += line
        found = re.search(r":([0-9]+)/mcp", printed)
        assert found is not None, printed
        yield at_page(printed, found[1]), found[1]
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=20)
        finally:
            process.kill()


def at_port(text: str, port: str) -> str:
    """A text of the page, with the port that is served."""
    return text.replace(f":{PORT}", f":{port}")


def at_page(text: str, port: str) -> str:
    """What was printed, with the port of the page."""
    return text.replace(f":{port}", f":{PORT}")
