"""Lowered expressions as PHP. A piece is a string, empty for nothing."""

from __future__ import annotations

from collections.abc import Mapping
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
from toolresult_generator.languages.php.layout import (
    Chain,
    Choice,
    Expression,
    Prefixed,
    array,
    call,
    flat,
    in_brackets,
    join,
    string,
)
from toolresult_generator.languages.php.names import LANGUAGE, camel
from toolresult_generator.languages.php.text import literal
from toolresult_generator.model.result import FieldKind

METHODS: Final[Mapping[str, str]] = {
    "canonical": "->canonical",
    "escaped": "->escaped()",
    "json_map": "->toJson()",
    "markers_text": "->markersText()",
    "plain": "",
    "roles_text": "->rolesText()",
}
"""Functions of the runtime that are members of what they take."""
HOMES: Final[Mapping[str, str]] = {
    "bytes_text": "Conversions::bytesText",
    "content_address": "Conversions::contentAddress",
    "digest_id": "Conversions::digestId",
    "embedded_text": "Conversions::embeddedText",
    "foreign_entries": "Kept::entries",
    "foreign_fits": "Kept::fits",
    "foreign_member": "Kept::member",
    "foreign_rest": "Kept::rest",
    "link_name": "Conversions::linkName",
    "link_text": "Conversions::linkText",
    "number": "Numbers::text",
    "quote": "Canonical::quote",
    "strings": "Writing::names",
}
"""Where the runtime has a function; the others are in ``Pieces``."""
BULK: Final = frozenset({"canonical", "escaped", "plain"})
"""What may be large, and is appended by itself: nothing of it is copied twice."""


class Expressions:
    """Writes expressions."""

    def __init__(self, functions: Mapping[str, str]) -> None:
        self.functions = functions
        """How the functions of the module are called here, by their names."""

    # ------------------------------------------------------------ values

    def variable(self, variable: Variable) -> str:
        """A variable."""
        return f"${camel(variable.name)}"

    def field(self, field: Field) -> str:
        """A field, null where its holder is not there."""
        use = NameUse.RESULT_FIELD if field.of_result else NameUse.FIELD
        arrow = "?->" if field.if_holder else "->"
        return f"{self.variable(field.holder)}{arrow}{LANGUAGE.convert(field.step.name, use)}"

    def text(self, field: Field) -> str:
        """A field whose value is a text; a code is a member of an enumeration that has one."""
        kind = field.step.type.kind if field.step.type else None
        return self.field(field) + ("->value" if kind is FieldKind.ERROR_CODE else "")

    def value(self, value: Value) -> Expression:
        """A value."""
        if isinstance(value, Variable):
            return self.variable(value)
        if isinstance(value, Field):
            return self.text(value)
        if isinstance(value, EntryAt):
            return f"{self.field(value.field)}[{value.index}] ?? null"
        if isinstance(value, Option):
            return f"$options->{camel(value.name)}"
        if isinstance(value, Constant):
            return constant(value.value)
        if isinstance(value, Pointer):
            return pointer(value)
        assert isinstance(value, Computed), value
        return self.call(value.call)

    def call(self, given: Call) -> Expression:
        """A call of the runtime, or what it does."""
        arguments = [
            self.value(one) if isinstance(one, Value) else self.piece(one)
            for one in given.arguments
        ]
        if given.function in METHODS:
            return f"{flat(arguments[0])}{METHODS[given.function]}"
        if given.function == "boolean":
            return in_brackets(Choice(arguments[0], "'true'", "'false'"))
        if given.function == "plain_string":
            return join(("'\"'", arguments[0], "'\"'"))
        home = HOMES.get(given.function, f"Pieces::{camel(given.function)}")
        return call(f"Runtime\\{home}", arguments)

    # ------------------------------------------------------------ pieces

    def piece(self, piece: Piece) -> Expression:
        """A piece, as a string."""
        if isinstance(piece, Fixed):
            return string(piece.text)
        if isinstance(piece, Empty):
            return "''"
        if isinstance(piece, Call):
            return self.call(piece)
        if isinstance(piece, Invoke):
            return self.invoke(piece)
        if isinstance(piece, Written):
            rest = map(self.variable, piece.invoke.arguments)
            function = f"{self.functions[piece.invoke.function]}(...)"
            return call("Runtime\\Pieces::written", (function, *rest))
        if isinstance(piece, HookCall):
            method = LANGUAGE.convert(piece.name, NameUse.HOOK)
            return call(f"{self.variable(piece.hooks)}->{method}", [self.variable(piece.subject)])
        if isinstance(piece, PieceVariable):
            return f"${camel(piece.name)}"
        if isinstance(piece, Joined):
            return join(map(self.operand, piece.pieces))
        assert isinstance(piece, Conditional), piece
        found = self.operand(piece.otherwise)
        for one in reversed(piece.alternatives):
            inner = in_brackets(found) if isinstance(found, Choice) else found
            found = Choice(self.test(one.test), self.operand(one.piece), inner)
        return found

    def operand(self, piece: Piece) -> Expression:
        """A piece that stands in a larger expression."""
        found = self.piece(piece)
        return in_brackets(found) if isinstance(found, Choice) else found

    def invoke(self, invoke: Invoke) -> Expression:
        """A call of another function of the module."""
        return call(self.functions[invoke.function], map(self.variable, invoke.arguments))

    # ------------------------------------------------------------- tests

    def test(self, test: Test) -> Expression:
        """A test as a condition of ``if``."""
        if isinstance(test, AllOf):
            return Chain("&&", tuple(map(self.factor, test.tests)))
        if isinstance(test, AnyOf):
            return Chain("||", tuple(map(self._term, test.tests)))
        if isinstance(test, Negation):
            return self._negated(test.test)
        if isinstance(test, Present):
            return self._present(test)
        if isinstance(test, IsOneOf):
            return self._among(test, "===", "")
        if isinstance(test, StartsWith):
            tests = [
                call("str_starts_with", (self.text(test.value), literal(one)))
                for one in test.prefixes
            ]
            return tests[0] if len(tests) == 1 else Chain("||", tuple(tests))
        if isinstance(test, HasJsonKind):
            return f"{self.field(test.value)}->kind() === {literal(test.kind)}"
        if isinstance(test, OptionGiven):
            return f"$options->{camel(test.name)}" + ("" if test.flag else " !== null")
        if isinstance(test, RolesEqual):
            return Prefixed("$layout->roles === ", array(map(literal, test.roles)))
        if isinstance(test, IsKind):
            name = LANGUAGE.convert(test.kind, NameUse.KIND)
            return f"{self.variable(test.item)} instanceof Core\\{name}"
        assert isinstance(test, Holds), test
        return self.call(test.call)

    def factor(self, test: Test) -> Expression:
        """A test beside others that have to hold as well."""
        found = self.test(test)
        return in_brackets(found) if isinstance(found, Chain) and found.operator == "||" else found

    def _term(self, test: Test) -> Expression:
        found = self.test(test)
        return in_brackets(found) if isinstance(found, Chain) and found.operator == "&&" else found

    def _present(self, test: Present) -> str:
        if isinstance(test.value, Variable):
            return f"{self.variable(test.value)} !== {'[]' if _collects(test.value) else 'null'}"
        text = self.field(test.value)
        kind = test.value.step.type.kind if test.value.step.type else None
        if test.how is Presence.NOT_EMPTY:
            return f"!{text}->isEmpty()" if kind is FieldKind.JSON_MAP else f"{text} !== []"
        absent = "Core\\Absent::Value" if test.how is Presence.JSON else "null"
        return f"{text} !== {absent}"

    def _negated(self, test: Test) -> Expression:
        """The opposite of a test, written as people write it."""
        if isinstance(test, Negation):
            return self.test(test.test)
        if isinstance(test, IsOneOf):
            return self._among(test, "!==", "!")
        found = self.test(test)
        text = flat(found)
        if isinstance(test, Present) and " !== " in text:
            return text.replace(" !== ", " === ")
        if isinstance(test, Present) and text[0] == "!":
            return text[1:]
        if isinstance(test, HasJsonKind):
            return text.replace(" === ", " !== ")
        simple = isinstance(test, Holds) or (isinstance(test, OptionGiven) and test.flag)
        return Prefixed("!", found if simple else in_brackets(found))

    def _among(self, test: IsOneOf, one: str, several: str) -> Expression:
        text = self.text(test.value)
        if len(test.values) == 1:
            return f"{text} {one} {literal(test.values[0])}"
        values = array(map(literal, test.values))
        return call(f"{several}\\in_array", (text, values, "true"))


def _collects(variable: Variable) -> bool:
    return variable.role in (Role.MEMBERS, Role.ENTRIES)


def constant(value: object) -> Expression:
    """A fixed value of plain Python values, a dict as an object of JSON."""
    if isinstance(value, str):
        return string(value)
    if isinstance(value, (list, tuple)):
        return array(map(constant, value))
    if isinstance(value, dict):
        members = array(
            Prefixed(f"{literal(str(key))} => ", constant(one)) for key, one in value.items()
        )
        return call("new Core\\JsonObject", (members,))
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    assert isinstance(value, (int, float)), value
    return repr(value)


def pointer(value: Pointer) -> Expression:
    """A JSON pointer as an expression."""
    return join(_pointer_part(one) for one in value.parts)


def _pointer_part(part: str | PointerPart) -> str:
    if part is PointerPart.INDEX:
        return "$index"
    return "$losses->item" if part is PointerPart.ITEM else literal(str(part))
