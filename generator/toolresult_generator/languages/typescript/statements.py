"""Lowered functions as TypeScript, laid out as prettier does."""

from __future__ import annotations

from collections.abc import Mapping

from toolresult_generator.languages.lowering.expressions import (
    Fixed,
    IsKind,
    PieceVariable,
    Role,
    Variable,
)
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
from toolresult_generator.languages.lowering.walk import variables
from toolresult_generator.languages.typescript.expressions import Expressions, is_hugged
from toolresult_generator.languages.typescript.layout import (
    LINE,
    Doc,
    Group,
    assignment,
    call,
    condition,
    join,
    lay_out,
    listed,
)
from toolresult_generator.languages.typescript.names import camel, pascal
from toolresult_generator.languages.typescript.text import comment, literal
from toolresult_generator.languages.typescript.types import ValueTypes

_PREFIXES = ("write", "make", "note")
"""How functions start that append, that return a piece, and that note losses."""


def function_names(functions: tuple[Function, ...]) -> Mapping[str, str]:
    """The spelling of each function: never that of a local, which is named after a field."""
    spelt: dict[str, str] = {}
    for one in functions:
        prefix = _PREFIXES[0 if one.appends else 1 if one.returns else 2]
        name, number = prefix + pascal(one.name), 2
        while name in spelt.values():
            name, number = f"{prefix}{pascal(one.name)}_{number}", number + 1
        spelt[one.name] = name
    return spelt


class Functions:
    """Prints the functions of one module."""

    def __init__(self, names: Mapping[str, str], types: ValueTypes, hooks: str) -> None:
        self.expressions = Expressions(names)
        self.values: set[str] = set()
        """Names of the value classes that are used."""
        self._names = names
        self._types = types
        self._hooks = hooks
        self._lines: list[str] = []
        self._kinds: dict[str, tuple[str, ...]] = {}
        """The kinds that each item in sight can be."""
        self._bound = 0
        self._returns = False

    def function(self, one: Function) -> list[str]:
        """The lines of a function."""
        self._lines = comment(self._meaning(one))
        self._kinds, self._bound, self._returns = {}, 0, one.returns
        parameters: list[Doc] = [self._parameter(parameter) for parameter in one.parameters]
        head: Doc = (
            f"function {self._names[one.name]}",
            Group(
                (
                    listed("(", parameters, ")"),
                    f": {'string' if one.returns else 'void'} {{",
                )
            ),
        )
        self._put(head, 0)
        self._body(one.body, 1)
        self._lines.append("}")
        return self._lines

    def _meaning(self, one: Function) -> str:
        if one.meaning:
            return one.meaning if one.meaning[-1] in ".!?" else f"{one.meaning}."
        return f"What {self._names.get(one.part_of or '', 'the caller')} takes from here."

    def _parameter(self, one: Parameter) -> Doc:
        name = self.expressions.variable(one.variable)
        if one.item is not None:
            return self._item(name, one.item)
        types = {
            Role.OUT: "string[]",
            Role.RESULT: "Result",
            Role.OPTIONS: "Options",
            Role.LAYOUT: "Layout",
            Role.LOSSES: "Losses",
            Role.HOOKS: self._hooks,
        }
        kind = types[one.variable.role]
        if kind == "Result":
            self.values.add(kind)
        elif kind in ("Options", "Layout", "Losses"):
            self.expressions.use(kind)
        return f"{name}: {kind}"

    def _item(self, name: str, item: ItemType) -> Doc:
        self._kinds[name] = item.kinds
        if item.record is not None or item.every_kind:
            kind = self._types.record(item.record) if item.record is not None else "Part"
            self.values.add(kind)
            return f"{name}: {kind}"
        kinds = [self._types.kind(kind) for kind in item.kinds]
        self.values.update(kinds)
        if len(kinds) == 1:
            return f"{name}: {kinds[0]}"
        return (f"{name}: ", Group(join((LINE, "| "), kinds)))

    # -------------------------------------------------------- statements

    def _put(self, doc: Doc, depth: int) -> None:
        self._lines += lay_out(doc, depth)

    def _body(self, body: Body, depth: int) -> None:
        for one in body:
            self._statement(one, depth)

    def _statement(self, one: Statement, depth: int) -> None:
        e = self.expressions
        if isinstance(one, Let):
            self._put(assignment(f"const {e.variable(one.local)}", e.value(one.value)), depth)
        elif isinstance(one, Append):
            self._put((call("out.push", [e.piece(p) for p in one.pieces]), ";"), depth)
        elif isinstance(one, Run):
            self._put((e.invoke(one.invoke), ";"), depth)
        elif isinstance(one, If):
            self._if(one, depth)
        elif isinstance(one, IfNotEmpty):
            self._if_not_empty(one, depth)
        elif isinstance(one, ForEach):
            self._for_each(one, depth)
        elif isinstance(one, StartList):
            self._put(f"const {camel(one.name)} = out.length;", depth)
        elif isinstance(one, FinishList):
            self._finish_list(one, depth)
        elif isinstance(one, Return):
            self._put(("return ", e.piece(one.piece), ";"), depth)
        else:
            self._put((self._call(one), ";"), depth)

    def _call(self, one: Statement) -> Doc:
        e = self.expressions
        if isinstance(one, NewMembers):
            return f"const {e.variable(one.members)} = new Map<string, string>()"
        if isinstance(one, SetMember):
            members = e.variable(one.members)
            return call(f"{members}.set", [literal(one.key), e.piece(one.piece)])
        if isinstance(one, SpreadMembers):
            return e.call(one.call)
        if isinstance(one, NewEntries):
            return f"const {e.variable(one.entries)}: string[] = []"
        if isinstance(one, AddEntry):
            return call(f"{e.variable(one.entries)}.push", [e.piece(one.piece)])
        if isinstance(one, AddToLayout):
            marker = [] if one.marker is None else [e.piece(one.marker)]
            return call(f"{e.variable(one.layout)}.add", [literal(one.role), *marker])
        if isinstance(one, SetLossItem):
            return f"{e.variable(one.losses)}.item = {e.pointer(one.pointer)}"
        assert isinstance(one, AddLoss)
        given = [e.pointer(one.pointer), literal(one.status), literal(one.reason)]
        return call(f"{e.variable(one.losses)}.add", given)

    def _if(self, one: If, depth: int) -> None:
        items = {case.test.item for case in one.cases if isinstance(case.test, IsKind)}
        every = all(isinstance(case.test, IsKind) for case in one.cases)
        if every and len(items) == 1 and (len(one.cases) > 1 or one.otherwise):
            self._switch(one, next(iter(items)), depth)
            return
        opening = "if "
        for case in one.cases:
            test = self.expressions.test(case.test)
            test = condition(test, negated=is_hugged(case.test))
            self._put((opening, test, " {"), depth)
            self._body(case.body, depth + 1)
            opening = "} else if "
        if one.otherwise:
            self._put("} else {", depth)
            self._body(one.otherwise, depth + 1)
        self._put("}", depth)

    def _switch(self, one: If, item: Variable, depth: int) -> None:
        """By kind, with every kind that there is: a new one does not compile until it is here."""
        name = self.expressions.variable(item)
        left = list(self._kinds.get(name, ()))
        known = bool(left)
        self._put(f"switch ({name}.kind) {{", depth)
        for case in one.cases:
            assert isinstance(case.test, IsKind)
            if case.test.kind in left:
                left.remove(case.test.kind)
            self._case([f"case {literal(case.test.kind)}:"], case.body, depth + 1)
        if known:
            if left:
                self._case([f"case {literal(kind)}:" for kind in left], one.otherwise, depth + 1)
            self._put("default:", depth + 1)
            unreachable = f"{self.expressions.use('unreachable')}({name});"
            self._put(f"return {unreachable}" if self._returns else unreachable, depth + 2)
        elif one.otherwise:
            self._case(["default:"], one.otherwise, depth + 1)
        self._put("}", depth)

    def _case(self, labels: list[str], body: Body, depth: int) -> None:
        start = len(self._lines)
        self._body(body, depth + 1)
        inner = self._lines[start:]
        del self._lines[start:]
        binds = any(line.startswith("  " * (depth + 1) + "const ") for line in inner)
        leaves = bool(body) and isinstance(body[-1], Return)
        for label in labels[:-1]:
            self._put(label, depth)
        self._put(labels[-1] + (" {" if binds else ""), depth)
        self._lines += inner
        if not leaves:
            self._put("break;", depth + 1)
        if binds:
            self._put("}", depth)

    def _if_not_empty(self, one: IfNotEmpty, depth: int) -> None:
        e = self.expressions
        piece = e.piece(one.piece)
        if one.test is not None:
            piece = Group(e.conditional(one.test, piece, '""'))
        bound = PieceVariable(one.name)
        body = one.body
        if len(body) == 1 and isinstance(body[0], SetMember) and body[0].piece == bound:
            given = [e.variable(body[0].members), literal(body[0].key), piece]
            self._put((call(e.use("setUnlessEmpty"), given), ";"), depth)
            return
        if len(body) == 1 and isinstance(body[0], Append) and len(body[0].pieces) == 2:
            first, second = body[0].pieces
            if isinstance(first, Fixed) and second == bound:
                given = ["out", literal(first.text), piece]
                self._put((call(e.use("pushUnlessEmpty"), given), ";"), depth)
                return
        self._bound += 1
        name = camel(one.name) + (str(self._bound) if self._bound > 1 else "")
        if one.test is not None:
            self._put(assignment(f"const {name}", piece), depth)
        else:
            self._put((f"const {name} = ", piece, ";"), depth)
        outer = e.pieces.get(one.name)
        e.pieces[one.name] = name
        self._put(f'if ({name} !== "") {{', depth)
        self._body(body, depth + 1)
        self._put("}", depth)
        if outer is None:
            del e.pieces[one.name]
        else:
            e.pieces[one.name] = outer

    def _for_each(self, one: ForEach, depth: int) -> None:
        item, values = self.expressions.variable(one.item), self.expressions.field(one.values)
        self._kinds[item] = one.kinds
        if one.item not in variables(one.body):
            item = f"_{item}"  # what is not used starts with an underscore
        what = f"[index, {item}] of {values}.entries()" if one.with_index else f"{item} of {values}"
        self._put(f"for (const {what}) {{", depth)
        self._body(one.body, depth + 1)
        self._put("}", depth)

    def _finish_list(self, one: FinishList, depth: int) -> None:
        name = camel(one.name)
        opening = f"{self.expressions.use('openList')}(out, {name});"
        self._put(f"if (out.length === {name}) {{", depth)
        if one.if_empty:
            self._body(one.if_empty, depth + 1)
            self._put("}", depth)
            self._put(opening, depth)
            return
        self._put('out.push("[");', depth + 1)
        self._put("} else {", depth)
        self._put(opening, depth + 1)
        self._put("}", depth)
