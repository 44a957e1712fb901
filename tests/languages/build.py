"""How the testee of each language but Python is made, and the command that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

LANGUAGES: Mapping[str, Callable[[], Sequence[str]]] = {}
"""Each builds what has to be built and gives the command; skips, or fails under CI, where the
language's tools are not installed."""
