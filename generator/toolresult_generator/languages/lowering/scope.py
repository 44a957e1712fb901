"""Fields and conditions where a function stands: its locals, and what is known to be present."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from toolresult_generator.languages.lowering.expressions import (
    AllOf,
    AnyOf,
    Call,
    Constant,
    EntryAt,
    Field,
    HasJsonKind,
    Holds,
    IsOneOf,
    Negation,
    OptionGiven,
    Presence,
    Present,
    Role,
    RolesEqual,
    StartsWith,
    Test,
    Value,
    Variable,
)
from toolresult_generator.languages.lowering.modules import RESERVED
from toolresult_generator.languages.lowering.statements import Body, Let, Statement
from toolresult_generator.languages.lowering.walk import variables
from toolresult_generator.model.conditions import FLAGS
from toolresult_generator.model.result import FieldKind
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
    Step,
)

RESULT = Variable(Role.RESULT, "result")
ITEM = Variable(Role.ITEM, "item")
Known = frozenset[Test]
"""What is known to hold at a place of a function."""
NOTHING: Known = frozenset()
_COLLECTIONS = (FieldKind.CHOICES, FieldKind.JSON_MAP, FieldKind.PARTS, FieldKind.RECORDS)


def all_of(tests: Sequence[Test]) -> Test | None:
    """The tests as one; None for none, which always holds."""
    flat: list[Test] = []
    for test in tests:
        flat += test.tests if isinstance(test, AllOf) else (test,)
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat)) if flat else None


class _Frame:
    """A function or a loop: the locals that are bound at its start, in the order of need."""

    def __init__(self, item: Variable | None) -> None:
        self.item = item
        self.locals: dict[Variable, Value] = {}
        self.of: dict[Value, Variable] = {}


class Scope:
    """Where a function is being written: the item of the place, and the locals."""

    def __init__(self) -> None:
        self.item = ITEM
        self._frames = [_Frame(ITEM)]
        self._in_loops: set[str] = set()

    # ------------------------------------------------------------ frames

    @contextmanager
    def loop(self, each: Path) -> Iterator[Variable]:
        """A loop over the entries of a list: gives its variable. Parts are called so."""
        kind = each.leaf.type.kind if each.leaf.type else None
        name = "part" if kind is FieldKind.PARTS else "entry"
        open_ones = {frame.item.name for frame in self._frames if frame.item}
        item = Variable(Role.ITEM, free(name, open_ones))
        outer, self.item = self.item, item
        self._frames.append(_Frame(item))
        yield item
        self._frames.pop()
        self.item = outer

    def bound(self, body: Sequence[Statement]) -> Body:
        """The body of the function or loop, with the locals that it uses bound first."""
        frame = self._frames[-1]
        used = variables(tuple(body))
        for local, value in reversed(frame.locals.items()):
            if local in used:
                used |= variables(value)
        lets = [Let(local, value) for local, value in frame.locals.items() if local in used]
        return (*lets, *body)

    # ------------------------------------------------------------ fields

    def owner(self, path: Path) -> Variable:
        """What holds the last step of a path: the result, the item, or a local."""
        holder = self.item if path.root == "item" else RESULT
        for position, step in enumerate(path.steps[:-1]):
            index = path.index if position == 0 else None
            holder = self._local(holder, step, index)
        return holder

    def _local(self, holder: Variable, step: Step, index: int | None) -> Variable:
        """The local of a record on the way; absent where the record is."""
        field = self._field(holder, step)
        value: Value = field if index is None else EntryAt(field, index)
        frame = self._frame_of(holder)
        if value in frame.of:
            return frame.of[value]
        name = step.name if index is None else f"{step.name}_{index}"
        if holder.role is Role.ITEM:
            name = f"{holder.name}_{name}"
        taken = {local.name for frame in self._frames for local in frame.locals} | RESERVED
        if frame is self._frames[0]:
            taken |= self._in_loops
        if name in taken:
            name = free(f"{holder.name}_{name}", taken)
        if frame is not self._frames[0]:
            self._in_loops.add(name)
        local = Variable(Role.LOCAL, name)
        frame.locals[local] = value
        frame.of[value] = local
        return local

    def _frame_of(self, holder: Variable) -> _Frame:
        """The innermost frame that binds a variable; the function's for what it takes."""
        for frame in reversed(self._frames):
            if holder == frame.item or holder in frame.locals:
                return frame
        return self._frames[0]

    def _field(self, holder: Variable, step: Step) -> Field:
        return Field(holder, step, holder.role is Role.RESULT, holder.role is Role.LOCAL)

    def value(self, path: Path) -> Field:
        """A field whose holder is known to be present."""
        return replace(self._field(self.owner(path), path.leaf), if_holder=False)

    def value_if_any(self, path: Path) -> Field:
        """A field that is absent where its holder is."""
        return self._field(self.owner(path), path.leaf)

    def argument(self, argument: Path | Const | None) -> Value:
        """What a conversion takes."""
        if argument is None:
            return Constant(None)
        if isinstance(argument, Const):
            return Constant(json.loads(argument.json))
        return self.value(argument)

    # ---------------------------------------------------------- presence

    def holder_presence(self, path: Path) -> list[Test]:
        """What must hold for the last step's holder to be there; nothing if it always is."""
        if path.index is None and not any(step.optional for step in path.steps[:-1]):
            return []
        return [Present(self.owner(path), Presence.VALUE)]

    def presence(self, path: Path) -> list[Test]:
        """What must hold for the field to be present, in order; nothing if it always is."""
        tests = self.holder_presence(path)
        kind = path.leaf.type.kind if path.leaf.type else None
        if not path.leaf.optional:
            return tests
        if kind is FieldKind.RECORD:  # its own local says all
            return self.holder_presence(Path(path.root, (*path.steps, path.leaf), path.index))
        how = Presence.VALUE
        if kind in _COLLECTIONS:
            how = Presence.NOT_EMPTY
        elif kind is FieldKind.JSON:
            how = Presence.JSON
        return [*tests, Present(self.value(path), how)]

    # -------------------------------------------------------- conditions

    def test(self, condition: Condition, known: Known) -> tuple[Test | None, Known]:
        """The test of a condition (None: it is known to hold), and what is known where it holds."""
        if isinstance(condition, All):
            return self._all(condition, known)
        if isinstance(condition, Any):
            return self._any(condition, known)
        if isinstance(condition, Not):
            test = self.test(condition.condition, known)[0]
            # What is known to hold is tested all the same: there is no test that never does.
            test = test or self.test(condition.condition, NOTHING)[0]
            assert test is not None, "the model decides what always holds"
            return Negation(test), known
        if isinstance(condition, OptionSet):
            given = OptionGiven(condition.option, condition.option in FLAGS)
            return given, known | {given}
        if isinstance(condition, RolesAre):
            return RolesEqual(condition.roles), known
        return self._about_path(condition, known)

    def _all(self, condition: All, known: Known) -> tuple[Test | None, Known]:
        tests: list[Test] = []
        for one in condition.conditions:
            test, known = self.test(one, known)
            if test is not None:
                tests.append(test)
        return all_of(tests), known

    def _any(self, condition: Any, known: Known) -> tuple[Test | None, Known]:
        found = [self.test(one, known) for one in condition.conditions]
        known |= frozenset.intersection(*(more for _, more in found))
        tests = tuple(test for test, _ in found if test is not None)
        return (AnyOf(tests) if len(tests) == len(found) else None), known

    def _about_path(self, condition: Condition, known: Known) -> tuple[Test | None, Known]:
        assert isinstance(condition, (Fits, Has, Inexact, JsonKind, OneOf, Prefixed))
        needed = self.presence(condition.path)
        tests = [test for test in needed if test not in known]
        value = self.value(condition.path)
        if isinstance(condition, Fits):
            arguments = (value, Constant(condition.keys), Constant(condition.shape))
            tests.append(Holds(Call("foreign_fits", arguments)))
        elif isinstance(condition, OneOf):
            tests.append(IsOneOf(value, condition.values))
        elif isinstance(condition, Prefixed):
            tests.append(StartsWith(value, condition.prefixes))
        elif isinstance(condition, JsonKind):
            tests.append(HasJsonKind(value, condition.kind))
        elif isinstance(condition, Inexact):
            tests.append(Negation(Holds(Call("is_exact_value", (value,)))))
        return all_of(tests), known | set(needed)


def free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found
