"""Each document against the JSON Schema of its kind, said so that people understand it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from toolresult_generator.check.context import Context
from toolresult_generator.check.schemas import SCHEMAS, schema
from toolresult_generator.findings import Finding, Place, did_you_mean, quoted
from toolresult_generator.load import Document, Node

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def check(context: Context) -> Iterable[Finding]:
    """Unknown and missing keys, types, values and names of all documents."""
    spec = context.spec
    if spec.result is not None:
        yield from check_document(spec.result, "result")
    if "target" in SCHEMAS:
        for document in spec.targets:
            yield from check_document(document, "target")
    for document in spec.samples:
        yield from check_document(document, "samples")


def check_document(document: Document, kind: str) -> Iterator[Finding]:
    """The findings of one document against the schema of that name."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema(kind))
    for error in validator.iter_errors(document.root.to_plain()):
        yield from _translate(error, document.root)


def _translate(error: ValidationError, root: Node) -> Iterator[Finding]:
    node = root.at(list(error.absolute_path))
    rule = str(error.validator)
    asked: Any = error.validator_value
    if rule in ("anyOf", "oneOf") and "errorMessage" not in _schema_of(error):
        best = _best_branch(error)
        if best:
            for inner in best:
                yield from _translate(inner, root)
            return
    if "propertyNames" in error.absolute_schema_path:
        yield _bad_name(error, node)
    elif rule == "additionalProperties":
        yield from _unknown_keys(error, node)
    elif rule == "required":
        yield from _missing_keys(error, node)
    elif rule == "type":
        yield _finding("wrong_type", node, f"expected {_names(asked)}, not {_shown(node)}")
    elif rule == "enum":
        yield _not_listed(asked, node, _schema_of(error).get("errorCode", "bad_value"))
    elif rule == "not" and asked == {}:
        yield _meaningless(error, root)
    elif rule == "dependentRequired":
        yield from _missing_company(error, node)
    else:
        yield _finding("bad_value", node, _refusal(error, node))


def _finding(code: str, node: Node, message: str, advice: str = "") -> Finding:
    return Finding(node.place, code, message, advice)


def _bad_name(error: ValidationError, node: Node) -> Finding:
    name = str(error.instance)
    key = node.find_key(name)
    place = node.place if key is None else node.key_place(key)
    wanted = _schema_of(error).get("errorMessage", "")
    if error.validator == "maxLength":
        wanted = f"at most {error.validator_value} characters"
    message = f"{quoted(name)} is no name that can stand here"
    return Finding(place, "bad_name", message, f"expected {wanted}" if wanted else "")


def _unknown_keys(error: ValidationError, node: Node) -> Iterator[Finding]:
    known = list(_schema_of(error).get("properties", {}))
    for key in node.mapping:
        if str(key) not in known:
            advice = did_you_mean(str(key), [name for name in known if name not in node.mapping])
            message = f"the key {quoted(str(key))} is not known here"
            yield Finding(node.key_place(key), "unknown_key", message, advice)


def _missing_keys(error: ValidationError, node: Node) -> Iterator[Finding]:
    # one error per missing key: its message is the only place that names the key
    instance: Any = error.instance
    required: Any = error.validator_value
    missing = [name for name in required if name not in instance]
    for name in missing:
        if error.message.startswith(repr(name)):
            said = _schema_of(error).get("properties", {}).get(name, {})
            yield _finding(
                "missing_key",
                node,
                f"the key {quoted(name)} is missing",
                said.get("description", ""),
            )


def _missing_company(error: ValidationError, node: Node) -> Iterator[Finding]:
    """Keys that mean nothing without another one."""
    asked: Any = error.validator_value
    for name, company in asked.items():
        key = node.find_key(name)
        # one error per missing key: its message is the only place that names both
        for other in company if key is not None else ():
            if other not in node and error.message.startswith(f"{other!r} "):
                message = f"the key {quoted(name)} means nothing without {quoted(other)}"
                yield Finding(place_of_key(node, name), "missing_key", message)


def _not_listed(allowed: list[Any], node: Node, code: str) -> Finding:
    names = [name for name in allowed if isinstance(name, str)]
    advice = did_you_mean(node.text, names) if node.text is not None else ""
    advice = advice or "known: " + ", ".join(map(str, allowed))
    return _finding(code, node, f"{_shown(node)} is not one of those known here", advice)


def _meaningless(error: ValidationError, root: Node) -> Finding:
    """A key that is forbidden because of the type beside it (`not: {}`).

    The schema `false` would mean the same, but the library's error does not say for which key.
    """
    path = list(error.absolute_path)
    owner, name = root.at(path[:-1]), str(path[-1]) if path else ""
    key = owner.find_key(name)
    place = owner.place if key is None else owner.key_place(key)
    decides = next((key for key in ("type", "status") if key in owner), "")
    kind = owner.get(decides)
    beside = f" with the {decides} {quoted(kind.text)}" if kind is not None and kind.text else ""
    return Finding(place, "unknown_key", f"the key {quoted(name)} means nothing{beside}")


def _refusal(error: ValidationError, node: Node) -> str:
    asked, said = error.validator_value, _schema_of(error)
    if "errorMessage" in said and error.validator in ("pattern", "oneOf", "anyOf"):
        return f"{_shown(node)} is not {said['errorMessage']}"
    wanted = {
        "minimum": f"at least {asked}",
        "maximum": f"at most {asked}",
        "minLength": "not empty",
        "maxLength": f"at most {asked} characters long",
        "minItems": f"a list of at least {asked}",
        "maxItems": f"a list of at most {asked}",
        "minProperties": f"a mapping of at least {asked}",
        "maxProperties": f"a mapping of at most {asked}",
        "const": f"exactly {asked!r}",
        "uniqueItems": "a list without repetition",
    }.get(str(error.validator))
    if wanted is not None:
        return f"expected {wanted}, not {_shown(node)}"
    return f"{_shown(node)} does not fit ({error.validator})"


def _best_branch(error: ValidationError) -> list[ValidationError]:
    """The errors of the alternative that was meant: the one that fails deepest, then least."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    if not branches:
        return []

    def closeness(errors: list[ValidationError]) -> tuple[int, int]:
        wrong_type = any(e.validator == "type" and not e.path for e in errors)
        return (-1 if wrong_type else max(len(e.path) for e in errors), -len(errors))

    return max(branches.values(), key=closeness)


def _schema_of(error: ValidationError) -> dict[str, Any]:
    return error.schema if isinstance(error.schema, dict) else {}


_PLAIN_NAMES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def _names(types: str | list[str]) -> str:
    wanted = [types] if isinstance(types, str) else types
    return " or ".join(_PLAIN_NAMES[name] for name in wanted)


def _shown(node: Node) -> str:
    if node.kind == "string":
        return quoted(str(node.value))
    if node.kind in ("integer", "number"):
        return quoted(repr(node.value)).strip('"')
    if node.kind == "boolean":
        return "true" if node.value else "false"
    return _PLAIN_NAMES[node.kind]


def place_of_key(owner: Node, name: str) -> Place:
    """Where a key of a mapping stands; the mapping's own place if it has no such key."""
    key = owner.find_key(name)
    return owner.place if key is None else owner.key_place(key)
