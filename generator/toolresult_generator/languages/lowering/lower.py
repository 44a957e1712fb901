"""From a target's plans to the module of its renderers."""

from __future__ import annotations

from toolresult_generator.languages.lowering.expressions import Invoke, Role
from toolresult_generator.languages.lowering.forms import digits, name_forms
from toolresult_generator.languages.lowering.losses import losing_rules, lower_losses
from toolresult_generator.languages.lowering.modules import Function, Renderer, TargetModule
from toolresult_generator.languages.lowering.shared import Functions
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Hook, Plan, Target
from toolresult_generator.model.tree import forms_of, nodes_in


def lower_target(target: Target, result: ResultSpec) -> TargetModule:
    """The renderers of a target. Equal input gives equal output."""
    named = name_forms(target, result)
    functions = Functions(named, result)
    outputs = [functions.of_form(plan.output) for plan in named.target.plans]
    losses: list[Function | None] = []
    for plan in target.plans:
        if not losing_rules(plan):
            losses.append(None)
            continue
        phase = f"_{plan.phase}" if plan.phase else ""
        name = functions.name(f"losses_{digits(plan.revision)}{phase}")
        losses.append(lower_losses(name, plan, functions, result))
    return TargetModule(
        target=target,
        hooks=write_hooks(target),
        renderers=tuple(map(_renderer, target.plans, [target] * len(outputs), outputs, losses)),
        functions=(*functions.done, *(one for one in losses if one is not None)),
    )


def _renderer(plan: Plan, target: Target, output: Function, losses: Function | None) -> Renderer:
    invoke = _call(output)
    return Renderer(
        target=plan.target,
        revision=plan.revision,
        phase=plan.phase,
        limit=target.limit,
        new_layout=any(one.role is Role.LAYOUT for one in invoke.arguments),
        output=invoke,
        losses=None if losses is None else _call(losses),
    )


def _call(function: Function) -> Invoke:
    variables = tuple(parameter.variable for parameter in function.parameters)
    return Invoke(function.name, variables, function.appends)


def write_hooks(target: Target) -> tuple[Hook, ...]:
    """The hooks in the output forms of a target, by name."""
    found: dict[str, Hook] = {}
    for plan in target.plans:
        for form in forms_of(plan.output):
            for node in nodes_in(form):
                if isinstance(node, Hook):
                    found.setdefault(node.name, node)
    return tuple(hook for _, hook in sorted(found.items()))
