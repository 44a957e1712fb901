"""Output forms as trees: what stands below a node, and a node with other forms in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from toolresult_generator.model.target import (
    Case,
    Choose,
    Form,
    FormCall,
    Item,
    JsonText,
    List,
    Node,
    Object,
)


def children(node: Node) -> Iterator[Node]:
    """The nodes right below a node, in their order; none below the call of a form.

    A marker of a list stands behind its item, as the call of a form that it is.
    """
    if isinstance(node, Object):
        yield from (member.node for member in node.members)
    elif isinstance(node, List):
        for item in node.items if node.if_empty is None else (*node.items, node.if_empty):
            yield item.node
            if item.marker is not None:
                yield FormCall(item.marker)
    elif isinstance(node, (Choose, Case)):
        yield from (branch.node for branch in node.branches)
    elif isinstance(node, JsonText):
        yield node.node


def nodes_in(form: Form) -> Iterator[Node]:
    """Every node of a form, those of the forms that it calls left out."""
    waiting = [form.node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)


def forms_of(form: Form) -> list[Form]:
    """A form and all that it leads to, each once, in the order in which they are first called."""
    found: dict[Form, None] = {}

    def visit(node: Node) -> None:
        if isinstance(node, FormCall):
            if node.form not in found:
                found[node.form] = None
                visit(node.form.node)
            return
        for child in children(node):
            visit(child)

    visit(FormCall(form))
    return list(found)


def with_forms(node: Node, changed: Callable[[Form], Form]) -> Node:
    """The node with every form that it calls changed; what those call is left to ``changed``."""

    def item(one: Item) -> Item:
        marker = None if one.marker is None else changed(one.marker)
        return replace(one, node=with_forms(one.node, changed), marker=marker)

    if isinstance(node, FormCall):
        return FormCall(changed(node.form))
    if isinstance(node, Object):
        members = tuple(replace(m, node=with_forms(m.node, changed)) for m in node.members)
        return replace(node, members=members)
    if isinstance(node, List):
        if_empty = None if node.if_empty is None else item(node.if_empty)
        return replace(node, items=tuple(map(item, node.items)), if_empty=if_empty)
    if isinstance(node, Choose):
        return Choose(tuple(replace(b, node=with_forms(b.node, changed)) for b in node.branches))
    if isinstance(node, Case):
        return Case(tuple(replace(b, node=with_forms(b.node, changed)) for b in node.branches))
    if isinstance(node, JsonText):
        return JsonText(with_forms(node.node, changed))
    return node
