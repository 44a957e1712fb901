"""A schema file of somebody else's: read within bounds, and nothing else is ever fetched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.file import load_bytes, read_bytes

_WITHOUT_EXTRA = (
    "install protobuf (pip install protobuf), or give the JSON Schema bundle of the protocol"
)


@dataclass(frozen=True)
class SchemaFile:
    """A schema document as it stands in its file, as plain JSON."""

    name: str
    """The file as people named it."""
    document: dict[str, Any]


def read_schema(file: Path) -> SchemaFile:
    """The schema document of a JSON file, or of a protobuf descriptor set.

    Bounds are those of spec files (:mod:`toolresult_generator.load.limits`): bytes, nesting,
    values. Raises FindingsError for what is no file, too large, no JSON or no schema.
    """
    shown = file.as_posix()
    data = read_bytes(file, shown)
    if isinstance(data, Finding):
        raise FindingsError([data])
    if _is_descriptor_set(data):
        return SchemaFile(shown, _described(data, shown))
    root, findings = load_bytes(data, shown, is_json=True)
    if findings or root is None:
        raise FindingsError(findings)
    document = root.to_plain()
    if not isinstance(document, dict):
        message = f"a schema is a JSON object, and this is {_article(root.kind)}"
        raise FindingsError([Finding(root.place, "bad_schema", message)])
    return SchemaFile(shown, document)


def _article(kind: str) -> str:
    return kind if kind == "null" else f"{'an' if kind[0] in 'aio' else 'a'} {kind}"


def _is_descriptor_set(data: bytes) -> bool:
    """Whether bytes start as a FileDescriptorSet does: field 1, a message, which names a file.

    0x0A is a line feed in JSON, where white space may come first; the byte 0x0A that follows the
    length of the message is field 1 of a FileDescriptorProto, its name.
    """
    if data[:1] != b"\n":
        return False
    length = 1
    while length < min(len(data), 6) and data[length] & 0x80:
        length += 1
    return data[length + 1 : length + 2] == b"\n" and data.lstrip()[:1] != b"{"


def _described(data: bytes, shown: str) -> dict[str, Any]:
    try:
        from toolresult_generator.revision.protobuf import schema_of
    except ModuleNotFoundError:
        message = "this is a protobuf descriptor set, and protobuf is not installed"
        finding = Finding(Place(shown), "missing_tool", message, _WITHOUT_EXTRA)
        raise FindingsError([finding]) from None
    return schema_of(data, shown)
