"""Functions that return a piece: what is small, or may come out empty."""

from __future__ import annotations

from toolresult_generator.languages.lowering.appending import BOUND
from toolresult_generator.languages.lowering.builder import LOSSES, Builder
from toolresult_generator.languages.lowering.expressions import (
    Alternative,
    Call,
    Computed,
    Conditional,
    Constant,
    Empty,
    Negation,
    Piece,
    PieceVariable,
    Pointer,
    PointerPart,
    Presence,
    Present,
    Role,
    Value,
    Variable,
)
from toolresult_generator.languages.lowering.facts import appends, may_be_empty
from toolresult_generator.languages.lowering.scope import Known, all_of
from toolresult_generator.languages.lowering.statements import (
    AddEntry,
    ForEach,
    IfNotEmpty,
    NewEntries,
    NewMembers,
    Return,
    SetMember,
    SpreadMembers,
)
from toolresult_generator.model.target import (
    Branch,
    Choose,
    Item,
    KindBranch,
    List,
    Member,
    Node,
    Object,
    Spread,
)
from toolresult_generator.model.target import Case as KindCase
from toolresult_generator.pointers import token

MEMBERS = Variable(Role.MEMBERS, "members")
ENTRIES = Variable(Role.ENTRIES, "entries")


class Returner(Builder):
    """Builds the body of a function that returns a piece, empty for nothing."""

    def build(self, node: Node) -> None:
        """The whole function."""
        self._give(node, frozenset())

    def _return(self, piece: Piece) -> None:
        self.body.append(Return(piece))

    def _give(self, node: Node, known: Known) -> None:
        if isinstance(node, Object):
            self._object(node, known)
        elif isinstance(node, List):
            self._list(node, known)
        elif isinstance(node, (Choose, KindCase)):
            self._branches(node, known)
        else:
            tests, gained = self.present(node, known)
            test = all_of(tests)
            with self.when(test):
                self._return(self.piece(node, gained))
            if test is not None:
                self._return(Empty())

    # ----------------------------------------------------------- objects

    def _object(self, node: Object, known: Known) -> None:
        self.body.append(NewMembers(MEMBERS))
        self._members(node.members, known)
        for spread in node.spreads:
            self._spread(spread)
        members: Value = MEMBERS
        if node.exact_key is not None:
            members = Computed(Call("exact", (MEMBERS, Constant(node.exact_key))))
        piece = Call("canonical_object" if node.canonical else "ordered_object", (members,))
        if not node.omit_empty:
            self._return(piece)
            return
        some = Present(MEMBERS, Presence.NOT_EMPTY)
        self._return(Conditional((Alternative(some, piece),), Empty()))

    def _members(self, members: tuple[Member, ...], known: Known) -> None:
        """The members in order; a run of them that shares its first test stands under that."""
        position = 0
        while position < len(members):
            tests, _ = self.tests(members[position], known)
            end = position + 1
            if tests:
                while end < len(members):
                    if self.tests(members[end], known)[0][:1] != tests[:1]:
                        break
                    end += 1
            if end - position == 1:
                self._member(members[position], known)
            else:
                run = members[position:end]
                with self.when(tests[0]):
                    self._members(run, known | {tests[0]})
            position = end

    def _member(self, member: Member, known: Known) -> None:
        tests, gained = self.tests(member, known)
        piece = self.piece(member.node, gained)
        if may_be_empty(member.node):
            body = SetMember(MEMBERS, member.key, PieceVariable(BOUND))
            self.body.append(IfNotEmpty(all_of(tests), BOUND, piece, (body,)))
        else:
            with self.when(all_of(tests)):
                self.body.append(SetMember(MEMBERS, member.key, piece))

    def _spread(self, spread: Spread) -> None:
        presence = self.scope.presence(spread.path)
        values: Value = self.scope.value(spread.path)
        if spread.member:
            values = Computed(Call("foreign_entries", (values, Constant(spread.member))))
        arguments: list[Value] = [MEMBERS, values]
        if not spread.copy:
            names = (*(step.name for step in spread.path.steps), *spread.member)
            where = "".join(f"/{token(name)}" for name in names)
            below = (PointerPart.ITEM,) if spread.path.root == "item" else ()
            arguments += [Constant(spread.reserved), LOSSES, Pointer((*below, where))]
        elif spread.reserved:
            arguments.append(Constant(spread.reserved))
        with self.when(all_of(presence)):
            self.body.append(SpreadMembers(Call("spread", tuple(arguments))))

    # ------------------------------------------------------------- lists

    def _list(self, node: List, known: Known) -> None:
        self.body.append(NewEntries(ENTRIES))
        for item in node.items:
            tests, gained = self.condition(item.when, known)
            with self.when(all_of(tests)):
                self._item(item, gained)
        self._return(Call("array", (ENTRIES,)))

    def _item(self, item: Item, known: Known) -> None:
        if item.each is None:
            self._entry(item.node, known)
            return
        values = self.scope.value(item.each)
        with self.each(item.each) as variable, self.block() as inner:
            self._entry(item.node, known)
            body = self.scope.bound(inner)
        self.body.append(ForEach(variable, values, False, body, self.kinds_of(item.each)))

    def _entry(self, node: Node, known: Known) -> None:
        tests, gained = self.present(node, known)
        piece = self.piece(node, gained)
        if may_be_empty(node):
            body = AddEntry(ENTRIES, PieceVariable(BOUND))
            self.body.append(IfNotEmpty(all_of(tests), BOUND, piece, (body,)))
        else:
            with self.when(all_of(tests)):
                self.body.append(AddEntry(ENTRIES, piece))

    # ---------------------------------------------------------- branches

    def _branches(self, node: Choose | KindCase, known: Known) -> None:
        if isinstance(node, Choose) and len(node.branches) == 1:
            self._guarded(node.branches[0], known)
            return
        branches: tuple[Branch | KindBranch, ...] = node.branches
        for position, branch in enumerate(branches):
            tests, gained = self.branch(branch, position == len(branches) - 1, known)
            kinds = self.kinds
            if isinstance(branch, KindBranch):
                self.kinds = (branch.kind,)
            more, gained = self.present(branch.node, gained)
            test = all_of(tests + more)
            with self.when(test):
                self._branch(branch.node, gained)
            self.kinds = kinds
            if test is None:
                return
        self._return(Empty())

    def _branch(self, node: Node, known: Known) -> None:
        if isinstance(node, (Choose, KindCase)) and not appends(node):
            self._branches(node, known)
        else:
            self._return(self.piece(node, known))

    def _guarded(self, branch: Branch, known: Known) -> None:
        """A form that says something under one condition: the others leave first."""
        tests, gained = self.condition(branch.when, known)
        test = all_of(tests)
        if test is not None:
            with self.when(Negation(test)):
                self._return(Empty())
        self._give(branch.node, gained)
