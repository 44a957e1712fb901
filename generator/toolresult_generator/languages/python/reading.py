"""Lowered reading functions as Python text."""

from __future__ import annotations

from collections.abc import Sequence

from toolresult_generator.languages.lowering.reading import (
    Check,
    ChoicesOf,
    Dispatch,
    Drop,
    DropConstant,
    EntryReader,
    Expect,
    HasMember,
    IsConstant,
    KeepForeign,
    MarkedAs,
    MarkedAsOrImplied,
    MarkedAsOrUnmarked,
    NamedCheck,
    NumberBetween,
    ReadBareText,
    ReadBlock,
    ReadFunction,
    ReadOpen,
    ReadStep,
    ReadTest,
    ReadWhole,
    Require,
    Take,
    TakeJson,
    TakeList,
    TakeMap,
    TakeRecord,
    TakeText,
)
from toolresult_generator.languages.python.code import Code
from toolresult_generator.languages.python.expressions import function_name
from toolresult_generator.languages.python.values import docstring


class ReadFunctions:
    """Writes reading functions, and notes what has to be imported for them."""

    def __init__(self) -> None:
        self.imports: set[str] = set()
        self._names: dict[str, str] = {}

    def use(self, name: str) -> str:
        """Notes that a name of the runtime is used, and gives it back."""
        self.imports.add(name)
        return name

    def declare(self, functions: Sequence[ReadFunction]) -> None:
        """Learns the names: those of functions that an adapter may call have no underscore."""
        for one in functions:
            assert isinstance(one, (Dispatch, ReadBlock)), one
            self._names[one.name] = one.name if one.public else function_name(one.name)

    def name(self, function: str) -> str:
        """The name of a function in Python."""
        return self._names[function]

    def function(self, function: ReadFunction) -> list[str]:
        """The lines of a function."""
        code = Code()
        takes = f"block: {self.use('Members')}"
        assert isinstance(function, (Dispatch, ReadBlock)), function
        if isinstance(function, Dispatch) and function.by_kind:
            takes += ", kind: str | None = None"
        head = f"def {self.name(function.name)}({takes}) -> {self.use('Draft')}:"
        with code.block(head):
            code.line(docstring(function.meaning))
            if isinstance(function, Dispatch):
                self._dispatch(code, function)
            else:
                kind = f'{{"kind": {function.kind!r}}}' if function.kind else "{}"
                code.line(f"draft: Draft = {kind}")
                for step in function.steps:
                    code.line(self.step(step))
                code.line("return draft")
        return code.lines

    def _dispatch(self, code: Code, function: Dispatch) -> None:
        for case in function.cases:
            tests = " and ".join(map(self.test, case.tests)) or "True"
            with code.block(f"if {tests}:"):
                code.line(f"return {self.name(case.function)}(block)")
        code.line(f"raise {self.use('unknown_block')}(block, {function.known!r})")

    # ------------------------------------------------------------- steps

    def step(self, step: ReadStep) -> str:
        """One step: a method of ``Members``."""
        if isinstance(step, Expect):
            return f"block.expect({step.keys!r}, {step.value!r})"
        if isinstance(step, DropConstant):
            return f"block.drop_constant({step.keys!r}, {step.value!r})"
        if isinstance(step, Drop):
            return f"block.drop({_spelt(step.keys)})"
        if isinstance(step, Take):
            given = f"draft, {step.field!r}, {step.keys!r}, {self.check(step.check)}"
            return f"block.take({given}{_if('strict', step.strict)})"
        if isinstance(step, Require):
            return f"block.require(draft, {step.field!r}, {step.keys!r}, {self.check(step.check)})"
        if isinstance(step, TakeMap):
            return f"block.take_map(draft, {step.field!r}, {step.keys!r})"
        if isinstance(step, TakeJson):
            given = f"draft, {step.field!r}, {step.keys!r}, {self.check(step.check)}"
            return f"block.take_json({given}{_if('required', step.required)})"
        if isinstance(step, (TakeList, TakeRecord)):
            method = "take_list" if isinstance(step, TakeList) else "take_record"
            given = f"draft, {step.field!r}, {step.keys!r}, {self.entry(step.entry)}"
            return f"block.{method}({given}{_if('strict', step.strict)})"
        if isinstance(step, TakeText):
            given = f"draft, {step.keys!r}, {self.entry(step.entry)}"
            return f"block.take_text({given}{_if('required', step.required)})"
        assert isinstance(step, KeepForeign), step
        return f"{self.use('keep_foreign')}(draft, {step.origin!r}, block.rest())"

    def entry(self, entry: EntryReader) -> str:
        """What reads a value that stands inside of another."""
        self.use("partial")
        if isinstance(entry, ReadBareText):
            return f"partial({self.use('read_text')}, {entry.kind!r}, {entry.field!r})"
        assert isinstance(entry, (ReadOpen, ReadWhole)), entry
        read = "read_open" if isinstance(entry, ReadOpen) else "read_whole"
        return f"partial({self.use(read)}, {self.name(entry.function)})"

    def check(self, check: Check) -> str:
        """What a field accepts."""
        if isinstance(check, NumberBetween):
            return f"{self.use('number_between')}({check.minimum}, {check.maximum})"
        if isinstance(check, ChoicesOf):
            return f"{self.use('choices_of')}({_spelt(check.names)})"
        assert isinstance(check, NamedCheck), check
        return self.use(check.name.value.upper())

    # ------------------------------------------------------------- tests

    def test(self, test: ReadTest) -> str:
        """What tells a block from others."""
        if isinstance(test, IsConstant):
            return f"block.is_constant({test.keys!r}, {test.value!r})"
        if isinstance(test, HasMember):
            return f"block.has({_spelt(test.keys)})"
        if isinstance(test, MarkedAs):
            return "kind is None" if test.kind is None else f"kind == {test.kind!r}"
        if isinstance(test, MarkedAsOrUnmarked):
            return f"kind in (None, {test.kind!r})"
        assert isinstance(test, MarkedAsOrImplied), test
        starts = f"str(block.get({_spelt(test.keys)})).startswith({test.prefixes!r})"
        return f"(kind == {test.kind!r} or (kind is None and {starts}))"


def _spelt(names: tuple[str, ...]) -> str:
    """Names as arguments."""
    return ", ".join(map(repr, names))


def _if(name: str, holds: bool) -> str:
    """A flag as a last argument."""
    return f", {name}=True" if holds else ""
