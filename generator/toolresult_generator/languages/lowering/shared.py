"""The functions of a module: one for each form, whichever revisions use it, written at need."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
from toolresult_generator.languages.lowering.modules import (
    RESERVED,
    Function,
    ItemType,
    Parameter,
)
from toolresult_generator.languages.lowering.returning import Returner
from toolresult_generator.languages.lowering.runtime import RUNTIME
from toolresult_generator.languages.lowering.scope import free
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


@dataclass(frozen=True)
class _Wanted:
    """What a function is to write, and of what."""

    name: str
    meaning: str
    node: Node
    kinds: tuple[str, ...]
    record: str | None
    part_of: str | None = None


class Functions:
    """The functions of one module, in the order in which they are done."""

    def __init__(self, named: NamedForms, result: ResultSpec) -> None:
        self.kinds = tuple(kind.name for kind in result.kinds)
        self.done: list[Function] = []
        self._kinds_of = named.kinds
        self._functions: dict[object, list[Function]] = {}
        self._taken = {*RUNTIME, *RESERVED}
        self._names = {form: self.name(name) for form, name in named.names.items()}

    def name(self, base: str) -> str:
        """A name that nothing else in the module has yet."""
        name = free(base, self._taken)
        self._taken.add(name)
        return name

    def of_form(self, form: Form, record: str | None = None) -> Function:
        """The function of a form, where the item, if it is a record, is of this name."""
        kinds = self._kinds_of[form]
        return self._of(form, _Wanted(self._names[form], form.meaning, form.node, kinds, record))

    def of_node(
        self, node: Node, within: str, kinds: tuple[str, ...], record: str | None
    ) -> Function:
        """The function of a node that has no name of its own, taken out of the one named."""
        wanted = _Wanted(f"{within}_value", "", node, kinds, record, part_of=within)
        return self._of((node, kinds), wanted)

    def _of(self, key: object, wanted: _Wanted) -> Function:
        known = self._functions.setdefault(key, [])
        for function in known:
            if _takes(function, wanted.record):
                return function
        name = wanted.name
        if known or wanted.part_of is not None:  # the names of forms are kept for them
            name = self.name(name)
        function = self._written(replace(wanted, name=name))
        known.append(function)
        self.done.append(function)
        return function

    def _written(self, wanted: _Wanted) -> Function:
        appending = appends(wanted.node)
        kind = Appender if appending else Returner
        builder = kind(self, wanted.name, wanted.kinds, wanted.record)
        builder.build(wanted.node)
        body = builder.scope.bound(builder.body)
        item = ItemType(wanted.kinds, len(wanted.kinds) == len(self.kinds), wanted.record)
        return Function(
            name=wanted.name,
            meaning=wanted.meaning,
            parameters=parameters(body, item),
            appends=appending,
            returns=not appending,
            body=body,
            part_of=wanted.part_of,
        )


def _takes(function: Function, record: str | None) -> bool:
    """Whether a function can be called where the item is this record, or no record."""
    items = (one.item for one in function.parameters if one.item is not None)
    return all(item.record == record for item in items)


def parameters(body: Body, item: ItemType | None = None) -> tuple[Parameter, ...]:
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
