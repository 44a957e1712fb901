"""200 clients at once, of both eras, at two workers: nothing is lost, and nothing is mixed up."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timezone
from pathlib import Path

import httpx
from tests.load.clients import AsyncClient
from tests.mcp_server.clients import REVISIONS, link_of
from tests.serve.running import Running

from toolresult.store import open_store

CLIENTS = 200
ROUNDS = 2
SECONDS = 300
"""What all of it may take, on a machine that has other things to do."""
LARGE = 150
"""How often a marker stands in a result that is over the limit."""


async def one_client(number: int, workers: tuple[Running, Running]) -> list[str | None]:
    """What one client does: the links that it got, None for each result that came whole.

    Each result carries the marker of its call. What one worker has stored, the other gives back.
    """
    revision = REVISIONS[number % len(REVISIONS)]
    here, there = workers if number % 2 else workers[::-1]
    links = []
    # Connections of its own, as clients have. No certificate is looked at, nor loaded.
    async with httpx.AsyncClient(timeout=SECONDS, verify=False) as http:
        client = AsyncClient(http, here.mcp, revision)
        reader = AsyncClient(http, there.mcp, revision)
        await client.connect()
        await reader.connect()
        for turn in range(ROUNDS):
            marker = f"client-{number}-turn-{turn}"
            small, large = await asyncio.gather(
                client.call("echo", {"value": marker}),
                client.call("echo", {"value": marker, "repeat": LARGE}),
            )
            assert json.loads(small["content"][0]["text"]) == {"values": [marker]}
            link = link_of(large)
            if link is None:  # the store was busy for too long: then it goes inline
                data = json.loads(large["content"][0]["text"])
            else:
                read = await reader.request("resources/read", {"uri": link})
                data = json.loads(read["result"]["contents"][0]["text"])["data"]
            assert data == {"values": [marker] * LARGE}
            links.append(link)
    return links


async def all_clients(workers: tuple[Running, Running]) -> list[list[str | None]]:
    clients = (one_client(number, workers) for number in range(CLIENTS))
    return await asyncio.wait_for(asyncio.gather(*clients), timeout=SECONDS)


def test_nothing_is_lost_or_mixed_up(workers: tuple[Running, Running], store: Path) -> None:
    found = asyncio.run(all_clients(workers))
    assert [len(links) for links in found] == [ROUNDS] * CLIENTS
    stored = [link for links in found for link in links if link is not None]
    assert len(stored) == len(set(stored)) > ROUNDS * CLIENTS // 2
    for worker in workers:
        assert worker.process.poll() is None
        assert worker.told() == ""
    with open_store(store / "results.db", store / "keys", create=False) as kept:
        assert kept.stats(now=datetime.now(timezone.utc)).count == len(stored)
