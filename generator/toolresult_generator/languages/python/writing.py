"""Output forms as Python functions that write bytes.

A form becomes one of two functions. What holds the bulk of a result appends
pieces to a list (``-> None``), so that megabytes are copied once, at the end.
What is small or may come out empty is returned (``-> bytes``, empty for nothing).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.python.access import Scope, negated
from toolresult_generator.languages.python.code import Code
from toolresult_generator.languages.python.names import PythonNames
from toolresult_generator.languages.python.values import docstring
from toolresult_generator.model.result import FieldKind, ResultSpec
from toolresult_generator.model.target import (
    All,
    Any,
    Branch,
    Case,
    Choose,
    Condition,
    Const,
    Convert,
    FieldValue,
    ForeignMember,
    ForeignRest,
    Form,
    FormCall,
    Has,
    Hook,
    Inexact,
    Item,
    JsonKind,
    JsonText,
    Keys,
    KindBranch,
    List,
    Markers,
    Member,
    Node,
    Object,
    OneOf,
    OptionSet,
    OptionValue,
    Path,
    Prefixed,
    Roles,
    Spread,
)
from toolresult_generator.pointers import token

_NAMES = PythonNames()
PARAMETERS = ("out", "result", "item", "options", "layout", "losses", "hooks")
_TYPES = {
    "out": "list[bytes]",
    "options": "Options",
    "layout": "Layout",
    "losses": "Losses",
}


@dataclass
class Function:
    """A generated function: its name, what it takes and its lines."""

    name: str
    needs: tuple[str, ...]
    appends: bool
    lines: list[str] = field(default_factory=list)

    def call(self, item: str = "item") -> str:
        """The call with the caller's own names."""
        return f"{self.name}({', '.join(item if need == 'item' else need for need in self.needs)})"


@dataclass
class Module:
    """Collects the functions of one target's module; equal forms share a function."""

    result: ResultSpec
    names: Mapping[Form, str]
    """A distinct name for each form."""
    kinds: Mapping[Form, tuple[str, ...]]
    hooks_type: str
    functions: dict[object, Function] = field(default_factory=dict)
    order: list[Function] = field(default_factory=list)
    imports: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)

    def function(self, form: Form) -> Function:
        """The function of a form, written at first need."""
        if form not in self.functions:
            name = f"_{self.names[form]}"
            self.functions[form] = self.write(
                name, form.meaning, form.node, self.kinds[form], appends(form.node)
            )
        return self.functions[form]

    def write(
        self, name: str, meaning: str, node: Node, kinds: tuple[str, ...], appending: bool
    ) -> Function:
        """A new function for a node."""
        writer = _Writer(self, name, kinds)
        if appending:
            writer.write(node, frozenset())
            writer.flush()
        else:
            writer.give(node, frozenset())
        needs = {*writer.scope.needs, *({"out"} if appending else ())}
        ordered = tuple(parameter for parameter in PARAMETERS if parameter in needs)
        function = Function(name, ordered, appending)
        takes = ", ".join(f"{one}: {self._type(one, kinds, node)}" for one in ordered)
        function.lines = [
            f"def {name}({takes}) -> {'None' if appending else 'bytes'}:",
            f"    {docstring(meaning)}",
            *(f"    {local} = {expression}" for local, expression in writer.scope.locals.items()),
            *("    " + line for line in writer.code.lines),
        ]
        self.imports |= writer.scope.imports
        self.order.append(function)
        return function

    def _type(self, parameter: str, kinds: tuple[str, ...], node: Node) -> str:
        if parameter == "item":
            return self.item_type(kinds)
        if parameter == "result":
            self.values.add("Result")
            return "Result"
        if parameter == "hooks":
            return self.hooks_type
        if parameter != "out":
            self.imports.add(_TYPES[parameter])
        return _TYPES[parameter]

    def item_type(self, kinds: tuple[str, ...]) -> str:
        """The type of an item that is one of these kinds; a stored result if there is none."""
        if not kinds:
            name = _NAMES.convert("stored", NameUse.RECORD)
            self.values.add(name)
            return name
        if len(kinds) == len(self.result.kinds):
            self.values.add("Part")
            return "Part"
        names = [self.kind_class(kind) for kind in kinds]
        return " | ".join(names)

    def kind_class(self, kind: str) -> str:
        """The class of a part kind."""
        name = _NAMES.convert(kind, NameUse.KIND)
        self.values.add(name)
        return name


Known: TypeAlias = "frozenset[Path]"
_NOTHING: Known = frozenset()


def appends(node: Node, known: Known = _NOTHING) -> bool:
    """Whether a node is written piece by piece: it holds bulk, and always says something.

    ``known`` are the fields that are present wherever the node is written.
    """
    if isinstance(node, Object):
        plain = not (node.canonical or node.spreads or node.omit_empty or node.exact_key)
        first = node.members[0] if node.members else None
        return plain and first is not None and first.when is None and _certain(first.node, known)
    if isinstance(node, List):
        return not node.omit_empty
    if isinstance(node, Choose):
        return all(appends(one.node, known | implied(one.when)) for one in node.branches)
    if isinstance(node, Case):
        return all(appends(one.node, known) for one in node.branches)
    if isinstance(node, FormCall):
        return appends(node.form.node)
    return False


def implied(condition: Condition | None) -> Known:
    """The fields that are present wherever a condition holds."""
    if isinstance(condition, All):
        return _NOTHING.union(*map(implied, condition.conditions))
    if isinstance(condition, Any):
        return frozenset.intersection(*map(implied, condition.conditions))
    if isinstance(condition, (Has, OneOf, Prefixed, JsonKind, Inexact)):
        return frozenset({condition.path})
    return _NOTHING


def _certain(node: Node, known: Known) -> bool:
    """Whether a node says something whatever the result: such a member needs no comma before it."""
    if isinstance(node, FieldValue):
        return node.path in known or not any(step.optional for step in node.path.steps)
    if isinstance(node, (Const, Convert, JsonText)):
        return True
    if isinstance(node, List):
        return not node.omit_empty
    if isinstance(node, Choose):
        total = node.branches[-1].when is None
        return total and all(
            _certain(one.node, known)
            or (isinstance(one.node, OptionValue) and one.when == OptionSet(one.node.option))
            for one in node.branches
        )
    if isinstance(node, FormCall):
        return _certain(node.form.node, _NOTHING)
    return appends(node, known)


def literal(data: bytes) -> str:
    """A bytes literal."""
    return repr(data)


class _Writer:
    """Writes the body of one function."""

    def __init__(self, module: Module, name: str, kinds: tuple[str, ...]) -> None:
        self.module = module
        self.name = name
        self.kinds = kinds
        self.scope = Scope()
        self.code = Code()
        self._pending: list[str] = []
        self._text = b""
        self._paths: Known = _NOTHING

    # ----------------------------------------------------- piece by piece

    def text(self, data: bytes) -> None:
        """Fixed bytes; joined with what is fixed before and after."""
        self._text += data

    def piece(self, expression: str) -> None:
        """Bytes that an expression gives."""
        if self._text:
            self._pending.append(literal(self._text))
            self._text = b""
        self._pending.append(expression)

    def flush(self) -> None:
        """Writes what is pending as one statement."""
        if self._text:
            self._pending.append(literal(self._text))
            self._text = b""
        if len(self._pending) == 1:
            self.code.line(f"out.append({self._pending[0]})")
        elif self._pending:
            self.code.line(f"out += ({', '.join(self._pending)})")
        if self._pending:
            self.scope.needs.add("out")
        self._pending = []

    def write(self, node: Node, known: frozenset[str]) -> None:
        """A value that is there."""
        if isinstance(node, Const):
            self.text(node.json.encode())
        elif isinstance(node, FieldValue) and _is_base64(node):
            self.text(b'"')
            self.piece(f'{self.scope.value(node.path)}.encode("ascii")')
            self.text(b'"')
        elif isinstance(node, JsonText) and _is_json(node.node):
            assert isinstance(node.node, FieldValue)
            self.text(b'"')
            self.piece(f"{self.scope.value(node.node.path)}.escaped")
            self.text(b'"')
        elif isinstance(node, Object) and appends(node, self._paths):
            self._object(node, known)
        elif isinstance(node, List) and appends(node):
            self._list(node, known)
        elif isinstance(node, (Choose, Case)) and appends(node, self._paths):
            self.flush()
            self._branches(node, known)
        elif isinstance(node, FormCall) and appends(node.form.node):
            self.flush()
            self.code.line(self._called(self.module.function(node.form)))
        else:
            self.piece(self.expression(node, known))

    def _object(self, node: Object, known: frozenset[str]) -> None:
        for position, member in enumerate(node.members):
            before = b"," if position else b"{"
            self._member(before + _key(member.key), member, known)
        self.text(b"}")

    def _member(self, before: bytes, member: Member, known: frozenset[str]) -> None:
        node = member.node
        inner = node.form.node if isinstance(node, FormCall) else node
        tests, gained = self._tests(member, known)
        if isinstance(inner, Choose) and not _certain(inner, self._paths) and before[:1] == b",":
            self.flush()
            self._optional_branches(before, inner, tests, gained)
            return
        if self._may_be_empty(node):
            self.flush()
            value = self.expression(node, gained)
            test = " and ".join([*tests, f"(value := {value})"]) if tests else f"value := {value}"
            with self.code.block(f"if {test}:"):
                self.text(before)
                self.piece("value")
                self.flush()
            return
        if not tests:
            self.text(before)
            self.write(node, gained)
            return
        self.flush()
        with self.code.block(f"if {' and '.join(tests)}:"):
            self.text(before)
            self.write(node, gained)
            self.flush()

    def _optional_branches(
        self, before: bytes, node: Choose, tests: list[str], known: frozenset[str]
    ) -> None:
        """A member whose value is one of several, or nothing."""
        word = "if"
        for branch in node.branches:
            own, gained = self._condition(branch.when, known)
            more, gained = self._present(branch.node, gained)
            line = " and ".join([*tests, *own, *more]) or "True"
            paths = self._paths
            self._paths = paths | implied(branch.when)
            with self.code.block(f"{word} {line}:" if line != "True" else "else:"):
                self.text(before)
                self.write(branch.node, gained)
                self.flush()
            self._paths = paths
            word = "elif"

    def _branches(self, node: Choose | Case, known: frozenset[str]) -> None:
        word = "if"
        branches: tuple[Branch | KindBranch, ...] = node.branches
        for position, branch in enumerate(branches):
            kinds = self.kinds
            if isinstance(branch, Branch):
                tests, gained = self._condition(branch.when, known)
            else:
                self.scope.needs.add("item")
                tests, gained = (
                    [f"isinstance({self.scope.item}, {self.module.kind_class(branch.kind)})"],
                    known,
                )
                self.kinds = (branch.kind,)
                if position == len(node.branches) - 1:
                    tests = []
            head = f"{word} {' and '.join(tests)}:" if tests else "else:"
            paths = self._paths
            self._paths = paths | implied(branch.when if isinstance(branch, Branch) else None)
            with self.code.block(head):
                self.write(branch.node, gained)
                self.flush()
            self.kinds, self._paths = kinds, paths
            word = "elif"

    def _list(self, node: List, known: frozenset[str]) -> None:
        fixed = bool(node.items) and self._is_fixed(node.items[0])
        if fixed:
            self.text(b"[")
        else:
            self.flush()
            self.code.line("first = len(out)")
        for position, item in enumerate(node.items):
            comma = b"" if fixed and position == 0 else b","
            self._item(comma, item, node.layout, known)
        if not fixed:
            self.flush()
            self.scope.use("open_list")
            if node.if_empty is None:
                with self.code.block("if len(out) == first:"):
                    self.code.line('out.append(b"[")')
                with self.code.block("else:"):
                    self.code.line("open_list(out, first)")
            else:
                with self.code.block("if len(out) == first:"):
                    self._item(b",", node.if_empty, node.layout, known)
                    self.flush()
                self.code.line("open_list(out, first)")
        self.text(b"]")

    def _is_fixed(self, item: Item) -> bool:
        return item.when is None and item.each is None and not self._may_be_empty(item.node)

    def _item(self, comma: bytes, item: Item, layout: bool, known: frozenset[str]) -> None:
        tests, gained = self._condition(item.when, known)
        if item.each is not None:
            self._each(comma, item, layout, tests, gained)
            return
        if not tests:
            self._entry(comma, item, layout, gained)
            return
        self.flush()
        with self.code.block(f"if {' and '.join(tests)}:"):
            self._entry(comma, item, layout, gained)
            self.flush()

    def _each(
        self, comma: bytes, item: Item, layout: bool, tests: list[str], known: frozenset[str]
    ) -> None:
        assert item.each is not None
        self.flush()
        values = self.scope.value(item.each)
        losing = self._loses(item)
        if losing:
            self.scope.needs.add("losses")
            head = f"for index, {self._loop(item.each)} in enumerate({values}):"
        else:
            head = f"for {self._loop(item.each)} in {values}:"
        outer, self.kinds = self.kinds, self._kinds_of(item.each)
        outer_item, self.scope.item = self.scope.item, self._loop(item.each)
        needed = "item" in self.scope.needs
        with self.code.block(head):
            if losing:
                self.code.line(f'losses.item = f"{_pointer(item.each)}/{{index}}"')
            self._entry(comma, item, layout, known)
            self.flush()
        if not needed:
            self.scope.needs.discard("item")
        self.kinds, self.scope.item = outer, outer_item

    def _loop(self, each: Path) -> str:
        """The variable of a loop: parts are parts, everything else is an entry."""
        kind = each.leaf.type.kind if each.leaf.type else None
        return "part" if kind is FieldKind.PARTS else "entry"

    def _kinds_of(self, each: Path) -> tuple[str, ...]:
        kind = each.leaf.type.kind if each.leaf.type else None
        return (
            tuple(one.name for one in self.module.result.kinds) if kind is FieldKind.PARTS else ()
        )

    def _loses(self, item: Item) -> bool:
        forms = [item.node, *([FormCall(item.marker)] if item.marker else [])]
        return any(_has_loss(node) for node in forms)

    def _entry(self, comma: bytes, item: Item, layout: bool, known: frozenset[str]) -> None:
        self.text(comma)
        self.write(item.node, known)
        if not layout or item.role is None:
            return
        self.flush()
        self.scope.needs.add("layout")
        marker = ""
        if item.marker is not None:
            marker = ", " + self._called(self.module.function(item.marker))
        self.code.line(f"layout.add({item.role!r}{marker})")

    # -------------------------------------------------- value by value

    def give(self, node: Node, known: frozenset[str]) -> None:
        """Returns a value, or empty bytes for none."""
        if isinstance(node, Object):
            self._give_object(node, known)
        elif isinstance(node, List):
            self._give_list(node, known)
        elif isinstance(node, (Choose, Case)):
            self._give_branches(node, known)
        else:
            tests, gained = self._present(node, known)
            if tests:
                with self.code.block(f"if {' and '.join(tests)}:"):
                    self.code.line(f"return {self.expression(node, gained)}")
                self.code.line('return b""')
            else:
                self.code.line(f"return {self.expression(node, gained)}")

    def _give_object(self, node: Object, known: frozenset[str]) -> None:
        self.code.line("members: dict[str, bytes] = {}")
        position = 0
        while position < len(node.members):
            position = self._give_group(node.members, position, known)
        for spread in node.spreads:
            self._give_spread(spread)
        writer = "canonical_object" if node.canonical else "ordered_object"
        members = "members"
        if node.exact_key is not None:
            members = f"{self.scope.use('exact')}(members, {node.exact_key!r})"
        value = f"{self.scope.use(writer)}({members})"
        self.code.line(
            f'return {value} if members else b""' if node.omit_empty else f"return {value}"
        )

    def _give_group(self, members: tuple[Member, ...], start: int, known: frozenset[str]) -> int:
        """Writes a member, or a run that shares the first test, and gives where the next begins."""
        tests, _ = self._tests(members[start], known)
        end = start + 1
        if tests:
            while end < len(members) and self._tests(members[end], known)[0][:1] == tests[:1]:
                end += 1
        if end - start == 1:
            self._give_member(members[start], known)
            return end
        with self.code.block(f"if {tests[0]}:"):
            inside = known | {tests[0]}
            position = start
            while position < end:
                position = self._give_group_until(members, position, end, inside)
        return end

    def _give_group_until(
        self, members: tuple[Member, ...], start: int, end: int, known: frozenset[str]
    ) -> int:
        return start + self._give_group(members[start:end], 0, known)

    def _give_member(self, member: Member, known: frozenset[str]) -> None:
        tests, gained = self._tests(member, known)
        if self._may_be_empty(member.node):
            value = self.expression(member.node, gained)
            tests = [*tests, f"(value := {value})" if tests else f"value := {value}"]
            with self.code.block(f"if {' and '.join(tests)}:"):
                self.code.line(f"members[{member.key!r}] = value")
        elif tests:
            with self.code.block(f"if {' and '.join(tests)}:"):
                self.code.line(f"members[{member.key!r}] = {self.expression(member.node, gained)}")
        else:
            self.code.line(f"members[{member.key!r}] = {self.expression(member.node, gained)}")

    def _give_spread(self, spread: Spread) -> None:
        presence = self.scope.presence(spread.path)
        value = self.scope.value(spread.path)
        if spread.member:
            value = f"{self.scope.use('foreign_entries')}({value}, {spread.member!r})"
        arguments = ["members", value]
        if not spread.copy:
            self.scope.needs.add("losses")
            names = (*(step.name for step in spread.path.steps), *spread.member)
            where = repr("".join(f"/{token(name)}" for name in names))
            pointer = f"losses.item + {where}" if spread.path.root == "item" else where
            arguments += [repr(spread.reserved), "losses", pointer]
        elif spread.reserved:
            arguments.append(repr(spread.reserved))
        call = f"{self.scope.use('spread')}({', '.join(arguments)})"
        if presence:
            with self.code.block(f"if {' and '.join(presence)}:"):
                self.code.line(call)
        else:
            self.code.line(call)

    def _give_list(self, node: List, known: frozenset[str]) -> None:
        self.code.line("entries: list[bytes] = []")
        for item in node.items:
            tests, gained = self._condition(item.when, known)
            if tests:
                with self.code.block(f"if {' and '.join(tests)}:"):
                    self._give_item(item, gained)
            else:
                self._give_item(item, gained)
        self.code.line('return b"[" + b",".join(entries) + b"]" if entries else b""')

    def _give_item(self, item: Item, known: frozenset[str]) -> None:
        if item.each is None:
            self._give_entry(item.node, known)
            return
        outer, needed = self.kinds, "item" in self.scope.needs
        outer_item = self.scope.item
        self.kinds = self._kinds_of(item.each)
        values = self.scope.value(item.each)
        self.scope.item = self._loop(item.each)
        with self.code.block(f"for {self.scope.item} in {values}:"):
            self._give_entry(item.node, known)
        self.kinds, self.scope.item = outer, outer_item
        if not needed:
            self.scope.needs.discard("item")

    def _give_entry(self, node: Node, known: frozenset[str]) -> None:
        tests, gained = self._present(node, known)
        value = self.expression(node, gained)
        if self._may_be_empty(node):
            tests = [*tests, f"(value := {value})" if tests else f"value := {value}"]
            value = "value"
        if tests:
            with self.code.block(f"if {' and '.join(tests)}:"):
                self.code.line(f"entries.append({value})")
        else:
            self.code.line(f"entries.append({value})")

    def _give_branches(self, node: Choose | Case, known: frozenset[str]) -> None:
        if isinstance(node, Choose) and len(node.branches) == 1:
            self._give_guarded(node.branches[0], known)
            return
        total = False
        branches: tuple[Branch | KindBranch, ...] = node.branches
        for position, branch in enumerate(branches):
            kinds = self.kinds
            if isinstance(branch, Branch):
                tests, gained = self._condition(branch.when, known)
            else:
                self.scope.needs.add("item")
                class_name = self.module.kind_class(branch.kind)
                tests, gained = [f"isinstance({self.scope.item}, {class_name})"], known
                self.kinds = (branch.kind,)
                if position == len(node.branches) - 1:
                    tests = []
            more, gained = self._present(branch.node, gained)
            tests = tests + more
            if tests:
                with self.code.block(f"if {' and '.join(tests)}:"):
                    self._give_branch(branch.node, gained)
            else:
                self._give_branch(branch.node, gained)
                total = True
            self.kinds = kinds
        if not total:
            self.code.line('return b""')

    def _give_branch(self, node: Node, known: frozenset[str]) -> None:
        if isinstance(node, (Choose, Case)) and not appends(node):
            self._give_branches(node, known)
        else:
            self.code.line(f"return {self.expression(node, known)}")

    def _give_guarded(self, branch: Branch, known: frozenset[str]) -> None:
        """A form that says something under one condition: the others leave first."""
        tests, gained = self._condition(branch.when, known)
        if tests:
            with self.code.block(f"if {negated(' and '.join(tests))}:"):
                self.code.line('return b""')
        self.give(branch.node, gained)

    def expression(self, node: Node, known: frozenset[str]) -> str:
        """The JSON of a node in bytes, as an expression."""
        scope = self.scope
        if isinstance(node, Const):
            return literal(node.json.encode())
        if isinstance(node, FieldValue):
            return scope.encoded(node.path)
        if isinstance(node, Convert):
            return self._convert(node)
        if isinstance(node, OptionValue):
            scope.needs.add("options")
            return f"{scope.use('quote')}(options.{node.option})"
        if isinstance(node, Roles):
            scope.needs.add("layout")
            return "layout.roles_text()"
        if isinstance(node, Markers):
            scope.needs.add("layout")
            return "layout.markers_text()"
        if isinstance(node, Keys):
            return self._keys(node)
        if isinstance(node, ForeignMember):
            return self._foreign(node.path, "foreign_member", f"{node.keys!r}, {node.shape!r}")
        if isinstance(node, ForeignRest):
            return self._foreign(node.path, "foreign_rest", repr(node.without))
        if isinstance(node, JsonText):
            return self._json_text(node, known)
        if isinstance(node, Hook):
            scope.needs |= {"hooks", node.subject}
            subject = scope.item if node.subject == "item" else node.subject
            return f"hooks.{_NAMES.convert(node.name, NameUse.HOOK)}({subject})"
        if isinstance(node, FormCall):
            return self._returned(self.module.function(node.form))
        if isinstance(node, Choose) and _is_conditional(node):
            return self._conditional(node, known)
        return self._returned(self._anonymous(node))

    def _conditional(self, node: Choose, known: frozenset[str]) -> str:
        text = ""
        for branch in node.branches:
            tests, gained = self._condition(branch.when, known)
            value = self.expression(branch.node, gained)
            text += f"{value} if {' and '.join(tests)} else " if tests else value
        return f"({text})"

    def _convert(self, node: Convert) -> str:
        self.scope.use(node.name)
        arguments = [self.scope.argument(argument) for argument in node.arguments]
        if not node.arguments:
            self.scope.needs |= {"result", "options"}
            arguments = ["result", "options", repr(node.prefix)]
        return f"{self.scope.use('quote')}({node.name}({', '.join(arguments)}))"

    def _keys(self, node: Keys) -> str:
        value = f"{self.scope.use('keys')}({self.scope.value(node.path)})"
        holder = (
            self.scope.presence(Path(node.path.root, node.path.steps[:-1]))
            if len(node.path.steps) > 1
            else []
        )
        return f'{value} if {" and ".join(holder)} else b""' if holder else value

    def _foreign(self, path: Path, function: str, arguments: str) -> str:
        owner = self.scope.owner(path)
        value = self.scope.value(path)
        members = (
            f"{value} if {owner} is not None else None" if owner in self.scope.locals else value
        )
        return f"{self.scope.use(function)}({members}, {arguments})"

    def _json_text(self, node: JsonText, known: frozenset[str]) -> str:
        if _is_json(node.node):
            assert isinstance(node.node, FieldValue)
            return f"b'\"' + {self.scope.value(node.node.path)}.escaped + b'\"'"
        return f"{self.scope.use('json_text')}({self.expression(node.node, known)})"

    def _anonymous(self, node: Node) -> Function:
        """A function for a node that has no name of its own."""
        key = (node, self.kinds)
        if key not in self.module.functions:
            base, count = f"{self.name}_value", 2
            name = base
            while any(one.name == name for one in self.module.order):
                name, count = f"{base}_{count}", count + 1
            self.module.functions[key] = self.module.write(
                name, f"What `{self.name}` takes from here.", node, self.kinds, appends(node)
            )
        return self.module.functions[key]

    def _returned(self, function: Function) -> str:
        call = self._called(function)
        if function.appends:
            rest = [
                self.scope.item if need == "item" else need
                for need in function.needs
                if need != "out"
            ]
            return f"{self.scope.use('written')}({', '.join([function.name, *rest])})"
        return call

    def _called(self, function: Function) -> str:
        self.scope.needs |= {need for need in function.needs if need != "out"}
        return function.call(self.scope.item)

    # ---------------------------------------------------------- presence

    def _condition(
        self, when: Condition | None, known: frozenset[str]
    ) -> tuple[list[str], frozenset[str]]:
        if when is None:
            return [], known
        text, gained = self.scope.test(when, known)
        return ([] if text == "True" else [f"({text})" if isinstance(when, Any) else text]), gained

    def _tests(self, member: Member, known: frozenset[str]) -> tuple[list[str], frozenset[str]]:
        tests, gained = self._present(member.node, known)
        more, gained = self._condition(member.when, gained)
        return tests + [test for test in more if test not in tests], gained

    def _present(self, node: Node, known: frozenset[str]) -> tuple[list[str], frozenset[str]]:
        """What must hold for a value to be there, beyond what is known."""
        if isinstance(node, OptionValue):
            test, gained = self.scope.test(OptionSet(node.option), known)
            return ([] if test in known else [test]), gained
        if not isinstance(node, FieldValue):
            return [], known
        tests = [test for test in self.scope.presence(node.path) if test not in known]
        return tests, known | set(tests)

    def _may_be_empty(self, node: Node) -> bool:
        """Whether a value is known to be nothing only once it was made."""
        if isinstance(node, FormCall):
            inner = node.form.node
            if isinstance(inner, FieldValue):
                return any(step.optional for step in inner.path.steps)
            return isinstance(inner, OptionValue) or self._may_be_empty(inner)
        if isinstance(node, (Keys, Markers, ForeignMember, ForeignRest)):
            return True
        if isinstance(node, (Object, List)):
            return node.omit_empty
        if isinstance(node, Choose):
            if node.branches[-1].when is not None and not appends(node):
                return True
            return any(self._may_be_empty(branch.node) for branch in node.branches)
        if isinstance(node, Case):
            return any(self._may_be_empty(branch.node) for branch in node.branches)
        return False


def _is_conditional(node: Choose) -> bool:
    """Whether a choice is short enough for one expression: simple values, always one of them."""
    simple = (Const, Convert, OptionValue, FieldValue)
    return node.branches[-1].when is None and all(
        isinstance(one.node, simple) for one in node.branches
    )


def _key(key: str) -> bytes:
    return json.dumps(key, ensure_ascii=False).encode() + b":"


def _pointer(path: Path) -> str:
    return "".join(f"/{step.name}" for step in path.steps)


def _is_json(node: Node) -> bool:
    return (
        isinstance(node, FieldValue)
        and node.path.leaf.type is not None
        and node.path.leaf.type.kind in (FieldKind.JSON, FieldKind.JSON_OBJECT)
    )


def _is_base64(node: FieldValue) -> bool:
    return node.path.leaf.type is not None and node.path.leaf.type.kind is FieldKind.BASE64


def _has_loss(node: Node) -> bool:
    """Whether writing a node may find that something is lost."""
    if isinstance(node, Object):
        if any(not spread.copy for spread in node.spreads):
            return True
        return any(_has_loss(member.node) for member in node.members)
    if isinstance(node, FormCall):
        return _has_loss(node.form.node)
    if isinstance(node, List):
        return any(_has_loss(item.node) for item in node.items)
    if isinstance(node, (Choose, Case)):
        return any(_has_loss(branch.node) for branch in node.branches)
    return isinstance(node, JsonText) and _has_loss(node.node)
