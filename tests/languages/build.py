"""How the testee of each language but Python is made, and the command that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.typescript import package as typescript


def _typescript() -> Sequence[str]:
    typescript.built()
    testee = typescript.PACKAGE / "dist" / "adapters" / "typescript" / "src" / "testee-node.js"
    return [str(typescript.node()), str(testee)]


LANGUAGES: Mapping[str, Callable[[], Sequence[str]]] = {"typescript": _typescript}
"""Each builds what has to be built and gives the command; skips, or fails under CI, where the
language's tools are not installed."""
