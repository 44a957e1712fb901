"""Rendering, checking and reading back, and what reading back must give after the losses."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from toolresult import registry
from toolresult_core import Result
from toolresult_core.runtime.rendering import Loss, Rendering
from toolresult_core.targets import RENDERERS
from toolresult_generator.director import Loaded, load_model
from toolresult_generator.proof.schemas import OfficialSchemas, strict_validator

SPEC = Path(__file__).parents[2] / "spec"


@dataclass(frozen=True)
class Plan:
    """One target, revision and phase."""

    target: str
    revision: str
    phase: str | None

    def __str__(self) -> str:
        return f"{self.target}@{self.revision}" + (f"-{self.phase}" if self.phase else "")

    def render(self, result: Result) -> Rendering:
        """The rendering of a result, with the default options."""
        return registry.renderer(self.target, self.revision, self.phase).render(result)

    def read(self, output: bytes | str) -> Result:
        """What an output says. Raises ResultError."""
        found = registry.reader(self.target, self.revision).read(output)
        assert isinstance(found, Result)
        return found

    def faults(self, wire: Any) -> Iterator[str]:
        """What our strict schema and the official one, where it is there, say against an output."""
        for name, check in _checks(self.target, self.revision):
            fault = check(wire)
            if fault is not None:
                yield f"{name}: {fault}"


PLANS = [Plan(*key) for key in RENDERERS]


@cache
def _checks(target: str, revision: str) -> tuple[tuple[str, Callable[[Any], str | None]], ...]:
    loaded = _loaded()
    strict = strict_validator(loaded.documents, loaded.model.result, target, revision)
    official = OfficialSchemas.beside(SPEC).validator(target, revision)
    own = (("strict", strict),)
    return own if official is None else (*own, ("official", official))


@cache
def _loaded() -> Loaded:
    return load_model(SPEC)


def round_trip_faults(plan: Plan, result: Result) -> Iterator[str]:
    """What is wrong with a result in one format: validity, losses, what it reads back as."""
    rendering = plan.render(result)
    for fault in plan.faults(rendering.wire):
        yield f"{plan}: not valid by the schemas: {fault}"
    back = plan.read(rendering.bytes)
    expected = expected_after(result, rendering.losses)
    if back != expected:
        yield f"{plan}: expected {expected.to_json()!r}\n but read back {back.to_json()!r}"


def expected_after(result: Result, losses: Iterable[Loss]) -> Result:
    """What reading an output back gives: the result less what its losses name.

    A part in text form is a text part with that text, and nothing else of it is left.
    Any other loss takes away just what its pointer leads to.
    """
    value = result.to_value()
    value = copy.deepcopy(json.loads(json.dumps(value)))
    for loss in losses:
        steps = [step.replace("~1", "/").replace("~0", "~") for step in loss.path.split("/")[1:]]
        if loss.status == "text form":
            assert len(steps) == 2
            assert steps[0] == "content"
            index = int(steps[1])
            part = value["content"][index]
            kept = {
                key: part[key]
                for key in ("audience", "priority", "last_modified", "foreign")
                if key in part
            }
            value["content"][index] = {"kind": "text", "text": text_form(part), **kept}
        else:
            _remove(value, steps)
    return Result.from_value(value)


def _remove(value: Any, steps: list[str]) -> None:
    """Takes a member away; a loss that names nothing is a fault (KeyError)."""
    for step in steps[:-1]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    del value[steps[-1]]


def text_form(part: dict[str, Any]) -> str:
    """The text form of a part, written anew from the table."""
    kind = part["kind"]
    if kind in ("image", "audio", "binary"):
        name = f" {part['name']}," if "name" in part else ""
        return f"[{kind}{name} {part['mime_type']}, {_measure(part['data'])}]"
    if kind == "link":
        facts = [part["mime_type"]] if "mime_type" in part else []
        facts += [f"{part['size']} bytes"] if "size" in part else []
        text = f"[link {part.get('name', _last(part['uri']))}] {part['uri']}"
        text += f" ({', '.join(facts)})" if facts else ""
        return text + (f" — {part['description']}" if "description" in part else "")
    if "text" in part:
        return f"[embedded {part['uri']}]\n{part['text']}"
    mime_type = f" {part['mime_type']}," if "mime_type" in part else ""
    return f"[embedded {part['uri']},{mime_type} {_measure(part['data'])}]"


def _measure(data: str) -> str:
    body = base64.b64decode(data)
    return f"{len(body)} bytes, sha256 {hashlib.sha256(body).hexdigest()[:16]}"


def _last(uri: str) -> str:
    path = uri.partition("#")[0].partition("?")[0]
    return path.rsplit("/", 1)[-1] or uri
