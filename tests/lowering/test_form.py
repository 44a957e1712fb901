"""The lowered form: every kind of it is used, it makes sense, and it knows no language."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from tests.lowering.narrowing import unproven
from tests.lowering.verify import faults_of_reader, faults_of_target, misplaced

from toolresult_generator.languages import lowering
from toolresult_generator.languages.lowering import (
    expressions,
    lower_reader,
    lower_target,
    modules,
    reading,
    statements,
)
from toolresult_generator.languages.lowering.expressions import Call, Constant, Fixed, Variable
from toolresult_generator.languages.lowering.modules import TargetModule
from toolresult_generator.languages.lowering.reading import ReaderModule
from toolresult_generator.languages.lowering.runtime import RUNTIME
from toolresult_generator.languages.lowering.statements import Return
from toolresult_generator.languages.lowering.walk import walk
from toolresult_generator.model.target import Spec

ROOM = Path(inspect.getfile(lowering)).parent


def kinds(module: ModuleType) -> list[type]:
    """The kinds of nodes that a module of the form has."""
    return [
        one
        for one in vars(module).values()
        if inspect.isclass(one)
        and one.__module__ == module.__name__
        and dataclasses.is_dataclass(one)
    ]


ALL = [one for module in (expressions, statements, modules, reading) for one in kinds(module)]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_kind_of_the_form_comes_up(
    kind: type, targets: list[TargetModule], readers: list[ReaderModule]
) -> None:
    """So that a printer that renders these specs has printed everything there is."""
    assert any(type(one) is kind for module in (*targets, *readers) for one in walk(module))


def test_every_function_of_the_runtime_is_called(targets: list[TargetModule]) -> None:
    called = {one.function for module in targets for one in walk(module) if isinstance(one, Call)}
    assert called == set(RUNTIME) - {"open_list"}  # that of FinishList


def test_lowered_code_makes_sense(targets: list[TargetModule], readers: list[ReaderModule]) -> None:
    for target in targets:
        assert list(faults_of_target(target)) == []
        assert list(misplaced(target)) == []
    for reader in readers:
        assert list(faults_of_reader(reader)) == []


def test_what_may_be_absent_is_known_to_be_there(targets: list[TargetModule]) -> None:
    """As a strict type checker wants it, in any language."""
    for target in targets:
        for function in target.functions:
            assert list(unproven(function)) == [], function.name


def test_a_test_that_is_missing_is_found(targets: list[TargetModule]) -> None:
    def bare(body: statements.Body) -> statements.Body:
        """The body with every test of presence passed over."""
        found: list[statements.Statement] = []
        for one in body:
            if isinstance(one, statements.If):
                found += bare(one.cases[0].body)
            else:
                found.append(one)
        return tuple(found)

    altered = [
        replace(function, body=bare(function.body))
        for function in targets[0].functions
        if any(isinstance(one, statements.If) for one in function.body)
    ]
    found = {fault for function in altered for fault in unproven(function)}
    assert "error may be absent where message is read" in found
    assert "pagination.total may be absent" in found


def test_what_makes_no_sense_is_found(targets: list[TargetModule]) -> None:
    module = targets[0]
    *others, last = module.functions
    returning = next(one for one in module.functions if one.returns)
    given = Return(Call("quote", (Constant(None),)))
    unknown = Variable(expressions.Role.LOCAL, "unknown")
    broken = {
        "not known before": replace(module, functions=(last, *others)),
        "the name is taken": replace(module, functions=(*module.functions, last)),
        "returns nothing": replace(module, functions=(replace(returning, body=()),)),
        "never reached": replace(
            module, functions=(replace(returning, body=(*returning.body, given)),)
        ),
        "options is not taken": replace(
            module,
            functions=(
                replace(
                    returning,
                    body=(Return(Call("quote", (expressions.Option("artifact_id"),))),),
                ),
            ),
        ),
        "may be absent": replace(module, functions=(replace(returning, body=(given,)),)),
        "is not bound": replace(
            module,
            functions=(replace(returning, body=(statements.Let(unknown, unknown), given)),),
        ),
        "the runtime has no cite": replace(
            module, functions=(replace(returning, body=(Return(Call("cite", ())),)),)
        ),
        "text, not": replace(
            module,
            functions=(replace(returning, body=(Return(Call("quote", (Fixed("x"),))),)),),
        ),
    }
    for fault, one in broken.items():
        assert any(fault in found for found in faults_of_target(one)), fault


def test_the_same_spec_gives_the_same_code(specs: tuple[Spec, Spec]) -> None:
    for spec in specs:
        for target in spec.targets:
            assert lower_target(target, spec.result) == lower_target(target, spec.result)
            assert lower_reader(target) == lower_reader(target)


PRINTED = """\
import hashlib
from pathlib import Path
from tests.lowering.small import published
from toolresult_generator.languages.lowering import lower_reader, lower_target
spec = published()
lowered = [(lower_target(one, spec.result), lower_reader(one)) for one in spec.targets]
print(hashlib.sha256(repr(lowered).encode()).hexdigest())
"""


def test_another_process_gives_the_same_code() -> None:
    """Whatever the order of sets is there."""
    said = {
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


# -------------------------------------------------------------- neutral

_PYTHON = re.compile(
    r"\b(isinstance|None|True|False|elif|self|lambda|startswith|bytes\[|b'|b\")"
    r"|\b(Result|Json|TextPart|StoredResult|Draft|Losses|Layout|dict\[|list\[)"
)
"""What only the text of a program in Python has."""


def texts(node: object) -> set[str]:
    """Every text that lowered code holds for a program, not for people."""
    found: set[str] = set()
    for one in walk(node):
        for field in dataclasses.fields(one):  # type: ignore[arg-type]  # walk gives dataclasses
            value = getattr(one, field.name)
            if isinstance(value, str) and field.name not in ("meaning", "reason", "known"):
                found.add(value)
    return found


def test_lowered_code_has_no_text_of_python(
    targets: list[TargetModule], readers: list[ReaderModule]
) -> None:
    held = {text for module in (*targets, *readers) for text in texts(module)}
    assert {"quote", "metadata", "layout"} <= held, "the walk finds the texts"
    assert [text for text in sorted(held) if _PYTHON.search(text)] == []


def test_the_room_knows_no_language() -> None:
    """It imports none, and has the name of none in what it says to a program."""
    for file in [*ROOM.glob("*.py"), *(ROOM.parents[1] / "model").glob("*.py")]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        docs = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(one.name for one in node.names)]
            elif isinstance(node, ast.Constant) and id(node) not in docs:
                names = [str(node.value)]
            for name in names:
                assert not re.search(r"(?i)\b(python|typescript|php)\b", name), (file, name)
