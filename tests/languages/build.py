"""How the testee of each language but Python is made, and the command that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.toolchain import program
from tests.typescript.package import PACKAGE, installed, node, npm

ROOT = Path(__file__).parents[2]


def _typescript() -> Sequence[str]:
    installed()
    npm("run", "build")
    testee = PACKAGE / "dist" / "adapters" / "typescript" / "src" / "testee-node.js"
    return (str(node()), str(testee))


def _php() -> Sequence[str]:
    php = program("php", "Debian's packages php-cli and php-mbstring")
    return (str(php), str(ROOT / "adapters" / "php" / "bin" / "testee.php"))


LANGUAGES: Mapping[str, Callable[[], Sequence[str]]] = {"php": _php, "typescript": _typescript}
"""Each builds what has to be built and gives the command; skips, or fails under CI, where the
language's tools are not installed."""
