"""What `render`, `read` and `explain` share: the input, the names of formats, faults of both.

Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from toolresult_generator.cli.errors import DataError, UsageError

if TYPE_CHECKING:
    from toolresult_core import Result, ResultError

STDIN = "-"
_SHOWN = "(stdin)"


@dataclass(frozen=True)
class Given:
    """The bytes of a file or of stdin."""

    name: str
    """The file as people named it."""
    data: bytes


def add_file(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Declares the argument for the input."""
    parser.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help=f"{meaning} (-)")


def add_source(parser: argparse.ArgumentParser) -> None:
    """Declares `--from`, for input that is no serialized result."""
    parser.add_argument(
        "--from",
        dest="source",
        metavar="TARGET@REVISION",
        help="the input is in this format, such as legacy-envelope@1 (a serialized result)",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """Declares `--to` and `--phase`."""
    parser.add_argument("--to", required=True, metavar="TARGET@REVISION", help="the format")
    parser.add_argument(
        "--phase", default="final", metavar="PHASE", help="transitional or final (final)"
    )


def check_target(args: argparse.Namespace, place: str) -> tuple[str, str, str | None]:
    """Target, revision and phase that are asked for. Raises UsageError for unknown ones."""
    from toolresult import registry

    use_adapters()
    try:
        target, revision = registry.split(args.to)
    except registry.UnknownTargetError as error:
        raise UsageError(_unknown(error, args.to), place=place) from None
    phases = registry.phases(target, revision)
    known = registry.all_phases()
    if args.phase not in (phases or known):
        listed = ", ".join(phases or known)
        raise UsageError(f"unknown phase '{args.phase[:80]}'; known are {listed}", place=place)
    return target, revision, args.phase if phases else None


def use_adapters() -> None:
    """Registers the adapters that the environment names. Raises DataError."""
    from toolresult.adapters import VARIABLE, BadAdaptersError, register_named

    try:
        register_named()
    except BadAdaptersError as error:
        raise DataError(VARIABLE, "bad_adapter", str(error)) from None


def _unknown(error: Exception, name: str) -> str:
    """The message for an unknown format, with what to do where the spec beside us has it."""
    target = name.partition("@")[0]
    file = Path("spec", "targets", f"{target}.yaml")
    if re.fullmatch(r"[a-z0-9-]{1,80}", target) and file.is_file() and target in str(error):
        return (
            f"{error}; {file} is not in the generated code that Python finds: generate, "
            "and put generated/python into PYTHONPATH"
        )
    return str(error)


def check_source(source: str | None, place: str) -> None:
    """Raises UsageError for an unknown format."""
    from toolresult import registry

    if source is not None:
        use_adapters()
        try:
            registry.split(source)
        except registry.UnknownTargetError as error:
            raise UsageError(_unknown(error, source), place=place) from None


def take(file: str) -> Given:
    """Reads the input, no more of it than can be parsed. Raises DataError."""
    from toolresult_core.runtime.parse import MAX_BYTES

    if file == STDIN:
        if sys.stdin is None:  # closed by whoever started the command
            raise DataError(_SHOWN, "io", "is closed")
        return Given(_SHOWN, _bounded(sys.stdin.buffer, _SHOWN, MAX_BYTES))
    try:
        with open(file, "rb") as stream:
            return Given(file, _bounded(stream, file, MAX_BYTES))
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = (error.strerror if isinstance(error, OSError) else None) or "no file name"
        raise DataError(file, "io", reason) from None


def _bounded(stream: BinaryIO, name: str, most: int) -> bytes:
    data = stream.read(most + 1)
    if len(data) > most:
        raise DataError(name, "out_of_range", f"expected at most {most:,} bytes")
    return data


def result_of(given: Given, source: str | None) -> Result:
    """The result of an input: its serialized form, or what a format says. Raises DataError."""
    import toolresult

    with faults_of(given):
        if source is None:
            return toolresult.Result.from_json(given.data)
        return toolresult.read(given.data, source)


@contextmanager
def faults_of(given: Given) -> Iterator[None]:
    """Turns ResultError into DataError, with a place in the input where there is one."""
    from toolresult_core import ResultError

    try:
        yield
    except ResultError as error:
        raise DataError(_place(error, given), error.code, error.message) from None


def _place(error: ResultError, given: Given) -> str:
    from toolresult_core.runtime.errors import shorten

    if error.offset is None:
        return shorten(error.pointer) or "(result)"
    before = given.data[: error.offset]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return f"{given.name}:{line}:{column}"


def byte_count(text: str) -> int:
    """A number of bytes. Raises argparse.ArgumentTypeError."""
    if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"expected a number of bytes, not {text[:40]!r}")
    return int(text)


def moment(text: str) -> datetime:
    """A time in UTC. Raises argparse.ArgumentTypeError."""
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", text, re.ASCII):
        try:
            return datetime.fromisoformat(text[:-1]).replace(tzinfo=timezone.utc)
        except ValueError:
            pass  # such as the 30th of February
    message = f"expected a time such as 2026-07-28T12:00:00Z, not {text[:40]!r}"
    raise argparse.ArgumentTypeError(message)


def any_integer() -> None:
    """Lets integers of any length be written: the parser has bounded them already."""
    lift: Callable[[int], None] | None = getattr(sys, "set_int_max_str_digits", None)
    if lift is not None:
        lift(0)


def write(data: bytes) -> None:
    """Writes a line to stdout, whole."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
