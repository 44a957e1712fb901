"""How like two names are: the ground of every guess, and of nothing else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

ALIKE = 0.6
"""From this on two names may stand for the same thing."""


def plain(name: str) -> str:
    """A name without case and without what joins its words."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def words(name: str) -> tuple[str, ...]:
    """The words of a name, whichever way they are joined."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return tuple(word for word in re.split(r"[^a-z0-9]+", apart.casefold()) if word)


def snake(name: str) -> str:
    """The name as the spec would write it: `lastModified` is `last_modified`."""
    return "_".join(words(name)) or "unnamed"


def likeness(first: str, second: str) -> float:
    """From 0 to 1; 1 for names that differ in case and punctuation alone."""
    one, other = plain(first), plain(second)
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    ratio = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    if len(min(one, other, key=len)) >= 4 and (one.endswith(other) or other.endswith(one)):
        return max(ratio, 0.75)
    return ratio


def best_pairs(
    scored: Iterable[tuple[float, str, str]], at_least: float
) -> list[tuple[str, str, float]]:
    """Pairs of names, the likest first, each name used once."""
    taken_first: set[str] = set()
    taken_second: set[str] = set()
    pairs: list[tuple[str, str, float]] = []
    for score, first, second in sorted(scored, key=lambda one: (-one[0], one[1], one[2])):
        if score >= at_least and first not in taken_first and second not in taken_second:
            taken_first.add(first)
            taken_second.add(second)
            pairs.append((first, second, score))
    return pairs
