"""Paths of the spec, such as ``metadata.pagination.total`` and ``item.mime_type``."""

from __future__ import annotations

from toolresult_generator.findings import did_you_mean, quoted
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.context import Context
from toolresult_generator.model.result import Field, FieldKind
from toolresult_generator.model.target import Path, Step


def resolve_path(source: Source, context: Context) -> Path | None:
    """The path that a text names, or None with a finding."""
    text = source.text
    if text is None:
        context.faults.add(source.place, "wrong_type", f"expected a path, found {source.kind}")
        return None
    names = text.split(".")
    root = "result"
    if names[0] == "item":
        root, names = "item", names[1:]
    fields = item_fields(context) if root == "item" else _record_fields(context, "result")
    if root == "item" and context.item is None:
        context.faults.add(
            source.place, "bad_path", "there is no item here", "use it below an each"
        )
        return None
    if root == "item" and names == ["kind"] and context.item == "part":
        return Path("item", (Step("kind", False, None),))
    steps: list[Step] = []
    index: int | None = None
    for position, name in enumerate(names):
        if steps and name.isdigit() and _kind_of(steps[-1]) is FieldKind.RECORDS:
            if index is not None or position == len(names) - 1:
                break
            index = int(name)
            continue
        found = fields.get(name)
        if found is None:
            context.faults.add(
                source.place,
                "unknown_path",
                f"{quoted(text)} leads to no field of the result",
                did_you_mean(name, fields),
            )
            return None
        steps.append(Step(name, not found.required, found.type))
        fields = _below(context, found)
    return Path(root, tuple(steps), index)


def _kind_of(step: Step) -> FieldKind | None:
    return step.type.kind if step.type else None


def _record_fields(context: Context, record: str) -> dict[str, Field]:
    return {field.name: field for field in context.result.record(record).fields}


def _below(context: Context, field: Field) -> dict[str, Field]:
    if field.type.kind in (FieldKind.RECORD, FieldKind.RECORDS) and field.type.record:
        return _record_fields(context, field.type.record)
    return {}


def item_fields(context: Context) -> dict[str, Field]:
    """The fields that every kind of the item has; where one may lack it, it counts as optional."""
    if context.item is None:
        return {}
    if context.item != "part":
        return _record_fields(context, context.item)
    common = _record_fields(context, "part")
    kinds = [kind for kind in context.result.kinds if kind.name in context.kinds]
    if not kinds:
        return common
    shared = [{field.name: field for field in kind.fields} for kind in kinds]
    own = {
        name: next((f[name] for f in shared if not f[name].required), shared[0][name])
        for name in shared[0]
        if all(name in fields for fields in shared)
    }
    return {**own, **common}
