"""A worker's memory does not grow from request to request.

Measured as the resident memory of the process, after a warm-up, by the median of the slopes
between any two points (Theil and Sen), which a few points that are out of line do not move. A
server that keeps what it returns is told apart from one that does not by a factor of ten.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from tests.mcp_server.clients import HttpClient
from tests.serve.running import serving

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="/proc is where the memory of a process stands"
)

WARM_UP = 400
POINTS = 10
BETWEEN = 80
"""Requests between two points."""
SIZE = 20_000
"""About how many bytes a result has; two copies of it are sent."""
MOST = 2_000
"""Bytes per request that memory may grow by: a tenth of a result."""
LEAKY = """\
from mcp.server.mcpserver import MCPServer
from toolresult import Result

server = MCPServer("leaky", log_level="ERROR")
kept = []

@server.tool()
def echo(value: str, repeat: int) -> Result:
    result = Result.success({"values": [f"{value}-{number}" for number in range(repeat)]})
    kept.append((result, result.to_json()))
    return result
"""


def resident(pid: int) -> int:
    """Bytes of a process that are in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


def growth(request: Callable[[int], object], pid: int) -> float:
    """Bytes per request."""
    for number in range(WARM_UP):
        request(number)
    points = []
    for point in range(POINTS):
        for number in range(BETWEEN):
            request(point * BETWEEN + number)
        points.append((point * BETWEEN, resident(pid)))
    return statistics.median((b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2))


def calling(client: HttpClient, repeat: int) -> Callable[[int], object]:
    def request(number: int) -> None:
        result = client.call("echo", {"value": f"marker-{number}", "repeat": repeat})
        assert f"marker-{number}" in result["content"][0]["text"]

    return request


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_results_that_go_inline(revision: str) -> None:
    with serving("--example") as running, HttpClient(running.mcp, revision) as client:
        grown = growth(calling(client, SIZE // 14), running.process.pid)
    assert grown < MOST, f"{grown:.0f} bytes per request"


def test_results_that_are_stored(arguments: tuple[str, ...]) -> None:
    def request(number: int) -> None:
        result = client.call("echo", {"value": f"marker-{number}", "repeat": SIZE // 14})
        assert any(block["type"] == "resource_link" for block in result["content"])

    with serving(*arguments) as running, HttpClient(running.mcp, "2025-11-25") as client:
        grown = growth(request, running.process.pid)
    assert grown < MOST, f"{grown:.0f} bytes per request"


def test_a_leak_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "leaky.py").write_text(LEAKY)
    with (
        serving("leaky:server", cwd=tmp_path) as running,
        HttpClient(running.mcp, "2025-11-25") as client,
    ):
        grown = growth(calling(client, SIZE // 14), running.process.pid)
    assert grown > 5 * MOST, f"{grown:.0f} bytes per request"
