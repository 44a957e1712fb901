"""Whether all testees give one answer, and what is printed where they do not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from toolresult_generator.proof.testees import first_difference

QUESTION_ORDER = ("id", "do", "target", "revision", "phase", "options", "text", "base64")


class Asked(Protocol):
    """What answers requests."""

    name: str

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request, its id left out."""


def agreed(testees: Sequence[Asked], request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer that all give to a request.

    Raises AssertionError with the first byte that differs and the request with Python's answer
    as one line: what is right of it can be committed as a vector.
    """
    expected = testees[0].ask(request)
    for other in testees[1:]:
        answer = other.ask(request)
        if answer != expected:
            vector = {name: request[name] for name in QUESTION_ORDER if name in request}
            line = json.dumps({**vector, **expected}, ensure_ascii=True, separators=(",", ":"))
            raise AssertionError(
                f"{other.name} differs from {testees[0].name}: "
                f"{first_difference(expected, answer)}\nas a vector, with {testees[0].name}'s "
                f"answer:\n{line}"
            )
    return expected
