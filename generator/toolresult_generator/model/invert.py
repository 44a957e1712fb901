"""The inverse of output forms: where each field stands in a block, and what tells blocks apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeVar

from toolresult_generator.model.target import (
    Case,
    Choose,
    Const,
    FieldValue,
    ForeignMember,
    ForeignRest,
    Form,
    FormCall,
    JsonText,
    List,
    Member,
    Node,
    Object,
    ReadList,
    ReadMember,
    ReadShape,
    ReadText,
)

MAX_SHAPES = 256
"""Shapes that one object may have: each choice in it multiplies them."""

Keys = tuple[str, ...]
T = TypeVar("T")


class NotReadableError(ValueError):
    """A form that generated code cannot read back: what it writes has too many shapes, or shapes
    that nothing tells apart."""

    def __init__(self, message: str, advice: str) -> None:
        self.advice = advice
        super().__init__(message)


@dataclass
class _Draft:
    """A shape while it is collected."""

    constants: list[tuple[Keys, str]] = field(default_factory=list)
    members: list[ReadMember] = field(default_factory=list)
    lists: list[ReadList] = field(default_factory=list)
    computed: list[Keys] = field(default_factory=list)
    defaults: list[tuple[Keys, str]] = field(default_factory=list)
    texts: list[ReadText] = field(default_factory=list)

    def joined(self, other: _Draft) -> _Draft:
        """Both together."""
        return _Draft(
            self.constants + other.constants,
            self.members + other.members,
            self.lists + other.lists,
            self.computed + other.computed,
            self.defaults + other.defaults,
            self.texts + other.texts,
        )


def find_forms(node: Node, names: frozenset[str]) -> Iterator[Form]:
    """Every form of these names that a node leads to, outside of texts, in the order of writing.

    A form that is called more than once is given once.
    """
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, FormCall):
            if id(found.form) not in seen:
                seen.add(id(found.form))
                if found.form.name in names:
                    yield found.form
                waiting.append(found.form.node)
        else:
            waiting += reversed(list(_children(found)))


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, Object):
        yield from (member.node for member in node.members)
    elif isinstance(node, List):
        yield from (item.node for item in node.items)
    elif isinstance(node, (Choose, Case)):
        yield from (branch.node for branch in node.branches)


def shapes_of(form: Form) -> list[ReadShape]:
    """The shapes that a form writes, each with what is needed to read it back."""
    return list(_shapes(form.node, form.kinds))


def merge_shapes(shapes: list[ReadShape]) -> tuple[ReadShape, ...]:
    """One shape for each that is told apart; a later revision adds members to an earlier one."""
    merged: dict[object, ReadShape] = {}
    for shape in shapes:
        key = (shape.kind, shape.constants, shape.required, shape.marked)
        known = merged.get(key)
        if known is None:
            merged[key] = shape
            continue
        merged[key] = replace(
            known,
            members=_union(known.members, shape.members),
            lists=_union(known.lists, shape.lists),
            computed=_union(known.computed, shape.computed),
            defaults=_union(known.defaults, shape.defaults),
            texts=_union(known.texts, shape.texts),
        )
    return tuple(merged.values())


def _union(first: tuple[T, ...], second: tuple[T, ...]) -> tuple[T, ...]:
    return first + tuple(entry for entry in second if entry not in first)


def _shapes(node: Node, kinds: tuple[str, ...]) -> Iterator[ReadShape]:
    if isinstance(node, Case):
        for branch in node.branches:
            yield from _shapes(branch.node, (branch.kind,))
    elif isinstance(node, Choose):
        for alternative in node.branches:
            yield from _shapes(alternative.node, kinds)
    elif isinstance(node, FormCall):
        yield from _shapes(node.form.node, kinds)
    elif isinstance(node, Object):
        for draft in _flatten(node, ()):
            yield _shape(draft, kinds, node.marked)
    elif isinstance(node, FieldValue) and node.path.root == "item":
        draft = _Draft()
        _leaf(draft, (), node, optional=False)
        yield _shape(draft, kinds, marked=False)


def _shape(draft: _Draft, kinds: tuple[str, ...], marked: bool) -> ReadShape:
    return ReadShape(
        kind=kinds[0] if len(kinds) == 1 else None,
        constants=tuple(draft.constants),
        members=tuple(draft.members),
        lists=tuple(draft.lists),
        computed=tuple(draft.computed),
        defaults=tuple(draft.defaults),
        marked=marked,
        texts=tuple(draft.texts),
    )


def _flatten(node: Object, prefix: Keys) -> list[_Draft]:
    """The members of an object with their full keys; alternatives give a draft each."""
    per_member = [_member(member, (*prefix, member.key)) for member in node.members]
    if math.prod(map(len, per_member)) > MAX_SHAPES:
        raise NotReadableError(
            f"an object of the form has more than {MAX_SHAPES} shapes",
            "choose between fewer objects in one object",
        )
    drafts: list[_Draft] = []
    for combination in product(*per_member):
        draft = _Draft()
        for part in combination:
            draft = draft.joined(part)
        drafts.append(draft)
    return drafts


def _member(member: Member, keys: Keys) -> list[_Draft]:
    return _value(member.node, keys, optional=member.when is not None)


def _value(node: Node, keys: Keys, *, optional: bool) -> list[_Draft]:
    draft = _Draft()
    if isinstance(node, FormCall):
        return _value(node.form.node, keys, optional=optional)
    if isinstance(node, Object):
        drafts = _flatten(node, keys)
        return [_relaxed(one) for one in drafts] if optional or node.omit_empty else drafts
    if isinstance(node, Choose):
        return _alternatives(node, keys, optional=optional)
    if isinstance(node, Const):
        (draft.defaults if optional else draft.constants).append((keys, node.json))
    elif isinstance(node, (FieldValue, JsonText)):
        _leaf(draft, keys, node, optional=optional)
    elif isinstance(node, List):
        _list(draft, keys, node)
    elif isinstance(node, ForeignMember):
        pass  # not taken when read, so it is foreign again
    elif isinstance(node, ForeignRest):
        names = tuple(step.name for step in node.path.steps)
        leaf = node.path.leaf
        assert leaf.type is not None
        draft.members.append(ReadMember(keys, names, leaf.type, required=False))
    else:
        draft.computed.append(keys)
    return [draft]


def _alternatives(node: Choose, keys: Keys, *, optional: bool) -> list[_Draft]:
    nodes = [_target(branch.node) for branch in node.branches]
    if all(isinstance(one, Object) for one in nodes):
        return [draft for one in nodes for draft in _value(one, keys, optional=optional)]
    field_value = next((one for one in nodes if isinstance(one, FieldValue)), None)
    if field_value is not None:
        return _value(field_value, keys, optional=True)
    draft = _Draft()
    constants = [one.json for one in nodes if isinstance(one, Const)]
    if constants and any(isinstance(one, ForeignMember) for one in nodes):
        draft.defaults.append((keys, constants[-1]))
    else:
        draft.computed.append(keys)
    return [draft]


def _target(node: Node) -> Node:
    return _target(node.form.node) if isinstance(node, FormCall) else node


def _relaxed(draft: _Draft) -> _Draft:
    """The same where the whole object may be missing."""
    return _Draft(
        [],
        [replace(member, required=False) for member in draft.members],
        draft.lists,
        draft.computed,
        draft.defaults + draft.constants,
        [replace(text, required=False) for text in draft.texts],
    )


def _leaf(draft: _Draft, keys: Keys, node: FieldValue | JsonText, *, optional: bool) -> None:
    text = isinstance(node, JsonText)
    value = _target(node.node) if isinstance(node, JsonText) else node
    if isinstance(value, (Object, Choose, Case)):
        shapes = _told_apart(merge_shapes(list(_shapes(value, ()))))
        if shapes:
            draft.texts.append(ReadText(keys, shapes, required=not optional))
        else:
            draft.computed.append(keys)
        return
    if not isinstance(value, FieldValue) or value.path.index is not None:
        draft.computed.append(keys)
        return
    path, leaf = value.path, value.path.leaf
    if leaf.type is None:  # the kind: a marker's, not a field
        draft.computed.append(keys)
        return
    required = not optional and (text or not any(step.optional for step in path.steps))
    names = tuple(step.name for step in path.steps)
    draft.members.append(ReadMember(keys, names, leaf.type, required, text, not leaf.optional))


def _list(draft: _Draft, keys: Keys, node: List) -> None:
    for item in node.items:
        if item.each is None:
            draft.computed.append(keys)
        else:
            shapes = merge_shapes([one for one in _shapes(item.node, ()) if not _stands_in(one)])
            shapes = _told_apart(shapes)
            draft.lists.append(ReadList(keys, item.each.leaf.name, shapes))


def _stands_in(shape: ReadShape) -> bool:
    """Whether a shape has nothing of its part: a text stands in, and is read as what it is."""
    return shape.kind is not None and not (shape.members or shape.lists or shape.texts)


def _told_apart(shapes: tuple[ReadShape, ...]) -> tuple[ReadShape, ...]:
    """The same shapes. Raises NotReadableError for bare values beside any other shape."""
    if len(shapes) > 1 and any(member.keys == () for one in shapes for member in one.members):
        raise NotReadableError(
            "a value without members cannot be told from what else stands in its place",
            "write an object that says its kind, with a const",
        )
    return shapes
