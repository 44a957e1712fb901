"""The module that reads a target."""

from __future__ import annotations

from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering import lower_reader
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
    Keys,
    MarkedAs,
    MarkedAsOrImplied,
    MarkedAsOrUnmarked,
    NamedCheck,
    NumberBetween,
    ReadBareText,
    ReadBlock,
    ReadCase,
    ReaderClass,
    ReaderModule,
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
from toolresult_generator.languages.typescript.imports import import_lines
from toolresult_generator.languages.typescript.layout import (
    LINE,
    Doc,
    Group,
    Indent,
    array,
    call,
    condition,
    join,
    lay_out,
)
from toolresult_generator.languages.typescript.names import LANGUAGE, camel, pascal
from toolresult_generator.languages.typescript.text import HEADER, comment, constant, literal
from toolresult_generator.model.target import Target

_BODY: Final = 1


def emit_reader(target: Target) -> list[str]:
    """The lines of the module that reads a target."""
    return _Module(lower_reader(target)).lines()


def reader_class(target: Target, revision: str) -> str:
    """The class that reads a target, or from one revision on where they are read differently."""
    own = "" if len(target.readers) == 1 else "".join(c for c in revision if c.isalnum())
    return f"{pascal(target.name)}{own}Reader"


class _Module:
    def __init__(self, module: ReaderModule) -> None:
        self._module = module
        self._uses = {"Reader", "Members", "Draft"}

    def use(self, name: str) -> str:
        """Notes that a name of the runtime is used, and gives it back."""
        self._uses.add(name)
        return name

    def lines(self) -> list[str]:
        """The lines of the module."""
        target = self._module.target
        body: list[str] = []
        for one in self._module.readers:
            body += ["", *self._reader(one)]
        for function in self._module.functions:
            body += ["", *self._function(function)]
        alone = any(one.hook is None for one in self._module.readers)
        types = {"Draft", "Members", "Result"}
        if alone:
            types -= {"Members", "Result"}
        homes = {"../runtime/reading.js": self._uses, "../values.js": {"Result"}}
        source = HEADER.format(source=f"targets/{target.name}.yaml")
        head = comment([f"{target.title}: the readers.", target.meaning, source])
        return [*head, "", *import_lines(homes, types), *body]

    # ----------------------------------------------------------- classes

    def _reader(self, one: ReaderClass) -> list[str]:
        revisions = ", ".join(one.revisions)
        kind = "abstract class" if one.hook is not None else "class"
        name = reader_class(self._module.target, one.revisions[0])
        method = "" if one.hook is None else LANGUAGE.convert(one.hook.name, NameUse.HOOK)
        lines = [
            *comment(f"Reads {one.target}, revision {revisions}."),
            f"export {kind} {name} extends Reader<Result> {{",
        ]
        if one.hook is not None:
            digest = f"    {method}: {literal(one.hook.digest)},"
            lines += comment(
                "The digest of each rule; an adapter says which one it was written for.", 1
            )
            lines += ["  static readonly ruleDigests = {", digest, "  } as const;", ""]
        lines.append(f"  override readonly target = {literal(one.target)};")
        known = array([literal(revision) for revision in one.revisions])
        lines += lay_out(("override readonly revisions = ", known, ";"), 1)
        if self._module.is_text:
            lines.append("  override readonly isText = true;")
        for form in one.forms:
            spelt = camel(form.function)
            member = camel(f"read_{form.form}")
            lines.append(f"  readonly {member} = {spelt};")
        lines.append("")
        if one.hook is not None:
            lines += comment("The result that a wire value says.", 1)
            lines += ["  override readWire(wire: unknown): Result {"]
            lines += [f"    return this.{method}(wire);", "  }", ""]
            lines += comment(f"{one.hook.rule} Rule {one.hook.digest}.", 1)
            lines.append(f"  abstract {method}({camel(one.hook.subject)}: unknown): Result;")
        else:
            origin = "undefined" if one.origin is None else literal(one.origin)
            lines += comment("The result that a wire value says.", 1)
            lines += ["  override readWire(wire: unknown): Result {"]
            lines += ["    const block = new Members(wire);"]
            lines += [f"    const draft = {camel(one.function or '')}(block);"]
            lines += [f"    return {self.use('finish')}(Result, draft, block, {origin});", "  }"]
        return [*lines, "}"]

    # --------------------------------------------------------- functions

    def _function(self, one: ReadFunction) -> list[str]:
        if isinstance(one, Dispatch):
            return self._dispatch(one)
        assert isinstance(one, ReadBlock)
        return self._block(one)

    def _dispatch(self, one: Dispatch) -> list[str]:
        parameters = "block: Members" + (", kind?: string" if one.by_kind else "")
        meaning = one.meaning + (" `kind` is what a marker says." if one.by_kind else "")
        lines = [
            *comment(f"Reads back: {meaning}"),
            *self._head(one.name, one.public, parameters),
        ]
        for case in one.cases:
            lines += self._case(case)
        if not (one.cases and not one.cases[-1].tests):
            given = ["block", literal(one.known)]
            lines += lay_out(("throw ", call(self.use("unknownBlock"), given), ";"), _BODY)
        return [*lines, "}"]

    def _head(self, name: str, public: bool, parameters: str) -> list[str]:
        export = "export " if public else ""
        return lay_out(f"{export}function {camel(name)}({parameters}): Draft {{")

    def _case(self, case: ReadCase) -> list[str]:
        found = f"{camel(case.function)}(block)"
        if not case.tests:
            return [f"  return {found};"]
        tests = [self._test(test) for test in case.tests]
        if len(tests) > 1:
            tests = [
                Group(("(", t, ")"))
                if isinstance(one, (MarkedAsOrImplied, MarkedAsOrUnmarked))
                else t
                for one, t in zip(case.tests, tests, strict=True)
            ]
        test: Doc = tests[0] if len(tests) == 1 else join((" &&", LINE), tests)
        return [
            *lay_out(("if ", condition(test), " {"), _BODY),
            f"    return {found};",
            "  }",
        ]

    def _test(self, one: ReadTest) -> Doc:
        if isinstance(one, IsConstant):
            return call("block.isConstant", [_keys(one.keys), constant(one.value)])
        if isinstance(one, HasMember):
            return call("block.has", [literal(key) for key in one.keys])
        if isinstance(one, MarkedAs):
            kind = "undefined" if one.kind is None else literal(one.kind)
            return f"kind === {kind}"
        if isinstance(one, MarkedAsOrUnmarked):
            return (
                "kind === undefined ||",
                Indent((LINE, f"kind === {literal(one.kind)}")),
            )
        assert isinstance(one, MarkedAsOrImplied)
        prefixes = [literal(prefix) for prefix in one.prefixes]
        starts = call("block.startsWith", [_keys(one.keys), *prefixes])
        return (
            f"kind === {literal(one.kind)} ||",
            Indent((LINE, Group(("(kind === undefined &&", Indent((LINE, starts)), ")")))),
        )

    def _block(self, one: ReadBlock) -> list[str]:
        lines = [*comment(one.meaning), *self._head(one.name, one.public, "block: Members")]
        start = f"{{ kind: {literal(one.kind)} }}" if one.kind is not None else "{}"
        lines.append(f"  const draft: Draft = {start};")
        for step in one.steps:
            lines += lay_out((self._step(step), ";"), _BODY)
        return [*lines, "  return draft;", "}"]

    def _step(self, one: ReadStep) -> Doc:
        if isinstance(one, Drop):
            return call("block.drop", [literal(key) for key in one.keys])
        if isinstance(one, (Expect, DropConstant)):
            method = "expect" if isinstance(one, Expect) else "dropConstant"
            return call(f"block.{method}", [_keys(one.keys), constant(one.value)])
        if isinstance(one, TakeMap):
            return call("block.takeMap", ["draft", _keys(one.field), _keys(one.keys)])
        if isinstance(one, KeepForeign):
            return call(self.use("keepForeign"), ["draft", literal(one.origin), "block.rest()"])
        if isinstance(one, TakeText):
            more = ["true"] if one.required else []
            given = ["draft", _keys(one.keys), self._entry(one.entry), *more]
            return call("block.takeText", given)
        if isinstance(one, (TakeList, TakeRecord)):
            method = "takeList" if isinstance(one, TakeList) else "takeRecord"
            more = ["true"] if one.strict else []
            given = ["draft", _keys(one.field), _keys(one.keys), self._entry(one.entry), *more]
            return call(f"block.{method}", given)
        assert isinstance(one, (Require, Take, TakeJson))
        given = ["draft", _keys(one.field), _keys(one.keys), self._check(one.check)]
        if isinstance(one, Require):
            return call("block.require", given)
        if isinstance(one, TakeJson):
            return call("block.takeJson", [*given, *(["true"] if one.required else [])])
        return call("block.take", [*given, *(["true"] if one.strict else [])])

    def _check(self, one: Check) -> Doc:
        if isinstance(one, NamedCheck):
            return self.use(one.name.name)
        if isinstance(one, NumberBetween):
            bounds = (one.minimum, one.maximum)
            given = ["undefined" if bound is None else str(bound) for bound in bounds]
            return call(self.use("numberBetween"), given)
        assert isinstance(one, ChoicesOf)
        return call(self.use("choicesOf"), [literal(name) for name in one.names])

    def _entry(self, one: EntryReader) -> Doc:
        if isinstance(one, ReadBareText):
            return call(self.use("readText"), [literal(one.kind), literal(one.field)])
        if isinstance(one, ReadOpen):
            return call(self.use("readOpen"), [camel(one.function)])
        assert isinstance(one, ReadWhole)
        return call(self.use("readWhole"), [camel(one.function)])


def _keys(keys: Keys) -> Doc:
    return array([literal(key) for key in keys])
