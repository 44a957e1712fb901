"""Times of several ways to do one thing, taken in turn, so that what disturbs one disturbs all."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter

_SAMPLE = 0.002
"""Seconds that one sample takes at least, if a call takes less: then it is several calls."""
_LEAST = 5
"""Samples of each way."""


@dataclass(frozen=True)
class Way:
    """Something to be timed."""

    call: Callable[[], object]
    setting: Callable[[], AbstractContextManager[None]] = nullcontext
    """What holds while it is timed; entering it is not part of the time."""


def medians(ways: Mapping[str, Way], seconds: float) -> dict[str, float]:
    """The median time of one call of each way, in seconds.

    ``seconds`` is about how long it takes in all. Every way is called five times at least.
    """
    calls = {name: _calls(way) for name, way in ways.items()}
    samples: dict[str, list[float]] = {name: [] for name in ways}
    end = perf_counter() + seconds
    while perf_counter() < end or len(samples[next(iter(ways))]) < _LEAST:
        for name, way in ways.items():
            count, call = calls[name], way.call
            with way.setting():
                start = perf_counter()
                for _ in range(count):
                    call()
                samples[name].append((perf_counter() - start) / count)
    return {name: statistics.median(found) for name, found in samples.items()}


def _calls(way: Way) -> int:
    with way.setting():
        way.call()  # the first call may import and fill caches
        start = perf_counter()
        way.call()
        return max(1, int(_SAMPLE / max(perf_counter() - start, 1e-7)))
