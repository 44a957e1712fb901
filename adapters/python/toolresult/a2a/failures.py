"""What a client hears of an exception: a code, a neutral message, and a reference for the log."""

from __future__ import annotations

import logging
import secrets
from typing import Final

from toolresult_core import Result
from toolresult_core.constants import DEFAULT_ERROR_CODE

_log: Final = logging.getLogger("toolresult.a2a")


def unexpected(error: BaseException) -> Result:
    """A failure that says nothing of the exception; the log has it, under the same reference."""
    reference = secrets.token_hex(6)
    _log.error("the tool failed unexpectedly, reference %s", reference, exc_info=error)
    return Result.failure(
        DEFAULT_ERROR_CODE,
        f"The tool failed unexpectedly. The server's log has more, under reference {reference}.",
        {"reference": reference},
    )
