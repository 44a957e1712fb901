"""From the inverse of a target's forms to the module of its readers."""

from __future__ import annotations

import json
from dataclasses import replace

from toolresult_generator.languages.lowering.forms import digits
from toolresult_generator.languages.lowering.reading import (
    Check,
    CheckName,
    ChoicesOf,
    Dispatch,
    Drop,
    DropConstant,
    EntryReader,
    Expect,
    FormReader,
    KeepForeign,
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
    ReadWhole,
    Require,
    Take,
    TakeJson,
    TakeList,
    TakeMap,
    TakeRecord,
    TakeText,
)
from toolresult_generator.languages.lowering.runtime_reading import READING
from toolresult_generator.languages.lowering.scope import free
from toolresult_generator.languages.lowering.shapes import (
    fallbacks,
    in_order,
    label_of,
    name_of,
    tests_of,
)
from toolresult_generator.model.result import FieldKind, FieldType
from toolresult_generator.model.target import (
    ReadForm,
    ReadList,
    ReadMember,
    ReadShape,
    ReadText,
    RevisionReader,
    Target,
)

_CHECKS = {
    FieldKind.BOOLEAN: CheckName.BOOLEAN,
    FieldKind.COUNT: CheckName.COUNT,
    FieldKind.TIMESTAMP: CheckName.TIMESTAMP,
    FieldKind.BASE64: CheckName.BASE64,
    FieldKind.JSON: CheckName.ANY,
    FieldKind.JSON_OBJECT: CheckName.OBJECT,
    FieldKind.JSON_MAP: CheckName.MAP,
    FieldKind.ERROR_CODE: CheckName.NON_EMPTY,
}


def lower_reader(target: Target) -> ReaderModule:
    """The readers of a target. Equal input gives equal output."""
    readers: list[ReaderClass] = []
    functions: list[ReadFunction] = []
    taken = {*READING}
    for reader in target.readers:
        lowering = _Lowering(target, reader, taken)
        readers.append(lowering.reader)
        functions += lowering.functions
    return ReaderModule(target, tuple(readers), tuple(functions))


class _Lowering:
    """The reading functions of one reader.

    Without a hook nothing else looks at what tells the output from others. Where such a target
    keeps nothing foreign either, what does not fit is refused.
    """

    def __init__(self, target: Target, reader: RevisionReader, taken: set[str]) -> None:
        one = len(target.readers) == 1
        hook, forms = reader.reader.hook, reader.reader.forms
        self.functions: list[ReadFunction] = []
        self._origin = target.origin
        self._alone = hook is None
        self._strict = self._alone and target.origin is None
        self._suffix = "" if one else f"_{digits(reader.revisions[0])}"
        self._taken = taken
        self._entries: dict[str, tuple[ReadShape, ...]] = {}
        self._names = {form: self._free(f"read_{form.name}{self._suffix}") for form in forms}
        for form in forms:
            self._form(form)
        self._entry_functions()
        self.reader = ReaderClass(
            target=target.name,
            revisions=reader.revisions,
            alone=one,
            hook=hook,
            forms=tuple(FormReader(form.name, self._names[form]) for form in forms),
            function=self._names[forms[0]] if self._alone else None,
            origin=target.origin,
        )

    def _free(self, base: str) -> str:
        name = free(base, self._taken)
        self._taken.add(name)
        return name

    # --------------------------------------------------------- functions

    def _form(self, form: ReadForm) -> None:
        """One function that finds the shape, and one for each; or one alone for a record."""
        name, meaning = self._names[form], f"Reads back: {form.meaning}"
        if len(form.shapes) != 1 or form.shapes[0].kind is not None:
            self._choice(form, name, meaning, public=True)
            return
        shape = form.shapes[0]
        steps: list[ReadStep] = []
        if self._alone:
            steps += [Expect(keys, json.loads(value)) for keys, value in shape.constants]
        meaning += " Leaves in ``block`` what is foreign."
        steps += self._members(shape)
        self.functions.append(ReadBlock(name, True, meaning, None, tuple(steps)))

    def _choice(self, form: ReadForm, name: str, meaning: str, *, public: bool) -> None:
        by_kind = any(shape.kind for shape in form.shapes)
        shapes = [(shape, self._free(f"{name}_{name_of(form, shape)}")) for shape in form.shapes]
        cases = [
            ReadCase(tuple(tests_of(shape, form.implied, by_kind)), function)
            for shape, function in in_order(form, shapes)
        ]
        known = ", ".join(dict.fromkeys(label_of(shape) for shape, _ in shapes))
        if by_kind:
            meaning += " ``kind`` is what a marker says."
        self.functions.append(
            Dispatch(name, public, meaning, by_kind, (*cases, *fallbacks(shapes)), known)
        )
        for shape, function in shapes:
            told = f"Reads {label_of(shape)}{f' as {shape.kind}' if shape.kind else ''}."
            self._shape(function, told, shape)

    def _shape(self, name: str, meaning: str, shape: ReadShape) -> None:
        steps: list[ReadStep] = [
            DropConstant(keys, json.loads(value)) for keys, value in shape.constants
        ]
        steps += self._members(shape)
        if shape.kind and self._origin:
            steps.append(KeepForeign(self._origin))
        self.functions.append(ReadBlock(name, False, meaning, shape.kind, tuple(steps)))

    def _entry_functions(self) -> None:
        """The functions that were asked for by others, and by themselves."""
        done: set[str] = set()
        while len(done) < len(self._entries):
            for name, shapes in list(self._entries.items()):
                if name in done:
                    continue
                done.add(name)
                if len(shapes) > 1:
                    form = ReadForm(name, "What stands in its place.", shapes)
                    self._choice(form, name, f"Reads back: {form.meaning}", public=False)
                else:
                    self._shape(name, "Reads one entry of a list.", shapes[0])

    # ------------------------------------------------------------- steps

    def _members(self, shape: ReadShape) -> list[ReadStep]:
        steps: list[ReadStep] = [
            DropConstant(keys, json.loads(value)) for keys, value in shape.defaults
        ]
        for group in _groups(shape.members):
            steps.append(self._record(group) if len(group) > 1 else self._member(group[0]))
        steps += [self._list(one) for one in shape.lists]
        steps += [self._text(text) for text in shape.texts]
        steps += [Drop(keys) for keys in shape.computed]
        return steps

    def _member(self, member: ReadMember) -> ReadStep:
        if member.type.kind is FieldKind.JSON_MAP:
            return TakeMap(member.field, member.keys)
        check = _check(member.type)
        if member.text:
            return TakeJson(member.field, member.keys, check, member.required)
        if member.required:
            return Require(member.field, member.keys, check)
        return Take(member.field, member.keys, check, self._strict)

    def _list(self, one: ReadList) -> ReadStep:
        """The entries of a list: bare texts, or records that a function of their own reads."""
        shape = one.shapes[0]
        reader: EntryReader
        if shape.members and shape.members[0].keys == ():
            assert shape.kind is not None, "only a part is a bare text"
            reader = ReadBareText(shape.kind, shape.members[0].field[-1])
        else:
            reader = self._entry(f"{one.field}_entry", one.shapes)
        return TakeList((one.field,), one.keys, reader, self._strict)

    def _text(self, text: ReadText) -> ReadStep:
        """A text that holds JSON: what it says is added to the draft."""
        reader = self._entry(f"{text.keys[-1]}_text", text.shapes)
        return TakeText(text.keys, reader, text.required)

    def _record(self, group: list[ReadMember]) -> ReadStep:
        """A record that stands in an object of its own: taken whole or left whole."""
        keys, field = group[0].keys[:-1], group[0].field[:-1]
        members = tuple(
            replace(one, keys=one.keys[-1:], field=one.field[-1:], required=one.needed)
            for one in group
        )
        reader = self._entry(field[-1], (ReadShape(None, (), members),))
        return TakeRecord(field, keys, reader, self._strict)

    def _entry(self, what: str, shapes: tuple[ReadShape, ...]) -> EntryReader:
        """How a value of these shapes is read, by a function of its own."""
        base = "read_" + "".join(c if c.isalnum() else "_" for c in what) + self._suffix
        known = [
            name
            for name, others in self._entries.items()
            if others == shapes and name.startswith(base)
        ]
        name = known[0] if known else self._free(base)
        self._entries[name] = shapes
        # a part keeps its foreign members itself, where the target keeps any
        keeps = self._origin is not None and any(shape.kind for shape in shapes)
        return ReadOpen(name) if keeps else ReadWhole(name)


def _check(type_: FieldType) -> Check:
    """What a field accepts."""
    if type_.kind is FieldKind.NUMBER:
        return NumberBetween(type_.minimum, type_.maximum)
    if type_.kind is FieldKind.CHOICES:
        return ChoicesOf(type_.choices)
    if type_.kind is FieldKind.STRING:
        return NamedCheck(CheckName.NON_EMPTY if type_.non_empty else CheckName.STRING)
    return NamedCheck(_CHECKS[type_.kind])


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
