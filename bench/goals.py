"""What is to be reached, by row and column of the tables."""

from __future__ import annotations

from typing import Final

FASTER: Final[dict[tuple[str, str], tuple[float, float]]] = {
    ("CallToolResult", "1 KB"): (1.3, 2.5),
    ("CallToolResult", "100 KB"): (1.4, 2.4),
    ("CallToolResult", "5 MB"): (1.5, 2.6),
    ("CallToolResult", "5 MB floats"): (2.8, 4.5),
    ("SDK server", "1 KB"): (3.5, 7),
    ("SDK server", "100 KB"): (2.7, 5),
    ("SDK server", "5 MB"): (4, 6.5),
    ("protobuf", "1 KB"): (12, 22),
    ("protobuf", "100 KB"): (12, 22),
    ("protobuf", "5 MB"): (12, 22),
    ("5 dumps", "1 KB"): (5, 8),
    ("5 dumps", "100 KB"): (5, 8),
    ("5 dumps", "5 MB"): (5, 8),
}
"""How many times faster than the peer, with pydantic alone and with orjson."""

OVER_FLOOR: Final[dict[str, tuple[float, float]]] = {"1 KB": (9, 5), "5 MB": (3, 1.7)}
"""How many times the floor at most."""

AGAIN: Final[dict[str, float]] = {"1 KB": 1e-6, "5 MB": 1.5e-3}
"""Seconds over the copy at most, to render again what is rendered."""

MEMORY: Final[dict[str, tuple[float, float]]] = {
    "mcp": (2.8, 2.1),
    "image": (2.0, 2.0),
    "image_chunks": (1.05, 1.05),
}
"""Peak memory over the size of the output at most."""

SERVED: Final = 0.9
"""Calls per second of a server that is attached, to one that is not, at least."""
