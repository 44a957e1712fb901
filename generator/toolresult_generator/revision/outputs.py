"""Everything that can be produced on one revision: each sample rendered, and each leaf followed.

What renders is made from the model in process, so that a spec that nobody has installed code for
is tried as it stands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from toolresult_generator.director import Loaded
from toolresult_generator.languages.python.targets import emit_target, renderer_class
from toolresult_generator.model.result import FieldKind
from toolresult_generator.model.sample import Sample, build_samples
from toolresult_generator.model.target import Plan, Target
from toolresult_generator.pointers import untoken
from toolresult_generator.proof.cells import Output
from toolresult_generator.proof.leaves import Leaf, leaves
from toolresult_generator.proof.markers import is_marked
from toolresult_generator.proof.matrix import options_of, versions
from toolresult_generator.proof.places import Found, Place, Places
from toolresult_generator.proof.python import module_of, rendering

Render = Callable[[dict[str, Any]], Output]
Step = Callable[[int, int], None]
"""Is told how many samples are done, and of how many."""


@dataclass(frozen=True)
class Seen:
    """One leaf of one sample, followed into the output."""

    sample: str
    leaf: Leaf
    place: Place
    block: str
    """What the object that it stands in says to be: the value of its `type` or `kind`, or empty."""


@dataclass(frozen=True)
class Given:
    """One sample as written, and how it is rendered."""

    sample: Sample
    value: dict[str, Any]
    render: Render


@dataclass(frozen=True)
class Outputs:
    """What a plan writes."""

    plan: Plan
    given: tuple[Given, ...]
    wires: tuple[tuple[str, dict[str, Any], Any], ...]
    """Sample, serialized result and wire value: as written, and with markers."""
    seen: tuple[Seen, ...]


def outputs_of(loaded: Loaded, target: Target, plan: Plan, step: Step) -> Outputs:
    """Renders every sample on a plan. Raises nothing for what a renderer refuses: that sample
    then has no output, which the matrix reports."""
    module = module_of(emit_target(replace(target, plans=(plan,)), loaded.model.result), "tried")
    renderer = getattr(module, renderer_class(plan))()
    given: list[Given] = []
    wires: list[tuple[str, dict[str, Any], Any]] = []
    seen: list[Seen] = []
    samples = build_samples(loaded.documents)
    for number, sample in enumerate(samples):
        step(number, len(samples))
        render = rendering(renderer, options_of(sample))
        for value, marked in versions(sample, loaded):
            if not marked:
                given.append(Given(sample, value, render))
            try:
                wire = opened(render(value).wire)
            except ValueError:
                continue
            wires.append((sample.name, value, wire))
            if marked:
                seen += _followed(sample.name, value, wire, loaded)
    return Outputs(plan, tuple(given), tuple(wires), tuple(seen))


def opened(wire: Any) -> Any:
    """The value that a schema speaks of: of a JSON string, what it holds."""
    return json.loads(wire) if isinstance(wire, str) else wire


def _followed(sample: str, value: dict[str, Any], wire: Any, loaded: Loaded) -> Iterator[Seen]:
    result = loaded.model.result
    places = Places(wire, result.namespace)
    counted: dict[str, int] = {}
    for leaf in leaves(value, result):
        counted[leaf.path] = counted.get(leaf.path, 0) + 1
        if counted[leaf.path] > _FOLLOWED:
            continue
        if is_marked(leaf, result) and leaf.type.kind is not FieldKind.CHOICES:
            place = places.find(leaf.value)
            yield Seen(sample, leaf, place, _block(wire, place.pointer))
        elif leaf.type.kind is FieldKind.STRING and leaf.value:
            # it decides where a part goes and so has no marker: wherever an equal text stands
            for place in places.everywhere(leaf.value):
                if place.found is Found.WHOLE:
                    yield Seen(sample, leaf, place, _block(wire, place.pointer))


def _block(wire: Any, pointer: str) -> str:
    """The kind that the innermost object on the way to a place gives itself."""
    told = ""
    for step in pointer.split("#", maxsplit=1)[0].split("/")[1:]:
        key = untoken(step)
        if isinstance(wire, dict) and key in wire:
            wire = wire[key]
        elif isinstance(wire, list) and key.isdecimal() and int(key) < len(wire):
            wire = wire[int(key)]
        else:
            break
        named = [wire.get(name) for name in ("type", "kind")] if isinstance(wire, dict) else []
        told = next((one for one in named if isinstance(one, str)), told)
    return told


_FOLLOWED = 5
"""Leaves of one path that are followed in one sample: a large one has thousands."""
