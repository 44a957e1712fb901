"""The rules of `result.yaml` that a JSON Schema cannot say.

Works on a document that may have any fault: what is not of the right shape is left to the check
of the structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from toolresult_generator.check.context import Context
from toolresult_generator.check.structure import place_of_key
from toolresult_generator.findings import Finding, did_you_mean, quoted
from toolresult_generator.load import Node

ROOT = "result"
PART = "part"

CORE: dict[str, dict[str, str]] = {
    ROOT: {
        "data": "json",
        "error": "record",
        "content": "parts",
        "metadata": "record",
    },
    "error": {"code": "error_code", "message": "string", "details": "json_object"},
    PART: {},
    "metadata": {},
}
"""Records and fields that every target relies on, with their types. Others may come and go."""

TAKEN: dict[str, str] = {ROOT: "format_version", PART: "kind"}
"""Members of the serialized form that are no fields, by the record that they stand in."""

_LABEL = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?\Z")
_RESERVED_LABELS = frozenset({"mcp", "modelcontextprotocol"})
_LONGEST_NAMESPACE = 200


def check(context: Context) -> Iterable[Finding]:
    """Everything about the result document that is beyond its structure."""
    document = context.spec.result
    if document is None:
        return
    root = document.root
    yield from _namespace(root)
    yield from _versions(root)
    yield from _default_code(root)
    yield from _core(root)
    yield from _references(root)
    yield from _recursion(root)
    for _, owner in _owners(root):
        for _, field in _members(owner, "fields"):
            yield from _bounds(field)
    yield from _kinds(root)


# ------------------------------------------------------------ settings


def _namespace(root: Node) -> Iterator[Finding]:
    node = root.get("namespace")
    if node is None or node.text is None:
        return
    labels = node.text.split(".")
    advice = "use a reverse domain name of yours, such as com.example"
    if len(node.text) > _LONGEST_NAMESPACE or len(labels) < 2:
        yield Finding(node.place, "bad_namespace", "this is no reverse domain name", advice)
        return
    for label in labels:
        if not _LABEL.match(label):
            message = f"the label {quoted(label)} is none that a domain name can have"
            yield Finding(node.place, "bad_namespace", message, advice)
        elif label in _RESERVED_LABELS:
            message = f"the label {quoted(label)} is reserved for MCP"
            yield Finding(node.place, "bad_namespace", message, advice)


def _versions(root: Node) -> Iterator[Finding]:
    versions = root.get("format_versions")
    if versions is None or not versions.mapping:
        return
    names = [name for name, _ in versions.items()]
    if names != [str(number) for number in range(len(names))]:
        message = "the versions are " + quoted(", ".join(names))
        yield Finding(versions.place, "bad_versions", message, "number them 0, 1, 2 … in order")
    known = {name for name in names if name != "0"}
    for since in _sinces(root):
        if isinstance(since.value, int) and since.value >= 1 and str(since.value) not in known:
            message = f"there is no format version {since.value}"
            advice = "known: " + ", ".join(sorted(known)) + "; add it to format_versions first"
            yield Finding(since.place, "unknown_version", message, advice)


def _sinces(root: Node) -> Iterator[Node]:
    owned = [node for _, node in _members(root, "error_codes")]
    for _, owner in _owners(root):
        owned.append(owner)
        owned += [field for _, field in _members(owner, "fields")]
    for node in owned:
        since = node.get("since")
        if since is not None:
            yield since


def _default_code(root: Node) -> Iterator[Finding]:
    codes = root.get("error_codes")
    if codes is None or not codes.mapping:
        return
    defaults = [
        default
        for _, code in codes.items()
        if (default := code.get("default")) is not None and default.value is True
    ]
    if not defaults:
        message, advice = "no error code is the default", "give one of them `default: true`"
        yield Finding(place_of_key(root, "error_codes"), "default_code", message, advice)
    for node in defaults[1:]:
        message = f"there is a default already, in line {defaults[0].place.line}"
        yield Finding(node.place, "default_code", message, "keep one")


# ------------------------------------------------------------- records


def _core(root: Node) -> Iterator[Finding]:
    records = root.get("records")
    if records is None or not records.mapping:
        return
    for name, fields in CORE.items():
        record = records.get(name)
        if record is None:
            message = f"the record {quoted(name)} is gone"
            yield Finding(place_of_key(root, "records"), "core_changed", message, "put it back")
            continue
        for field, kind in fields.items():
            node = dict(_members(record, "fields")).get(field)
            type_ = None if node is None else node.get("type")
            if node is None:
                message = f"the field {quoted(field)} of {quoted(name)} is gone"
                yield Finding(place_of_key(records, name), "core_changed", message, "put it back")
            elif type_ is not None and type_.text is not None and type_.text != kind:
                message = f"the field {quoted(field)} of {quoted(name)} must be of type {kind}"
                yield Finding(type_.place, "core_changed", message)
    for name, taken in TAKEN.items():
        record = records.get(name)
        if record is not None and taken in dict(_members(record, "fields")):
            place = place_of_key(record["fields"], taken)
            message = f"{quoted(taken)} is a member of the serialized form already"
            yield Finding(place, "field_collision", message, "choose another name")


def _references(root: Node) -> Iterator[Finding]:
    records = dict(_members(root, "records"))
    used = {ROOT, PART}
    for _, owner in _owners(root):
        for _, field in _members(owner, "fields"):
            reference = field.get("record")
            if reference is None or reference.text is None:
                continue
            used.add(reference.text)
            if reference.text not in records:
                message = f"there is no record {quoted(reference.text)}"
                advice = did_you_mean(reference.text, records)
                yield Finding(reference.place, "unknown_record", message, advice)
    for name in records:
        if name not in used:
            message = f"nothing refers to the record {quoted(name)}"
            advice = "refer to it from a field, or remove it"
            yield Finding(place_of_key(root["records"], name), "unused_record", message, advice)


def _recursion(root: Node) -> Iterator[Finding]:
    """Records that contain themselves, found by walking from each along its references.

    `parts` counts as a reference to `part` and to the records of all kinds.
    """
    edges: dict[str, list[tuple[str, Node]]] = {}
    for name, record in _members(root, "records"):
        edges[name] = list(_edges(record))
    for _, kind in _members(root, "kinds"):
        edges.setdefault(PART, []).extend(_edges(kind))
    for name, out in edges.items():
        for target, node in out:
            if name in _reachable(target, edges):
                message = f"the record {quoted(name)} contains itself"
                advice = "a result has a bounded depth; use the type json for a tree"
                yield Finding(node.place, "recursive_record", message, advice)


def _edges(owner: Node) -> Iterator[tuple[str, Node]]:
    for _, field in _members(owner, "fields"):
        type_, reference = field.get("type"), field.get("record")
        if type_ is not None and type_.text == "parts":
            yield PART, type_
        elif reference is not None and reference.text is not None:
            yield reference.text, reference


def _reachable(start: str, edges: dict[str, list[tuple[str, Node]]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += [target for target, _ in edges.get(name, ())]
    return seen


def _bounds(field: Node) -> Iterator[Finding]:
    low, high = field.get("minimum"), field.get("maximum")
    if (
        low is not None
        and high is not None
        and isinstance(low.value, int)
        and isinstance(high.value, int)
        and low.value > high.value
    ):
        yield Finding(high.place, "bad_range", f"the maximum is below the minimum {low.value}")
    choices = field.get("choices")
    if choices is not None:
        yield from _repeated(choices)


def _repeated(names: Node) -> Iterator[Finding]:
    seen: set[object] = set()
    for entry in names.sequence:
        if entry.text is not None and entry.text in seen:
            yield Finding(entry.place, "bad_choice", f"{quoted(entry.text)} is named twice")
        seen.add(entry.text)


# --------------------------------------------------------------- kinds


def _kinds(root: Node) -> Iterator[Finding]:
    part = dict(_members(root, "records")).get(PART)
    common = set() if part is None else {name for name, _ in _members(part, "fields")}
    for name, kind in _members(root, "kinds"):
        fields = dict(_members(kind, "fields"))
        for field in fields:
            if field in common or field == TAKEN[PART]:
                message = f"every part has the field {quoted(field)} already"
                place = place_of_key(kind["fields"], field)
                yield Finding(place, "field_collision", message, "choose another name")
        yield from _one_of(kind, fields)
        yield from _since_order(name, kind, fields)


def _one_of(kind: Node, fields: dict[str, Node]) -> Iterator[Finding]:
    one_of = kind.get("one_of")
    if one_of is None:
        return
    yield from _repeated(one_of)
    for entry in one_of.sequence:
        if entry.text is None:
            continue
        field = fields.get(entry.text)
        if field is None:
            message = f"there is no field {quoted(entry.text)}"
            advice = did_you_mean(entry.text, fields)
            yield Finding(entry.place, "bad_choice", message, advice)
        elif (required := field.get("required")) is not None and required.value is True:
            message = f"{quoted(entry.text)} is required, so it is no choice"
            yield Finding(required.place, "bad_choice", message, "leave `required` out")


def _since_order(name: str, kind: Node, fields: dict[str, Node]) -> Iterator[Finding]:
    first = kind.get("since")
    if first is None or not isinstance(first.value, int):
        return
    for field in fields.values():
        since, required = field.get("since"), field.get("required")
        if since is None or not isinstance(since.value, int):
            continue
        if since.value < first.value:
            message = f"the kind {quoted(name)} is there since {first.value} only"
            yield Finding(since.place, "since_order", message)
        elif since.value > first.value and required is not None and required.value is True:
            message = f"a required field cannot come later than its kind ({first.value})"
            yield Finding(since.place, "since_order", message, "make it optional")


# -------------------------------------------------------------- access


def _owners(root: Node) -> Iterator[tuple[str, Node]]:
    """Everything that has fields: records and kinds."""
    yield from _members(root, "records")
    yield from _members(root, "kinds")


def _members(owner: Node, key: str) -> Iterator[tuple[str, Node]]:
    node = owner.get(key)
    if node is not None:
        yield from node.items()
