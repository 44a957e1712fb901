"""Stage 3, model, for the result: a checked document to the typed objects.

Everything is assumed to be as the checks ask for it; a document that was not checked may raise
KeyError, TypeError or ValueError here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolresult_generator.load.node import Node
from toolresult_generator.model.result import (
    ErrorCode,
    Field,
    FieldKind,
    FieldType,
    FormatVersion,
    KeyRule,
    PartKind,
    Record,
    ResultSpec,
)

if TYPE_CHECKING:
    from toolresult_generator.load.spec import Spec as Documents
    from toolresult_generator.model.target import Spec


def build_spec(documents: Documents) -> Spec:
    """The whole model of a checked spec. Raises ValueError if it was not checked."""
    from toolresult_generator.model.target import Spec
    from toolresult_generator.model.targets import build_targets

    if documents.result is None:
        raise ValueError("a spec without a result document has no model")
    result = build_result(documents.result.root)
    targets, faults = build_targets(result, {d.name: d.root for d in documents.targets})
    if faults:
        raise ValueError(f"the targets were not checked: {faults[0]}")
    return Spec(result, targets)


def build_result(document: Node) -> ResultSpec:
    """The result as ``result.yaml`` describes it, in the order of the file."""
    return ResultSpec(
        namespace=_text(document["namespace"]),
        a2a_extension=_text(document["a2a_extension"]),
        format_versions=tuple(
            FormatVersion(int(number), _text(node["meaning"]), _optional_text(node, "reads"))
            for number, node in document["format_versions"].items()
        ),
        error_codes=tuple(
            _error_code(name, node) for name, node in document["error_codes"].items()
        ),
        records=tuple(
            Record(name, _text(node["meaning"]), _fields(node))
            for name, node in document["records"].items()
        ),
        kinds=tuple(_kind(name, node) for name, node in document["kinds"].items()),
    )


def _error_code(name: str, node: Node) -> ErrorCode:
    return ErrorCode(
        name=name,
        meaning=_text(node["meaning"]),
        use=_text(node["use"]),
        not_for=_optional_text(node, "not_for") or "",
        since=_integer(node["since"]),
        default=_flag(node, "default"),
    )


def _kind(name: str, node: Node) -> PartKind:
    one_of = node.get("one_of")
    return PartKind(
        name=name,
        meaning=_text(node["meaning"]),
        since=_integer(node["since"]),
        fields=_fields(node),
        one_of=() if one_of is None else tuple(_text(entry) for entry in one_of.sequence),
    )


def _fields(owner: Node) -> tuple[Field, ...]:
    return tuple(
        Field(
            name=name,
            type=_type(node),
            required=_flag(node, "required"),
            since=_integer(node["since"]),
            meaning=_text(node["meaning"]),
            omit_empty=_flag(node, "omit_empty"),
        )
        for name, node in owner["fields"].items()
    )


def _type(node: Node) -> FieldType:
    choices, minimum, maximum = node.get("choices"), node.get("minimum"), node.get("maximum")
    return FieldType(
        kind=FieldKind(_text(node["type"])),
        non_empty=_flag(node, "non_empty"),
        minimum=None if minimum is None else _integer(minimum),
        maximum=None if maximum is None else _integer(maximum),
        choices=() if choices is None else tuple(_text(entry) for entry in choices.sequence),
        record=_optional_text(node, "record"),
        keys=KeyRule(_optional_text(node, "keys") or "any"),
    )


def _text(node: Node) -> str:
    if not isinstance(node.value, str):
        raise TypeError(f"{node.place}: not a text")
    return node.value


def _optional_text(owner: Node, key: str) -> str | None:
    node = owner.get(key)
    return None if node is None else _text(node)


def _integer(node: Node) -> int:
    if isinstance(node.value, bool) or not isinstance(node.value, int):
        raise TypeError(f"{node.place}: not a whole number")
    return node.value


def _flag(owner: Node, key: str) -> bool:
    node = owner.get(key)
    return node is not None and node.value is True
