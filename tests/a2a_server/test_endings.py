"""How tasks end: failed with a readable message, cancelled, and never not at all."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import httpx
import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import EventQueue
from a2a.types.a2a_pb2 import (
    Message,
    SendMessageRequest,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatusUpdateEvent,
)
from tests.a2a_server.agent import PATHS, REVISIONS, SECRET, Tool
from tests.a2a_server.raw import RawClient, assembled, decided
from tests.a2a_server.spelling import task_of_rest

from toolresult import Mapper, Result, read
from toolresult.a2a import ResultExecutor


@pytest.fixture(params=[(b, r) for b in PATHS for r in REVISIONS], ids="-".join)
def client(request: pytest.FixtureRequest, base: str) -> Iterator[RawClient]:
    with httpx.Client(timeout=20) as http:
        yield RawClient(http, base, *request.param)


def spelled(client: RawClient, task: dict[str, Any]) -> dict[str, Any]:
    """A task as its revision spells it, whatever the binding."""
    rest_03 = (client.binding, client.revision) == ("HTTP+JSON", "0.3")
    return task_of_rest(task) if rest_03 else task


def state(client: RawClient, task: dict[str, Any]) -> str:
    found: str = spelled(client, task)["status"]["state"]
    return found.removeprefix("TASK_STATE_").lower().replace("cancelled", "canceled")


def until(wanted: Any, seconds: float = 10) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def test_a_failure_has_a_readable_message(client: RawClient) -> None:
    sent = client.send("legacy")
    assert state(client, sent) == "failed"
    assert spelled(client, sent)["status"]["message"]["parts"][0]["text"] == "No such product"


@pytest.mark.parametrize("wish", ["raise", "give nothing", "cancel itself", "exit"])
def test_an_exception_ends_the_task_and_tells_nothing(
    client: RawClient, wish: str, caplog: pytest.LogCaptureFixture
) -> None:
    for send in (client.send, lambda text: assembled(client.stream(text))):
        caplog.clear()
        sent = send(wish)
        task = spelled(client, sent)
        assert state(client, sent) == "failed"
        assert SECRET not in str(sent)
        assert "Error" not in str(sent)
        result = read(task, f"a2a@{client.revision}")
        assert result.error is not None
        assert result.error.code.value == "tool_error"
        (reference,) = re.findall(r"reference ([0-9a-f]{12})\.", result.error.message)
        (record,) = [one for one in caplog.records if reference in one.getMessage()]
        assert (record.name, record.levelno) == ("toolresult.a2a", logging.ERROR)
        assert record.exc_info is not None
        assert decided(client.get(sent["id"])) == decided(sent)


@pytest.mark.parametrize("wish", ["sleep", "hang on"])
def test_a_cancelled_task_ends_as_cancelled(client: RawClient, tool: Tool, wish: str) -> None:
    started, cleaned_up = tool.started, tool.cleaned_up
    sent = client.send(wish, at_once=True)
    assert state(client, sent) == "working"
    until(lambda: tool.started == started + 1)
    assert state(client, client.cancel(sent["id"])) == "canceled"
    until(lambda: tool.cleaned_up == cleaned_up + 1)
    time.sleep(0.05)
    later = spelled(client, client.get(sent["id"]))
    assert state(client, client.get(sent["id"])) == "canceled"
    assert "artifacts" not in later


def test_a_stream_of_a_cancelled_task_ends(client: RawClient, tool: Tool) -> None:
    started = tool.started
    found: list[list[dict[str, Any]]] = []
    reading = threading.Thread(target=lambda: found.append(client.stream("sleep")))
    reading.start()
    until(lambda: tool.started == started + 1)
    with httpx.Client(timeout=20) as http:
        other = RawClient(http, _base(client), client.binding, client.revision)
        (running,) = _working(http, client)
        other.cancel(running)
    reading.join(timeout=10)
    assert not reading.is_alive()
    assert state(client, assembled(found[0])) == "canceled"


def _base(client: RawClient) -> str:
    return client.address.rpartition("/")[0]


def _working(http: httpx.Client, client: RawClient) -> list[str]:
    """The ids of the tasks that are worked on; 1.0 alone lists tasks."""
    listing = RawClient(http, _base(client), "JSONRPC", "1.0")
    tasks = listing.call("ListTasks", {"status": "TASK_STATE_WORKING"})["result"]["tasks"]
    return [task["id"] for task in tasks]


# ------------------------------------------------------------ without a server


class Events(EventQueue):
    """A queue that keeps what is put in."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    async def enqueue_event(self, event: Any) -> None:
        await asyncio.sleep(0)
        self.found.append(event)

    async def dequeue_event(self) -> Any:
        raise NotImplementedError

    def task_done(self) -> None:
        raise NotImplementedError

    async def close(self, immediate: bool = False) -> None:
        raise NotImplementedError

    def is_closed(self) -> bool:
        return False

    async def tap(self, *_: Any, **__: Any) -> EventQueue:
        raise NotImplementedError

    def states(self) -> list[str]:
        return [
            TaskState.Name(event.status.state)
            for event in self.found
            if isinstance(event, (Task, TaskStatusUpdateEvent))
        ]


def request(task: Task | None = None) -> RequestContext:
    return RequestContext(
        ServerCallContext(),
        request=SendMessageRequest(message=Message(message_id="1")),
        task_id="t",
        context_id="c",
        task=task,
    )


def test_events_come_in_order() -> None:
    events = Events()
    executor = ResultExecutor(lambda _: Result.success({"ids": [1]}))
    asyncio.run(executor.execute(request(), events))
    begun, artifact, ended = events.found
    assert isinstance(begun, Task)
    assert [one.message_id for one in begun.history] == ["1"]
    assert isinstance(artifact, TaskArtifactUpdateEvent)
    assert artifact.last_chunk
    assert not artifact.append
    assert {(one.task_id, one.context_id) for one in (artifact, ended)} == {("t", "c")}
    assert events.states() == ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]
    assert ended.status.timestamp.seconds > 0


def test_a_task_that_is_there_is_not_begun_again() -> None:
    events = Events()
    executor = ResultExecutor(lambda _: Result.success())
    asyncio.run(executor.execute(request(Task(id="t", context_id="c")), events))
    assert [type(one) for one in events.found] == [TaskStatusUpdateEvent] * 2
    assert events.states() == ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]


def test_a_mapper_that_fails_is_a_failure_too() -> None:
    events = Events()
    mapper = Mapper(clock=datetime(2026, 7, 28))  # no time zone: refused
    executor = ResultExecutor(lambda _: Result.success(1), mapper=mapper)
    asyncio.run(executor.execute(request(), events))
    assert events.states() == ["TASK_STATE_WORKING", "TASK_STATE_FAILED"]
    assert "time zone" not in str(events.found)


def test_the_mapper_is_used() -> None:
    events = Events()
    mapper = Mapper(clock=datetime(2026, 7, 28, tzinfo=timezone.utc))
    executor = ResultExecutor(lambda _: Result.success(1), mapper=mapper)
    asyncio.run(executor.execute(request(), events))
    assert "2026-07-28T00:00:00Z" in str(events.found[1])


def test_a_task_that_has_ended_is_not_cancelled() -> None:
    async def both() -> list[str]:
        events = Events()
        executor = ResultExecutor(lambda _: Result.success(1))
        running = asyncio.ensure_future(executor.execute(request(), events))
        while len(events.found) < 2:  # the artifact is out, the status is not
            await asyncio.sleep(0)
        await executor.cancel(request(), events)
        await running
        return events.states()

    assert asyncio.run(both()) == ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]


def test_a_task_of_another_process_is_cancelled() -> None:
    events = Events()
    asyncio.run(ResultExecutor(lambda _: Result.success()).cancel(request(), events))
    assert events.states() == ["TASK_STATE_CANCELED"]


def test_executions_leave_nothing_behind() -> None:
    executor = ResultExecutor(lambda _: Result.success(1))
    asyncio.run(executor.execute(request(), Events()))
    assert executor._turns == {}
