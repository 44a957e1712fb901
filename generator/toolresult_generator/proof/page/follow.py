"""Follows every leaf of one result into one output, for people to look at.

The values of a result may stand twice or be as common as ``true``. So a twin of the result, filled
with markers, is rendered beside it: where its markers stand, the result's own values stand. Every
place found that way is looked up in the real output before it is believed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Plan, Status
from toolresult_generator.pointers import untoken
from toolresult_generator.proof.cells import Output
from toolresult_generator.proof.leaves import Leaf, leaves
from toolresult_generator.proof.markers import fill, is_marked
from toolresult_generator.proof.page.layout import Line, lay_out, walk
from toolresult_generator.proof.places import Found, Place, Places

Render = Callable[[dict[str, Any]], Output]
MOST_LEAVES = 1_000
"""Leaves of one result that are followed."""
MOST_PLACES = 12
"""Places of one leaf that are shown."""
_NOT_SENT = (Status.WITHHELD, Status.NOT_EXPRESSIBLE)
"""An equal value in the output is no place of a leaf that is not sent."""


@dataclass(frozen=True)
class Followed:
    """One leaf of a result, and where it went."""

    pointer: str
    path: str
    status: str
    """What the spec declares for it."""
    places: tuple[Place, ...]
    needle: str
    """How its value is written inside of a text, to be marked there; empty for none."""
    sure: bool
    """Whether it was followed; if not, the places hold an equal value."""
    noted: str | None
    """The status under which the losses of the rendering name it, None if they do not."""


@dataclass(frozen=True)
class View:
    """One result in one revision and phase: both sides, and every leaf between them."""

    given: tuple[Line, ...]
    output: tuple[Line, ...]
    output_is_text: bool
    """The output is a JSON string; what is laid out stands in it."""
    leaves: tuple[Followed, ...]
    more_leaves: int
    """Leaves that are there and were not followed."""


def follow(plan: Plan, spec: ResultSpec, value: dict[str, Any], render: Render) -> View:
    """Renders a serialized result and follows its leaves. Raises what the renderer raises."""
    output = render(value)
    wire = _inside(output.wire)
    twin = fill(value, spec)
    marks = _render_twin(twin, render)
    own = Places(wire, spec.namespace)
    standing = dict(walk(wire))
    twins = {leaf.pointer: leaf for leaf in leaves(twin, spec)}
    followed: list[Followed] = []
    more = 0
    for leaf in leaves(value, spec):
        if len(followed) == MOST_LEAVES:
            more += 1
            continue
        places: list[Place] = []
        marked = twins.get(leaf.pointer)
        if marks is not None and marked is not None and is_marked(marked, spec):
            marked_places = Places(marks, spec.namespace).everywhere(marked.value)
            places = [one for one in marked_places if _stands(leaf.value, one, standing)]
        elif isinstance(leaf.value, bool):
            places = _flipped(value, leaf, wire, render, spec)
        sure = bool(places)
        if not places and plan.cell(leaf.path).rule.status not in _NOT_SENT:
            equal = own.everywhere(leaf.value)
            places = [one for one in equal if one.found is not Found.IN_TEXT] or equal
        followed.append(_followed(leaf, plan, places, output, sure=sure))
    return View(lay_out(value), lay_out(wire), isinstance(output.wire, str), tuple(followed), more)


def _followed(
    leaf: Leaf, plan: Plan, places: list[Place], output: Output, *, sure: bool
) -> Followed:
    status = plan.cell(leaf.path).rule.status
    noted = (said for where, said in output.losses if _covers(where, leaf.pointer))
    text = leaf.value if isinstance(leaf.value, str) else json.dumps(leaf.value)
    return Followed(
        leaf.pointer,
        leaf.path,
        status.value,
        tuple(places[:MOST_PLACES]),
        json.dumps(text, ensure_ascii=False)[1:-1] if len(text) < 200 else "",
        sure,
        next(noted, None),
    )


def _render_twin(twin: dict[str, Any], render: Render) -> Any | None:
    """The twin's output; None if the markers make it a result that cannot be rendered."""
    try:
        return _inside(render(twin).wire)
    except ValueError:
        return None


def _flipped(
    value: dict[str, Any], leaf: Leaf, wire: Any, render: Render, spec: ResultSpec
) -> list[Place]:
    """Where a boolean stands: there, the output changes when it does."""
    changed = json.loads(json.dumps(value))
    owner = changed
    *above, last = [untoken(token) for token in leaf.pointer.split("/")[1:]]
    for token in above:
        owner = owner[int(token)] if isinstance(owner, list) else owner[token]
    owner[last] = not leaf.value
    other = dict(walk(_inside(render(changed).wire)))
    found = {
        pointer
        for pointer, inner in walk(wire)
        if inner is leaf.value and pointer in other and other[pointer] is (not leaf.value)
    }
    return [
        one for one in Places(wire, spec.namespace).everywhere(leaf.value) if one.pointer in found
    ]


def _stands(value: Any, place: Place, standing: dict[str, Any]) -> bool:
    """Whether a value, or a part of it, really stands at a place."""
    if place.pointer not in standing:
        return False
    there = standing[place.pointer]
    if place.found is Found.IN_TEXT:
        return isinstance(there, str) and any(
            (inner if isinstance(inner, str) else _key(inner)) in there for inner in _parts(value)
        )
    return any(_key(inner) == _key(there) for inner in _parts(value))


def _parts(value: Any) -> Iterator[Any]:
    """A value, and those of a map that may have been taken apart."""
    yield value
    if isinstance(value, dict):
        for inner in value.values():
            yield from _parts(inner)


def _covers(loss: str, pointer: str) -> bool:
    return pointer == loss or pointer.startswith(f"{loss}/")


def _inside(wire: Any) -> Any:
    """A wire value that is a string holds its JSON; that is what is shown."""
    if isinstance(wire, str) and wire.startswith("{"):
        return json.loads(wire)
    return wire


def _key(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
