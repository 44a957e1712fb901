"""From what a tool raised to the failure that a client gets.

An exception that nobody expected says nothing to the client but a reference, which the log
has with the whole traceback. What is known becomes the error code that the registry names.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from pydantic import ValidationError

from toolresult.store import StoreError
from toolresult_core import Result, ResultError

Answer = str | Callable[[Any], Result]
"""An error code, or what makes a failure of the exception, its text included if it likes."""

MESSAGES: Final[Mapping[str, str]] = {
    "invalid_arguments": "The tool cannot use these arguments.",
    "missing_privilege": "A privilege is missing for this.",
    "not_found": "What was asked for does not exist.",
    "tool_error": "The tool failed.",
}
"""The neutral message of a code, where the text of the exception is kept back."""

UNEXPECTED: Final = "The tool failed unexpectedly."

_MOST_PROBLEMS: Final = 20
"""Faults of arguments that are told to a client; a list of any length could be wrong."""

logger = logging.getLogger(__name__)


def reference() -> str:
    """A name for one failure that a client may quote and the log can be searched for."""
    return secrets.token_hex(6)


class Failures:
    """The registry of known exceptions.

    ``known`` adds to what is known already, or replaces it: an exception's class and its
    answer. The nearest class of an exception counts, as with ``except``. Raises ResultError
    for a code that there is not, TypeError for what is no class of exceptions or no answer.
    """

    def __init__(self, known: Mapping[type[Exception], Answer] | None = None) -> None:
        self._known: dict[type, Answer] = {**_KNOWN, **(known or {})}
        for kind, answer in self._known.items():
            if not (isinstance(kind, type) and issubclass(kind, Exception)):
                raise TypeError(f"failures: {kind!r} is no class of exceptions")
            if isinstance(answer, str):
                Result.failure(answer, "-")
            elif not callable(answer):
                raise TypeError(
                    f"failures: expected an error code or a function for {kind.__name__}, "
                    f"found {type(answer).__qualname__}"
                )

    def knows(self, error: Exception) -> bool:
        """Whether some class of an exception has an answer here."""
        return any(kind in self._known for kind in type(error).__mro__)

    def result(self, tool: str, error: BaseException) -> Result:
        """The failure that stands for what a tool raised. Never raises."""
        for kind in type(error).__mro__:
            answer = self._known.get(kind)
            if answer is None or _is_of_the_system(error):
                continue
            if isinstance(answer, str):
                return self._neutral(tool, error, answer)
            try:
                result = answer(error)
            except Exception as fault:
                return _unexpected(tool, fault)
            if not isinstance(result, Result) or result.error is None:
                return _unexpected(tool, TypeError("the answer to an exception is no failure"))
            logger.info("tool %r failed: %s", tool, result.error.code.value)
            return result
        return _unexpected(tool, error)

    @staticmethod
    def _neutral(tool: str, error: BaseException, code: str) -> Result:
        name = reference()
        logger.info("tool %r failed: %s, reference %s", tool, code, name, exc_info=error)
        message = MESSAGES.get(code, MESSAGES["tool_error"])
        return Result.failure(code, f"{message} Reference: {name}", {"reference": name})


def invalid_arguments(error: ValidationError) -> Result:
    """The failure for arguments that do not fit a tool's parameters.

    Says where and what, without the values: those are the caller's own.
    """
    problems = [
        {"argument": ".".join(str(step) for step in one["loc"]), "problem": one["msg"]}
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    told = problems[:_MOST_PROBLEMS]
    first = "; ".join(f"{one['argument']}: {one['problem']}" for one in told)
    more = len(problems) - len(told)
    message = f"{MESSAGES['invalid_arguments']} {first}{f'; and {more} more' if more else ''}"
    try:
        return Result.failure("invalid_arguments", message, {"problems": told})
    except ResultError:  # the name of an argument may be any text that JSON can spell
        return Result.failure("invalid_arguments", MESSAGES["invalid_arguments"])


def _unexpected(tool: str, error: BaseException) -> Result:
    name = reference()
    logger.error("tool %r failed unexpectedly, reference %s", tool, name, exc_info=error)
    return Result.failure("tool_error", f"{UNEXPECTED} Reference: {name}", {"reference": name})


def spoken(code: str) -> Callable[[Exception], Result]:
    """The exception's own text: of classes that are raised for the client to read."""
    return lambda error: Result.failure(code, str(error) or MESSAGES[code])


def _is_of_the_system(error: BaseException) -> bool:
    """Whether the operating system refused something, which is the server's own trouble."""
    return isinstance(error, OSError) and error.errno is not None


_KNOWN: Final[Mapping[type[Exception], Answer]] = {
    ToolError: spoken("tool_error"),
    ResourceError: spoken("tool_error"),
    ResourceNotFoundError: spoken("not_found"),
    PermissionError: "missing_privilege",
    StoreError: lambda error: Result.failure("tool_error", error.message),  # safe, says the store
}
