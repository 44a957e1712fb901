"""Makes vectors shorter for as long as they still show a difference."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from toolresult_generator.difference.ask import Vector
from toolresult_generator.difference.pieces import VERSION

MAX_ROUNDS = 60
MAX_STEPS = 150
"""Shorter vectors that are tried of one vector in one round."""
MAX_PLACES = 300
"""Places of one vector at which something is dropped in one round; of a long one fewer."""
MAX_WRITTEN = 3_000_000
"""Characters that the shorter vectors of one vector may come to in one round, about."""
LARGEST = 200_000
"""Characters of a vector that is shrunk; a longer one stays as it is."""
MAX_NESTING = 60
"""How deep into a value parts are dropped."""
_SHORT = 8
"""Lists of more than this are halved first."""
_QUANTUM = 4
"""Texts are cut to a multiple of this: such a part of a base64 text is one too."""

Job = TypeVar("Job")
Still = Callable[[Iterable[tuple[Job, Vector]]], Sequence[bool]]
"""Says for vectors, each of a job, whether they still show what the job is about."""


def shrink(starts: dict[Job, Vector], still: Still[Job]) -> dict[Job, Vector]:
    """The vector of each job, with everything dropped that its difference does without.

    The jobs go in step, so that each round is one exchange. In a round the shortest of the
    shorter vectors that still show the difference is taken; a job ends when none does.
    """
    found = dict(starts)
    active = list(found)
    for _ in range(MAX_ROUNDS):
        tried = [(job, shorter) for job in active for shorter in _shorter(found[job])]
        best: dict[Job, Vector] = {}
        for (job, vector), shows in zip(tried, still(tried), strict=True):
            if shows and (job not in best or vector.rank < best[job].rank):
                best[job] = vector
        found |= best
        active = list(best)
        if not active:
            break
    return found


def _shorter(vector: Vector) -> list[Vector]:
    """Vectors with one thing less, the shortest first; no more than can be tried."""
    if len(vector.text) > LARGEST:
        return []
    options = vector.asked
    found = {
        Vector.of(vector.value, {name: options[name] for name in options if name != dropped})
        for dropped in options
    }
    found |= {Vector.of(value, options) for value in _less(vector.value, len(vector.text))}
    ranked = sorted((one for one in found if one.rank < vector.rank), key=lambda one: one.rank)
    if len(ranked) <= MAX_STEPS:
        return ranked
    # some of each length: the shortest ones alone may all have lost what matters
    return ranked[:: -(-len(ranked) // MAX_STEPS)]


def _less(value: Any, length: int) -> Iterator[Any]:
    """The value with one thing less, at each place of it, or at some where there are too many."""
    places = list(_places(value, ()))
    most = max(8, min(MAX_PLACES, MAX_WRITTEN // length))
    if len(places) > most:
        # outer ones, which hold much, and some of all others: the next round sees fewer
        places.sort(key=len)
        half = most // 2
        places = places[:half] + places[half :: -(-(len(places) - half) // half)]
    for path in places:
        for shorter in _cut(_at(value, path[:-1]), path[-1]):
            yield _replaced(value, path[:-1], shorter)


def _replaced(value: Any, path: tuple[Any, ...], inner: Any) -> Any:
    """The value with another one at a path; what is beside the path is shared, not copied."""
    if not path:
        return inner
    changed = copy.copy(value)
    changed[path[0]] = _replaced(value[path[0]], path[1:], inner)
    return changed


def _places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The path of every member and entry, those of the result's own version left out."""
    if len(path) >= MAX_NESTING:
        return
    if isinstance(value, dict):
        entries: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    else:
        return
    for key, inner in entries:
        if path or key != VERSION:
            yield (*path, key)
            yield from _places(inner, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _cut(owner: Any, key: Any) -> Iterator[Any]:
    """The container less one entry, or with less in it."""
    if isinstance(owner, dict):
        yield {name: inner for name, inner in owner.items() if name != key}
    elif key == 0 and len(owner) > _SHORT:
        yield owner[: len(owner) // 2]
        yield owner[len(owner) // 2 :]
        yield owner[:-1]
    elif len(owner) <= _SHORT:
        yield owner[:key] + owner[key + 1 :]
    for inner in _smaller(owner[key]):
        yield (
            {**owner, key: inner}
            if isinstance(owner, dict)
            else [*owner[:key], inner, *owner[key + 1 :]]
        )


def _smaller(value: Any) -> Iterator[Any]:
    """Shorter values of the same type: none of it, and half of a text."""
    if isinstance(value, str) and value:
        yield ""
        if len(value) > _QUANTUM:
            yield value[: max(_QUANTUM, len(value) // (2 * _QUANTUM) * _QUANTUM)]
    elif isinstance(value, (dict, list)) and len(value) > 1:
        yield type(value)()
