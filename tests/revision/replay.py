"""The steps that the protocols really took, replayed with the rules that were known before each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.revision.older import ROOT, cut, dumped, older_spec, typed

from toolresult import registry
from toolresult_generator.director import Loaded, load_model
from toolresult_generator.languages.python.targets import emit_target, renderer_class
from toolresult_generator.model.sample import build_samples
from toolresult_generator.model.target import Plan
from toolresult_generator.proof.cells import Observation, never_seen, observe
from toolresult_generator.proof.matrix import options_of, versions
from toolresult_generator.proof.python import module_of, reading, rendering
from toolresult_generator.proof.schemas import OfficialSchemas, strict_validator
from toolresult_generator.revision.check import RESULT_NAMES, TOOL_NAMES, Request, check_revision
from toolresult_generator.revision.publish import publish
from toolresult_generator.revision.report import Report


@dataclass(frozen=True)
class Step:
    """One step of history."""

    target: str
    old: str
    new: str
    new_target: str
    without: tuple[str, ...] = ()
    """Targets that came later."""

    @property
    def name(self) -> str:
        """For the ids of tests."""
        return f"{self.target}@{self.old}-{self.new}"

    @property
    def like(self) -> str:
        """The revision that the new one is tried with."""
        return f"{self.target}@{self.old}"


_LATER = ("mcp-stateless",)
STEPS = (
    Step("mcp-handshake", "2024-11-05", "2025-03-26", "mcp-handshake", _LATER),
    Step("mcp-handshake", "2025-03-26", "2025-06-18", "mcp-handshake", _LATER),
    Step("mcp-handshake", "2025-06-18", "2025-11-25", "mcp-handshake", _LATER),
    Step("mcp-handshake", "2025-11-25", "2026-07-28", "mcp-stateless", _LATER),
    Step("a2a", "0.3", "1.0", "a2a"),
)
official = OfficialSchemas.beside(ROOT / "spec")
needs_official = pytest.mark.skipif(
    official.folder is None,
    reason="the protocols' own schemas are not there: set TOOLRESULT_OFFICIAL_SCHEMAS",
)
if official.folder is None and os.environ.get("TOOLRESULT_OFFICIAL_SCHEMAS"):
    raise FileNotFoundError(os.environ["TOOLRESULT_OFFICIAL_SCHEMAS"])


def schema_of(target: str, revision: str) -> Path:
    """The official schema of a revision."""
    found = official.file(target, revision)
    assert found is not None
    return found


def request_of(
    loaded: Loaded,
    spec: Path,
    like: str,
    schema: Path,
    new: str,
    *,
    old: Path | None = None,
    phase: str | None = None,
) -> Request:
    """What the command line would ask for."""
    target_name, _, revision = like.partition("@")
    new_target, _, new_revision = new.partition("@")
    target = loaded.model.target(target_name)
    plans = [plan for plan in target.plans if plan.revision == revision]
    return Request(
        schema=schema,
        old=old,
        spec=spec,
        target=target,
        revision=revision,
        plans=tuple(plan for plan in plans if phase in (None, plan.phase)),
        result_name=RESULT_NAMES[target.origin or ""],
        tool_name=TOOL_NAMES.get(target.origin or ""),
        new_target=new_target,
        new_revision=new_revision,
    )


@dataclass(frozen=True)
class Replayed:
    """A step that was taken: the spec before it, and what the report says."""

    step: Step
    spec: Path
    report: Report


def replay(step: Step, folder: Path) -> Replayed:
    """Tries the new revision with the rules of the old one."""
    spec = older_spec(folder / "spec", step.target, step.old, step.without)
    loaded = load_model(spec)
    request = request_of(
        loaded,
        spec,
        step.like,
        schema_of(step.new_target, step.new),
        f"{step.new_target}@{step.new}",
        old=schema_of(step.target, step.old),
    )
    return Replayed(step, spec, check_revision(request, loaded, lambda *told: None))


def fill(replayed: Replayed) -> Path:
    """Publishes the proposal and fills its gaps with the rules that were written in truth.

    The proposed wire schema stays as it is, and so does what the entry says beside its gaps.
    """
    step, spec = replayed.step, replayed.spec
    publish(replayed.report.proposal, spec)
    file = spec / "targets" / f"{step.new_target}.yaml"
    entry = yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)["revisions"][step.new]
    entry.pop("gaps", None)
    real = typed(ROOT / "spec" / "targets" / f"{step.new_target}.yaml")
    known = list(real["revisions"])
    later = known[known.index(step.new) + 1 :]
    document = cut(real, later) if step.new_target == step.target else real
    document["revisions"][step.new] = entry
    if step.new_target != step.target:
        # what a rule of the old target says of a capability that only the new one takes away
        older = typed(ROOT / "spec" / "targets" / f"{step.target}.yaml")
        (spec / "targets" / f"{step.target}.yaml").write_text(dumped(older), encoding="utf-8")
    file.write_text(dumped(document), encoding="utf-8")
    _add_markers(spec / "wire" / step.new_target / f"{step.new}.yaml", MARKERS.get(step.new, {}))
    return spec


MARKERS: dict[str, dict[str, Any]] = {"2025-06-18": {"{namespace}/wrapped": {"const": True}}}
"""Keys of our own that the real rules of a revision brought: no schema of a protocol can tell them,
and the list of our own keys is closed."""


def _add_markers(file: Path, keys: dict[str, Any]) -> None:
    document = typed(file)
    document["properties"]["_meta"]["properties"].update(keys) if keys else None
    file.write_text(dumped(document), encoding="utf-8")


def faults_of(loaded: Loaded, target_name: str, revision: str) -> Iterator[str]:
    """What the matrix would say of one revision, with code made from the model in process."""
    target = loaded.model.target(target_name)
    reader = reading(registry.reader(target_name, revision))
    checks: list[Any] = [
        ("strict", strict_validator(loaded.documents, loaded.model.result, target_name, revision))
    ]
    theirs = official.validator(target_name, revision)
    if theirs is not None:
        checks.append(("official", theirs))
    for plan in target.plans:
        if plan.revision != revision:
            continue
        only = replace(target, plans=(plan,))
        module = module_of(emit_target(only, loaded.model.result), "filled")
        renderer = getattr(module, renderer_class(plan))()
        seen: list[Observation] = []
        for sample in build_samples(loaded.documents):
            render = rendering(renderer, options_of(sample))
            for value, marked in versions(sample, loaded):
                report = observe(
                    plan,
                    loaded.model.result,
                    sample.name,
                    value,
                    render,
                    reader,
                    checks,
                    marked=marked,
                )
                seen += report.observations
                for row, fault in report.faults:
                    yield f"{plan.label}: {sample.name}: {row}: {fault}"
        yield from _over_all(plan, seen)


def _over_all(plan: Plan, seen: list[Observation]) -> Iterator[str]:
    for cell in plan.cells:
        own = [one for one in seen if one.path == cell.path]
        if not own:
            yield f"{plan.label}: {cell.path}: no sample has it"
    for rule in dict.fromkeys(cell.rule for cell in plan.cells):
        rows = {cell.path for cell in plan.cells if cell.rule == rule}
        fault = never_seen((one for one in seen if one.path in rows), rule)
        if fault is not None:
            yield f"{plan.label}: {rule.key} {fault}"
