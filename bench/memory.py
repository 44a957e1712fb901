"""Peak memory of one rendering over the size of its output, each in a process of its own."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_STATUS: Final = Path("/proc/self/status")
_CLEAR: Final = Path("/proc/self/clear_refs")
_RESET_PEAK: Final = "5"
_AT_ONCE: Final = {"MALLOC_MMAP_THRESHOLD_": "65536"}
"""Has glibc give large blocks back at once, so that no free memory hides what is used."""

WAYS: Final = ("mcp", "image", "image_chunks", "peer", "peer_image")


def peak(way: str, encoder: str, size: int) -> float:
    """Bytes at the peak, beyond the input, over bytes of output (for an image, of its base64).

    The median of three processes.
    """
    return statistics.median(_peak_once(way, encoder, size) for _ in range(3))


def _peak_once(way: str, encoder: str, size: int) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "bench.memory", way, encoder, str(size)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **_AT_ONCE},
    )
    return float(done.stdout)


def _measure(way: str, encoder: str, size: int) -> float:
    from bench import data, ours, peers

    functions: dict[str, Callable[[Any], object]] = {
        "mcp": ours.mcp,
        "image": ours.image,
        "image_chunks": ours.image_chunks,
        "peer": peers.call_tool_result,
        "peer_image": peers.image,
    }
    of_image = "image" in way
    function = functions[way]
    given: Any = data.image(size) if of_image else data.mixed(size)
    with ours.using(ours.encoders()[encoder]):
        function(data.image(10) if of_image else {"warm": [1.5, "up"]})
        gc.collect()
        _CLEAR.write_text(_RESET_PEAK)
        before = _kilobytes("VmRSS")
        output = function(given)
        grown = (_kilobytes("VmHWM") - before) * 1024
    length = sum(map(len, output)) if isinstance(output, tuple) else len(output)  # type: ignore[arg-type]  # bytes
    return grown / length


def _kilobytes(field: str) -> int:
    for line in _STATUS.read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == field:
            return int(rest.split()[0])
    raise SystemExit(f"bench: {_STATUS} has no {field}; memory is measured on Linux alone")


if __name__ == "__main__":
    print(_measure(sys.argv[1], sys.argv[2], int(sys.argv[3])))
