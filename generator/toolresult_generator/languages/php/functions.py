"""Lowered functions as static methods of PHP."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.expressions import Call, Piece, Role
from toolresult_generator.languages.lowering.modules import Function, ItemType, Parameter
from toolresult_generator.languages.lowering.statements import (
    AddEntry,
    AddLoss,
    AddToLayout,
    Append,
    Body,
    FinishList,
    ForEach,
    If,
    IfNotEmpty,
    Let,
    NewEntries,
    NewMembers,
    Return,
    Run,
    SetLossItem,
    SetMember,
    SpreadMembers,
    StartList,
    Statement,
)
from toolresult_generator.languages.php.expressions import BULK, Expressions, pointer
from toolresult_generator.languages.php.layout import (
    Expression,
    call,
    condition,
    join,
    lines,
    string,
)
from toolresult_generator.languages.php.names import LANGUAGE, camel
from toolresult_generator.languages.php.text import WIDTH, doc, literal

_CLASSES: Final = {
    Role.OPTIONS: "Runtime\\Options",
    Role.LAYOUT: "Runtime\\Layout",
    Role.LOSSES: "Runtime\\Losses",
    Role.RESULT: "Core\\Result",
}


def method_names(names: Iterable[str]) -> dict[str, str]:
    """The method of each function. PHP does not tell cases apart in them."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        spelt = camel(name)
        while spelt.lower() in taken:
            spelt += "_"
        taken.add(spelt.lower())
        found[name] = spelt
    return found


class Functions:
    """Writes the functions of a module."""

    def __init__(self, methods: dict[str, str], hooks: str) -> None:
        self._methods = methods
        self._hooks = hooks
        self._words = Expressions({name: f"self::{method}" for name, method in methods.items()})
        self._lines: list[str] = []
        self._depth = 2

    def function(self, function: Function) -> list[str]:
        """The lines of a function, as a method of a class."""
        self._lines = []
        meaning = function.meaning
        if function.part_of is not None:
            meaning = f"What {self._methods[function.part_of]} takes from here."
        takes = [
            f"{self._type(one)}{self._words.variable(one.variable)}" for one in function.parameters
        ]
        head = f"    public static function {self._methods[function.name]}("
        tail = f"): {'string' if function.returns else 'void'}"
        self._body(function.body)
        one_line = f"{head}{', '.join(takes)}{tail}"
        if len(one_line) <= WIDTH:
            opening = [one_line, "    {"]
        else:
            opening = [head, *(f"        {one}," for one in takes), f"    {tail} {{"]
        return [*doc(meaning, indent=1), *opening, *self._lines, "    }"]

    def _type(self, parameter: Parameter) -> str:
        role = parameter.variable.role
        if role is Role.OUT:
            return "string &"
        if role is Role.HOOKS:
            return f"{self._hooks} "
        if role is Role.ITEM:
            assert parameter.item is not None
            return f"{_item_type(parameter.item)} "
        return f"{_CLASSES[role]} "

    # -------------------------------------------------------- statements

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _write(self, expression: Expression, before: str = "") -> None:
        self._lines += lines(expression, self._depth, before, ";")

    def _body(self, body: Body) -> None:
        for statement in body:
            self._statement(statement)

    def _block(self, body: Body) -> None:
        self._depth += 1
        self._body(body)
        self._depth -= 1

    def _statement(self, statement: Statement) -> None:
        words = self._words
        if isinstance(statement, If):
            self._if(statement)
        elif isinstance(statement, IfNotEmpty):
            self._if_not_empty(statement)
        elif isinstance(statement, ForEach):
            index = "$index => " if statement.with_index else ""
            values = words.field(statement.values)
            self._line(f"foreach ({values} as {index}{words.variable(statement.item)}) {{")
            self._block(statement.body)
            self._line("}")
        elif isinstance(statement, StartList):
            self._line(f"${camel(statement.name)} = \\strlen($out);")
        elif isinstance(statement, FinishList):
            self._finish_list(statement)
        elif isinstance(statement, Append):
            self._append(statement.pieces)
        else:
            self._simple(statement)

    def _simple(self, statement: Statement) -> None:
        words = self._words
        if isinstance(statement, Let):
            self._write(words.value(statement.value), f"{words.variable(statement.local)} = ")
        elif isinstance(statement, Run):
            self._write(words.invoke(statement.invoke))
        elif isinstance(statement, NewMembers):
            self._line(f"{words.variable(statement.members)} = [];")
        elif isinstance(statement, SetMember):
            key = f"{words.variable(statement.members)}[{literal(statement.key)}]"
            self._write(words.piece(statement.piece), f"{key} = ")
        elif isinstance(statement, SpreadMembers):
            self._write(words.call(statement.call))
        elif isinstance(statement, NewEntries):
            self._line(f"{words.variable(statement.entries)} = [];")
        elif isinstance(statement, AddEntry):
            self._write(words.piece(statement.piece), f"{words.variable(statement.entries)}[] = ")
        elif isinstance(statement, AddToLayout):
            marker = [] if statement.marker is None else [words.piece(statement.marker)]
            layout = words.variable(statement.layout)
            self._write(call(f"{layout}->add", (literal(statement.role), *marker)))
        elif isinstance(statement, SetLossItem):
            losses = words.variable(statement.losses)
            self._write(pointer(statement.pointer), f"{losses}->item = ")
        elif isinstance(statement, AddLoss):
            given = (
                pointer(statement.pointer),
                literal(statement.status),
                string(statement.reason),
            )
            self._write(call(f"{words.variable(statement.losses)}->add", given))
        else:
            assert isinstance(statement, Return), statement
            self._write(words.piece(statement.piece), "return ")

    def _append(self, pieces: tuple[Piece, ...]) -> None:
        small: list[Expression] = []
        for one in pieces:
            if not (isinstance(one, Call) and one.function in BULK):
                small.append(self._words.operand(one))
                continue
            if small:
                self._write(join(small), "$out .= ")
                small = []
            self._write(self._words.piece(one), "$out .= ")
        if small:
            self._write(join(small), "$out .= ")

    def _if(self, statement: If) -> None:
        word = "if"
        for case in statement.cases:
            self._lines += condition(self._words.test(case.test), self._depth, word)
            self._block(case.body)
            word = "} elseif"
        if statement.otherwise:
            self._line("} else {")
            self._block(statement.otherwise)
        self._line("}")

    def _if_not_empty(self, statement: IfNotEmpty) -> None:
        if statement.test is not None:
            self._lines += condition(self._words.test(statement.test), self._depth, "if")
            self._depth += 1
        name = f"${camel(statement.name)}"
        self._write(self._words.piece(statement.piece), f"{name} = ")
        self._line(f"if ({name} !== '') {{")
        self._block(statement.body)
        self._line("}")
        if statement.test is not None:
            self._depth -= 1
            self._line("}")

    def _finish_list(self, statement: FinishList) -> None:
        first = f"${camel(statement.name)}"
        self._line(f"if (\\strlen($out) === {first}) {{")
        if statement.if_empty:
            self._block(statement.if_empty)
            self._line("}")
            self._line(f"$out[{first}] = '[';")
            return
        self._line("    $out .= '[';")
        self._line("} else {")
        self._line(f"    $out[{first}] = '[';")
        self._line("}")


def _item_type(item: ItemType) -> str:
    if item.record is not None:
        return f"Core\\{LANGUAGE.convert(item.record, NameUse.RECORD)}"
    if item.every_kind:
        return "Core\\Part"
    return "|".join(f"Core\\{LANGUAGE.convert(kind, NameUse.KIND)}" for kind in item.kinds)
