"""Whether a serialized result is one that the spec allows, read straight from the model.

The generated classes ask the same of a value. Here it is asked of a document, with places, and
for a spec whose classes are not generated yet. Codes and rules are those of the result's design
("What construction refuses").
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from toolresult_generator.findings import Place, did_you_mean, quoted
from toolresult_generator.load import Node
from toolresult_generator.model.result import Field, FieldKind, KeyRule, ResultSpec
from toolresult_generator.pointers import token

MAX_DEPTH = 100
"""How deep a user value may be nested; a scalar is 0, an empty list is 1."""

_INTEGRAL_BELOW = 1e21
_RESERVED = frozenset({"mcp", "modelcontextprotocol"})
_EXTENSION_KEY = re.compile(
    r"(?P<prefix>[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)"
    r"/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\Z"
)
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?Z\Z"
)


@dataclass(frozen=True)
class Misfit:
    """One offence: the refusal's code, the JSON pointer, and where it stands."""

    place: Place
    code: str
    pointer: str
    message: str


def misfits(root: Node, spec: ResultSpec) -> Iterator[Misfit]:
    """Every offence of a serialized result, in the order of the spec's fields."""
    return _Fit(spec).result(root)


class _Fit:
    def __init__(self, spec: ResultSpec) -> None:
        self.spec = spec
        self.codes = {code.name for code in spec.error_codes}
        self.kinds = {kind.name: kind for kind in spec.kinds}
        self.checks: Mapping[FieldKind, Callable[[Node, Field, str], Iterator[Misfit]]] = {
            FieldKind.STRING: self._string,
            FieldKind.BOOLEAN: self._boolean,
            FieldKind.COUNT: self._count,
            FieldKind.NUMBER: self._number,
            FieldKind.TIMESTAMP: self._timestamp,
            FieldKind.BASE64: self._base64,
            FieldKind.ERROR_CODE: self._error_code,
            FieldKind.CHOICES: self._choices,
            FieldKind.JSON: self._json,
            FieldKind.JSON_OBJECT: self._json_object,
            FieldKind.JSON_MAP: self._json_map,
            FieldKind.RECORD: self._record_field,
            FieldKind.RECORDS: self._records,
            FieldKind.PARTS: self._parts,
        }

    # ------------------------------------------------------- containers

    def result(self, root: Node) -> Iterator[Misfit]:
        version = root.get("format_version")
        if root.kind != "object":
            yield _wrong(root, "", "an object")
            return
        known = [version.number for version in self.spec.format_versions if version.number > 0]
        if version is None:
            yield Misfit(
                root.place, "missing_field", "/format_version", "the format version is missing"
            )
        elif version.kind != "integer" or version.value not in known:
            message = "known format versions: " + ", ".join(map(str, known))
            yield Misfit(version.place, "unknown_version", "/format_version", message)
        yield from self._fields(
            root, self.spec.record("result").fields, "", skip={"format_version"}
        )
        if "data" in root and "error" in root:
            message = "a failure carries no data; use error.details"
            yield Misfit(root["error"].place, "contradiction", "/error", message)
        yield from self._both_maps(root)

    def _fields(
        self, node: Node, fields: tuple[Field, ...], pointer: str, skip: set[str]
    ) -> Iterator[Misfit]:
        names = [field.name for field in fields]
        for key in node.mapping:
            if key not in names and key not in skip:
                message = f"there is no field {quoted(str(key))}"
                advice = did_you_mean(str(key), names)
                yield Misfit(
                    node.key_place(key),
                    "unknown_field",
                    _below(pointer, key),
                    f"{message}; {advice}" if advice else message,
                )
        for field in fields:
            value = node.get(field.name)
            below = _below(pointer, field.name)
            if value is not None:
                yield from self.checks[field.type.kind](value, field, below)
            elif field.required:
                yield Misfit(node.place, "missing_field", below, "this is required")

    def _record_field(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        yield from self._record(node, str(field.type.record), pointer)

    def _record(self, node: Node, name: str, pointer: str) -> Iterator[Misfit]:
        if node.kind != "object":
            yield _wrong(node, pointer, "an object")
            return
        yield from self._fields(node, self.spec.record(name).fields, pointer, skip=set())

    def _records(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.kind != "array":
            yield _wrong(node, pointer, "a list")
        for index, entry in enumerate(node.sequence):
            yield from self._record(entry, str(field.type.record), _below(pointer, index))

    def _parts(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.kind != "array":
            yield _wrong(node, pointer, "a list")
        for index, entry in enumerate(node.sequence):
            yield from self._part(entry, _below(pointer, index))

    def _part(self, node: Node, pointer: str) -> Iterator[Misfit]:
        if node.kind != "object":
            yield _wrong(node, pointer, "an object")
            return
        name = node.get("kind")
        if name is None:
            yield Misfit(node.place, "missing_field", f"{pointer}/kind", "this is required")
            return
        kind = self.kinds.get(name.text or "")
        if kind is None:
            message = f"there is no such kind; {did_you_mean(name.text or '', self.kinds)}"
            yield Misfit(name.place, "unknown_kind", f"{pointer}/kind", message)
            return
        fields = kind.fields + self.spec.record("part").fields
        yield from self._fields(node, fields, pointer, skip={"kind"})
        if kind.one_of and sum(name in node for name in kind.one_of) != 1:
            message = "exactly one of these must be there: " + ", ".join(kind.one_of)
            yield Misfit(node.place, "contradiction", pointer, message)

    def _both_maps(self, root: Node) -> Iterator[Misfit]:
        """One key in two maps of extension keys, which share their place on the wire."""
        metadata = root.get("metadata")
        if metadata is None:
            return
        seen: dict[str | int, str] = {}
        for field in self.spec.record("metadata").fields:
            if (
                field.type.kind is not FieldKind.JSON_MAP
                or field.type.keys is not KeyRule.EXTENSION
            ):
                continue
            values = metadata.get(field.name)
            for key in () if values is None else values.mapping:
                first = seen.setdefault(key, field.name)
                if first != field.name and values is not None:
                    pointer = _below(f"/metadata/{field.name}", key)
                    message = f"the key stands in {first} already"
                    yield Misfit(values.key_place(key), "invalid_key", pointer, message)

    # ---------------------------------------------------------- scalars

    def _string(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.text is None:
            yield _wrong(node, pointer, "a text")
        elif field.type.non_empty and node.text == "":
            yield Misfit(node.place, "out_of_range", pointer, "this must not be empty")

    def _boolean(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.kind != "boolean":
            yield _wrong(node, pointer, "true or false")

    def _count(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        value = node.value
        if isinstance(value, float) and value.is_integer() and abs(value) < _INTEGRAL_BELOW:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            yield _wrong(node, pointer, "a whole number")
        elif value < 0:
            yield Misfit(node.place, "out_of_range", pointer, "this must not be negative")

    def _number(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        value, low, high = node.value, field.type.minimum, field.type.maximum
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            yield _wrong(node, pointer, "a number")
        elif (low is not None and value < low) or (high is not None and value > high):
            yield Misfit(node.place, "out_of_range", pointer, f"from {low} to {high} is allowed")

    def _timestamp(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.text is None:
            yield _wrong(node, pointer, "a text")
        elif not _is_timestamp(node.text):
            message = "no timestamp of RFC 3339 with upper-case T and Z"
            yield Misfit(node.place, "invalid_timestamp", pointer, message)

    def _base64(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.text is None:
            yield _wrong(node, pointer, "a text")
        elif not _is_base64(node.text):
            message = "no standard, padded, canonical base64"
            yield Misfit(node.place, "invalid_base64", pointer, message)

    def _error_code(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.text is None:
            yield _wrong(node, pointer, "a text")
        elif node.text not in self.codes:
            message = f"there is no such code; {did_you_mean(node.text, self.codes)}"
            yield Misfit(node.place, "unknown_code", pointer, message)

    def _choices(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.kind != "array":
            yield _wrong(node, pointer, "a list")
        for index, entry in enumerate(node.sequence):
            if entry.text is None:
                yield _wrong(entry, _below(pointer, index), "a text")
            elif entry.text not in field.type.choices:
                message = "known: " + ", ".join(field.type.choices)
                yield Misfit(entry.place, "out_of_range", _below(pointer, index), message)

    # ------------------------------------------------------ user values

    def _json(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        """Keys and depth of a user value, without recursion."""
        waiting = [(node, pointer, 0)]
        while waiting:
            value, at, depth = waiting.pop()
            if value.kind not in ("object", "array"):
                continue
            if depth >= MAX_DEPTH:
                yield Misfit(value.place, "too_deep", at, f"nested deeper than {MAX_DEPTH}")
                return
            for index, entry in enumerate(value.sequence):
                waiting.append((entry, _below(at, index), depth + 1))
            for key, entry in value.mapping.items():
                if not isinstance(key, str):
                    message = "a key in JSON is a text; put it in quotes"
                    yield Misfit(value.key_place(key), "invalid_value", _below(at, key), message)
                waiting.append((entry, _below(at, key), depth + 1))

    def _json_object(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.kind != "object":
            yield _wrong(node, pointer, "an object")
            return
        yield from self._json(node, field, pointer)

    def _json_map(self, node: Node, field: Field, pointer: str) -> Iterator[Misfit]:
        if node.kind != "object":
            yield _wrong(node, pointer, "an object")
            return
        for key, value in node.mapping.items():
            reason = None
            if field.type.keys is KeyRule.EXTENSION:
                reason = _bad_extension_key(str(key), self.spec.namespace)
            if reason is not None:
                yield Misfit(node.key_place(key), "invalid_key", _below(pointer, key), reason)
            yield from self._json(value, field, _below(pointer, key))


def _bad_extension_key(key: str, namespace: str) -> str | None:
    match = _EXTENSION_KEY.match(key)
    if match is None:
        return "a key has a prefix of labels, a slash and a name, such as com.example/score"
    labels = match["prefix"].split(".")
    if match["prefix"] == namespace:
        return f"the prefix {namespace} is the spec's own"
    if _RESERVED & {*labels[1:2], *labels[:-1]}:
        return "the prefix is reserved for MCP"
    return None


def _is_timestamp(text: str) -> bool:
    match = _TIMESTAMP.match(text)
    if match is None:
        return False
    year, month, day, hour, minute, second = map(int, match.groups())
    try:
        # A leap second (:60) is refused too, since hardly any language could hold it. The year
        # 0000, which datetime lacks, has the days of 2000.
        datetime(year or 2000, month, day, hour, minute, second)
    except ValueError:
        return False
    return True


def _is_base64(text: str) -> bool:
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        return False
    return base64.b64encode(data).decode("ascii") == text


def _wrong(node: Node, pointer: str, wanted: str) -> Misfit:
    return Misfit(node.place, "wrong_type", pointer, f"expected {wanted}, not {node.kind}")


def _below(pointer: str, step: str | int) -> str:
    return f"{pointer}/{token(str(step))}"
