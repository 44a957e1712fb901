"""Fields and conditions as Python expressions, with what is known to be present at a place."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.python.names import PythonNames
from toolresult_generator.model.result import FieldKind, FieldType
from toolresult_generator.model.target import (
    All,
    Any,
    Condition,
    Const,
    Fits,
    Has,
    Inexact,
    JsonKind,
    Not,
    OneOf,
    OptionSet,
    Path,
    Prefixed,
    RolesAre,
)

_NAMES = PythonNames()
_COLLECTIONS = (FieldKind.CHOICES, FieldKind.JSON_MAP, FieldKind.PARTS, FieldKind.RECORDS)
_FLAGS = ("wrap_output", "structured_errors")


def attribute(name: str, root: bool) -> str:
    """The attribute that holds a field."""
    return _NAMES.convert(name, NameUse.RESULT_FIELD if root else NameUse.FIELD)


@dataclass
class Scope:
    """The function that is being written: its local names and what it takes."""

    locals: dict[str, str] = field(default_factory=dict)
    """A local name to the expression it stands for, in the order of need."""
    needs: set[str] = field(default_factory=set)
    """The parameters used: result, item, options, layout, losses, hooks."""
    imports: set[str] = field(default_factory=set)
    """Names of the runtime that are used."""
    item: str = "item"
    """What the item is called here: a parameter, or the variable of a loop."""

    def use(self, name: str) -> str:
        """Notes that a name of the runtime is used, and gives it back."""
        self.imports.add(name)
        return name

    # ------------------------------------------------------------ fields

    def owner(self, path: Path) -> str:
        """A local name for what holds the last step of a path."""
        self.needs.add(path.root)
        name = self.item if path.root == "item" else "result"
        for position, step in enumerate(path.steps[:-1]):
            name = self._local(path, position, step.name, name)
        return name

    def _local(self, path: Path, position: int, step: str, holder: str) -> str:
        """A local name for a record on the way, None where it is absent."""
        at_root = path.root == "result" and position == 0
        expression = f"{holder}.{attribute(step, at_root)}"
        name = f"{self.item}_{step}" if path.root == "item" else attribute(step, False)
        if path.index is not None and position == 0:
            name = f"{step}_{path.index}"
            expression = f"{expression}[{path.index}] if len({expression}) > {path.index} else None"
        elif holder in self.locals:
            expression = f"{expression} if {holder} is not None else None"
        self.locals[name] = expression
        return name

    def value(self, path: Path) -> str:
        """The expression for a field that is known to be present."""
        root = path.root == "result" and len(path.steps) == 1
        return f"{self.owner(path)}.{attribute(path.leaf.name, root)}"

    def presence(self, path: Path) -> list[str]:
        """What must hold for the field to be present, in order; empty if it always is."""
        tests: list[str] = []
        if any(step.optional for step in path.steps[:-1]):
            tests.append(f"{self.owner(path)} is not None")
        if path.leaf.optional:
            tests.append(self._leaf_presence(path))
            if path.leaf.type is not None and path.leaf.type.kind is FieldKind.RECORD:
                return tests[-1:]
        return tests

    def _leaf_presence(self, path: Path) -> str:
        kind = path.leaf.type.kind if path.leaf.type else None
        if kind is FieldKind.RECORD:
            below = Path(path.root, (*path.steps, path.leaf), path.index)
            return f"{self.owner(below)} is not None"
        value = self.value(path)
        if kind in _COLLECTIONS:
            return value
        if kind is FieldKind.JSON:
            return f"isinstance({value}, {self.use('Json')})"
        return f"{value} is not None"

    def encoded(self, path: Path) -> str:
        """The field as JSON in bytes."""
        value = self.value(path)
        if path.leaf.type is None:
            return f"{self.use('quote')}({value})"
        return self.encode(value, path.leaf.type)

    def encode(self, value: str, type_: FieldType) -> str:
        """A value of a field's type as JSON in bytes."""
        kind = type_.kind
        if kind in (FieldKind.JSON, FieldKind.JSON_OBJECT):
            return f"{value}.canonical"
        if kind in (FieldKind.COUNT, FieldKind.NUMBER):
            return f"{self.use('number')}({value})"
        if kind is FieldKind.BOOLEAN:
            return f'b"true" if {value} else b"false"'
        if kind is FieldKind.CHOICES:
            return f"{self.use('strings')}({value})"
        if kind is FieldKind.JSON_MAP:
            return f"{self.use('json_map')}({value})"
        if kind is FieldKind.BASE64:
            return f"{self.use('ascii_string')}({value})"
        return f"{self.use('quote')}({value})"

    def argument(self, argument: Path | Const | None) -> str:
        """What a conversion takes."""
        if argument is None:
            return "None"
        if isinstance(argument, Const):
            return argument.json
        return self.value(argument)

    # -------------------------------------------------------- conditions

    def test(self, condition: Condition, known: frozenset[str]) -> tuple[str, frozenset[str]]:
        """The expression of a condition, and what is known to be present where it holds."""
        if isinstance(condition, All):
            return self._all(condition, known)
        if isinstance(condition, Any):
            texts = [self.test(one, known) for one in condition.conditions]
            gained = frozenset.intersection(*(more for _, more in texts))
            return " or ".join(_grouped(text) for text, _ in texts), known | gained
        if isinstance(condition, Not):
            text, _ = self.test(condition.condition, known)
            return negated(text), known
        if isinstance(condition, OptionSet):
            self.needs.add("options")
            name = f"options.{condition.option}"
            test = name if condition.option in _FLAGS else f"{name} is not None"
            return test, known | {test}
        if isinstance(condition, RolesAre):
            self.needs.add("layout")
            return f"layout.roles == {list(condition.roles)!r}", known
        return self._about_path(condition, known)

    def _all(self, condition: All, known: frozenset[str]) -> tuple[str, frozenset[str]]:
        texts: list[str] = []
        for one in condition.conditions:
            text, known = self.test(one, known)
            if text != "True":
                texts.append(f"({text})" if isinstance(one, Any) else text)
        return " and ".join(texts) or "True", known

    def _about_path(
        self, condition: Condition, known: frozenset[str]
    ) -> tuple[str, frozenset[str]]:
        if isinstance(condition, Fits):
            self.needs.add(condition.path.root)
            prefix = self.presence(Path(condition.path.root, condition.path.steps))
            found, value = self.use("find_foreign"), self.value(condition.path)
            call = f"{found}({value}, {condition.keys!r}, {condition.shape!r}) is not None"
            return " and ".join([*(t for t in prefix if t not in known), call]), known | set(prefix)
        assert isinstance(condition, (Has, OneOf, Prefixed, JsonKind, Inexact))
        tests = self.presence(condition.path)
        texts = [text for text in tests if text not in known]
        value = self.value(condition.path)
        if isinstance(condition, OneOf):
            one = len(condition.values) == 1
            texts.append(
                f"{value} == {condition.values[0]!r}" if one else f"{value} in {condition.values!r}"
            )
        elif isinstance(condition, Prefixed):
            prefixes = condition.prefixes[0] if len(condition.prefixes) == 1 else condition.prefixes
            texts.append(f"{value}.startswith({prefixes!r})")
        elif isinstance(condition, JsonKind):
            texts.append(f"{value}.kind == {condition.kind!r}")
        elif isinstance(condition, Inexact):
            texts.append(f"not {self.use('is_exact_value')}({value})")
        return " and ".join(texts) or "True", known | set(tests)


def _grouped(text: str) -> str:
    """An operand of ``or``, in brackets where it is one of ``and`` itself."""
    return f"({text})" if " and " in text else text


def negated(text: str) -> str:
    """The opposite of a test, written as people write it."""
    if " and " not in text and " or " not in text:
        for operator, opposite in ((" is not None", " is None"), (" == ", " != ")):
            if text.endswith(operator) or (operator == " == " and text.count(operator) == 1):
                return text.replace(operator, opposite)
        if " " not in text or text.startswith("isinstance("):
            return f"not {text}"
    return f"not ({text})"
