"""Renders and reads with the generated Python: as it is installed, or as a model gives it now."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

from toolresult import registry
from toolresult_core import Result
from toolresult_core.runtime.reading import Reader
from toolresult_core.runtime.rendering import Options, Renderer
from toolresult_generator.model.target import Plan
from toolresult_generator.proof.cells import Output


def installed(
    plan: Plan, options: Options
) -> tuple[Callable[[dict[str, Any]], Output], Callable[[Output], dict[str, Any]]]:
    """Renders and reads back with what is installed."""
    return (
        rendering(registry.renderer(plan.target, plan.revision, plan.phase), options),
        reading(registry.reader(plan.target, plan.revision)),
    )


def rendering(renderer: Renderer, options: Options) -> Callable[[dict[str, Any]], Output]:
    """Renders serialized results with a renderer."""

    def render(value: dict[str, Any]) -> Output:
        done = renderer.render(Result.from_value(value), options)
        text = done.bytes.decode()
        losses = tuple((loss.path, loss.status) for loss in done.losses)
        return Output(text, text if renderer.is_text else json.loads(text), losses)

    return render


def reading(reader: Reader) -> Callable[[Output], dict[str, Any]]:
    """Reads outputs back with a reader."""

    def read(output: Output) -> dict[str, Any]:
        result = reader.read(output.text)
        value: dict[str, Any] = json.loads(result.to_json())
        return value

    return read


def module_of(source: str, name: str) -> ModuleType:
    """A generated module from its text, as if it stood beside the installed ones.

    The text comes from the emitter of this package, never from a spec as it is.
    """
    module = ModuleType(f"toolresult_core.targets.{name}")
    module.__package__ = "toolresult_core.targets"
    exec(compile(source, f"<{name}>", "exec"), module.__dict__)  # noqa: S102 - our own text
    return module
