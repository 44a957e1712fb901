"""The events of a task that ends with a result."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Final

from a2a.types.a2a_pb2 import (
    Artifact,
    Message,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from toolresult.a2a.border import to_message
from toolresult.given import Given
from toolresult.mapper import Mapper

Event = Task | TaskArtifactUpdateEvent | TaskStatusUpdateEvent

_PLAIN: Final = Mapper()


def result_events(
    result: Given,
    *,
    task_id: str,
    context_id: str,
    mapper: Mapper | None = None,
    now: datetime | None = None,
) -> list[Event]:
    """The events that end a task with a result: its artifact, if it has one, and its status.

    ``result`` is what :func:`toolresult.result_of` takes. A failure gives the state failed
    with a message, anything else the state completed. ``now`` is the time of the status;
    by default it is taken from the system.

    Raises what :meth:`toolresult.Mapper.render` raises.
    """
    wire = (mapper or _PLAIN).render(result, "a2a@1.0").wire
    events: list[Event] = [
        TaskArtifactUpdateEvent(
            task_id=task_id,
            context_id=context_id,
            artifact=to_message(artifact, Artifact()),
            last_chunk=True,
        )
        for artifact in wire.get("artifacts", [])
    ]
    status = wire["status"]
    ended = _status(status["state"], now)
    if "message" in status:
        to_message(status["message"], ended.message)
    events.append(status_event(ended, task_id, context_id, wire.get("metadata")))
    return events


def begun(task_id: str, context_id: str, message: Message | None) -> Task:
    """The task that a message began, which is worked on."""
    return Task(
        id=task_id,
        context_id=context_id,
        status=_status(TaskState.TASK_STATE_WORKING),
        history=[] if message is None else [message],
    )


def in_state(state: TaskState, task_id: str, context_id: str) -> TaskStatusUpdateEvent:
    """The event that a task is now in a state, without a message."""
    return status_event(_status(state), task_id, context_id)


def status_event(
    status: TaskStatus, task_id: str, context_id: str, metadata: dict[str, Any] | None = None
) -> TaskStatusUpdateEvent:
    """An event of a status; ``metadata`` becomes that of the task."""
    return TaskStatusUpdateEvent(
        task_id=task_id, context_id=context_id, status=status, metadata=metadata
    )


def _status(state: TaskState | str, now: datetime | None = None) -> TaskStatus:
    status = TaskStatus(state=state)
    status.timestamp.FromDatetime(now or datetime.now(timezone.utc))
    return status
