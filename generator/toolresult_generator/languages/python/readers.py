"""The inverse of output forms as Python functions."""

from __future__ import annotations

import json
from dataclasses import replace

from toolresult_generator.languages.python.code import Code
from toolresult_generator.languages.python.values import docstring
from toolresult_generator.model.result import FieldKind, FieldType
from toolresult_generator.model.target import (
    Implied,
    ReadForm,
    ReadList,
    ReadMember,
    ReadShape,
    ReadText,
)

_CHECKS = {
    FieldKind.BOOLEAN: "BOOLEAN",
    FieldKind.COUNT: "COUNT",
    FieldKind.TIMESTAMP: "TIMESTAMP",
    FieldKind.BASE64: "BASE64",
    FieldKind.JSON: "ANY",
    FieldKind.JSON_OBJECT: "OBJECT",
    FieldKind.JSON_MAP: "MAP",
    FieldKind.ERROR_CODE: "NON_EMPTY",
}


class ReadWriter:
    """Writes the reading functions of one reader; ``prefix`` keeps revisions apart.

    ``alone`` is for a reader without a hook: nothing else looks at what tells the output from
    others. Where such a target keeps nothing foreign either, what does not fit is refused.
    """

    def __init__(
        self, origin: str | None, prefix: str, imports: set[str], *, alone: bool = False
    ) -> None:
        self.origin = origin
        self.prefix = prefix
        self.imports = imports
        self.alone = alone
        self.strict = alone and origin is None
        self.entries: dict[str, tuple[ReadShape, ...]] = {}
        """The functions for what stands inside of something else, with the shapes it may have."""

    def use(self, name: str) -> str:
        """Notes that a name of the runtime is used, and gives it back."""
        self.imports.add(name)
        return name

    def name(self, form: ReadForm) -> str:
        """The function that reads a form."""
        return f"read_{form.name}{self.prefix}"

    def form(self, form: ReadForm) -> list[str]:
        """The functions of a form: one that finds the shape, one for each shape."""
        if len(form.shapes) == 1 and form.shapes[0].kind is None:
            return self._record(form)
        return self._choice(form, self.name(form))

    def _choice(self, form: ReadForm, name: str) -> list[str]:
        code = Code()
        by_kind = any(shape.kind for shape in form.shapes)
        shapes = [
            (shape, f"_{name.lstrip('_')}_{self._suffix(form, shape)}") for shape in form.shapes
        ]
        head = f"def {name}(block: {self.use('Members')}"
        head += ", kind: str | None = None" if by_kind else ""
        with code.block(f"{head}) -> {self.use('Draft')}:"):
            code.line(
                docstring(
                    f"Reads back: {form.meaning} ``kind`` is what a marker says."
                    if by_kind
                    else f"Reads back: {form.meaning}"
                )
            )
            for shape, function in self._ordered(form, shapes):
                with code.block(f"if {self._test(shape, form.implied, by_kind)}:"):
                    code.line(f"return {function}(block)")
            for constants, function in self._fallbacks(shapes):
                with code.block(f"if {constants}:"):
                    code.line(f"return {function}(block)")
            known = ", ".join(dict.fromkeys(self._label(shape) for shape, _ in shapes))
            code.line(f"raise {self.use('unknown_block')}(block, {known!r})")
        for shape, function in shapes:
            code.line("")
            with code.block(f"def {function}(block: Members) -> Draft:"):
                code.line(
                    docstring(
                        f"Reads {self._label(shape)}"
                        + (f" as {shape.kind}." if shape.kind else ".")
                    )
                )
                self._shape(code, shape)
        return code.lines

    def _record(self, form: ReadForm) -> list[str]:
        code = Code()
        with code.block(
            f"def {self.name(form)}(block: {self.use('Members')}) -> {self.use('Draft')}:"
        ):
            code.line(docstring(f"Reads back: {form.meaning} Leaves in ``block`` what is foreign."))
            code.line("draft: Draft = {}")
            if self.alone:
                for keys, value in form.shapes[0].constants:
                    code.line(f"block.expect({keys!r}, {_python(value)})")
            self._members(code, form.shapes[0])
            code.line("return draft")
        return code.lines

    def _shape(self, code: Code, shape: ReadShape) -> None:
        kind = f'{{"kind": {shape.kind!r}}}' if shape.kind else "{}"
        code.line(f"draft: Draft = {kind}")
        for keys, value in shape.constants:
            code.line(f"block.drop_constant({keys!r}, {_python(value)})")
        self._members(code, shape)
        if shape.kind and self.origin:
            code.line(f"{self.use('keep_foreign')}(draft, {self.origin!r}, block.rest())")
        code.line("return draft")

    def _members(self, code: Code, shape: ReadShape) -> None:
        for keys, value in shape.defaults:
            code.line(f"block.drop_constant({keys!r}, {_python(value)})")
        for group in _groups(shape.members):
            if len(group) > 1:
                code.line(self._record_of(group))
            else:
                code.line(self._member(group[0]))
        for one in shape.lists:
            code.line(self._list(one))
        for text in shape.texts:
            code.line(self._text(text))
        for keys in shape.computed:
            code.line(f"block.drop({', '.join(map(repr, keys))})")

    def _member(self, member: ReadMember) -> str:
        if member.type.kind is FieldKind.JSON_MAP:
            return f"block.take_map(draft, {member.field!r}, {member.keys!r})"
        if member.text:
            given = f"draft, {member.field!r}, {member.keys!r}, {self.check(member.type)}"
            return f"block.take_json({given}{', required=True' if member.required else ''})"
        given = f"draft, {member.field!r}, {member.keys!r}, {self.check(member.type)}"
        if member.required:
            return f"block.require({given})"
        return f"block.take({given}{self._how()})"

    def _list(self, one: ReadList) -> str:
        """The entries of a list: bare texts, or records that a function of their own reads."""
        shape = one.shapes[0]
        if shape.members and shape.members[0].keys == ():
            field = shape.members[0].field[-1]
            self.use("partial")
            reader = f"partial({self.use('read_text')}, {shape.kind!r}, {field!r})"
        else:
            reader = self._entry(f"{one.field}_entry", one.shapes)
        return f"block.take_list(draft, {(one.field,)!r}, {one.keys!r}, {reader}{self._how()})"

    def _text(self, text: ReadText) -> str:
        """A text that holds JSON: what it says is added to the draft."""
        reader = self._entry(f"{text.keys[-1]}_text", text.shapes)
        required = ", required=True" if text.required else ""
        return f"block.take_text(draft, {text.keys!r}, {reader}{required})"

    def _how(self) -> str:
        return ", strict=True" if self.strict else ""

    def _entry(self, what: str, shapes: tuple[ReadShape, ...]) -> str:
        """The expression that reads a value of these shapes, by a function of its own."""
        base = "_read_" + "".join(c if c.isalnum() else "_" for c in what) + self.prefix
        name, number = base, 1
        while self.entries.setdefault(name, shapes) != shapes:
            number += 1
            name = f"{base}_{number}"
        self.use("partial")
        # a part keeps its foreign members itself, where the target keeps any
        keeps = self.origin is not None and any(shape.kind for shape in shapes)
        return f"partial({self.use('read_open' if keeps else 'read_whole')}, {name})"

    def _record_of(self, group: list[ReadMember]) -> str:
        """A record that stands in an object of its own: taken whole or left whole."""
        keys, field = group[0].keys[:-1], group[0].field[:-1]
        members = tuple(
            replace(one, keys=one.keys[-1:], field=one.field[-1:], required=one.needed)
            for one in group
        )
        reader = self._entry(field[-1], (ReadShape(None, (), members),))
        return f"block.take_record(draft, {field!r}, {keys!r}, {reader}{self._how()})"

    def entry_functions(self) -> list[str]:
        """The functions that were asked for by others, and by themselves."""
        lines: list[str] = []
        done: set[str] = set()
        while len(done) < len(self.entries):
            for name, shapes in list(self.entries.items()):
                if name not in done:
                    done.add(name)
                    lines += self._entry_function(name, shapes)
        return lines

    def _entry_function(self, name: str, shapes: tuple[ReadShape, ...]) -> list[str]:
        if len(shapes) > 1:
            form = ReadForm(name, "What stands in its place.", shapes)
            return ["", *self._choice(form, name), ""]
        code = Code()
        with code.block(f"def {name}(block: Members) -> Draft:"):
            code.line(docstring("Reads one entry of a list."))
            self._shape(code, shapes[0])
        return code.lines

    def check(self, type_: FieldType) -> str:
        """The expression of what a field accepts."""
        if type_.kind is FieldKind.NUMBER:
            return f"{self.use('number_between')}({type_.minimum}, {type_.maximum})"
        if type_.kind is FieldKind.CHOICES:
            return f"{self.use('choices_of')}({', '.join(map(repr, type_.choices))})"
        if type_.kind is FieldKind.STRING:
            return self.use("NON_EMPTY" if type_.non_empty else "STRING")
        return self.use(_CHECKS[type_.kind])

    # ----------------------------------------------------- telling apart

    def _ordered(
        self, form: ReadForm, shapes: list[tuple[ReadShape, str]]
    ) -> list[tuple[ReadShape, str]]:
        """Marked shapes first, then those that something implies, then the rest."""
        implied = {one.kind for one in form.implied}

        def rank(entry: tuple[ReadShape, str]) -> int:
            shape = entry[0]
            return 0 if shape.marked else 1 if shape.kind in implied else 2

        return sorted(shapes, key=rank)

    def _test(self, shape: ReadShape, implied: tuple[Implied, ...], by_kind: bool) -> str:
        tests = [
            f"block.is_constant({keys!r}, {_python(value)})" for keys, value in shape.constants
        ]
        tests += [f"block.has({', '.join(map(repr, keys))})" for keys in shape.required]
        if shape.kind is not None:
            tests.insert(0, self._kind_test(shape, implied))
        elif by_kind:
            tests.insert(0, "kind is None")
        return " and ".join(tests) or "True"

    def _kind_test(self, shape: ReadShape, implied: tuple[Implied, ...]) -> str:
        if shape.marked:
            return f"kind == {shape.kind!r}"
        rule = next((one for one in implied if one.kind == shape.kind), None)
        member = next((m for m in shape.members if rule and m.field == (rule.field,)), None)
        if rule is None or member is None:
            return f"kind in (None, {shape.kind!r})"
        starts = (
            f"str(block.get({', '.join(map(repr, member.keys))})).startswith({rule.prefixes!r})"
        )
        return f"(kind == {shape.kind!r} or (kind is None and {starts}))"

    def _fallbacks(self, shapes: list[tuple[ReadShape, str]]) -> list[tuple[str, str]]:
        """For a block that says its type but lacks a member: the reader that says which."""
        found: dict[str, str] = {}
        for shape, function in shapes:
            if shape.constants and not shape.marked:
                tests = [
                    f"block.is_constant({keys!r}, {_python(v)})" for keys, v in shape.constants
                ]
                found.setdefault(" and ".join(tests), function)
        return list(found.items())

    def _label(self, shape: ReadShape) -> str:
        """How people know a shape: its constants, or the members that it cannot be without."""
        texts = [f"{keys[-1]} {json.loads(value)}" for keys, value in shape.constants]
        return " and ".join(texts or [".".join(keys) for keys in shape.required])

    def _suffix(self, form: ReadForm, shape: ReadShape) -> str:
        """A name for a shape that no other of its form has."""
        kind = shape.kind or "record"
        twins = [one for one in form.shapes if (one.kind or "record") == kind]
        return kind if len(twins) == 1 else f"{kind}_{twins.index(shape) + 1}"


def _groups(members: tuple[ReadMember, ...]) -> list[list[ReadMember]]:
    """Members one by one, but those of a record that cannot be without one of them together."""
    groups: dict[object, list[ReadMember]] = {}
    for number, member in enumerate(members):
        below = len(member.keys) > 1 and len(member.field) > 1
        owner: object = (member.keys[:-1], member.field[:-1]) if below else number
        groups.setdefault(owner, []).append(member)
    found: list[list[ReadMember]] = []
    for group in groups.values():
        if any(one.needed for one in group):
            found.append(group)
        else:
            found += [[one] for one in group]
    return found


def _python(value: str) -> str:
    return repr(json.loads(value))
