"""Renders with the generated Python that it finds, line by line.

``python -m toolresult_generator.difference.answers``, with the package of one version first on
the path. It needs that package alone: adapters that were written for today's could fail on it.

A request: ``text``, a serialized result; ``options``; ``plans``, a list of target, revision and
phase. An answer: a list with an outcome for each plan. An outcome is ``["bytes", OUTPUT]``, or
``["digest", TEXT]`` for one that is too long to be held,
``["refused", CODE]`` for what is no result, ``["hook", NAMES]`` where an adapter would have to
write, ``["fault", MESSAGE]`` where generated code fails.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from functools import cache
from typing import Any

MAX_LINE = 64 * 1024 * 1024
MAX_HELD = 500_000
"""Bytes of an output that is given whole. Of a longer one, how long it is and its digest."""


def main() -> int:
    """Answer every line until the input ends."""
    importlib.import_module("toolresult_core")  # before the first request, which may be late
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline(MAX_LINE):
        sink.write(json.dumps(answer(json.loads(line))).encode() + b"\n")
        sink.flush()
    return 0


def answer(request: dict[str, Any]) -> list[list[str]]:
    """The outcome on each plan. Raises nothing for what a result or its rendering does."""
    from toolresult_core import Result, ResultError
    from toolresult_core.runtime.rendering import Options

    plans = request["plans"]
    try:
        result = Result.from_json(request["text"])
        options = Options(**request["options"])
    except ResultError as error:
        return [["refused", error.code]] * len(plans)
    except Exception as error:
        return [["fault", f"{type(error).__name__}: {error}"[:300]]] * len(plans)
    return [_outcome(tuple(plan), result, options) for plan in plans]


def _outcome(plan: tuple[str, str, str | None], result: Any, options: Any) -> list[str]:
    try:
        renderer = _renderer(plan)
        if isinstance(renderer, str):
            return ["hook", renderer]
        output: bytes = renderer.render(result, options).bytes
        if len(output) > MAX_HELD:
            return ["digest", f"{len(output)} bytes, sha256 {hashlib.sha256(output).hexdigest()}"]
        return ["bytes", output.decode("utf-8", "surrogatepass")]
    except Exception as error:  # whatever generated code may raise is an outcome, not a crash
        return ["fault", f"{type(error).__name__}: {error}"[:300]]


@cache
def _renderer(plan: tuple[str, str, str | None]) -> Any:
    """The renderer, or the names of the hooks that an adapter would have to fill."""
    from toolresult_core.targets import RENDERERS

    module, name = RENDERERS[plan]
    found = getattr(importlib.import_module(f"toolresult_core.targets.{module}"), name)
    hooks = sorted(getattr(found, "__abstractmethods__", ()))
    return ", ".join(hooks) if hooks else found()


if __name__ == "__main__":
    sys.exit(main())
