"""What may end a request, or the server, and what is a fault of the handler's own code.

``SystemExit`` of an ``argparse`` in a tool, a generator's ``GeneratorExit``, a group or a base
exception of a library's own: none of these may end the service for everyone else.
"""

from __future__ import annotations

import asyncio
from math import inf

import anyio


def passes_on(error: BaseException) -> bool:
    """Whether an exception is not the handler's: a cancelled request, an interrupt.

    A ``CancelledError`` counts where the request is cancelled indeed; one that a handler makes
    up, or has from a task of its own, is a fault like any other.
    """
    if isinstance(error, Exception):
        return False
    members: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    if members:
        return any(passes_on(one) for one in members if not isinstance(one, Exception))
    if isinstance(error, KeyboardInterrupt):
        return True
    try:
        is_cancellation = isinstance(error, anyio.get_cancelled_exc_class())
        if is_cancellation:
            return _is_cancelled()
    except Exception:  # no event loop runs: this is the end of everything
        return True
    # A coroutine that is closed from outside must end, and can wait for nothing any more.
    return isinstance(error, GeneratorExit) and not _runs_in_a_task()


def _is_cancelled() -> bool:
    if anyio.current_effective_deadline() == -inf:
        return True
    try:
        task = asyncio.current_task()
    except RuntimeError:  # another event loop than asyncio's: its scopes say all
        return False
    # Python 3.10 cannot tell who cancelled; there the cancellation goes on, as it always did.
    cancelling = getattr(task, "cancelling", lambda: 1)
    return bool(cancelling())


def _runs_in_a_task() -> bool:
    try:
        anyio.get_current_task()
    except Exception:
        return False
    return True
