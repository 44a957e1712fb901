"""Which leaves of a result an output reads: one that is to arrive and is not read is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from toolresult_generator.model.result import FieldKind
from toolresult_generator.model.target import (
    Case,
    Choose,
    Convert,
    FieldValue,
    ForeignMember,
    ForeignRest,
    FormCall,
    Hook,
    Item,
    JsonText,
    Keys,
    List,
    Node,
    Object,
    Path,
    Plan,
)

Owners = tuple[str, ...]
"""What the fields of the item belong to: ``content.image``, ``stored``."""


def forgotten(plan: Plan) -> list[str]:
    """The leaves that are to arrive on a revision and phase, and that no form reads.

    None where a hook writes: what it reads is known to its adapter alone.
    """
    kinds = tuple(
        dict.fromkeys(cell.path.split(".")[1] for cell in plan.cells if cell.path[:8] == "content.")
    )
    read = set(_read(FormCall(plan.output), (), kinds))
    if _HOOKED in read:
        return []
    return [cell.path for cell in plan.cells if cell.rule.status.arrives and cell.path not in read]


_HOOKED = "(hook)"


def _read(node: Node, owners: Owners, kinds: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, FormCall):
        yield from _read(node.form.node, owners, kinds)
    elif isinstance(node, Object):
        for member in node.members:
            yield from _read(member.node, owners, kinds)
        for spread in node.spreads:
            yield from _leaves(spread.path, owners)
    elif isinstance(node, List):
        for item in node.items:
            yield from _read_item(item, owners, kinds)
    elif isinstance(node, Case):
        for branch in node.branches:
            yield from _read(branch.node, (f"content.{branch.kind}",), kinds)
    elif isinstance(node, Choose):
        for alternative in node.branches:
            yield from _read(alternative.node, owners, kinds)
    elif isinstance(node, JsonText):
        yield from _read(node.node, owners, kinds)
    elif isinstance(node, (FieldValue, Keys, ForeignMember, ForeignRest)):
        yield from _leaves(node.path, owners)
    elif isinstance(node, Convert):
        for argument in node.arguments:
            if isinstance(argument, Path):
                yield from _leaves(argument, owners)
    elif isinstance(node, Hook):
        yield _HOOKED


def _read_item(item: Item, owners: Owners, kinds: tuple[str, ...]) -> Iterator[str]:
    if item.each is not None:
        leaf = item.each.leaf
        parts = leaf.type is not None and leaf.type.kind is FieldKind.PARTS
        owners = tuple(f"content.{kind}" for kind in kinds) if parts else (leaf.name,)
    yield from _read(item.node, owners, kinds)
    if item.marker is not None:
        yield from _read(item.marker.node, owners, kinds)


def _leaves(path: Path, owners: Owners) -> Iterator[str]:
    names = ".".join(step.name for step in path.steps)
    if path.root == "result":
        yield names
    else:
        yield from (f"{owner}.{names}" for owner in owners)
