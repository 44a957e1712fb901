"""Whether all testees give one answer, and what is printed where they do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from toolresult_generator.proof.testees import first_difference

QUESTION_ORDER = ("id", "do", "target", "revision", "phase", "options", "text", "base64")


class Asked(Protocol):
    """What answers requests."""

    name: str

    def ask(self, request: Mapping[str, Any]) -> Callable[[], dict[str, Any]]:
        """Asks; what comes back waits for the answer and gives it, its id left out."""


def agreed(testees: Sequence[Asked], request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer that all give to a request.

    Raises AssertionError with the first byte that differs and the request with Python's answer
    as one line: what is right of it can be committed as a vector.
    """
    # all are asked before the first is waited for: they work at once
    expected, *answers = [answer() for answer in [one.ask(request) for one in testees]]
    for other, answer in zip(testees[1:], answers, strict=True):
        if answer != expected:
            vector = {name: request[name] for name in QUESTION_ORDER if name in request}
            line = json.dumps({**vector, **expected}, ensure_ascii=True, separators=(",", ":"))
            raise AssertionError(
                f"{other.name} differs from {testees[0].name}: "
                f"{first_difference(expected, answer)}\nas a vector, with {testees[0].name}'s "
                f"answer:\n{line}"
            )
    return expected
