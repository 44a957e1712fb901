"""The forms of a target: equal ones made one, with names that set different ones apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from toolresult_generator.model.target import Form, Plan, Target
from toolresult_generator.model.tree import forms_of, with_forms


@dataclass(frozen=True)
class NamedForms:
    """The forms of a target, equal ones made one, with a name and the kinds of their item."""

    target: Target
    names: Mapping[Form, str]
    kinds: Mapping[Form, tuple[str, ...]]


def name_forms(target: Target) -> NamedForms:
    """Makes forms that write the same one form, and gives each a name of its own."""
    kinds: dict[Form, list[str]] = {}
    users: dict[Form, list[Plan]] = {}
    memo: dict[Form, Form] = {}

    def bare(form: Form) -> Form:
        """The form without kinds, all below it too, so that equal ones are equal."""
        if form not in memo:
            memo[form] = Form(form.name, form.meaning, with_forms(form.node, bare))
        own = kinds.setdefault(memo[form], [])
        own.extend(kind for kind in form.kinds if kind not in own)
        return memo[form]

    plans: list[Plan] = []
    for plan in target.plans:
        plans.append(replace(plan, output=bare(plan.output)))
        for form in forms_of(plans[-1].output):
            seen = users.setdefault(form, [])
            if plan not in seen:
                seen.append(plan)
    for (
        plan
    ) in target.plans:  # a form shared by reference was visited once: its kinds are all seen now
        for form in forms_of(plan.output):
            bare(form)
    order = [kind for kind in _kinds(target)]
    sorted_kinds = {form: tuple(sorted(own, key=order.index)) for form, own in kinds.items()}
    groups: dict[str, list[Form]] = {}
    for form in users:
        groups.setdefault(form.name, []).append(form)
    names: dict[Form, str] = {}
    for name, variants in groups.items():
        labels = [_labels(users[one][0], sorted_kinds[one]) for one in variants]
        for variant, suffix in zip(variants, _suffixes(labels), strict=True):
            names[variant] = f"{name}{suffix}"
    return NamedForms(replace(target, plans=tuple(plans)), names, sorted_kinds)


def _kinds(target: Target) -> list[str]:
    found: dict[str, None] = {}
    for plan in target.plans:
        for cell in plan.cells:
            parts = cell.path.split(".")
            if parts[0] == "content":
                found.setdefault(parts[1])
    return list(found)


_CHOICES = ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
"""Which labels to use, the fewest first."""
_FEW_KINDS = 2


def _suffixes(labels: list[tuple[str, str, str]]) -> list[str]:
    """The shortest endings that set all variants apart."""
    for choice in _CHOICES:
        chosen = ["".join(label[index] for index in choice) for label in labels]
        if len(set(chosen)) == len(chosen):
            return chosen
    return [f"{''.join(label)}_{number}" for number, label in enumerate(labels, 1)]


def _labels(plan: Plan, kinds: tuple[str, ...]) -> tuple[str, str, str]:
    """What may set a form apart: the first revision that has it, its phase, its kinds."""
    revision = "_" + plan.revision.replace("-", "_").replace(".", "_")
    own = "".join(f"_{kind}" for kind in kinds) if len(kinds) <= _FEW_KINDS else ""
    return revision, f"_{plan.phase}" if plan.phase else "", own
