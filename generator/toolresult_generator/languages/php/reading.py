"""Lowered reading functions as static methods of PHP."""

from __future__ import annotations

from typing import Final

from toolresult_generator.languages.lowering.reading import (
    Check,
    CheckName,
    ChoicesOf,
    Dispatch,
    Drop,
    DropConstant,
    EntryReader,
    Expect,
    HasMember,
    IsConstant,
    KeepForeign,
    Keys,
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
from toolresult_generator.languages.php.expressions import constant
from toolresult_generator.languages.php.layout import (
    Chain,
    Expression,
    array,
    call,
    condition,
    in_brackets,
    lines,
    string,
)
from toolresult_generator.languages.php.names import camel
from toolresult_generator.languages.php.text import doc, literal

_CHECKS: Final = {
    CheckName.ANY: "any",
    CheckName.STRING: "string",
    CheckName.NON_EMPTY: "nonEmpty",
    CheckName.BOOLEAN: "boolean",
    CheckName.COUNT: "count",
    CheckName.OBJECT: "object",
    CheckName.MAP: "map",
    CheckName.TIMESTAMP: "timestamp",
    CheckName.BASE64: "base64",
}
_METHODS: Final = {
    Take: "take",
    TakeJson: "takeJson",
    TakeList: "takeList",
    TakeRecord: "takeRecord",
}


class ReadFunctions:
    """Writes the reading functions of a module."""

    def __init__(self, methods: dict[str, str]) -> None:
        self._methods = methods

    def function(self, function: ReadFunction) -> list[str]:
        """The lines of a function, as a method of a class."""
        assert isinstance(function, (Dispatch, ReadBlock)), function
        kind = (
            ", ?string $kind = null" if isinstance(function, Dispatch) and function.by_kind else ""
        )
        body = self._dispatch(function) if isinstance(function, Dispatch) else self._steps(function)
        meaning = function.meaning.replace("``block``", "the block").replace("``kind``", "The kind")
        return [
            *doc(meaning, "@throws Core\\ResultError", indent=1),
            f"    public static function {self._methods[function.name]}"
            f"(Runtime\\Members $block{kind}): Runtime\\Draft",
            "    {",
            *body,
            "    }",
        ]

    def _steps(self, function: ReadBlock) -> list[str]:
        start = f"['kind' => {literal(function.kind)}]" if function.kind else ""
        found = [f"        $draft = new Runtime\\Draft({start});"]
        for step in function.steps:
            found += lines(self._step(step), 2, "", ";")
        return [*found, "        return $draft;"]

    def _dispatch(self, function: Dispatch) -> list[str]:
        found: list[str] = []
        for case in function.cases:
            given = f"self::{self._methods[case.function]}($block)"
            tests = [self._test(one) for one in case.tests]
            if not tests:
                return [*found, f"        return {given};"]
            test = tests[0] if len(tests) == 1 else Chain("&&", tuple(tests))
            found += condition(test, 2, "if")
            found += [f"            return {given};", "        }"]
        refusal = call("throw $block->unknown", (string(function.known),))
        return [*found, *lines(refusal, 2, "", ";")]

    # ------------------------------------------------------------- steps

    def _step(self, step: ReadStep) -> Expression:
        if isinstance(step, (Expect, DropConstant)):
            method = "expect" if isinstance(step, Expect) else "dropConstant"
            return call(f"$block->{method}", (_keys(step.keys), constant(step.value)))
        if isinstance(step, Drop):
            return call("$block->drop", (_keys(step.keys),))
        if isinstance(step, TakeMap):
            return call("$block->takeMap", ("$draft", _keys(step.field), _keys(step.keys)))
        if isinstance(step, Require):
            given = (_keys(step.field), _keys(step.keys), _check(step.check))
            return call("$block->require", ("$draft", *given))
        if isinstance(step, TakeText):
            required = ("required: true",) if step.required else ()
            given = (_keys(step.keys), self._entry(step.entry), *required)
            return call("$block->takeText", ("$draft", *given))
        if isinstance(step, KeepForeign):
            given = ("$draft", literal(step.origin), "$block->rest()")
            return call("Runtime\\Reading::keepForeign", given)
        assert isinstance(step, (Take, TakeJson, TakeList, TakeRecord)), step
        how = self._entry(step.entry) if isinstance(step, (TakeList, TakeRecord)) else None
        last: tuple[str, ...] = ()
        if isinstance(step, TakeJson):
            last = ("required: true",) if step.required else ()
        elif step.strict:
            last = ("strict: true",)
        if isinstance(step, (Take, TakeJson)):
            how = _check(step.check)
        assert how is not None
        taken = ("$draft", _keys(step.field), _keys(step.keys), how, *last)
        return call(f"$block->{_METHODS[type(step)]}", taken)

    def _entry(self, entry: EntryReader) -> Expression:
        """What reads a value that stands inside of another."""
        if isinstance(entry, ReadBareText):
            return call("Runtime\\Reading::text", (literal(entry.kind), literal(entry.field)))
        assert isinstance(entry, (ReadOpen, ReadWhole)), entry
        how = "open" if isinstance(entry, ReadOpen) else "whole"
        return call(f"Runtime\\Reading::{how}", (f"self::{self._methods[entry.function]}(...)",))

    # ------------------------------------------------------------- tests

    def _test(self, test: ReadTest) -> Expression:
        if isinstance(test, IsConstant):
            return call("$block->isConstant", (_keys(test.keys), constant(test.value)))
        if isinstance(test, HasMember):
            return call("$block->has", (_keys(test.keys),))
        if isinstance(test, MarkedAs):
            return f"$kind === {'null' if test.kind is None else literal(test.kind)}"
        if isinstance(test, MarkedAsOrUnmarked):
            return f"($kind === null || $kind === {literal(test.kind)})"
        assert isinstance(test, MarkedAsOrImplied), test
        prefixes = array(map(literal, test.prefixes))
        starts = call("$block->startsWith", (_keys(test.keys), prefixes))
        implied = in_brackets(Chain("&&", ("$kind === null", starts)))
        return in_brackets(Chain("||", (f"$kind === {literal(test.kind)}", implied)))


def _keys(keys: Keys) -> Expression:
    return array(map(literal, keys))


def _check(check: Check) -> Expression:
    if isinstance(check, NumberBetween):
        return call("Runtime\\Fits::between", (constant(check.minimum), constant(check.maximum)))
    if isinstance(check, ChoicesOf):
        return call("Runtime\\Fits::choices", (array(map(literal, check.names)),))
    assert isinstance(check, NamedCheck), check
    return f"Runtime\\Fits::{_CHECKS[check.name]}()"


def form_method(form: str) -> str:
    """How an adapter calls the function that reads a form."""
    return camel(f"read_{form}")
