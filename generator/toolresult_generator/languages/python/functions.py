"""Lowered functions as Python text."""

from __future__ import annotations

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.expressions import Conditional, Piece, Role
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
from toolresult_generator.languages.python.code import Code
from toolresult_generator.languages.python.expressions import Expressions, function_name, pointer
from toolresult_generator.languages.python.names import LANGUAGE
from toolresult_generator.languages.python.values import docstring

_CLASSES = {Role.OPTIONS: "Options", Role.LAYOUT: "Layout", Role.LOSSES: "Losses"}


class Functions(Expressions):
    """Writes functions, and notes what has to be imported for them."""

    def __init__(self, hooks_class: str) -> None:
        super().__init__()
        self.hooks_class = hooks_class
        self.code = Code()

    def function(self, function: Function) -> list[str]:
        """The lines of a function."""
        self.code = Code()
        name = function_name(function.name)
        meaning = function.meaning
        if function.part_of is not None:
            meaning = f"What `{function_name(function.part_of)}` takes from here."
        takes = ", ".join(
            f"{self.variable(one.variable)}: {self._type(one)}" for one in function.parameters
        )
        with self.code.block(f"def {name}({takes}) -> {'bytes' if function.returns else 'None'}:"):
            self.code.line(docstring(meaning))
            self.body(function.body)
        return self.code.lines

    def _type(self, parameter: Parameter) -> str:
        role = parameter.variable.role
        if role is Role.OUT:
            return "list[bytes]"
        if role is Role.HOOKS:
            return self.hooks_class
        if role is Role.RESULT:
            self.values.add("Result")
            return "Result"
        if role is Role.ITEM:
            assert parameter.item is not None
            return self._item_type(parameter.item)
        return self.use(_CLASSES[role])

    def _item_type(self, item: ItemType) -> str:
        if item.record is not None:
            name = LANGUAGE.convert(item.record, NameUse.RECORD)
        elif item.every_kind:
            name = "Part"
        else:
            return " | ".join(map(self.kind_class, item.kinds))
        self.values.add(name)
        return name

    # -------------------------------------------------------- statements

    def body(self, body: Body) -> None:
        """The statements, at the current depth."""
        for statement in body:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """One statement, with what stands in it."""
        if isinstance(statement, If):
            self._if(statement)
        elif isinstance(statement, IfNotEmpty):
            self._if_not_empty(statement)
        elif isinstance(statement, ForEach):
            self._for_each(statement)
        elif isinstance(statement, FinishList):
            self._finish_list(statement)
        else:
            self.code.line(self._line(statement))

    def _line(self, statement: Statement) -> str:
        if isinstance(statement, Append):
            return self._append(statement.pieces)
        if isinstance(statement, Let):
            return f"{self.variable(statement.local)} = {self.value(statement.value)}"
        if isinstance(statement, Run):
            return self.invoke(statement.invoke)
        if isinstance(statement, StartList):
            return f"{statement.name} = len(out)"
        if isinstance(statement, NewMembers):
            return f"{self.variable(statement.members)}: dict[str, bytes] = {{}}"
        if isinstance(statement, SetMember):
            members = self.variable(statement.members)
            return f"{members}[{statement.key!r}] = {self.piece(statement.piece)}"
        if isinstance(statement, SpreadMembers):
            return self.call(statement.call)
        if isinstance(statement, NewEntries):
            return f"{self.variable(statement.entries)}: list[bytes] = []"
        if isinstance(statement, AddEntry):
            entries = self.variable(statement.entries)
            return f"{entries}.append({self.piece(statement.piece)})"
        if isinstance(statement, AddToLayout):
            marker = "" if statement.marker is None else f", {self.piece(statement.marker)}"
            return f"{self.variable(statement.layout)}.add({statement.role!r}{marker})"
        if isinstance(statement, SetLossItem):
            return f"{self.variable(statement.losses)}.item = {pointer(statement.pointer)}"
        if isinstance(statement, AddLoss):
            where = pointer(statement.pointer)
            losses = self.variable(statement.losses)
            return f"{losses}.add({where}, {statement.status!r}, {statement.reason!r})"
        assert isinstance(statement, Return), statement
        return f"return {self.piece(statement.piece)}"

    def _append(self, pieces: tuple[Piece, ...]) -> str:
        texts = [
            f"({self.piece(one)})" if isinstance(one, Conditional) else self.piece(one)
            for one in pieces
        ]
        return f"out.append({texts[0]})" if len(texts) == 1 else f"out += ({', '.join(texts)})"

    def _if(self, statement: If) -> None:
        word = "if"
        for case in statement.cases:
            with self.code.block(f"{word} {self.test(case.test)}:"):
                self.body(case.body)
            word = "elif"
        if statement.otherwise:
            with self.code.block("else:"):
                self.body(statement.otherwise)

    def _if_not_empty(self, statement: IfNotEmpty) -> None:
        bound = f"{statement.name} := {self.piece(statement.piece)}"
        if statement.test is not None:
            bound = f"{self._factor(statement.test)} and ({bound})"
        with self.code.block(f"if {bound}:"):
            self.body(statement.body)

    def _for_each(self, statement: ForEach) -> None:
        item, values = self.variable(statement.item), self.field(statement.values)
        head = f"for {item} in {values}:"
        if statement.with_index:
            head = f"for index, {item} in enumerate({values}):"
        with self.code.block(head):
            self.body(statement.body)

    def _finish_list(self, statement: FinishList) -> None:
        open_list = f"{self.use('open_list')}(out, {statement.name})"
        with self.code.block(f"if len(out) == {statement.name}:"):
            self.body(statement.if_empty)
            if not statement.if_empty:
                self.code.line('out.append(b"[")')
        if statement.if_empty:
            self.code.line(open_list)
        else:
            with self.code.block("else:"):
                self.code.line(open_list)
