"""How 0.3 over REST spells a task: as the protobuf types of 0.3 do, not as its JSON schema.

That is what clients of 0.3 read. The values are the same, and are compared after they have
been respelled here: states and roles, ``update`` for the message of a status, ``content`` for
its parts, files flat and their bytes encoded twice, data inside ``data``, no ``kind``.
"""

from __future__ import annotations

import base64
from typing import Any


def task_of_rest(task: dict[str, Any]) -> dict[str, Any]:
    """A task as JSON-RPC spells it."""
    made = {**task, "status": _status(task["status"])}
    if "artifacts" in task:
        made["artifacts"] = [
            {**one, "parts": [_part(part) for part in one["parts"]]} for one in task["artifacts"]
        ]
    return made


def _status(status: dict[str, Any]) -> dict[str, Any]:
    made = {**status, "state": status["state"].removeprefix("TASK_STATE_").lower()}
    message = made.pop("message", None) or made.pop("update", None)
    if message is not None:
        made["message"] = {
            **{key: value for key, value in message.items() if key != "content"},
            "kind": "message",
            "role": message["role"].removeprefix("ROLE_").lower(),
            "parts": [_part(part) for part in message["content"]],
        }
    return made


def _part(part: dict[str, Any]) -> dict[str, Any]:
    metadata = {"metadata": part["metadata"]} if "metadata" in part else {}
    if "file" in part:
        file = {key: value for key, value in part["file"].items() if not key.startswith("fileWith")}
        if "fileWithUri" in part["file"]:
            file["uri"] = part["file"]["fileWithUri"]
        else:
            file["bytes"] = base64.b64decode(part["file"]["fileWithBytes"]).decode()
        return {"kind": "file", "file": file, **metadata}
    if "data" in part:
        return {"kind": "data", "data": part["data"]["data"], **metadata}
    return {"kind": "text", "text": part["text"], **metadata}
