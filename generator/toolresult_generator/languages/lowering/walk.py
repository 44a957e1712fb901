"""Everything that a lowered function is made of, and what it uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from toolresult_generator.languages.lowering.expressions import Variable
from toolresult_generator.model.target import Hook, Step, Target

_NOT_LOWERED = (Hook, Step, Target)
"""Parts of the model that lowered code refers to."""


def walk(node: object) -> Iterator[object]:
    """A node and all below it, each as often as it is used, those of a tuple in order."""
    if isinstance(node, tuple):
        for one in node:
            yield from walk(one)
    elif is_dataclass(node) and not isinstance(node, _NOT_LOWERED):
        yield node
        for field in fields(node):
            yield from walk(getattr(node, field.name))


def variables(node: object) -> set[Variable]:
    """The variables that are used anywhere in a node."""
    return {one for one in walk(node) if isinstance(one, Variable)}
