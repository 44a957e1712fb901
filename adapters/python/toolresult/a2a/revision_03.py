"""Answers of revision 0.3: our artifacts and messages as our mapping to 0.3 has them.

The SDK keeps tasks as revision 1.0 has them and converts its answers part by part, which
loses the media types of texts and data, and names of texts. What is ours is read instead, and
rendered again. Ours is what rendering it to 1.0 gives back the same; the rest is the SDK's.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Any, Final

from a2a.compat.v0_3 import conversions, types
from a2a.compat.v0_3.request_handler import RequestHandler03
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import Artifact, Message, Role, StreamResponse, Task
from a2a.utils.errors import TaskNotFoundError
from a2a.utils.proto_utils import to_stream_response

from toolresult.a2a.border import mark_empty_names, to_wire
from toolresult.mapper import read, render
from toolresult_core import ResultError

_OF_THE_PROTOCOL: Final = ("contextId", "taskId")
"""What a message has beside what a result decides of it."""


class ResultHandler03(RequestHandler03):
    """The SDK's handler of requests of 0.3, whose answers hold our artifacts and messages."""

    async def on_message_send(
        self, request: types.SendMessageRequest, context: ServerCallContext
    ) -> types.Task | types.Message:
        """The task that a message began, or the agent's message."""
        sent = conversions.to_core_send_message_request(request)
        answer = await self.request_handler.on_message_send(sent, context)
        return task_03(answer) if isinstance(answer, Task) else message_03(answer)

    async def on_message_send_stream(
        self, request: types.SendMessageRequest, context: ServerCallContext
    ) -> AsyncIterable[types.SendStreamingMessageSuccessResponse]:
        """The events of the task that a message began."""
        sent = conversions.to_core_send_message_request(request)
        async for event in self.request_handler.on_message_send_stream(sent, context):
            yield event_03(to_stream_response(event), request.id)

    async def on_subscribe_to_task(
        self, request: types.TaskResubscriptionRequest, context: ServerCallContext
    ) -> AsyncIterable[types.SendStreamingMessageSuccessResponse]:
        """The events of a task from now on."""
        asked = conversions.to_core_subscribe_to_task_request(request)
        async for event in self.request_handler.on_subscribe_to_task(asked, context):
            yield event_03(to_stream_response(event), request.id)

    async def on_get_task(
        self, request: types.GetTaskRequest, context: ServerCallContext
    ) -> types.Task:
        """A task. Raises TaskNotFoundError."""
        asked = conversions.to_core_get_task_request(request)
        return _found(await self.request_handler.on_get_task(asked, context))

    async def on_cancel_task(
        self, request: types.CancelTaskRequest, context: ServerCallContext
    ) -> types.Task:
        """The task that was cancelled. Raises TaskNotFoundError."""
        asked = conversions.to_core_cancel_task_request(request)
        return _found(await self.request_handler.on_cancel_task(asked, context))


def _found(task: Task | None) -> types.Task:
    if task is None:
        raise TaskNotFoundError
    return task_03(task)


def task_03(task: Task) -> types.Task:
    """A task of revision 0.3."""
    made = conversions.to_compat_task(task)
    if task.artifacts:
        made.artifacts = [artifact_03(one) for one in task.artifacts]
    if task.history:
        made.history = [message_03(one) for one in task.history]
    if task.status.HasField("message"):
        made.status.message = message_03(task.status.message)
    return made


def event_03(
    event: StreamResponse, request_id: str | int
) -> types.SendStreamingMessageSuccessResponse:
    """An event of a stream of revision 0.3."""
    made = conversions.to_compat_stream_response(event, request_id)
    if isinstance(made.result, types.TaskArtifactUpdateEvent):
        made.result.artifact = artifact_03(event.artifact_update.artifact)
    elif isinstance(made.result, types.TaskStatusUpdateEvent):
        if event.status_update.status.HasField("message"):
            made.result.status.message = message_03(event.status_update.status.message)
    elif isinstance(made.result, types.Task):
        made.result = task_03(event.task)
    return made


def artifact_03(artifact: Artifact) -> types.Artifact:
    """An artifact of revision 0.3."""
    ours = _rendered(
        {"status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [to_wire(artifact)]},
        artifact_id=artifact.artifact_id,
    )
    if ours is None:
        return conversions.to_compat_artifact(artifact)
    return types.Artifact.model_validate(mark_empty_names(ours["artifacts"][0]))


def message_03(message: Message) -> types.Message:
    """A message of revision 0.3; ours are those of failed tasks."""
    if message.role != Role.ROLE_AGENT:
        return conversions.to_compat_message(message)
    wire = to_wire(message)
    kept = {key: wire.pop(key) for key in _OF_THE_PROTOCOL if key in wire}
    ours = _rendered(
        {"status": {"state": "TASK_STATE_FAILED", "message": wire}},
        message_id=message.message_id,
    )
    if ours is None:
        return conversions.to_compat_message(message)
    return types.Message.model_validate({**ours["status"]["message"], **kept})


def _rendered(task: dict[str, Any], **ids: str) -> Any:
    """A task of revision 1.0 as our mapping to 0.3 has it; None if it is not ours."""
    try:
        result = read(task, "a2a@1.0")
    except ResultError:
        return None
    if render(result, "a2a@1.0", **ids).wire != task:
        return None
    return render(result, "a2a@0.3", **ids).wire
