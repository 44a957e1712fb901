"""200 clients at once, of both eras, at two workers: nothing is lost, and nothing is mixed up."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timezone
from pathlib import Path

import httpx
from tests.load.clients import AsyncClient, link_of
from tests.mcp_server.clients import REVISIONS
from tests.serve.running import Running

from toolresult.store import open_store

CLIENTS = 200
ROUNDS = 2
SECONDS = 300
"""What all of it may take, on a machine that has other things to do."""
LARGE = 150
"""How often a marker stands in a result that is over the limit."""


async def one_client(number: int, workers: tuple[Running, Running], start: asyncio.Event) -> int:
    """What one client does; how many results it got. Each carries the marker of its call."""
    # Connections of its own, as clients have. No certificate is looked at, nor loaded.
    async with httpx.AsyncClient(timeout=SECONDS, verify=False) as http:
        return await _one_client(http, number, workers, start)


async def _one_client(
    http: httpx.AsyncClient, number: int, workers: tuple[Running, Running], start: asyncio.Event
) -> int:
    revision = REVISIONS[number % len(REVISIONS)]
    here, there = workers if number % 2 else workers[::-1]
    client = AsyncClient(http, here.mcp, revision)
    reader = AsyncClient(http, there.mcp, revision)
    await start.wait()
    await client.connect()
    await reader.connect()
    got = 0
    for turn in range(ROUNDS):
        marker = f"client-{number}-turn-{turn}"
        small, large = await asyncio.gather(
            client.call("echo", {"value": marker}),
            client.call("echo", {"value": marker, "repeat": LARGE}),
        )
        assert json.loads(small["content"][0]["text"]) == {"values": [marker]}
        # what one worker has stored, the other one gives back
        read = await reader.request("resources/read", {"uri": link_of(large)})
        stored = json.loads(read["result"]["contents"][0]["text"])
        assert stored["data"] == {"values": [marker] * LARGE}
        got += 2
    return got


async def all_clients(workers: tuple[Running, Running]) -> list[int]:
    start = asyncio.Event()
    clients = [asyncio.create_task(one_client(number, workers, start)) for number in range(CLIENTS)]
    await asyncio.sleep(0)
    start.set()
    return await asyncio.wait_for(asyncio.gather(*clients), timeout=SECONDS)


def test_nothing_is_lost_or_mixed_up(workers: tuple[Running, Running], store: Path) -> None:
    assert asyncio.run(all_clients(workers)) == [2 * ROUNDS] * CLIENTS
    for worker in workers:
        assert worker.process.poll() is None
        assert worker.told() == ""
    with open_store(store / "results.db", store / "keys", create=False) as kept:
        assert kept.stats(now=datetime.now(timezone.utc)).count == ROUNDS * CLIENTS
