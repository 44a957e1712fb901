"""What both ways of writing a function share: its body, its tests, and nodes as pieces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolresult_generator.languages.lowering.expressions import (
    Alternative,
    Call,
    Computed,
    Conditional,
    Constant,
    Empty,
    Fixed,
    HookCall,
    Invoke,
    IsKind,
    Joined,
    Option,
    Piece,
    Role,
    Test,
    Value,
    Variable,
    Written,
)
from toolresult_generator.languages.lowering.facts import is_conditional, is_json
from toolresult_generator.languages.lowering.scope import RESULT, Known, Scope, all_of
from toolresult_generator.languages.lowering.statements import Case, If, Statement
from toolresult_generator.model.result import FieldKind, FieldType
from toolresult_generator.model.target import (
    Branch,
    Choose,
    Condition,
    Const,
    Convert,
    FieldValue,
    ForeignMember,
    ForeignRest,
    FormCall,
    Hook,
    JsonText,
    Keys,
    KindBranch,
    Markers,
    Member,
    Node,
    OptionSet,
    OptionValue,
    Path,
    Roles,
)

if TYPE_CHECKING:
    from toolresult_generator.languages.lowering.modules import Function
    from toolresult_generator.languages.lowering.shared import Functions

LAYOUT = Variable(Role.LAYOUT, "layout")
LOSSES = Variable(Role.LOSSES, "losses")
OUT = Variable(Role.OUT, "out")
OPTIONS = Variable(Role.OPTIONS, "options")
_HOOKS = Variable(Role.HOOKS, "hooks")

_ENCODERS = {
    FieldKind.JSON: "canonical",
    FieldKind.JSON_OBJECT: "canonical",
    FieldKind.COUNT: "number",
    FieldKind.NUMBER: "number",
    FieldKind.BOOLEAN: "boolean",
    FieldKind.CHOICES: "strings",
    FieldKind.JSON_MAP: "json_map",
    FieldKind.BASE64: "plain_string",
}
"""The runtime's function for the types that are not written as a quoted text."""


def encoder(type_: FieldType | None) -> str:
    """The runtime's function that writes a value of a field's type as JSON."""
    return "quote" if type_ is None else _ENCODERS.get(type_.kind, "quote")


class Builder:
    """Builds the body of one function."""

    def __init__(
        self, functions: Functions, name: str, kinds: tuple[str, ...], record: str | None
    ) -> None:
        self.functions = functions
        self.name = name
        self.kinds = kinds
        """The kinds that the item can be here; none for a record."""
        self.record = record
        """What record the item is here, if it is one."""
        self.scope = Scope()
        self.body: list[Statement] = []

    # -------------------------------------------------------- statements

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """What is added inside goes to the list that this gives, not to the body."""
        outer, self.body = self.body, []
        yield self.body
        self.body = outer

    @contextmanager
    def when(self, test: Test | None) -> Iterator[None]:
        """What is added inside stands under the test, if there is one."""
        if test is None:
            yield
            return
        with self.block() as body:
            yield
        self.body.append(If((Case(test, tuple(body)),)))

    @contextmanager
    def each(self, path: Path) -> Iterator[Variable]:
        """A loop over the entries of a list; gives its variable."""
        outer = self.kinds, self.record
        self.kinds = self.kinds_of(path)
        self.record = path.leaf.type.record if path.leaf.type is not None else None
        with self.scope.loop(path) as item:
            yield item
        self.kinds, self.record = outer

    def kinds_of(self, each: Path) -> tuple[str, ...]:
        """The kinds that an entry of a list can be; none for a record."""
        kind = each.leaf.type.kind if each.leaf.type else None
        return self.functions.kinds if kind is FieldKind.PARTS else ()

    # ------------------------------------------------------------- tests

    def condition(self, when: Condition | None, known: Known) -> tuple[list[Test], Known]:
        """The test of a condition, none if it is known to hold, and what is known then."""
        if when is None:
            return [], known
        test, gained = self.scope.test(when, known)
        return ([] if test is None else [test]), gained

    def tests(self, member: Member, known: Known) -> tuple[list[Test], Known]:
        """What must hold for a member to be written, beyond what is known."""
        tests, gained = self.present(member.node, known)
        more, gained = self.condition(member.when, gained)
        return tests + [test for test in more if test not in tests], gained

    def present(self, node: Node, known: Known) -> tuple[list[Test], Known]:
        """What must hold for a value to be there, beyond what is known."""
        if isinstance(node, OptionValue):
            test, gained = self.scope.test(OptionSet(node.option), known)
            return ([] if test is None or test in known else [test]), gained
        if not isinstance(node, FieldValue):
            return [], known
        tests = [test for test in self.scope.presence(node.path) if test not in known]
        return tests, known | set(tests)

    def branch(
        self, branch: Branch | KindBranch, last: bool, known: Known
    ) -> tuple[list[Test], Known]:
        """What must hold for a branch to be taken where none before it was."""
        if isinstance(branch, Branch):
            return self.condition(branch.when, known)
        return ([] if last else [IsKind(self.scope.item, branch.kind)]), known

    # ------------------------------------------------------------ pieces

    def piece(self, node: Node, known: Known) -> Piece:
        """The JSON of a node, as one expression."""
        scope = self.scope
        if isinstance(node, Const):
            return Fixed(node.json)
        if isinstance(node, FieldValue):
            return Call(encoder(node.path.leaf.type), (scope.value(node.path),))
        if isinstance(node, Convert):
            return self._converted(node)
        if isinstance(node, OptionValue):
            return Call("quote", (Option(node.option),))
        if isinstance(node, Roles):
            return Call("roles_text", (LAYOUT,))
        if isinstance(node, Markers):
            return Call("markers_text", (LAYOUT,))
        if isinstance(node, Keys):
            return self._keys(node)
        if isinstance(node, ForeignMember):
            kept = scope.value_if_any(node.path)
            return Call("foreign_member", (kept, Constant(node.keys), Constant(node.shape)))
        if isinstance(node, ForeignRest):
            return Call("foreign_rest", (scope.value_if_any(node.path), Constant(node.without)))
        if isinstance(node, JsonText):
            return self._json_text(node, known)
        if isinstance(node, Hook):
            return HookCall(_HOOKS, node.name, scope.item if node.subject == "item" else RESULT)
        if isinstance(node, FormCall):
            return self._given(self.functions.of_form(node.form, self.record))
        if isinstance(node, Choose) and is_conditional(node):
            return self._conditional(node, known)
        return self._given(self.functions.of_node(node, self.name, self.kinds, self.record))

    def _conditional(self, node: Choose, known: Known) -> Piece:
        alternatives: list[Alternative] = []
        for branch in node.branches:
            tests, gained = self.condition(branch.when, known)
            piece = self.piece(branch.node, gained)
            test = all_of(tests)
            if test is None:
                return Conditional(tuple(alternatives), piece) if alternatives else piece
            alternatives.append(Alternative(test, piece))
        raise AssertionError("the last branch of a conditional has no condition")

    def _converted(self, node: Convert) -> Piece:
        arguments: tuple[Value, ...] = tuple(map(self.scope.argument, node.arguments))
        if not arguments:
            arguments = (RESULT, OPTIONS, Constant(node.prefix))
        return Call("quote", (Computed(Call(node.name, arguments)),))

    def _keys(self, node: Keys) -> Piece:
        call = Call("keys", (self.scope.value(node.path),))
        test = all_of(self.scope.holder_presence(node.path))
        return call if test is None else Conditional((Alternative(test, call),), Empty())

    def _json_text(self, node: JsonText, known: Known) -> Piece:
        if isinstance(node.node, FieldValue) and is_json(node.node):
            escaped = Call("escaped", (self.scope.value(node.node.path),))
            return Joined((Fixed('"'), escaped, Fixed('"')))
        return Call("json_text", (self.piece(node.node, known),))

    def _given(self, function: Function) -> Piece:
        invoke = self.call(function)
        if not function.appends:
            return invoke
        rest = tuple(one for one in invoke.arguments if one.role is not Role.OUT)
        return Written(Invoke(invoke.function, rest, appends=True))

    def call(self, function: Function) -> Invoke:
        """A call of another function, with the variables of this place."""
        arguments = (parameter.variable for parameter in function.parameters)
        return Invoke(
            function.name,
            tuple(self.scope.item if one.role is Role.ITEM else one for one in arguments),
            function.appends,
        )
