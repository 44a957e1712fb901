"""The wire schemas: each is a JSON Schema that stands by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin

from toolresult_generator.check.context import Context
from toolresult_generator.findings import Finding, quoted
from toolresult_generator.load import Document, Node
from toolresult_generator.pointers import untoken

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


def check(context: Context) -> Iterable[Finding]:
    """Schemas that are none, and references that lead nowhere."""
    for document in context.spec.wire:
        yield from _is_schema(document)
        yield from _references(document)


def _is_schema(document: Document) -> Iterator[Finding]:
    from jsonschema.exceptions import best_match

    root = document.root
    plain = root.to_plain()
    if not isinstance(plain, dict):
        yield Finding(root.place, "bad_schema", "a wire schema is a mapping")
        return
    try:
        error = best_match(_schema_of_schemas().iter_errors(plain))
    except RecursionError:
        yield Finding(root.place, "too_deep", "the schema is nested too deep")
        return
    if error is not None:
        node = root.at(list(error.absolute_path))
        yield Finding(node.place, "bad_schema", f"this is no JSON Schema 2020-12: {error.message}")


@cache
def _schema_of_schemas() -> Draft202012Validator:
    """What a JSON Schema 2020-12 has to be, its vocabularies put together into one document.

    The official one leads to each vocabulary from each subschema through a dynamic reference,
    which takes ten times as long and says the same.
    """
    from jsonschema import Draft202012Validator
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # ships no types

    official = Draft202012Validator.META_SCHEMA
    base = str(official["$id"])
    parts = [REGISTRY.contents(urljoin(base, entry["$ref"])) for entry in official["allOf"]]
    merged: dict[str, Any] = {"type": ["object", "boolean"], "properties": {}, "$defs": {}}
    for part in (official, *parts):
        for key in ("properties", "$defs"):
            merged[key] |= _static(part.get(key, {}))
    return Draft202012Validator(merged, format_checker=Draft202012Validator.FORMAT_CHECKER)


def _static(value: Any) -> Any:
    """A part of a schema with its dynamic references to "any schema" made plain ones."""
    if isinstance(value, list):
        return [_static(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if value.get("$dynamicRef") == "#meta":
        return {"$ref": "#"}
    # Words for people aside: a property named so is a mapping, and stays.
    return {k: _static(v) for k, v in value.items() if k != "$comment" or isinstance(v, dict)}


def _references(document: Document) -> Iterator[Finding]:
    waiting = [document.root]
    while waiting:
        node = waiting.pop()
        waiting += node.sequence
        waiting += node.mapping.values()
        reference = node.get("$ref")
        if reference is None or reference.text is None:
            continue
        if not reference.text.startswith("#"):
            message = f"{quoted(reference.text)} leads out of the file"
            advice = "a wire schema stands by itself; use $defs"
            yield Finding(reference.place, "bad_schema", message, advice)
        elif not _resolves(document.root, reference.text):
            message = f"{quoted(reference.text)} leads nowhere"
            yield Finding(reference.place, "bad_schema", message)


def _resolves(root: Node, reference: str) -> bool:
    """Whether a fragment is a JSON pointer into the document (RFC 6901, section 6)."""
    pointer = unquote(reference[1:])
    if pointer == "":
        return True
    if not pointer.startswith("/"):
        return False
    node = root
    for raw in pointer[1:].split("/"):
        step = untoken(raw)
        if node.kind == "array" and step.isdecimal() and int(step) < len(node.sequence):
            node = node.sequence[int(step)]
            continue
        key = node.find_key(step)
        if key is None:
            return False
        node = node[key]
    return True
