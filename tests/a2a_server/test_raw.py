"""What stands on the wire is what the vectors say, for every sample, binding and revision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.a2a_server.agent import PATHS, REVISIONS, Tool
from tests.a2a_server.raw import RawClient, assembled, decided
from tests.a2a_server.samples import INPUTS, OUTPUTS, same
from tests.a2a_server.spelling import task_of_rest

from toolresult import read, result_of


@pytest.fixture(params=REVISIONS)
def revision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=PATHS)
def binding(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(base: str, binding: str, revision: str) -> Iterator[RawClient]:
    with httpx.Client(timeout=20) as http:
        yield RawClient(http, base, binding, revision)


def as_in_vectors(client: RawClient, task: dict[str, Any]) -> dict[str, Any]:
    if (client.binding, client.revision) == ("HTTP+JSON", "0.3"):
        task = task_of_rest(task)
    return decided(task)


def check(client: RawClient, name: str, task: dict[str, Any]) -> str | None:
    """What is wrong with a task, if anything is."""
    found, wanted = as_in_vectors(client, task), OUTPUTS[client.revision][name]
    if not same(found, wanted):
        return f"{name}: found {found}, wanted {wanted}"
    if read(found, f"a2a@{client.revision}") != result_of(INPUTS[name]):
        return f"{name}: does not read back"
    return None


def test_there_are_samples_of_what_the_sdk_would_lose() -> None:
    assert len(INPUTS) > 100
    told = str(OUTPUTS)
    assert "'filename': ''" in told
    assert "'mimeType': 'application/json'" in told
    assert "dev.toolresult/exactJson" in told


def test_every_sample_arrives(client: RawClient) -> None:
    sent = {name: client.send(name) for name in INPUTS}
    assert [told for name, task in sent.items() if (told := check(client, name, task))] == []
    unnamed = [name for name in INPUTS if "'filename': ''" in str(OUTPUTS["1.0"][name])]
    for name in [*unnamed, *list(INPUTS)[::10]]:
        task = sent[name]
        assert same(client.get(task["id"]), task)
        if client.revision == "1.0":
            (listed,) = client.listed(task["contextId"])
            assert check(client, name, listed) is None


def test_every_sample_arrives_in_a_stream(client: RawClient) -> None:
    sent = {name: assembled(client.stream(name)) for name in INPUTS}
    assert [told for name, task in sent.items() if (told := check(client, name, task))] == []


def test_who_comes_later_gets_the_same(client: RawClient, tool: Tool) -> None:
    """A client that subscribes to a running task is told of its end as any other."""
    for name in list(INPUTS)[::20]:
        tool.released = False
        sent = client.send(f"later {name}", at_once=True)
        events = client.subscribe(sent["id"])
        first = next(events)
        tool.released = True
        assert check(client, name, assembled([first, *events])) is None
