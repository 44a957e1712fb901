"""What the protocol layer adds to an output before it is sent: not ours to write.

A2A: "the output is what a result decides of a task"; ids, context and the time of the status
belong to the protocol layer (targets/a2a.yaml), and so does the kind of the task itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Shape

ADDED: Mapping[str, Mapping[str, Any]] = {
    "a2a": {
        "/id": "t1",
        "/contextId": "c1",
        "/kind": "task",
        "/history": None,
        "/status/timestamp": "2026-07-28T10:00:00Z",
    }
}
"""By origin of a target: members by their pointer, with a value that stands for them. None: a
member that may be there and is not needed."""


def completed(wire: Any, origin: str | None, graph: Graph, shape: Shape) -> Any:
    """The output with what the layer adds, as far as the schema has a member for it."""
    added = ADDED.get(origin or "", {})
    if not added or not isinstance(wire, dict):
        return wire
    made = dict(wire)
    for pointer, value in added.items():
        *above, name = pointer.split("/")[1:]
        if value is None:
            continue
        owner, inside = made, shape
        for step in above:
            if not isinstance(owner.get(step), dict) or step not in inside.members:
                break
            owner[step] = dict(owner[step])
            owner, inside = owner[step], graph.shape(inside.members[step])
        else:
            if name in inside.members and name not in owner:
                listed = graph.shape(inside.members[name]).values
                owner[name] = json.loads(listed[0]) if len(listed) == 1 else value
    return made


def is_added(origin: str | None, place: str) -> bool:
    """Whether the layer writes a place, and not a form."""
    added = ADDED.get(origin or "", {})
    return any(place == one or place.startswith(f"{one}/") for one in added)
