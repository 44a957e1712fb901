"""Tries an alteration: generates from the altered model, in process, until a cell fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from toolresult import registry
from toolresult_core.runtime.reading import Reader
from toolresult_generator.director import Loaded
from toolresult_generator.languages.python.targets import (
    emit_reader,
    emit_target,
    reader_class,
    renderer_class,
)
from toolresult_generator.model.sample import Sample, build_samples
from toolresult_generator.model.target import Plan
from toolresult_generator.proof.alter import Alteration
from toolresult_generator.proof.cells import (
    Observation,
    ReadBack,
    Render,
    Report,
    never_seen,
    observe,
)
from toolresult_generator.proof.matrix import options_of, versions
from toolresult_generator.proof.python import installed, module_of, reading, rendering
from toolresult_generator.proof.schemas import strict_validator

Check = tuple[str, Callable[[Any], "str | None"]]


@dataclass
class Trap:
    """Everything that does not change from one alteration to the next."""

    loaded: Loaded
    prepared: list[tuple[Sample, dict[str, Any], bool]]
    checks: dict[tuple[str, str], Check]
    vectors: dict[tuple[str, int], str]
    """The output that is on record, by plan and number of the sample."""
    last: dict[str, int]
    """For each target the sample that caught the last alteration: often it catches the next."""

    @classmethod
    def of(cls, loaded: Loaded) -> Trap:
        """The trap for a spec."""
        prepared = [
            (sample, value, marked)
            for sample in build_samples(loaded.documents)
            for value, marked in versions(sample, loaded)
        ]
        checks: dict[tuple[str, str], Check] = {}
        for target in loaded.model.targets:
            for revision in target.revisions:
                check = strict_validator(
                    loaded.documents, loaded.model.result, target.name, revision
                )
                checks[target.name, revision] = ("strict", check)
        return cls(loaded, prepared, checks, {}, {})

    def catch(self, alteration: Alteration) -> str | None:
        """The fault that gives an alteration away, or None if nothing does."""
        if alteration.changes != "reading":
            return self._catch(alteration)
        for plan in alteration.target.plans:
            if plan.revision in alteration.revisions:
                found = self._catch(replace(alteration, plan=plan))
                if found is not None:
                    return found
        return None

    def _catch(self, alteration: Alteration) -> str | None:
        plan = alteration.plan
        try:
            tools = self._tools(alteration)
        except (
            Exception
        ) as error:  # altered code may fail to be made in any way: that is noticed too
            return f"cannot be generated: {type(error).__name__}"
        checks = [self.checks[plan.target, plan.revision]]
        observations: dict[str, list[Observation]] = {}
        for index in self._order(plan):
            sample, value, marked = self.prepared[index]
            render, read_back = tools(sample)
            report = observe(
                plan,
                self.loaded.model.result,
                sample.name,
                value,
                render,
                read_back,
                checks,
                marked=marked,
            )
            if alteration.changes == "writing" and not report.faults:
                self._compare(plan, index, render, report)
            if report.faults:
                self.last[plan.target] = index
                row, fault = report.faults[0]
                return f"{sample.name}: {row or 'rendering'}: {fault}"
            for seen in report.observations:
                observations.setdefault(seen.path, []).append(seen)
        return self._over_all(plan, observations)

    def _compare(self, plan: Plan, index: int, render: Render, report: Report) -> None:
        """Notes where an output is not the one on record: what every language's vectors say."""
        key = (plan.label, index)
        sample, value, _ = self.prepared[index]
        if key not in self.vectors:
            self.vectors[key] = installed(plan, options_of(sample))[0](value).text
        if render(value).text != self.vectors[key]:
            report.faults.append((None, "the bytes are not those of the vector"))

    def _order(self, plan: Plan) -> Iterable[int]:
        first = self.last.get(plan.target)
        yield from () if first is None else (first,)
        yield from (index for index in range(len(self.prepared)) if index != first)

    def _over_all(self, plan: Plan, observations: dict[str, list[Observation]]) -> str | None:
        """What only shows over all samples."""
        for rule in dict.fromkeys(cell.rule for cell in plan.cells):
            rows = [cell.path for cell in plan.cells if cell.rule == rule]
            fault = never_seen((seen for row in rows for seen in observations.get(row, [])), rule)
            if fault is not None:
                return f"{rule.key} {fault}"
        return None

    def _tools(self, alteration: Alteration) -> Callable[[Sample], tuple[Render, ReadBack]]:
        plan, spec = alteration.plan, self.loaded.model.result
        renderer = registry.renderer(plan.target, plan.revision, plan.phase)
        reader = registry.reader(plan.target, plan.revision)
        if alteration.changes == "writing":
            only = replace(alteration.target, plans=(plan,))
            module = module_of(emit_target(only, spec), "altered")
            renderer = getattr(module, renderer_class(plan))()
        if alteration.changes == "reading":
            reader = _altered_reader(alteration, reader)
        read_back = reading(reader)
        return lambda sample: (rendering(renderer, options_of(sample)), read_back)


def _altered_reader(alteration: Alteration, installed: Reader) -> Reader:
    """The adapter's reader with the functions generated from the altered model for its own."""
    module = module_of(emit_reader(alteration.target), "altered_reader")
    group = next(
        one for one in alteration.target.readers if alteration.plan.revision in one.revisions
    )
    generated = getattr(module, reader_class(alteration.target, group))
    names = [name for name in vars(generated) if name.startswith("read_") and name != "read_wire"]
    functions = {
        name: vars(generated)[name]
        for name in names
        if isinstance(vars(generated)[name], staticmethod)
    }
    altered = type("AlteredReader", (type(installed),), functions)
    made: Reader = altered()
    return made
