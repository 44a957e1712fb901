"""Whether what may be absent is known to be present where it is used.

What a strict type checker of any language needs: a test that was passed on the way, for the very
value. Follows the ways through a function, short circuits of tests included.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolresult_generator.languages.lowering.expressions import (
    AllOf,
    AnyOf,
    Call,
    Computed,
    Conditional,
    Field,
    HasJsonKind,
    Holds,
    IsOneOf,
    Negation,
    Option,
    OptionGiven,
    Piece,
    Present,
    Role,
    StartsWith,
    Test,
    Value,
)
from toolresult_generator.languages.lowering.modules import Function
from toolresult_generator.languages.lowering.runtime import RUNTIME
from toolresult_generator.languages.lowering.statements import (
    Body,
    ForEach,
    If,
    IfNotEmpty,
    Let,
    Statement,
)
from toolresult_generator.model.result import FieldKind

Known = frozenset[object]
"""Locals, fields and names of options that are known to be present."""
_NEVER_ABSENT = (FieldKind.RECORDS, FieldKind.PARTS, FieldKind.JSON_MAP, FieldKind.CHOICES)
"""Empty where there is nothing in them."""


def unproven(function: Function) -> Iterator[str]:
    """The uses of what may be absent there."""
    yield from _body(function.body, frozenset())


def _body(body: Body, known: Known) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, If):
            after = known
            for case in statement.cases:
                yield from _test(case.test, after)
                yield from _body(case.body, after | gained(case.test))
                after |= lost(case.test)
            yield from _body(statement.otherwise, after)
            if len(statement.cases) == 1 and ends(statement.cases[0].body):
                known = after
        elif isinstance(statement, IfNotEmpty):
            inner = known
            if statement.test is not None:
                yield from _test(statement.test, known)
                inner = known | gained(statement.test)
            yield from _piece(statement.piece, inner)
            yield from _body(statement.body, inner)
        elif isinstance(statement, ForEach):
            yield from _field(statement.values, known)
            yield from _body(statement.body, known)
        elif isinstance(statement, Let):
            # bound to what is absent where its holder is
            if isinstance(statement.value, Field) and not statement.value.if_holder:
                yield from _holder(statement.value, known)
        else:
            yield from _pieces(statement, known)


def ends(body: Body) -> bool:
    """Whether nothing comes after a body."""
    return bool(body) and type(body[-1]).__name__ == "Return"


def _pieces(statement: Statement, known: Known) -> Iterator[str]:
    for name in ("piece", "marker", "call"):
        piece = getattr(statement, name, None)
        if isinstance(piece, Piece):
            yield from _piece(piece, known)
    for piece in getattr(statement, "pieces", ()):
        yield from _piece(piece, known)


def _piece(piece: Piece, known: Known) -> Iterator[str]:
    if isinstance(piece, Conditional):
        for one in piece.alternatives:
            yield from _test(one.test, known)
            yield from _piece(one.piece, known | gained(one.test))
            known |= lost(one.test)
        yield from _piece(piece.otherwise, known)
    elif isinstance(piece, Call):
        yield from _call(piece, known)
    else:
        for inner in getattr(piece, "pieces", ()):
            yield from _piece(inner, known)


def _call(call: Call, known: Known) -> Iterator[str]:
    for takes, argument in zip(RUNTIME[call.function].takes, call.arguments, strict=False):
        if isinstance(argument, Computed):
            yield from _call(argument.call, known)
        elif isinstance(argument, Piece):
            yield from _piece(argument, known)
        elif isinstance(argument, Field) and takes.absent:
            if not argument.if_holder:
                yield from _holder(argument, known)
        elif isinstance(argument, Value):
            yield from _value(argument, known)


def _value(value: Value, known: Known) -> Iterator[str]:
    if isinstance(value, Field):
        yield from _field(value, known)
    elif isinstance(value, Option) and value.name not in known:
        yield f"the option {value.name} may be absent"


def _field(field: Field, known: Known) -> Iterator[str]:
    yield from _holder(field, known)
    kind = field.step.type.kind if field.step.type else None
    if field.step.optional and kind not in _NEVER_ABSENT and field not in known:
        yield f"{field.holder.name}.{field.step.name} may be absent"


def _holder(field: Field, known: Known) -> Iterator[str]:
    if field.holder.role is Role.LOCAL and field.holder not in known:
        yield f"{field.holder.name} may be absent where {field.step.name} is read"


def _test(test: Test, known: Known) -> Iterator[str]:
    if isinstance(test, AllOf):
        for one in test.tests:
            yield from _test(one, known)
            known |= gained(one)
    elif isinstance(test, AnyOf):
        for one in test.tests:
            yield from _test(one, known)
            known |= lost(one)
    elif isinstance(test, Negation):
        yield from _test(test.test, known)
    elif isinstance(test, Present):
        if isinstance(test.value, Field):
            yield from _holder(test.value, known)
    elif isinstance(test, (IsOneOf, StartsWith, HasJsonKind)):
        yield from _field(test.value, known)
    elif isinstance(test, Holds):
        yield from _call(test.call, known)


def gained(test: Test) -> Known:
    """What is known to be present where a test holds."""
    if isinstance(test, Present):
        return frozenset({test.value})
    if isinstance(test, OptionGiven):
        return frozenset({test.name})
    if isinstance(test, AllOf):
        return frozenset[object]().union(*map(gained, test.tests))
    if isinstance(test, AnyOf):
        return frozenset.intersection(*map(gained, test.tests))
    return lost(test.test) if isinstance(test, Negation) else frozenset()


def lost(test: Test) -> Known:
    """What is known to be present where a test does not hold."""
    if isinstance(test, Negation):
        return gained(test.test)
    if isinstance(test, AnyOf):
        return frozenset[object]().union(*map(lost, test.tests))
    if isinstance(test, AllOf):
        return frozenset.intersection(*map(lost, test.tests))
    return frozenset()
