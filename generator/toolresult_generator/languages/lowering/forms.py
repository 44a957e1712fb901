"""The forms of a target: equal ones made one, with names that set different ones apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Form, Plan, Target
from toolresult_generator.model.tree import forms_of, with_forms


@dataclass(frozen=True)
class NamedForms:
    """The forms of a target, equal ones made one, with a name and the kinds of their item."""

    target: Target
    names: Mapping[Form, str]
    kinds: Mapping[Form, tuple[str, ...]]


def name_forms(target: Target, result: ResultSpec) -> NamedForms:
    """Makes forms that write the same one form, and gives each a name of its own."""
    kinds: dict[Form, set[str]] = {}
    memo: dict[Form, Form] = {}

    def bare(form: Form) -> Form:
        """The form without kinds, all below it too, so that equal ones are equal."""
        if form not in memo:
            memo[form] = Form(form.name, form.meaning, with_forms(form.node, bare))
        kinds.setdefault(memo[form], set()).update(form.kinds)
        return memo[form]

    plans = tuple(replace(plan, output=bare(plan.output)) for plan in target.plans)
    ordered = {
        form: tuple(kind.name for kind in result.kinds if kind.name in own)
        for form, own in kinds.items()
    }
    first_user: dict[Form, Plan] = {}
    groups: dict[str, list[Form]] = {}
    for plan in plans:
        for form in forms_of(plan.output):
            if form not in first_user:
                first_user[form] = plan
                groups.setdefault(form.name, []).append(form)
    names: dict[Form, str] = {}
    for name, variants in groups.items():
        labels = [_labels(first_user[one], ordered[one]) for one in variants]
        for variant, suffix in zip(variants, _suffixes(labels), strict=True):
            names[variant] = f"{name}{suffix}"
    return NamedForms(replace(target, plans=plans), names, ordered)


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
    own = "".join(f"_{kind}" for kind in kinds) if len(kinds) <= _FEW_KINDS else ""
    return f"_{digits(plan.revision)}", f"_{plan.phase}" if plan.phase else "", own


def digits(revision: str) -> str:
    """A revision as a part of a name: ``2025_06_18``."""
    return revision.replace("-", "_").replace(".", "_")
