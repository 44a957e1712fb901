"""Values, pieces and tests of lowered functions as TypeScript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.expressions import (
    AllOf,
    AnyOf,
    Call,
    Computed,
    Conditional,
    Constant,
    Empty,
    EntryAt,
    Field,
    Fixed,
    HasJsonKind,
    Holds,
    HookCall,
    Invoke,
    IsKind,
    IsOneOf,
    Joined,
    Negation,
    Option,
    OptionGiven,
    Piece,
    PieceVariable,
    Plain,
    Pointer,
    PointerPart,
    Presence,
    Present,
    Role,
    RolesEqual,
    StartsWith,
    Test,
    Value,
    Variable,
    Written,
)
from toolresult_generator.languages.typescript.layout import (
    LINE,
    Doc,
    Group,
    Indent,
    array,
    call,
    join,
    negation,
)
from toolresult_generator.languages.typescript.names import LANGUAGE, camel, variable
from toolresult_generator.languages.typescript.text import constant, literal, template
from toolresult_generator.model.result import FieldKind

HOMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("quote", "number"), "canonical"),
    **dict.fromkeys(
        ("bytesText", "linkText", "embeddedText", "linkName", "contentAddress", "digestId"),
        "conversions",
    ),
    **dict.fromkeys(("foreignEntries", "foreignFits", "foreignMember", "foreignRest"), "foreign"),
    **dict.fromkeys(
        (
            *("Layout", "Losses", "Options", "Renderer", "array", "canonicalObject", "exact"),
            *("isExactValue", "jsonMap", "jsonText", "keys", "openList", "orderedObject"),
            *("pushUnlessEmpty", "setUnlessEmpty", "spread", "strings", "unreachable", "written"),
        ),
        "rendering",
    ),
}
"""The module of the runtime that has a name."""

TYPES: Final = frozenset({"Losses", "Options"})
"""Names of the runtime that are written as types alone; a class used as one is in here too."""

_TAKEN: Final = frozenset(HOMES)


class Expressions:
    """Prints the expressions of one module, and notes which names of the runtime it uses."""

    def __init__(self, functions: Mapping[str, str]) -> None:
        self.uses: set[str] = set()
        self._functions = functions
        """The spelling of each function of the module."""
        self.pieces: dict[str, str] = {}
        """The variable of each piece that is bound where we are."""

    def use(self, name: str) -> str:
        """Notes that a name of the runtime is used, and gives it back."""
        self.uses.add(name)
        return name

    # ------------------------------------------------------------ values

    def variable(self, one: Variable) -> str:
        """A parameter or a local."""
        return variable(one.name, _TAKEN) if one.role is Role.LOCAL else camel(one.name)

    def field(self, one: Field) -> str:
        """A field of what holds it."""
        use = NameUse.RESULT_FIELD if one.of_result else NameUse.FIELD
        name = LANGUAGE.convert(one.step.name, use)
        return f"{self.variable(one.holder)}{'?.' if one.if_holder else '.'}{name}"

    def value(self, one: Value) -> Doc:
        """What a field, an option or a variable holds."""
        if isinstance(one, Variable):
            return self.variable(one)
        if isinstance(one, Field):
            return self.field(one)
        if isinstance(one, EntryAt):
            return f"{self.field(one.field)}[{one.index}]"
        if isinstance(one, Option):
            return f"options.{camel(one.name)}"
        if isinstance(one, Constant):
            return self._constant(one.value)
        if isinstance(one, Pointer):
            return self.pointer(one)
        assert isinstance(one, Computed)
        return self.call(one.call)

    def _constant(self, value: Plain) -> Doc:
        if value is None:
            return "undefined"
        if isinstance(value, tuple):
            pairs = len(value) > 1 and all(isinstance(v, tuple) and len(v) > 1 for v in value)
            return array([self._constant(one) for one in value], broken=pairs)
        return constant(value)

    def pointer(self, pointer: Pointer) -> str:
        """A JSON pointer, with what is known at run time only."""
        if all(isinstance(part, str) for part in pointer.parts):
            return literal("".join(str(part) for part in pointer.parts))
        inner = {PointerPart.INDEX: "${index}", PointerPart.ITEM: "${losses.item}"}
        parts = (template(p) if isinstance(p, str) else inner[p] for p in pointer.parts)
        return f"`{''.join(parts)}`"

    # ------------------------------------------------------------ pieces

    def piece(self, one: Piece) -> Doc:
        """JSON text on its way to the output."""
        if isinstance(one, Fixed):
            return literal(one.text)
        if isinstance(one, Empty):
            return '""'
        if isinstance(one, Call):
            return self.call(one)
        if isinstance(one, Invoke):
            return self.invoke(one)
        if isinstance(one, Written):
            arguments = [self.variable(v) for v in one.invoke.arguments]
            function = self._functions[one.invoke.function]
            return call(self.use("written"), [function, *arguments])
        if isinstance(one, HookCall):
            method = LANGUAGE.convert(one.name, NameUse.HOOK)
            return call(f"{self.variable(one.hooks)}.{method}", [self.variable(one.subject)])
        if isinstance(one, PieceVariable):
            return self.pieces[one.name]
        if isinstance(one, Joined):
            return self._joined(one)
        assert isinstance(one, Conditional)
        return self._conditional(one)

    def invoke(self, one: Invoke) -> Doc:
        """A call of another function of the module."""
        return call(self._functions[one.function], [self.variable(v) for v in one.arguments])

    def _joined(self, one: Joined) -> str:
        parts = (
            template(part.text) if isinstance(part, Fixed) else f"${{{flat(self.piece(part))}}}"
            for part in one.pieces
        )
        return f"`{''.join(parts)}`"

    def _conditional(self, one: Conditional) -> Doc:
        doc = self.piece(one.otherwise)
        for alternative in reversed(one.alternatives):
            doc = self.conditional(alternative.test, self.piece(alternative.piece), doc)
        return Group(doc)

    def conditional(self, test: Test, yes: Doc, no: Doc) -> Doc:
        """A conditional expression, to stand in a group."""
        doc = self.test(test)
        if isinstance(test, (AllOf, AnyOf)) and isinstance(doc, tuple):
            doc = (doc[0], Indent(doc[1:]))
        return conditional(doc, yes, no)

    def call(self, one: Call) -> Doc:
        """A call of the runtime, or what it does, where TypeScript has a word for it."""
        name, given = one.function, one.arguments
        if name in _MEMBERS:
            return f"{flat(self._argument(given[0]))}.{_MEMBERS[name]}"
        if name == "boolean":
            return Group(conditional(self._argument(given[0]), '"true"', '"false"'))
        if name == "plain":
            return self._argument(given[0])
        if name == "plain_string":
            return f'`"${{{flat(self._argument(given[0]))}}}"`'
        arguments = [self._argument(argument) for argument in given]
        if name == "spread":
            arguments = self._spread(given)
        elif name == "foreign_entries":
            arguments = [arguments[0], *self._texts(given[1])]
        elif name == "foreign_rest":
            arguments.reverse()
        return call(self.use(camel(name)), arguments)

    def _spread(self, given: Sequence[Value | Piece]) -> list[Doc]:
        """As the runtime has them: the keys that are reserved come last, one by one."""
        members, values, *more = given
        reserved = self._texts(more[0]) if more else []
        losses = self._argument(more[1]) if len(more) > 1 else "undefined"
        pointer = self._argument(more[2]) if len(more) > 2 else '""'
        return [self._argument(members), self._argument(values), losses, pointer, *reserved]

    def _texts(self, value: Value | Piece) -> list[Doc]:
        assert isinstance(value, Constant) and isinstance(value.value, tuple)
        return [self._constant(one) for one in value.value]

    def _argument(self, one: Value | Piece) -> Doc:
        return self.value(one) if isinstance(one, Value) else self.piece(one)

    # ------------------------------------------------------------- tests

    def test(self, one: Test) -> Doc:
        """A test, as it stands by itself."""
        if isinstance(one, Present):
            return self._present(one)
        if isinstance(one, IsOneOf):
            tests = [f"{self.field(one.value)} === {literal(text)}" for text in one.values]
            return _either(tests)
        if isinstance(one, StartsWith):
            value = self.field(one.value)
            return _either([f"{value}.startsWith({literal(text)})" for text in one.prefixes])
        if isinstance(one, HasJsonKind):
            return f"{self.field(one.value)}.kind === {literal(one.kind)}"
        if isinstance(one, Holds):
            return self.call(one.call)
        if isinstance(one, OptionGiven):
            name = f"options.{camel(one.name)}"
            return f"{name} === true" if one.flag else f"{name} !== undefined"
        if isinstance(one, RolesEqual):
            return call("layout.is", [literal(role) for role in one.roles])
        if isinstance(one, IsKind):
            return f"{self.variable(one.item)}.kind === {literal(one.kind)}"
        if isinstance(one, AllOf):
            return join((" &&", LINE), [self._operand(test, AnyOf) for test in one.tests])
        if isinstance(one, AnyOf):
            return join((" ||", LINE), [self._operand(test, AllOf) for test in one.tests])
        assert isinstance(one, Negation)
        return self._negation(one.test)

    def _operand(self, one: Test, other: type[Test]) -> Doc:
        """Part of a longer test; in parentheses where the other operator stands in it."""
        doc = self.test(one)
        several = (isinstance(one, IsOneOf) and len(one.values) > 1) or (
            isinstance(one, StartsWith) and len(one.prefixes) > 1
        )
        if isinstance(one, other) or (several and other is AnyOf):
            return parenthesized(doc)
        return doc

    def _present(self, one: Present) -> str:
        value = self.field(one.value) if isinstance(one.value, Field) else self.variable(one.value)
        if one.how is not Presence.NOT_EMPTY:
            return f"{value} !== undefined"
        return f"{value}.{_size(one.value)} > 0"

    def _negation(self, one: Test) -> Doc:
        if isinstance(one, Present):
            return flat(self.test(one)).replace(" !== ", " === ").replace(" > 0", " === 0")
        if isinstance(one, (IsOneOf, HasJsonKind, IsKind, OptionGiven)):
            text = flat(self.test(one))
            single = not isinstance(one, IsOneOf) or len(one.values) == 1
            if single and (" === " in text) != (" !== " in text):
                old, new = (" === ", " !== ") if " === " in text else (" !== ", " === ")
                return text.replace(old, new, 1)
        doc = self.test(one)
        return ("!", doc) if _is_call(one) or isinstance(doc, str) else negation(doc)


_MEMBERS: Final = {
    "canonical": "canonical",
    "escaped": "escaped",
    "roles_text": "rolesText()",
    "markers_text": "markersText()",
}
"""What is a member of the argument."""


def conditional(test: Doc, yes: Doc, no: Doc) -> Doc:
    """A conditional expression, to stand in a group."""
    return (test, Indent((LINE, "? ", yes, LINE, ": ", Indent(no))))


def parenthesized(doc: Doc) -> Doc:
    """A test within a longer one; what follows its first line is indented."""
    if isinstance(doc, tuple) and len(doc) > 1:
        return Group(("(", doc[0], Indent(doc[1:]), ")"))
    return ("(", doc, ")")


def flat(doc: Doc) -> str:
    """A doc on one line, however long."""
    if isinstance(doc, str):
        return doc
    return "".join(_flat(doc))


def _flat(doc: Doc) -> list[str]:
    if isinstance(doc, str):
        return [doc]
    if isinstance(doc, tuple):
        return [text for part in doc for text in _flat(part)]
    if isinstance(doc, (Group, Indent)):
        return _flat(doc.doc)
    return [" "] if doc == LINE else []


def _either(tests: list[str]) -> Doc:
    return tests[0] if len(tests) == 1 else join((" ||", LINE), tests)


def _is_call(one: Test) -> bool:
    return isinstance(one, (Holds, RolesEqual))


def is_hugged(one: Test) -> bool:
    """Whether a test alone in parentheses is a negation with parentheses of its own."""
    return isinstance(one, Negation) and isinstance(one.test, (AllOf, AnyOf))


def _size(value: Variable | Field) -> str:
    """The member that says how many entries there are."""
    if isinstance(value, Variable):
        return "size" if value.role is Role.MEMBERS else "length"
    kind = value.step.type.kind if value.step.type else None
    return "size" if kind is FieldKind.JSON_MAP else "length"
