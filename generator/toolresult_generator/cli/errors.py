"""How a command says that it cannot go on."""

from __future__ import annotations

import sys

from toolresult_generator.findings import printable


class UsageError(Exception):
    """The command line asks for what there is not: an unknown target, revision or phase, a wrong
    option. Exit code 2. ``place`` is the command, such as `toolresult render`."""

    def __init__(self, message: str, *, place: str = "toolresult") -> None:
        self.message = message
        self.place = place
        super().__init__(message)


class DataError(Exception):
    """The input is bad. Exit code 1. ``place`` is a file:line:column or a JSON pointer."""

    def __init__(self, place: str, code: str, message: str) -> None:
        self.place = place
        self.code = code
        self.message = message
        super().__init__(f"{place}: {code}: {message}")


def complain(place: str, code: str, message: str) -> None:
    """One line on stderr: place, code, message."""
    sys.stderr.write(f"{printable(place)}: {printable(code)}: {printable(message)}\n")
