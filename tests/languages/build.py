"""How the testee of each language but Python is made, and the command that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.php.toolchain import TESTEE as PHP_TESTEE
from tests.php.toolchain import tool
from tests.typescript.package import TESTEE as TYPESCRIPT_TESTEE
from tests.typescript.package import built_package, node


def _typescript() -> Sequence[str]:
    built_package()
    return (str(node()), str(TYPESCRIPT_TESTEE))


def _php() -> Sequence[str]:
    return (tool("php"), str(PHP_TESTEE))


LANGUAGES: Mapping[str, Callable[[], Sequence[str]]] = {"php": _php, "typescript": _typescript}
"""Each builds what has to be built and gives the command; skips, or fails under CI, where the
language's tools are not installed."""
