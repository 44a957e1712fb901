"""Lowered expressions as Python text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from toolresult_generator.languages.python.names import LANGUAGE, snake

INLINE: Final[Mapping[str, Callable[..., str]]] = {
    "array": lambda entries: f'b"[" + b",".join({entries}) + b"]" if {entries} else b""',
    "boolean": lambda value: f'b"true" if {value} else b"false"',
    "canonical": lambda value: f"{value}.canonical",
    "escaped": lambda value: f"{value}.escaped",
    "markers_text": lambda layout: f"{layout}.markers_text()",
    "plain": lambda text: f'{text}.encode("ascii")',
    "roles_text": lambda layout: f"{layout}.roles_text()",
}
"""Functions of the runtime that are written out where they are called."""
CONDITIONALS: Final = frozenset({"array", "boolean"})
"""Those of them that are conditional expressions."""
RENAMED: Final[Mapping[str, str]] = {"foreign_fits": "find_foreign", "plain_string": "ascii_string"}
"""Functions that have another name in Python's runtime."""


def function_name(name: str) -> str:
    """The name of a module's own function."""
    return f"_{name}"


class Expressions:
    """Writes expressions, and notes what has to be imported for them."""

    def __init__(self) -> None:
        self.imports: set[str] = set()
        """Names of the runtime that are used."""
        self.values: set[str] = set()
        """Names of the value classes that are used."""

    def use(self, name: str) -> str:
        """Notes that a name of the runtime is used, and gives it back."""
        self.imports.add(name)
        return name

    def kind_class(self, kind: str) -> str:
        """The class of a part kind."""
        name = LANGUAGE.convert(kind, NameUse.KIND)
        self.values.add(name)
        return name

    # ------------------------------------------------------------ values

    def variable(self, variable: Variable) -> str:
        """The name of a variable."""
        return snake(variable.name) if variable.role is Role.LOCAL else variable.name

    def field(self, field: Field) -> str:
        """A field of something that is there."""
        use = NameUse.RESULT_FIELD if field.of_result else NameUse.FIELD
        return f"{self.variable(field.holder)}.{LANGUAGE.convert(field.step.name, use)}"

    def value(self, value: Value) -> str:
        """A value."""
        if isinstance(value, Variable):
            return self.variable(value)
        if isinstance(value, Field):
            text = self.field(value)
            holder = self.variable(value.holder)
            return f"{text} if {holder} is not None else None" if value.if_holder else text
        if isinstance(value, EntryAt):
            text = self.field(value.field)
            return f"{text}[{value.index}] if len({text}) > {value.index} else None"
        if isinstance(value, Option):
            return f"options.{value.name}"
        if isinstance(value, Constant):
            return repr(value.value)
        if isinstance(value, Pointer):
            return pointer(value)
        assert isinstance(value, Computed), value
        return self.call(value.call)

    def call(self, call: Call) -> str:
        """A call of the runtime, or what it does."""
        arguments = [
            self.value(one) if isinstance(one, Value) else self.piece(one) for one in call.arguments
        ]
        if call.function in INLINE:
            return INLINE[call.function](*arguments)
        name = self.use(RENAMED.get(call.function, call.function))
        return f"{name}({', '.join(arguments)})"

    # ------------------------------------------------------------ pieces

    def piece(self, piece: Piece) -> str:
        """A piece, as bytes."""
        if isinstance(piece, Fixed):
            return repr(piece.text.encode())
        if isinstance(piece, Empty):
            return 'b""'
        if isinstance(piece, Call):
            return self.call(piece)
        if isinstance(piece, Invoke):
            return self.invoke(piece)
        if isinstance(piece, Written):
            rest = [self.variable(one) for one in piece.invoke.arguments]
            arguments = ", ".join([function_name(piece.invoke.function), *rest])
            return f"{self.use('written')}({arguments})"
        if isinstance(piece, HookCall):
            method = LANGUAGE.convert(piece.name, NameUse.HOOK)
            return f"{self.variable(piece.hooks)}.{method}({self.variable(piece.subject)})"
        if isinstance(piece, PieceVariable):
            return piece.name
        if isinstance(piece, Joined):
            return " + ".join(map(self.operand, piece.pieces))
        assert isinstance(piece, Conditional), piece
        text = ""
        for one in piece.alternatives:
            text += f"{self.operand(one.piece)} if {self.test(one.test)} else "
        return text + self.operand(piece.otherwise)

    def operand(self, piece: Piece) -> str:
        """A piece that stands in a larger expression."""
        inline = isinstance(piece, Call) and piece.function in CONDITIONALS
        text = self.piece(piece)
        return f"({text})" if inline or isinstance(piece, (Conditional, Joined)) else text

    def invoke(self, invoke: Invoke) -> str:
        """A call of another function of the module."""
        arguments = ", ".join(map(self.variable, invoke.arguments))
        return f"{function_name(invoke.function)}({arguments})"

    # ------------------------------------------------------------- tests

    def test(self, test: Test) -> str:
        """A test as a condition of ``if``."""
        if isinstance(test, AllOf):
            return " and ".join(map(self._factor, test.tests))
        if isinstance(test, AnyOf):
            return " or ".join(map(self._term, test.tests))
        if isinstance(test, Negation):
            return self._negated(test.test)
        if isinstance(test, Present):
            return self._present(test)
        if isinstance(test, IsOneOf):
            return f"{self.value(test.value)} {_among(test, '==', 'in')}"
        if isinstance(test, StartsWith):
            prefixes = test.prefixes[0] if len(test.prefixes) == 1 else test.prefixes
            return f"{self.value(test.value)}.startswith({prefixes!r})"
        if isinstance(test, HasJsonKind):
            return f"{self.value(test.value)}.kind == {test.kind!r}"
        if isinstance(test, OptionGiven):
            return f"options.{test.name}" + ("" if test.flag else " is not None")
        if isinstance(test, RolesEqual):
            return f"layout.roles == {list(test.roles)!r}"
        if isinstance(test, IsKind):
            return f"isinstance({self.variable(test.item)}, {self.kind_class(test.kind)})"
        assert isinstance(test, Holds), test
        text = self.call(test.call)
        return f"{text} is not None" if test.call.function == "foreign_fits" else text

    def _factor(self, test: Test) -> str:
        return f"({self.test(test)})" if isinstance(test, AnyOf) else self.test(test)

    def _term(self, test: Test) -> str:
        return f"({self.test(test)})" if isinstance(test, AllOf) else self.test(test)

    def _present(self, test: Present) -> str:
        text = self.value(test.value)
        if test.how is Presence.NOT_EMPTY:
            return text
        if test.how is Presence.JSON:
            return f"isinstance({text}, {self.use('Json')})"
        return f"{text} is not None"

    def _negated(self, test: Test) -> str:
        """The opposite of a test, written as people write it."""
        if isinstance(test, Negation):
            return self.test(test.test)
        if isinstance(test, IsOneOf):
            return f"{self.value(test.value)} {_among(test, '!=', 'not in')}"
        if isinstance(test, HasJsonKind):
            return f"{self.value(test.value)}.kind != {test.kind!r}"
        if isinstance(test, RolesEqual):
            return f"layout.roles != {list(test.roles)!r}"
        text = self.test(test)
        if isinstance(test, (AllOf, AnyOf)):
            return f"not ({text})"
        bare = text.removesuffix(" is not None")
        return f"not {text}" if bare == text else f"{bare} is None"


def pointer(value: Pointer) -> str:
    """A JSON pointer as an expression."""
    if PointerPart.INDEX in value.parts:
        text = "".join(
            "{index}" if one is PointerPart.INDEX else _escaped(str(one)) for one in value.parts
        )
        return f'f"{text}"'
    parts = ["losses.item" if one is PointerPart.ITEM else repr(one) for one in value.parts]
    return " + ".join(parts)


def _escaped(text: str) -> str:
    """Text inside of an f-string in double quotes."""
    return repr(text)[1:-1].replace('"', '\\"').replace("{", "{{").replace("}", "}}")


def _among(test: IsOneOf, one: str, several: str) -> str:
    if len(test.values) == 1:
        return f"{one} {test.values[0]!r}"
    return f"{several} {test.values!r}"
