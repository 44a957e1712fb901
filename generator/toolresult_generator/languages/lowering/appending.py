"""Functions that append: what holds the bulk of a result is copied once, at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolresult_generator.languages.lowering.builder import LAYOUT, LOSSES, Builder
from toolresult_generator.languages.lowering.expressions import (
    Call,
    Fixed,
    Piece,
    PieceVariable,
    Pointer,
    PointerPart,
    Test,
)
from toolresult_generator.languages.lowering.facts import (
    NOTHING,
    Known,
    appends,
    has_loss,
    implied,
    is_base64,
    is_certain,
    is_json,
    may_be_empty,
)
from toolresult_generator.languages.lowering.scope import Known as Holding
from toolresult_generator.languages.lowering.scope import all_of
from toolresult_generator.languages.lowering.statements import (
    AddToLayout,
    Append,
    Case,
    FinishList,
    ForEach,
    If,
    IfNotEmpty,
    Run,
    SetLossItem,
    StartList,
    Statement,
)
from toolresult_generator.model.target import (
    Branch,
    Choose,
    Const,
    FieldValue,
    FormCall,
    Item,
    JsonText,
    KindBranch,
    List,
    Member,
    Node,
    Object,
)
from toolresult_generator.model.target import Case as KindCase

BOUND = "value"
"""The name of a piece that is tested before it is written."""


class Appender(Builder):
    """Builds the body of a function that appends."""

    _pending: list[Piece]
    _text = ""
    _paths: Known = NOTHING
    _open_lists = 0

    def build(self, node: Node) -> None:
        """The whole function."""
        self._pending = []
        self._write(node, frozenset())
        self._flush()

    # ------------------------------------------------------------ pieces

    def _fixed(self, text: str) -> None:
        """Fixed text; joined with what is fixed before and after."""
        self._text += text

    def _piece(self, piece: Piece) -> None:
        self._settle()
        self._pending.append(piece)

    def _settle(self) -> None:
        if self._text:
            self._pending.append(Fixed(self._text))
            self._text = ""

    def _flush(self) -> None:
        """Writes what is pending as one statement."""
        self._settle()
        if self._pending:
            self.body.append(Append(tuple(self._pending)))
            self._pending = []

    # ------------------------------------------------------------- nodes

    def _write(self, node: Node, known: Holding) -> None:
        """A value that is there."""
        if isinstance(node, Const):
            self._fixed(node.json)
        elif isinstance(node, FieldValue) and is_base64(node):
            self._in_quotes(Call("plain", (self.scope.value(node.path),)))
        elif (
            isinstance(node, JsonText) and isinstance(node.node, FieldValue) and is_json(node.node)
        ):
            self._in_quotes(Call("escaped", (self.scope.value(node.node.path),)))
        elif isinstance(node, Object) and appends(node, self._paths):
            self._object(node, known)
        elif isinstance(node, List) and appends(node):
            self._list(node, known)
        elif isinstance(node, (Choose, KindCase)) and appends(node, self._paths):
            self._flush()
            self._branches(node, known)
        elif isinstance(node, FormCall) and appends(node.form.node):
            self._flush()
            function = self.functions.of_form(node.form, self.record)
            self.body.append(Run(self.call(function)))
        else:
            self._piece(self.piece(node, known))

    def _in_quotes(self, piece: Piece) -> None:
        self._fixed('"')
        self._piece(piece)
        self._fixed('"')

    def _branches(
        self,
        node: Choose | KindCase,
        known: Holding,
        before: str = "",
        tests: Sequence[Test] = (),
    ) -> None:
        """One of several values behind a text, where the tests hold; or nothing."""
        cases: list[Case] = []
        otherwise: tuple[Statement, ...] = ()
        branches: tuple[Branch | KindBranch, ...] = node.branches
        for position, branch in enumerate(branches):
            own, gained = self.branch(branch, position == len(branches) - 1, known)
            more, gained = self.present(branch.node, gained)
            kinds, paths = self.kinds, self._paths
            if isinstance(branch, KindBranch):
                self.kinds = (branch.kind,)
            else:
                self._paths = paths | implied(branch.when)
            with self.block() as body:
                self._fixed(before)
                self._write(branch.node, gained)
                self._flush()
            self.kinds, self._paths = kinds, paths
            test = all_of([*tests, *own, *more])
            if test is None:
                otherwise = tuple(body)
                break
            cases.append(Case(test, tuple(body)))
        self.body += [If(tuple(cases), otherwise)] if cases else otherwise

    # ----------------------------------------------------------- objects

    def _object(self, node: Object, known: Holding) -> None:
        for position, member in enumerate(node.members):
            key = json.dumps(member.key, ensure_ascii=False)
            self._member(f"{',' if position else '{'}{key}:", member, known)
        self._fixed("}")

    def _member(self, before: str, member: Member, known: Holding) -> None:
        node = member.node
        inner = node.form.node if isinstance(node, FormCall) else node
        tests, gained = self.tests(member, known)
        if isinstance(inner, Choose) and not is_certain(inner, self._paths) and before[0] == ",":
            self._flush()
            self._branches(inner, gained, before, tests)
            return
        if may_be_empty(node):
            self._flush()
            piece = self.piece(node, gained)
            body = Append((Fixed(before), PieceVariable(BOUND)))
            self.body.append(IfNotEmpty(all_of(tests), BOUND, piece, (body,)))
            return
        if tests:
            self._flush()
        with self.when(all_of(tests)):
            self._fixed(before)
            self._write(node, gained)
            if tests:
                self._flush()

    # ------------------------------------------------------------- lists

    def _list(self, node: List, known: Holding) -> None:
        first = node.items[0] if node.items else None
        fixed = first is not None and (
            first.when is None and first.each is None and not may_be_empty(first.node)
        )
        name = "first" if self._open_lists == 0 else f"first_{self._open_lists + 1}"
        if fixed:
            self._fixed("[")
        else:
            self._open_lists += 1
            self._flush()
            self.body.append(StartList(name))
        for position, item in enumerate(node.items):
            self._item("" if fixed and position == 0 else ",", item, node.layout, known)
        if not fixed:
            self._flush()
            with self.block() as body:
                if node.if_empty is not None:
                    self._item(",", node.if_empty, node.layout, known)
                    self._flush()
            self.body.append(FinishList(name, tuple(body)))
            self._open_lists -= 1
        self._fixed("]")

    def _item(self, comma: str, item: Item, layout: bool, known: Holding) -> None:
        tests, gained = self.condition(item.when, known)
        test = all_of(tests)
        if test is not None or item.each is not None:
            self._flush()
        with self.when(test):
            if item.each is not None:
                self._each(comma, item, layout, gained)
            else:
                self._entry(comma, item, layout, gained)
            if test is not None:
                self._flush()

    def _each(self, comma: str, item: Item, layout: bool, known: Holding) -> None:
        assert item.each is not None
        values = self.scope.value(item.each)
        losing = has_loss(item.node) or (item.marker is not None and has_loss(item.marker.node))
        with self.each(item.each) as variable, self.block() as inner:
            if losing:
                names = "".join(f"/{step.name}" for step in item.each.steps)
                pointer = Pointer((f"{names}/", PointerPart.INDEX))
                self.body.append(SetLossItem(LOSSES, pointer))
            self._entry(comma, item, layout, known)
            self._flush()
            body = self.scope.bound(inner)
        self.body.append(ForEach(variable, values, losing, body, self.kinds_of(item.each)))

    def _entry(self, comma: str, item: Item, layout: bool, known: Holding) -> None:
        self._fixed(comma)
        self._write(item.node, known)
        if not layout or item.role is None:
            return
        self._flush()
        marker = None
        if item.marker is not None:
            marker = self.call(self.functions.of_form(item.marker, self.record))
        self.body.append(AddToLayout(LAYOUT, item.role, marker))
