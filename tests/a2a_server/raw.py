"""Requests as a client without an SDK makes them, and what stands in the answers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
from tests.a2a_server.agent import PATHS

_METHODS = {
    ("1.0", False): "SendMessage",
    ("1.0", True): "SendStreamingMessage",
    ("0.3", False): "message/send",
    ("0.3", True): "message/stream",
}


class RawClient:
    """Sends messages over one binding with one revision. Give it an ``httpx.Client``."""

    def __init__(self, http: httpx.Client, base: str, binding: str, revision: str) -> None:
        self.http = http
        self.address = base + PATHS[binding]
        self.binding = binding
        self.revision = revision
        # Without the header a request counts as 0.3.
        self.headers = {"A2A-Version": "1.0"} if revision == "1.0" else {}

    def send(self, text: str, *, at_once: bool = False) -> dict[str, Any]:
        """The task that a message began, when it has ended, or at once."""
        # 0.3 over REST waits for nothing that it is not told to wait for.
        how = (
            {"returnImmediately": at_once} if self.revision == "1.0" else {"blocking": not at_once}
        )
        body = {"message": self._message(text), "configuration": how}
        if self.binding == "JSONRPC":
            return self._task(self.call(_METHODS[self.revision, False], body)["result"])
        return self._task(self._post("message:send", body).json())

    def stream(self, text: str) -> list[dict[str, Any]]:
        """The events of the task that a message began."""
        body = {"message": self._message(text)}
        return list(self._stream(_METHODS[self.revision, True], "message:stream", body))

    def subscribe(self, task_id: str) -> Iterator[dict[str, Any]]:
        """The events of a task from now on; the first is the task as it is."""
        method = "SubscribeToTask" if self.revision == "1.0" else "tasks/resubscribe"
        return self._stream(method, f"tasks/{task_id}:subscribe", {"id": task_id})

    def get(self, task_id: str) -> dict[str, Any]:
        """A task as it is now."""
        if self.binding == "JSONRPC":
            method = "GetTask" if self.revision == "1.0" else "tasks/get"
            return self._task(self.call(method, {"id": task_id})["result"])
        answer = self.http.get(self._rest(f"tasks/{task_id}"), headers=self.headers)
        return self._task(answer.json())

    def listed(self, context_id: str) -> list[dict[str, Any]]:
        """The tasks of a context, with their artifacts. 1.0 alone lists tasks."""
        asked: dict[str, str | bool] = {"contextId": context_id, "includeArtifacts": True}
        if self.binding == "JSONRPC":
            answer = self.call("ListTasks", asked)["result"]
        else:
            answer = self.http.get(self._rest("tasks"), params=asked, headers=self.headers).json()
        tasks: list[dict[str, Any]] = answer["tasks"]
        return tasks

    def cancel(self, task_id: str) -> dict[str, Any]:
        """A task after it was cancelled."""
        if self.binding == "JSONRPC":
            method = "CancelTask" if self.revision == "1.0" else "tasks/cancel"
            return self._task(self.call(method, {"id": task_id})["result"])
        return self._task(self._post(f"tasks/{task_id}:cancel", {}).json())

    def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a call of JSON-RPC."""
        body = self._rpc(method, params)
        answer = self.http.post(self.address, json=body, headers=self.headers)
        assert int(answer.headers["content-length"]) == len(answer.content)
        found: dict[str, Any] = answer.json()
        assert found["id"] == body["id"]
        return found

    def _stream(self, method: str, path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        address = self._rest(path)
        if self.binding == "JSONRPC":
            address, body = self.address, self._rpc(method, body)
        with self.http.stream("POST", address, json=body, headers=self.headers) as response:
            assert response.status_code == 200
            for event in _events(response):
                yield event["result"] if self.binding == "JSONRPC" else event

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        answer = self.http.post(self._rest(path), json=body, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer

    def _rest(self, path: str) -> str:
        return f"{self.address}/{'v1/' if self.revision == '0.3' else ''}{path}"

    def _rpc(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": str(uuid.uuid4()), "method": method, "params": params}

    def _message(self, text: str) -> dict[str, Any]:
        message: dict[str, Any] = {"messageId": str(uuid.uuid4())}
        if self.revision == "1.0":
            return {**message, "role": "ROLE_USER", "parts": [{"text": text}]}
        if self.binding == "HTTP+JSON":
            return {**message, "role": "ROLE_USER", "content": [{"text": text}]}
        return {
            **message,
            "role": "user",
            "kind": "message",
            "parts": [{"kind": "text", "text": text}],
        }

    def _task(self, answer: dict[str, Any]) -> dict[str, Any]:
        task: dict[str, Any] = answer.get("task", answer)
        return task


def _events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line.startswith("data:"):
            yield json.loads(line.removeprefix("data:"))
        assert not line.startswith("event:"), "an error"


def assembled(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The task that the events of a stream tell of, of either revision and binding."""
    task: dict[str, Any] = {}
    for event in events:
        kind = event.get("kind") or next(iter(event))
        body = event if "kind" in event else event[kind]
        if kind == "task":
            task = {**body}
        elif kind in ("artifact-update", "artifactUpdate"):
            task.setdefault("artifacts", []).append(body["artifact"])
        else:
            assert kind in ("status-update", "statusUpdate")
            task["status"] = body["status"]
            if "metadata" in body:
                task["metadata"] = {**task.get("metadata", {}), **body["metadata"]}
    return task


def decided(task: dict[str, Any]) -> dict[str, Any]:
    """What a result decides of a task: all but its ids, kind, history and the status's time."""
    rest = {"id", "contextId", "kind", "history"}
    kept = {key: value for key, value in task.items() if key not in rest}
    kept["status"] = {key: value for key, value in task["status"].items() if key != "timestamp"}
    return kept
