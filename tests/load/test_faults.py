"""Clients that go away, and a store that is gone, while a real server serves."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.mcp_server.clients import HttpClient, link_of, meta_of
from tests.serve.running import Running, serving

ERAS = ("2025-11-25", "2026-07-28")


@pytest.fixture
def running(arguments: tuple[str, ...]) -> Iterator[Running]:
    with serving(*arguments) as one:
        yield one


def message(revision: str, tool: str, arguments: dict[str, Any]) -> bytes:
    """A call as it goes over the wire, in the stateless era; it needs no session there."""
    params = {"name": tool, "arguments": arguments, "_meta": meta_of(revision)}
    head = [f"mcp-protocol-version: {revision}", "mcp-method: tools/call", f"mcp-name: {tool}"]
    return posted(head, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def posted(head: list[str], message: dict[str, Any]) -> bytes:
    """A message as it goes over the wire, with these headers beside what all have."""
    body = json.dumps(message)
    common = [
        "POST /mcp HTTP/1.1",
        "host: 127.0.0.1:1",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        f"content-length: {len(body)}",
    ]
    return "\r\n".join([*common, *head, "", body]).encode()


def leave(running: Running, sent: bytes, *, wait: float) -> None:
    """Sends that much and goes away, without a word and with one that says so."""
    for how in (struct.pack("ii", 1, 0), struct.pack("ii", 0, 0)):
        host, port = running.base.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, how)
            connection.sendall(sent)
            connection.settimeout(wait)
            with suppress(TimeoutError):
                assert connection.recv(1) != b"", "the server has ended the connection"


def test_clients_that_go_away_in_the_middle(running: Running) -> None:
    """At any moment: within the head, within the body, while the tool runs."""
    whole = message("2026-07-28", "wait", {"seconds": 1})
    head = whole.index(b"\r\n\r\n")
    for length in (10, head, head + 20, len(whole) - 1, len(whole)):
        leave(running, whole[:length], wait=0.1)
    for revision in ERAS:
        with HttpClient(running.mcp, revision) as client:
            assert client.call("echo", {"value": 1})["structuredContent"] == {"values": [1]}
    assert running.process.poll() is None


def test_a_session_whose_client_went_away_takes_others_nothing(running: Running) -> None:
    """The client of a handshake goes while its tool runs; its session goes on with another."""
    with HttpClient(running.mcp, "2025-11-25") as client:
        session = client._headers["mcp-session-id"]
        call = {"name": "wait", "arguments": {"seconds": 1}}
        head = ["mcp-protocol-version: 2025-11-25", f"mcp-session-id: {session}"]
        whole = posted(head, {"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": call})
        leave(running, whole, wait=0.2)
        assert client.call("echo", {"value": 1})["structuredContent"] == {"values": [1]}
        with HttpClient(running.mcp, "2026-07-28") as other:
            assert other.call("echo", {"value": 2})["structuredContent"] == {"values": [2]}
    assert running.process.poll() is None


@pytest.mark.parametrize("revision", ERAS)
def test_a_store_that_is_gone_while_the_server_runs(
    running: Running, store: Path, revision: str
) -> None:
    """Results go inline, what was stored is a failure with a code, and the server lives."""
    with HttpClient(running.mcp, revision) as client:
        link = link_of(client.call("report", {"rows": 1_000}))
        assert link is not None
        for file in store.glob("results.db*"):
            with file.open("r+b") as damaged:
                damaged.write(b"\xff" * file.stat().st_size)
        result = client.call("report", {"rows": 1_001})
        assert result["structuredContent"]["rows"][-1] == 1_000
        assert link_of(result) is None
        error = client.request("resources/read", {"uri": link})["error"]
        assert error["code"] == -32603
        assert "Reference: " in error["message"]
        assert str(store) not in json.dumps(error)
        assert client.call("echo", {"value": 1})["structuredContent"] == {"values": [1]}
    assert running.process.poll() is None
