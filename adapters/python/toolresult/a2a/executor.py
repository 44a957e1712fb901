"""Runs a tool as the agent of an A2A server, and ends its task with the tool's result."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types.a2a_pb2 import TaskState

from toolresult.a2a.events import Event, begun, in_state, result_events
from toolresult.a2a.failures import unexpected
from toolresult.given import Given
from toolresult.mapper import Mapper

Tool = Callable[[RequestContext], Awaitable[Given] | Given]
"""Gives a result, or what ``result_of`` takes, for a request."""

_GRACE: Final = 5.0
"""Seconds that a tool has to clean up after its task was cancelled."""


@dataclass
class _Turn:
    """One execution. Who ends its task first is the one who ends it."""

    ended: bool = False

    def end(self) -> bool:
        """Whether the task is the caller's to end."""
        mine = not self.ended
        self.ended = True
        return mine


@dataclass(frozen=True)
class _Raised:
    """What a tool raised."""

    error: BaseException


class ResultExecutor(AgentExecutor):
    """Runs one tool for every message: ``ResultExecutor(tool)``.

    The task is worked on while the tool runs and ends with its result: completed, or failed
    with a readable message. An exception is a failure ``tool_error`` whose message says
    nothing of it but a reference that the log has too. A cancelled task ends as cancelled,
    whatever the tool makes of that.

    ``tool`` is an async function. A plain one will do where it takes no time: nothing else
    runs meanwhile (``asyncio.to_thread`` helps). ``mapper`` has the settings of renderings.
    """

    def __init__(self, tool: Tool, *, mapper: Mapper | None = None) -> None:
        self._tool = tool
        self._mapper = mapper
        self._turns: dict[str, _Turn] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Run the tool and publish the events of its task. Raises nothing but cancellation."""
        task_id, context_id = _ids(context)
        turn = self._turns[task_id] = _Turn()
        try:
            if context.current_task is None:
                await event_queue.enqueue_event(begun(task_id, context_id, context.message))
            else:
                working = in_state(TaskState.TASK_STATE_WORKING, task_id, context_id)
                await event_queue.enqueue_event(working)
            events = await self._run(context)
            if turn.end():
                for event in events:
                    await event_queue.enqueue_event(event)
        finally:
            self._turns.pop(task_id, None)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """End the task as cancelled, unless it has just ended; the SDK then stops the tool."""
        task_id, context_id = _ids(context)
        if self._turns.get(task_id, _Turn()).end():
            event = in_state(TaskState.TASK_STATE_CANCELED, task_id, context_id)
            await event_queue.enqueue_event(event)

    async def _run(self, context: RequestContext) -> list[Event]:
        """The events that end the task. Raises CancelledError if this is to stop."""
        task_id, context_id = _ids(context)
        # In a task of its own: a tool that gives up with a CancelledError of its own making
        # has failed, and is told from one that is asked to stop.
        running = asyncio.ensure_future(self._call(context))
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError:
            running.cancel()
            await asyncio.wait({running}, timeout=_GRACE)
            raise
        try:
            outcome = running.result()
            if isinstance(outcome, _Raised):
                return result_events(
                    unexpected(outcome.error), task_id=task_id, context_id=context_id
                )
            return result_events(
                outcome, task_id=task_id, context_id=context_id, mapper=self._mapper
            )
        except (Exception, asyncio.CancelledError) as error:
            failure = unexpected(error)
            # Without the mapper, whose settings may be what failed.
            return result_events(failure, task_id=task_id, context_id=context_id)

    async def _call(self, context: RequestContext) -> Given | _Raised:
        try:
            given = self._tool(context)
            return await given if inspect.isawaitable(given) else given
        except (KeyboardInterrupt, asyncio.CancelledError):
            raise
        except BaseException as error:
            # Within the task, since a SystemExit that leaves it ends the event loop.
            return _Raised(error)


def _ids(context: RequestContext) -> tuple[str, str]:
    """The ids of the task and its context, which a request has by the time it is executed."""
    return context.task_id or "", context.context_id or ""
