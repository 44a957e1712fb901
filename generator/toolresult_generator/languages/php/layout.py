"""Expressions of PHP in lines of at most 120 columns, broken as PSR-12 has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from toolresult_generator.languages.php.text import WIDTH, literals

_STRING = 80
"""Characters of a string from which it is written in several."""


@dataclass(frozen=True)
class Group:
    """Items between an opening and a closing, each on its own line where they do not fit in one."""

    opening: str
    items: tuple[Expression, ...]
    closing: str


@dataclass(frozen=True)
class Chain:
    """Operands with an operator before each but the first."""

    operator: str
    operands: tuple[Expression, ...]


Expression: TypeAlias = "str | Group | Chain | Prefixed | Choice"


@dataclass(frozen=True)
class Prefixed:
    """An expression with text before it: a key and its arrow, or a negation."""

    before: str
    inner: Expression


@dataclass(frozen=True)
class Choice:
    """One value where a test holds, else another."""

    test: Expression
    yes: Expression
    no: Expression


def in_brackets(expression: Expression) -> Group:
    """The expression as an operand of a larger one."""
    return Group("(", (expression,), ")")


def call(name: str, arguments: Iterable[Expression]) -> Group:
    """A call of a function."""
    return Group(f"{name}(", tuple(arguments), ")")


def array(items: Iterable[Expression]) -> Group:
    """A list, or a map whose items are :class:`Prefixed` with their keys."""
    return Group("[", tuple(items), "]")


def string(text: str) -> Expression:
    """A string, joined from several where it is long."""
    pieces = literals(text, _STRING)
    return pieces[0] if len(pieces) == 1 else Chain(".", tuple(pieces))


def join(operands: Iterable[Expression]) -> Expression:
    """Strings one after the other."""
    flat: list[Expression] = []
    for one in operands:
        flat += one.operands if isinstance(one, Chain) and one.operator == "." else (one,)
    return flat[0] if len(flat) == 1 else Chain(".", tuple(flat))


def flat(expression: Expression) -> str:
    """The expression in one line."""
    if isinstance(expression, str):
        return expression
    if isinstance(expression, Group):
        return expression.opening + ", ".join(map(flat, expression.items)) + expression.closing
    if isinstance(expression, Prefixed):
        return expression.before + flat(expression.inner)
    if isinstance(expression, Choice):
        return f"{flat(expression.test)} ? {flat(expression.yes)} : {flat(expression.no)}"
    return f" {expression.operator} ".join(map(flat, expression.operands))


def lines(expression: Expression, depth: int, before: str = "", after: str = "") -> list[str]:
    """The lines of an expression at a depth of indentation, with text before and after it."""
    margin = "    " * depth
    whole = f"{margin}{before}{flat(expression)}{after}"
    if len(whole) <= WIDTH or isinstance(expression, str):
        return [whole]
    if isinstance(expression, Prefixed):
        return lines(expression.inner, depth, before + expression.before, after)
    if isinstance(expression, Group):
        if not expression.items:
            return [whole]
        found = [f"{margin}{before}{expression.opening}"]
        comma = "" if expression.opening == "(" else ","
        for item in expression.items:
            found += lines(item, depth + 1, "", comma)
        return [*found, f"{margin}{expression.closing}{after}"]
    if isinstance(expression, Choice):
        return [
            *lines(expression.test, depth, before),
            *lines(expression.yes, depth + 1, "? "),
            *lines(expression.no, depth + 1, ": ", after),
        ]
    first, *rest = expression.operands
    found = lines(first, depth, before)
    for number, one in enumerate(rest, 1):
        found += lines(
            one, depth + 1, f"{expression.operator} ", after if number == len(rest) else ""
        )
    return found


def condition(expression: Expression, depth: int, word: str) -> list[str]:
    """``if (…) {`` or the like, in one line or with each operand on its own."""
    margin = "    " * depth
    whole = f"{margin}{word} ({flat(expression)}) {{"
    if len(whole) <= WIDTH:
        return [whole]
    found = [f"{margin}{word} ("]
    if isinstance(expression, Chain):
        first, *rest = expression.operands
        found += lines(first, depth + 1)
        for one in rest:
            found += lines(one, depth + 1, f"{expression.operator} ")
    else:
        found += lines(expression, depth + 1)
    return [*found, f"{margin}) {{"]
