"""What looks different and says the same: not a word about it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.revision.protocol import Schema, protocol

from toolresult_generator.revision.report import Report, Verdict


def words(document: Schema) -> Schema:
    def told(node: Any) -> Any:
        if isinstance(node, list):
            return [told(one) for one in node]
        if not isinstance(node, dict):
            return node
        made = {key: told(value) for key, value in node.items()}
        if "type" in made and isinstance(made["type"], str):
            made["description"] = "Other words, and `isError` among them."
            made["title"] = "A title"
            made["$comment"] = "A comment"
            made["examples"] = [1]
        return made

    found: Schema = told(document)
    return found


def order(document: Schema) -> Schema:
    def turned(node: Any) -> Any:
        if isinstance(node, list):
            return [turned(one) for one in node]
        if isinstance(node, dict):
            return {key: turned(node[key]) for key in reversed(node)}
        return node

    found: Schema = turned(document)
    for name in ("anyOf", "required", "enum"):
        _reverse(found, name)
    return found


def _reverse(node: Any, name: str) -> None:
    if isinstance(node, dict):
        if isinstance(node.get(name), list):
            node[name] = node[name][::-1]
        for one in node.values():
            _reverse(one, name)
    elif isinstance(node, list):
        for one in node:
            _reverse(one, name)


def older_keyword(document: Schema) -> Schema:
    text = json.dumps({"definitions": document["$defs"]}).replace("#/$defs/", "#/definitions/")
    found: Schema = json.loads(text)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def helpers_renamed(document: Schema) -> Schema:
    text = json.dumps(document)
    for name in ("Annotations", "ContentBlock", "TextContent", "BlobResourceContents", "Icon"):
        text = text.replace(f'"{name}"', f'"New{name}"').replace(f'/{name}"', f'/New{name}"')
    found: Schema = json.loads(text)
    return found


def inlined(document: Schema) -> Schema:
    made = copy.deepcopy(document)
    for name in ("TextContent", "ImageContent"):
        made["$defs"][name]["properties"]["annotations"] = made["$defs"]["Annotations"]
    return made


def enum_for_const(document: Schema) -> Schema:
    def told(node: Any) -> Any:
        if isinstance(node, list):
            return [told(one) for one in node]
        if not isinstance(node, dict):
            return node
        made = {key: told(value) for key, value in node.items() if key != "const"}
        return {**made, "enum": [node["const"]]} if "const" in node else made

    found: Schema = told(document)
    return found


def in_all_of(document: Schema) -> Schema:
    made = copy.deepcopy(document)
    made["$defs"]["Base"] = {"type": "object"}
    block = made["$defs"]["TextContent"]
    made["$defs"]["TextContent"] = {"allOf": [{"$ref": "#/$defs/Base"}, block]}
    return made


def open_said_aloud(document: Schema) -> Schema:
    made = copy.deepcopy(document)
    made["$defs"]["Annotations"]["additionalProperties"] = True
    made["$defs"]["CallToolResult"]["additionalProperties"] = {}
    return made


def unreachable(document: Schema) -> Schema:
    made = copy.deepcopy(document)
    made["$defs"]["Other"] = {"type": "object", "properties": {"x": {"$ref": "https://x.invalid/"}}}
    return made


def one_of_for_any_of(document: Schema) -> Schema:
    found: Schema = json.loads(json.dumps(document).replace('"anyOf"', '"oneOf"'))
    return found


@pytest.mark.parametrize(
    "change",
    [
        words,
        order,
        older_keyword,
        helpers_renamed,
        inlined,
        enum_for_const,
        in_all_of,
        open_said_aloud,
        unreachable,
        one_of_for_any_of,
    ],
)
def test_nothing_changed(
    change: Callable[[Schema], Schema], try_documents: Callable[[Schema, Schema], Report]
) -> None:
    report = try_documents(protocol(), change(protocol()))
    assert [one.change.fact for one in report.changes] == []
    assert report.trial.broken() == []
    assert report.verdict is Verdict.AS_IS


def test_the_same_in_the_other_direction(
    try_documents: Callable[[Schema, Schema], Report],
) -> None:
    report = try_documents(helpers_renamed(order(words(protocol()))), protocol())
    assert report.changes == ()
