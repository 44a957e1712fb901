"""The wire schemas: each is a JSON Schema that stands by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from toolresult_generator.check.context import Context
from toolresult_generator.findings import Finding, quoted
from toolresult_generator.load import Document, Node


def check(context: Context) -> Iterable[Finding]:
    """Schemas that are none, and references that lead nowhere."""
    for document in context.spec.wire:
        yield from _is_schema(document)
        yield from _references(document)


def _is_schema(document: Document) -> Iterator[Finding]:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    root = document.root
    plain = root.to_plain()
    if not isinstance(plain, dict):
        yield Finding(root.place, "bad_schema", "a wire schema is a mapping")
        return
    try:
        Draft202012Validator.check_schema(plain)
    except SchemaError as error:
        node = root.at(list(error.absolute_path))
        yield Finding(node.place, "bad_schema", f"this is no JSON Schema 2020-12: {error.message}")
    except RecursionError:
        yield Finding(root.place, "too_deep", "the schema is nested too deep")


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
        step = raw.replace("~1", "/").replace("~0", "~")
        if node.kind == "array" and step.isdecimal() and int(step) < len(node.sequence):
            node = node.sequence[int(step)]
            continue
        key = node.find_key(step)
        if key is None:
            return False
        node = node[key]
    return True
