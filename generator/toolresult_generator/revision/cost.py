"""How deep a value may nest for its faults to be looked up one by one.

Whether a value is valid is found in time with its size. Why it is not takes a validator through
every alternative of every choice, of which a recursive schema doubles the number with each level.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Ref
from toolresult_generator.revision.steps import below_of, is_in_place

MOST_VISITS = 2_000
"""Schemas that one value may be held against to find its faults."""
DEEPEST = 12


def affordable_depth(graph: Graph, ref: Ref) -> int:
    """The nesting down to which faults are looked up; 0 means the value itself alone."""
    below: dict[str, int] = {}
    for depth in range(DEEPEST + 1):
        visits: dict[str, int] = {}
        if sum(_visits(graph, one, below, visits) for one in ref) > MOST_VISITS:
            return max(depth - 1, 0)
        waiting = list(visits)
        while waiting:  # what only stands below is needed for the next level
            for inside, reference in below_of(graph.node(waiting[-1]), waiting.pop()):
                target = inside if reference is None else reference[1:]
                if target not in visits:
                    _visits(graph, target, below, visits)
                    waiting.append(target)
        below = visits
    return DEEPEST


def _visits(graph: Graph, pointer: str, below: Mapping[str, int], known: dict[str, int]) -> int:
    """Schemas that a value is held against; ``below`` says it for values one level deeper."""
    if pointer in known:
        return known[pointer]
    total = 1
    for inside, reference in below_of(graph.node(pointer), pointer):
        if reference is not None:
            total += _visits(graph, reference[1:], below, known)
        elif is_in_place(inside, pointer):
            total += _visits(graph, inside, below, known)
        else:
            total += below.get(inside, 0)
    known[pointer] = min(total, MOST_VISITS + 1)
    return known[pointer]


def cut(value: Any, depth: int) -> Any:
    """The value with what nests deeper than ``depth`` left empty."""
    if isinstance(value, dict):
        return {key: cut(inner, depth - 1) for key, inner in value.items()} if depth > 0 else {}
    if isinstance(value, list):
        return [cut(inner, depth - 1) for inner in value] if depth > 0 else []
    return value
