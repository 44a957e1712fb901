"""The PHP of this machine, and what it runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.toolchain import program

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "adapters" / "php"

_GET = "Debian's packages php-cli, php-mbstring and php-sqlite3"


@cache
def php() -> list[str]:
    """The command that runs PHP with every error shown, and asserts checked."""
    settings = ("error_reporting=-1", "display_errors=stderr", "zend.assertions=1")
    return [str(program("php", _GET)), *(part for one in settings for part in ("-d", one))]
