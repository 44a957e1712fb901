"""What all commands share: arguments, exit codes, and what happens when something goes wrong.

A command is a module with two functions::

    def add_arguments(parser: argparse.ArgumentParser) -> None: ...
    def run(args: argparse.Namespace) -> int: ...  # the exit code

It raises what :mod:`toolresult_generator.cli.errors` has for bad data and wrong usage.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from toolresult_generator import __version__
from toolresult_generator.cli.errors import DataError, UsageError, complain
from toolresult_generator.findings import FindingsError

PROGRAM = "toolresult"
FINE, FAILED, USAGE = 0, 1, 2

COMMANDS: Mapping[str, str] = {
    "render": "turn a result into the JSON of a protocol revision",
    "read": "turn the JSON of a protocol revision into a result",
    "explain": "show where each part of a result goes, and what is lost",
    "targets": "list targets, revisions and phases",
    "generate": "write code, schemas and documents from a spec",
    "check": "say what is wrong with a spec",
    "diff": "say what a change of a spec means, and which bytes it changes",
    "matrix": "prove every part on every revision, and show the table",
    "revision": "take a new protocol revision's schema, and say what it does to results",
    "serve": "serve tools over MCP and A2A, to point a client at",
    "store": "read stored results, purge them, make keys",
    "vendor": "copy the bindings of a language into a project",
}
"""The commands and what they do. Each is the module of that name in this package."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, like every other message of the command."""

    def __init__(self, **settings: Any) -> None:
        # An abbreviation would turn a misspelt option into another one.
        super().__init__(**{**settings, "allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, place=self.prog)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code: 0 fine, 1 findings or bad data, 2 usage.

    Raises nothing but SystemExit, for `--help` and `--version`.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
    _set_up_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except UsageError as error:
        advice = f"see {PROGRAM} --help" if error.place == PROGRAM else f"see {error.place} --help"
        complain(error.place, "usage", f"{error.message} ({advice})")
        return USAGE
    except FindingsError as error:
        for finding in error.findings:
            sys.stderr.write(f"{finding}\n")
        return FAILED
    except DataError as error:
        complain(error.place, error.code, error.message)
        return FAILED
    except BrokenPipeError:
        # whoever read our output has enough; a second error at exit would be noise
        _discard_stdout()
        return FAILED
    except KeyboardInterrupt:
        _end_by_interrupt()
        return 128 + signal.SIGINT
    except Exception as error:
        return _internal(error)
    return code


def _run(arguments: list[str]) -> int:
    if sys.stdout is None:  # closed by whoever started the command
        raise DataError("(stdout)", "io", "is closed; where nothing is wanted, use /dev/null")
    parser = _Parser(
        prog=PROGRAM,
        description="One result object for tools, rendered to every protocol revision.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", dest="command", parser_class=_Parser)
    chosen = next((argument for argument in arguments if not argument.startswith("-")), None)
    module: Any = None
    for name, purpose in COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=purpose, description=f"{purpose[:1].upper()}{purpose[1:]}."
        )
        if name == chosen:
            module = importlib.import_module(f"{__package__}.{name}")
            module.add_arguments(subparser)
    args = parser.parse_args(arguments)
    if module is None:
        parser.error("name a command: " + ", ".join(COMMANDS))
    args.arguments = arguments
    return int(module.run(args))


def _set_up_streams() -> None:
    """Write UTF-8 whatever the locale says, since JSON is UTF-8 and messages quote foreign text.

    Lines leave at once, so that findings stand behind the output that they are about where both
    streams go into one file, as they do in a terminal.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _discard_stdout() -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # stdout is closed or no real file, so nothing can complain at exit


def _end_by_interrupt() -> None:
    """End the way an interrupted program ends, so that a calling shell stops as well."""
    if os.name == "posix" and __name__ != "__main__" and _is_own_process():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _is_own_process() -> bool:
    """Whether the command was started as a program, and not called from another one."""
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    return name in (PROGRAM, f"{PROGRAM}.exe", "__main__.py")


_EXTRA = "pip install 'toolresult[generator]' brings all that the command needs"


def _internal(error: Exception) -> int:
    """The last resort. A line for people; the traceback only for whoever asks for it."""
    if os.environ.get("TOOLRESULT_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    if isinstance(error, OSError):
        complain(str(error.filename or "system"), "io", error.strerror or type(error).__name__)
        _discard_stdout()
        return FAILED
    advice = "TOOLRESULT_DEBUG=1 shows where"
    if type(error).__name__ == "MissingAdapterError":  # not imported here: it is heavy
        advice = "and name its module in TOOLRESULT_ADAPTERS"
        complain("toolresult", "missing_adapter", f"{error}, {advice}")
        return FAILED
    if isinstance(error, ModuleNotFoundError):
        message = f"{error.name} is not installed; {_EXTRA} ({advice})"
        complain("internal", "missing_module", message)
    else:
        complain("internal", "fault", f"{type(error).__name__}; please report it ({advice})")
    return FAILED
