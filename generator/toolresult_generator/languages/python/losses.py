"""The declared losses of a plan as a Python function."""

from __future__ import annotations

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.python.access import Scope, attribute
from toolresult_generator.languages.python.code import Code
from toolresult_generator.languages.python.names import PythonNames
from toolresult_generator.languages.python.values import docstring
from toolresult_generator.model.result import Field, FieldKind, ResultSpec
from toolresult_generator.model.target import Path, Plan, Rule, Step

_NAMES = PythonNames()


def losing_rules(plan: Plan) -> list[Rule]:
    """The rules under which something does not arrive, each once, in the order of the result."""
    found: dict[Rule, None] = {}
    for cell in plan.cells:
        if not cell.rule.status.arrives:
            found.setdefault(cell.rule)
    return list(found)


def write_losses(
    name: str, plan: Plan, result: ResultSpec, imports: set[str], values: set[str]
) -> list[str]:
    """The function that notes what a plan declares lost; no lines if that is nothing."""
    rules = losing_rules(plan)
    if not rules:
        return []
    scope, code = Scope(item="part"), Code()
    parts = [rule for rule in rules if rule.key.startswith("content.")]
    with code.block("def body():"):
        if parts:
            with code.block("for index, part in enumerate(result.content):"):
                _parts(code, scope, parts, result, values)
        for rule in rules:
            if rule not in parts:
                _field(code, scope, rule, result)
    imports |= scope.imports | {"Losses"}
    values.add("Result")
    return [
        f"def {name}(result: Result, losses: Losses) -> None:",
        f"    {docstring(f'Notes what {plan.label} does not carry.')}",
        *(f"    {local} = {expression}" for local, expression in scope.locals.items()),
        *code.lines[1:],
    ]


def _parts(
    code: Code, scope: Scope, rules: list[Rule], result: ResultSpec, values: set[str]
) -> None:
    for rule in rules:
        _, kind, *field = rule.key.split(".")
        tests: list[str] = []
        if kind != "*":
            class_name = _NAMES.convert(kind, NameUse.KIND)
            values.add(class_name)
            tests.append(f"isinstance(part, {class_name})")
        where = "/content/{index}"
        if field:
            found = _part_field(result, kind, field[0])
            if found.type.kind is FieldKind.RECORD:
                tests.append(f"part.{attribute(field[0], False)} is not None")
            else:
                tests += scope.presence(
                    Path("item", (Step(field[0], not found.required, found.type),))
                )
            where += f"/{field[0]}"
        _note(code, tests, f'f"{where}"', rule)


def _note(code: Code, tests: list[str], where: str, rule: Rule) -> None:
    line = f"losses.add({where}, {rule.status.value!r}, {rule.how!r})"
    if not tests:
        code.line(line)
        return
    with code.block(f"if {' and '.join(tests)}:"):
        code.line(line)


def _part_field(result: ResultSpec, kind: str, name: str) -> Field:
    fields = list(result.record("part").fields)
    for one in result.kinds:
        if kind in ("*", one.name):
            fields += one.fields
    return next(field for field in fields if field.name == name)


def _field(code: Code, scope: Scope, rule: Rule, result: ResultSpec) -> None:
    steps: list[Step] = []
    record = "result"
    for name in rule.key.split("."):
        found = result.record(record).field(name)
        assert found is not None, "rule keys were checked"
        steps.append(Step(name, not found.required, found.type))
        record = found.type.record or record
    tests = scope.presence(Path("result", tuple(steps)))
    pointer = "".join(f"/{step.name}" for step in steps)
    if len(steps) == 1 or steps[0].type is None or steps[0].type.kind is not FieldKind.RECORDS:
        _note(code, tests, repr(pointer), rule)
        return
    where = f"/{steps[0].name}/{{index}}" + "".join(f"/{step.name}" for step in steps[1:])
    with code.block(f"for index, entry in enumerate(result.{attribute(steps[0].name, True)}):"):
        _note(
            code, Scope(item="entry").presence(Path("item", tuple(steps[1:]))), f'f"{where}"', rule
        )
