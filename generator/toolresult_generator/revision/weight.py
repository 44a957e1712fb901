"""How many schemas one value may have to be held against: what could take for ever is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from toolresult_generator.revision.steps import below_of, is_in_place

if TYPE_CHECKING:
    from toolresult_generator.revision.graph import Graph

MAX_TOGETHER = 2_000
"""Schemas that one value may have to be held against, choices and references counted out."""
MAX_CHAIN = 60
"""Choices and references inside of each other that one value goes through."""


class Weight:
    """How many schemas one value may have to be held against, without going below it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, int] = {}
        self._depth: dict[str, int] = {}

    def check(self, pointers: set[str]) -> None:
        """Raises FindingsError for a circle, and for more than :data:`MAX_TOGETHER`."""
        for start in sorted(pointers):
            self._weigh(start)

    def _weigh(self, start: str) -> None:
        stack, open_ = [start], set[str]()
        while stack:
            pointer = stack[-1]
            if pointer in self._known:
                stack.pop()
                continue
            inside = list(self._in_place(pointer))
            if pointer not in open_:
                open_.add(pointer)
                for one in inside:
                    if one in open_:
                        message = "the schema is defined by itself"
                        raise self._graph.refused(pointer, "bad_schema", message)
                stack += [one for one in inside if one not in self._known]
                continue
            open_.discard(pointer)
            stack.pop()
            weight = 1 + sum(self._known[one] for one in inside)
            if weight > MAX_TOGETHER:
                message = f"one value would be held against more than {MAX_TOGETHER} schemas"
                raise self._graph.refused(pointer, "too_large", message)
            depth = 1 + max((self._depth[one] for one in inside), default=0)
            if depth > MAX_CHAIN:
                message = f"more than {MAX_CHAIN} references and choices inside of each other"
                raise self._graph.refused(pointer, "too_deep", message)
            self._known[pointer], self._depth[pointer] = weight, depth

    def _in_place(self, pointer: str) -> Iterator[str]:
        node = self._graph.node(pointer)
        if not isinstance(node, Mapping):
            return
        for below, reference in below_of(node, pointer):
            if reference is not None:
                yield reference[1:]
            elif is_in_place(below, pointer):
                yield below
