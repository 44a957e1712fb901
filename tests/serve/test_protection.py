"""A page that has its own name lead to the loopback gets nothing, whatever path it asks for."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from tests.serve.running import Running, serving

PATHS = ("/mcp", "/a2a", "/a2a/message:send", "/.well-known/agent-card.json", "/else")


@pytest.fixture(scope="module", params=["127.0.0.1", "::1"])
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    with serving("--example", "--host", request.param) as one:
        yield one


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_foreign_names_are_refused(running: Running, path: str, method: str) -> None:
    port = running.base.rpartition(":")[2]
    url = running.base + path
    for headers, status in (
        ({"host": f"evil.example.com:{port}"}, 421),
        ({"host": "127.0.0.1.evil.example.com"}, 421),
        ({"origin": "http://evil.example.com"}, 403),
    ):
        answer = httpx.request(method, url, headers=headers, json={} if method == "POST" else None)
        assert answer.status_code == status, (headers, answer.text)


def test_ones_own_names_are_not(running: Running) -> None:
    """Without the port too: so do clients ask at the port of http."""
    port = running.base.rpartition(":")[2]
    for host in (
        f"localhost:{port}",
        f"127.0.0.1:{port}",
        f"[::1]:{port}",
        "127.0.0.1",
        "localhost",
    ):
        headers = {"host": host, "origin": f"http://{host}"}
        url = f"{running.base}/.well-known/agent-card.json"
        assert httpx.get(url, headers=headers).json()["name"] == "toolresult-example"


@pytest.mark.parametrize("path", ["/mcp", "/a2a"])
def test_a_body_has_a_bound(running: Running, path: str) -> None:
    body = b" " * (4 * 1024 * 1024 + 1)
    answer = httpx.post(
        running.base + path, content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413
