"""What is known of a node before a result is there: whether it says something, loses, is bulk."""

from __future__ import annotations

from typing import TypeAlias

from toolresult_generator.model.result import FieldKind
from toolresult_generator.model.target import (
    All,
    Any,
    Case,
    Choose,
    Condition,
    Const,
    Convert,
    FieldValue,
    ForeignMember,
    ForeignRest,
    FormCall,
    Has,
    Inexact,
    JsonKind,
    JsonText,
    Keys,
    List,
    Markers,
    Node,
    Object,
    OneOf,
    OptionSet,
    OptionValue,
    Path,
    Prefixed,
)

Known: TypeAlias = "frozenset[Path]"
"""Fields that are present wherever a node is written."""
NOTHING: Known = frozenset()


def appends(node: Node, known: Known = NOTHING) -> bool:
    """Whether a node is written piece by piece: it holds bulk, and always says something."""
    if isinstance(node, Object):
        plain = not (node.canonical or node.spreads or node.omit_empty or node.exact_key)
        first = node.members[0] if node.members else None
        return plain and first is not None and first.when is None and is_certain(first.node, known)
    if isinstance(node, List):
        return not node.omit_empty
    if isinstance(node, Choose):
        return all(appends(one.node, known | implied(one.when)) for one in node.branches)
    if isinstance(node, Case):
        return all(appends(one.node, known) for one in node.branches)
    if isinstance(node, FormCall):
        return appends(node.form.node)
    return False


def implied(condition: Condition | None) -> Known:
    """The fields that are present wherever a condition holds."""
    if isinstance(condition, All):
        return NOTHING.union(*map(implied, condition.conditions))
    if isinstance(condition, Any):
        return frozenset.intersection(*map(implied, condition.conditions))
    if isinstance(condition, (Has, OneOf, Prefixed, JsonKind, Inexact)):
        return frozenset({condition.path})
    return NOTHING


def is_certain(node: Node, known: Known) -> bool:
    """Whether a node says something whatever the result: such a member needs no comma before it."""
    if isinstance(node, FieldValue):
        return node.path in known or not any(step.optional for step in node.path.steps)
    if isinstance(node, (Const, Convert, JsonText)):
        return True
    if isinstance(node, List):
        return not node.omit_empty
    if isinstance(node, Choose):
        total = node.branches[-1].when is None
        return total and all(
            is_certain(one.node, known)
            or (isinstance(one.node, OptionValue) and one.when == OptionSet(one.node.option))
            for one in node.branches
        )
    if isinstance(node, FormCall):
        return is_certain(node.form.node, NOTHING)
    return appends(node, known)


def may_be_empty(node: Node) -> bool:
    """Whether a value is known to be nothing only once it was made."""
    if isinstance(node, FormCall):
        inner = node.form.node
        if isinstance(inner, FieldValue):
            return any(step.optional for step in inner.path.steps)
        return isinstance(inner, OptionValue) or may_be_empty(inner)
    if isinstance(node, (Keys, Markers, ForeignMember, ForeignRest)):
        return True
    if isinstance(node, (Object, List)):
        return node.omit_empty
    if isinstance(node, Choose):
        if node.branches[-1].when is not None and not appends(node):
            return True
        return any(may_be_empty(branch.node) for branch in node.branches)
    if isinstance(node, Case):
        return any(may_be_empty(branch.node) for branch in node.branches)
    return False


def has_loss(node: Node) -> bool:
    """Whether writing a node may find that something is lost."""
    if isinstance(node, Object):
        if any(not spread.copy for spread in node.spreads):
            return True
        return any(has_loss(member.node) for member in node.members)
    if isinstance(node, FormCall):
        return has_loss(node.form.node)
    if isinstance(node, List):
        return any(has_loss(item.node) for item in node.items)
    if isinstance(node, (Choose, Case)):
        return any(has_loss(branch.node) for branch in node.branches)
    return isinstance(node, JsonText) and has_loss(node.node)


def is_conditional(node: Choose) -> bool:
    """Whether a choice is short enough for one expression: simple values, always one of them."""
    simple = (Const, Convert, OptionValue, FieldValue)
    return node.branches[-1].when is None and all(
        isinstance(one.node, simple) for one in node.branches
    )


def is_json(node: Node) -> bool:
    """Whether a node is a JSON value of the user's, which holds its own text."""
    return isinstance(node, FieldValue) and _kind(node) in (FieldKind.JSON, FieldKind.JSON_OBJECT)


def is_base64(node: Node) -> bool:
    """Whether a node is bytes, held as base64."""
    return isinstance(node, FieldValue) and _kind(node) is FieldKind.BASE64


def _kind(node: FieldValue) -> FieldKind | None:
    return node.path.leaf.type.kind if node.path.leaf.type else None
