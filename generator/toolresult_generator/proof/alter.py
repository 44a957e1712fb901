"""Alters the model, one rule at a time: what the proof must notice.

An alteration is of a declared rule (its status), of a node in a form (a member,
branch, item or spread removed; a constant changed; a condition dropped; a role
changed), or of a reading (a member no longer taken). Forms are shared between
revisions, so each alteration is tried where it first occurs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from toolresult_generator.model.target import (
    Case,
    Cell,
    Choose,
    Const,
    Form,
    FormCall,
    Item,
    JsonText,
    List,
    Node,
    Object,
    Plan,
    ReadForm,
    ReadShape,
    RevisionReader,
    Rule,
    Status,
    Target,
)
from toolresult_generator.model.tree import forms_of, with_forms


@dataclass(frozen=True)
class Alteration:
    """One change of the model, with the plan where it shows."""

    name: str
    """Such as ``mcp-handshake@2025-06-18/final: link: remove title``."""
    target: Target
    plan: Plan
    """The altered plan, or the one that the altered reading belongs to."""
    changes: str
    """What has to be generated anew: ``rules`` (nothing), ``writing`` or ``reading``."""
    revisions: tuple[str, ...] = ()
    """With ``reading``: the revisions that the altered reader reads."""


def alterations(target: Target) -> Iterator[Alteration]:
    """Every alteration of a target, each once, in a fixed order."""
    seen: set[tuple[str, str]] = set()
    for plan in target.plans:
        yield from _rules(target, plan, seen)
        yield from _forms(target, plan, seen)
    yield from _readings(target, seen)


# ---------------------------------------------------------------- rules


def _rules(target: Target, plan: Plan, seen: set[tuple[str, str]]) -> Iterator[Alteration]:
    for rule in dict.fromkeys(cell.rule for cell in plan.cells):
        key = ("rule", repr(rule))
        if key in seen:
            continue
        seen.add(key)
        for changed in _other_rules(rule):
            cells = tuple(
                Cell(cell.path, changed) if cell.rule == rule else cell for cell in plan.cells
            )
            name = f"{plan.label}: rule {rule.key}: {_told(rule)} to {_told(changed)}"
            yield Alteration(name, target, replace(plan, cells=cells), "rules")


def _other_rules(rule: Rule) -> Iterator[Rule]:
    if rule.status.arrives:
        yield replace(rule, status=Status.WITHHELD, sometimes=None)
        other = Status.RE_ENCODED if rule.status is Status.NATIVE else Status.NATIVE
        if rule.sometimes is None:
            yield replace(rule, status=other)
        else:
            yield replace(rule, sometimes=None)
    else:
        yield replace(rule, status=Status.NATIVE)
    for name in rule.lost:
        yield replace(rule, lost=tuple(one for one in rule.lost if one != name))


def _told(rule: Rule) -> str:
    sometimes = f", sometimes {rule.sometimes.value}" if rule.sometimes else ""
    lost = f", lost {', '.join(rule.lost)}" if rule.lost else ""
    return f"{rule.status.value}{sometimes}{lost}"


# ---------------------------------------------------------------- forms


def _forms(target: Target, plan: Plan, seen: set[tuple[str, str]]) -> Iterator[Alteration]:
    for form in forms_of(plan.output):
        for what, node in _changed(form.node):
            key = (form.name, f"{what} {_signature(form)}")
            if key in seen:
                continue
            seen.add(key)
            altered = _replaced(plan, form, node)
            yield Alteration(f"{plan.label}: {form.name}: {what}", target, altered, "writing")


def _signature(form: Form) -> str:
    """Equal for the same form on revisions that write it the same way, whatever is below it."""
    return repr(_shallow(form.node))


def _shallow(node: Node) -> object:
    if isinstance(node, FormCall):
        return node.form.name
    if isinstance(node, Object):
        return tuple((m.key, repr(m.when), _shallow(m.node)) for m in node.members)
    if isinstance(node, List):
        return tuple((repr(i.when), i.role, _shallow(i.node)) for i in node.items)
    if isinstance(node, Choose):
        return tuple((repr(b.when), _shallow(b.node)) for b in node.branches)
    if isinstance(node, Case):
        return tuple((b.kind, _shallow(b.node)) for b in node.branches)
    if isinstance(node, JsonText):
        return _shallow(node.node)
    return repr(node)


def _replaced(plan: Plan, form: Form, node: Node) -> Plan:
    memo: dict[Form, Form] = {}

    def change(old: Form) -> Form:
        if old not in memo:
            inner = node if old == form else with_forms(old.node, change)
            memo[old] = replace(old, node=inner)
        return memo[old]

    return replace(plan, output=change(plan.output))


def _changed(node: Node) -> Iterator[tuple[str, Node]]:
    """Every altered version of a form's own node; what other forms write is left alone."""
    if isinstance(node, Const):
        value = json.loads(node.json)
        yield f"constant {node.json}", Const('"altered"' if value != "altered" else "0")
    elif isinstance(node, Object):
        yield from _changed_object(node)
    elif isinstance(node, List):
        yield from _changed_list(node)
    elif isinstance(node, Choose):
        for index, branch in enumerate(node.branches):
            others = (*node.branches[:index], *node.branches[index + 1 :])
            if others:
                yield f"remove branch {index + 1}", Choose(others)
            for what, inner in _changed(branch.node):
                one = replace(branch, node=inner)
                changed = (*node.branches[:index], one, *node.branches[index + 1 :])
                yield f"branch {index + 1}: {what}", Choose(changed)
    elif isinstance(node, Case):
        for index, kind in enumerate(node.branches):
            for what, inner in _changed(kind.node):
                one_kind = replace(kind, node=inner)
                cases = (*node.branches[:index], one_kind, *node.branches[index + 1 :])
                yield f"{kind.kind}: {what}", Case(cases)
    elif isinstance(node, JsonText):
        yield "no text", node.node
        for what, inner in _changed(node.node):
            yield f"text: {what}", JsonText(inner)


def _changed_object(node: Object) -> Iterator[tuple[str, Node]]:
    for index, member in enumerate(node.members):
        others = (*node.members[:index], *node.members[index + 1 :])
        yield f"remove {member.key}", replace(node, members=others)
        renamed = replace(member, key=f"{member.key}Altered")
        yield f"rename {member.key}", _with_member(node, index, renamed)
        if member.when is not None:
            yield f"always {member.key}", _with_member(node, index, replace(member, when=None))
        for what, inner in _changed(member.node):
            altered = replace(member, node=inner)
            yield f"{member.key}: {what}", _with_member(node, index, altered)
    for index, spread in enumerate(node.spreads):
        spreads = (*node.spreads[:index], *node.spreads[index + 1 :])
        yield f"remove spread of {spread.path.text}", replace(node, spreads=spreads)
    if node.exact_key is not None:
        yield "nothing exact", replace(node, exact_key=None)


def _with_member(node: Object, index: int, member: object) -> Object:
    members = (*node.members[:index], member, *node.members[index + 1 :])
    return replace(node, members=members)  # type: ignore[arg-type]  # a Member, named by its caller


def _changed_list(node: List) -> Iterator[tuple[str, Node]]:
    for index, item in enumerate(node.items):
        others = (*node.items[:index], *node.items[index + 1 :])
        label = item.role or f"item {index + 1}"
        yield f"remove {label}", replace(node, items=others)
        if item.when is not None:
            yield f"always {label}", _with_item(node, index, replace(item, when=None))
        if item.role is not None and node.layout:
            role = "part" if item.role != "part" else "stored"
            yield f"role {label}", _with_item(node, index, replace(item, role=role))
        if item.marker is not None:
            yield f"no marker of {label}", _with_item(node, index, replace(item, marker=None))
        for what, inner in _changed(item.node):
            yield f"{label}: {what}", _with_item(node, index, replace(item, node=inner))
    if node.if_empty is not None:
        for what, inner in _changed(node.if_empty.node):
            fallback = replace(node.if_empty, node=inner)
            yield f"if empty: {what}", replace(node, if_empty=fallback)


def _with_item(node: List, index: int, item: Item) -> List:
    return replace(node, items=(*node.items[:index], item, *node.items[index + 1 :]))


# -------------------------------------------------------------- readings


def _readings(target: Target, seen: set[tuple[str, str]]) -> Iterator[Alteration]:
    for number, reader in enumerate(target.readers):
        plan = next(one for one in target.plans if one.revision == reader.revisions[-1])
        for form_number, form in enumerate(reader.reader.forms):
            for what, changed in _changed_reading(form):
                key = (f"read {form.name} {reader.revisions}", what)
                if key in seen:
                    continue
                seen.add(key)
                readers = _with_form(target, number, reader, form_number, changed)
                name = f"{target.name}@{reader.revisions[-1]}: read {form.name}: {what}"
                altered = replace(target, readers=readers)
                yield Alteration(name, altered, plan, "reading", reader.revisions)


def _changed_reading(form: ReadForm) -> Iterator[tuple[str, ReadForm]]:
    for index, shape in enumerate(form.shapes):
        label = f"{shape.kind or 'record'} {index + 1}"
        for position, member in enumerate(shape.members):
            others = (*shape.members[:position], *shape.members[position + 1 :])
            what = f"{label}: do not take {'.'.join(member.field)} at {'.'.join(member.keys)}"
            yield what, _with_shape(form, index, replace(shape, members=others))


def _with_shape(form: ReadForm, index: int, shape: ReadShape) -> ReadForm:
    return replace(form, shapes=(*form.shapes[:index], shape, *form.shapes[index + 1 :]))


def _with_form(
    target: Target, number: int, reader: RevisionReader, form_number: int, form: ReadForm
) -> tuple[RevisionReader, ...]:
    forms = reader.reader.forms
    changed = (*forms[:form_number], form, *forms[form_number + 1 :])
    altered = replace(reader, reader=replace(reader.reader, forms=changed))
    return (*target.readers[:number], altered, *target.readers[number + 1 :])
