"""What becomes of a success whose data does not fit its tool's output schema."""

from __future__ import annotations

import logging
from typing import Final, Literal, get_args

import anyio.to_thread

from toolresult.mcp.counting import Misfit, UncheckedError
from toolresult.mcp.failures import reference
from toolresult.mcp.once import Once
from toolresult.mcp.output_check import misfit
from toolresult.request import OutputSchema
from toolresult_core import Absent, Result

Validation = Literal["warn", "strict", "off"]
"""``warn``: the log is told, and the result sent. ``strict``: a failure is sent in its place."""

_STEPS_OF_WARNING: Final = 3_000
"""About 20 ms. What takes longer is sent; the log is told once."""
_STEPS_OF_STRICT: Final = 300_000
"""About two seconds, in a thread, where the few above do not do. What takes longer fails."""

logger = logging.getLogger(__name__)


class OutputValidation:
    """Looks at successes only; a failure has no data.

    Raises ValueError for another mode.
    """

    def __init__(self, mode: Validation) -> None:
        if mode not in get_args(Validation):
            raise ValueError("validation: expected 'warn', 'strict' or 'off'")
        self._mode = mode
        self._once = Once()

    @property
    def is_off(self) -> bool:
        """Whether nothing is looked at."""
        return self._mode == "off"

    async def checked(self, tool: str, schema: OutputSchema | None, result: Result) -> Result:
        """The result itself; in strict mode a failure in its place if it does not fit."""
        if self.is_off or schema is None or result.error is not None:
            return result
        try:
            where = await self._where(result, schema)
        except UncheckedError as error:
            return self._unchecked(tool, error, result)
        if where is None:
            return result
        if self._mode == "warn":
            logger.warning(
                "the data of the tool %r does not fit its output schema: %s", tool, where
            )
            return result
        return _failure(tool, f"does not fit its output schema: {where}", where.pointer)

    async def _where(self, result: Result, schema: OutputSchema) -> Misfit | None:
        try:
            return _misfit(result, schema, _STEPS_OF_WARNING)
        except UncheckedError:
            if self._mode == "warn":
                raise
        return await anyio.to_thread.run_sync(_misfit, result, schema, _STEPS_OF_STRICT)

    def _unchecked(self, tool: str, error: UncheckedError, result: Result) -> Result:
        if self._mode == "strict":
            return _failure(tool, f"cannot be held against its output schema: {error}", None)
        if self._once.is_new(tool):
            logger.warning(
                "the data of the tool %r cannot be held against its output schema: %s", tool, error
            )
        return result


def _misfit(result: Result, schema: OutputSchema, steps: int) -> Misfit | None:
    if isinstance(result.data, Absent):
        return Misfit("", "there is no data")
    return misfit(result.data, schema, steps=steps)


def _failure(tool: str, what: str, pointer: str | None) -> Result:
    name = reference()
    logger.error("the data of the tool %r %s, reference %s", tool, what, name)
    said = "The tool returned data that "
    if pointer is None:
        said += "cannot be held against its output schema"
    else:
        said += f"its output schema does not allow at {pointer or 'the top'}"
    message = f"{said}. Reference: {name}"
    details = {"reference": name} if pointer is None else {"reference": name, "pointer": pointer}
    return Result.failure("tool_error", message, details)
