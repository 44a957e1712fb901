"""The functions of a module: one for each form, whichever revisions use it, written at need."""

from __future__ import annotations

from toolresult_generator.languages.lowering.appending import Appender
from toolresult_generator.languages.lowering.builder import LAYOUT, OPTIONS, OUT
from toolresult_generator.languages.lowering.expressions import (
    Option,
    OptionGiven,
    Role,
    RolesEqual,
    Variable,
)
from toolresult_generator.languages.lowering.facts import appends
from toolresult_generator.languages.lowering.forms import NamedForms
from toolresult_generator.languages.lowering.modules import Function, ItemType, Parameter
from toolresult_generator.languages.lowering.returning import Returner
from toolresult_generator.languages.lowering.statements import Append, Body, FinishList, StartList
from toolresult_generator.languages.lowering.walk import walk
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Form, Node

_PASSED = (
    Role.OUT,
    Role.RESULT,
    Role.ITEM,
    Role.OPTIONS,
    Role.LAYOUT,
    Role.LOSSES,
    Role.HOOKS,
)
"""What functions hand to one another, in the order of their parameters."""


class Functions:
    """The functions of one module, in the order in which they are done."""

    def __init__(self, named: NamedForms, result: ResultSpec) -> None:
        self.kinds = tuple(kind.name for kind in result.kinds)
        self.done: list[Function] = []
        self._named = named
        self._of: dict[object, Function] = {}
        self._taken = set(named.names.values())

    def name(self, base: str) -> str:
        """A name that no function of the module has yet."""
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._taken.add(name)
        return name

    def of_form(self, form: Form) -> Function:
        """The function of a form."""
        if form not in self._of:
            kinds = self._named.kinds[form]
            self._of[form] = self._written(
                self._named.names[form], form.meaning, None, form.node, kinds
            )
        return self._of[form]

    def of_node(self, node: Node, within: str, kinds: tuple[str, ...]) -> Function:
        """The function of a node that has no name of its own, taken out of the one named."""
        key = (node, kinds)
        if key not in self._of:
            name = self.name(f"{within}_value")
            self._of[key] = self._written(name, "", within, node, kinds)
        return self._of[key]

    def _written(
        self, name: str, meaning: str, within: str | None, node: Node, kinds: tuple[str, ...]
    ) -> Function:
        appending = appends(node)
        builder = (Appender if appending else Returner)(self, name, kinds)
        builder.build(node)
        body = builder.scope.bound(builder.body)
        function = Function(
            name=name,
            meaning=meaning,
            parameters=parameters(body, self.item_type(kinds)),
            appends=appending,
            returns=not appending,
            body=body,
            part_of=within,
        )
        self.done.append(function)
        return function

    def item_type(self, kinds: tuple[str, ...]) -> ItemType:
        """What an item of these kinds is; of none: a stored result."""
        every = len(kinds) == len(self.kinds)
        return ItemType(kinds, every, None if kinds else "stored")


def parameters(body: Body, item: ItemType) -> tuple[Parameter, ...]:
    """What a function must be given, as its body says: all that it uses and does not bind."""
    used: set[Variable] = set()
    for one in walk(body):
        if isinstance(one, Variable) and (one.role is not Role.ITEM or one.name == "item"):
            used.add(one)
        elif isinstance(one, (Append, StartList, FinishList)):
            used.add(OUT)
        elif isinstance(one, (Option, OptionGiven)):
            used.add(OPTIONS)
        elif isinstance(one, RolesEqual):
            used.add(LAYOUT)
    return tuple(
        Parameter(variable, item if role is Role.ITEM else None)
        for role in _PASSED
        for variable in used
        if variable.role is role
    )
