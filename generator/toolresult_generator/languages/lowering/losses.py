"""The declared losses of a plan as a function that notes them."""

from __future__ import annotations

from toolresult_generator.languages.lowering.builder import LOSSES
from toolresult_generator.languages.lowering.expressions import (
    Field,
    IsKind,
    Pointer,
    PointerPart,
    Presence,
    Present,
    Test,
    Variable,
)
from toolresult_generator.languages.lowering.modules import Function
from toolresult_generator.languages.lowering.scope import Scope, all_of
from toolresult_generator.languages.lowering.shared import Functions, parameters
from toolresult_generator.languages.lowering.statements import (
    AddLoss,
    Body,
    Case,
    ForEach,
    If,
    Statement,
)
from toolresult_generator.model import result as model
from toolresult_generator.model.result import FieldKind, ResultSpec
from toolresult_generator.model.target import Path, Plan, Rule, Step


def losing_rules(plan: Plan) -> list[Rule]:
    """The rules under which something does not arrive, each once, in the order of the result."""
    found: dict[Rule, None] = {}
    for cell in plan.cells:
        if not cell.rule.status.arrives:
            found.setdefault(cell.rule)
    return list(found)


def lower_losses(name: str, plan: Plan, functions: Functions, result: ResultSpec) -> Function:
    """The function that notes what a plan declares lost, which is something."""
    rules, scope = losing_rules(plan), Scope()
    parts = [rule for rule in rules if rule.key.startswith("content.")]
    body: list[Statement] = []
    if parts:
        body.append(_parts(scope, parts, functions, result))
    for rule in rules:
        if rule not in parts:
            body.append(_field(scope, rule, result))
    bound = scope.bound(body)
    return Function(
        name=name,
        meaning=f"Notes what {plan.label} does not carry.",
        parameters=parameters(bound),
        appends=False,
        returns=False,
        body=bound,
    )


def _parts(scope: Scope, rules: list[Rule], functions: Functions, result: ResultSpec) -> Statement:
    """What is lost of the parts, in one loop over them."""
    content = _step(result.record("result"), "content")
    path = Path("result", (content,))
    values = scope.value(path)
    with scope.loop(path) as part:
        body = scope.bound([_part(scope, part, rule, result) for rule in rules])
    return ForEach(part, values, True, body, functions.kinds)


def _part(scope: Scope, part: Variable, rule: Rule, result: ResultSpec) -> Statement:
    _, kind, *names = rule.key.split(".")
    tests: list[Test] = [] if kind == "*" else [IsKind(part, kind)]
    where: list[str | PointerPart] = ["/content/", PointerPart.INDEX]
    if names:
        step = _part_step(result, kind, names[0])
        if step.type is not None and step.type.kind is FieldKind.RECORD:
            tests.append(Present(Field(part, step, of_result=False), Presence.VALUE))
        else:
            tests += scope.presence(Path("item", (step,)))
        where.append(f"/{names[0]}")
    return _note(tests, Pointer(tuple(where)), rule)


def _note(tests: list[Test], where: Pointer, rule: Rule) -> Statement:
    note = AddLoss(LOSSES, where, rule.status.value, rule.how)
    test = all_of(tests)
    return note if test is None else If((Case(test, (note,)),))


def _part_step(result: ResultSpec, kind: str, name: str) -> Step:
    fields = list(result.record("part").fields)
    for one in result.kinds:
        if kind in ("*", one.name):
            fields += one.fields
    return _as_step(next(field for field in fields if field.name == name))


def _field(scope: Scope, rule: Rule, result: ResultSpec) -> Statement:
    steps: list[Step] = []
    record = "result"
    for name in rule.key.split("."):
        steps.append(_step(result.record(record), name))
        below = steps[-1].type
        record = (below.record if below else None) or record
    first, *rest = steps
    path = Path("result", tuple(steps))
    if not rest or first.type is None or first.type.kind is not FieldKind.RECORDS:
        pointer = "".join(f"/{step.name}" for step in steps)
        return _note(scope.presence(path), Pointer((pointer,)), rule)
    entries = Path("result", (first,))
    values = scope.value(entries)
    with scope.loop(entries) as entry:
        below_entry = "".join(f"/{step.name}" for step in rest)
        where = Pointer((f"/{first.name}/", PointerPart.INDEX, below_entry))
        note = _note(scope.presence(Path("item", tuple(rest))), where, rule)
        body: Body = scope.bound([note])
    return ForEach(entry, values, True, body)


def _step(record: model.Record, name: str) -> Step:
    found = record.field(name)
    assert found is not None, "rule keys were checked"
    return _as_step(found)


def _as_step(field: model.Field) -> Step:
    return Step(field.name, not field.required, field.type)
