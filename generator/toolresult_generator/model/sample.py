"""Sample results: what the matrix renders, read from a checked spec."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolresult_generator.load import Node, Plain, Spec
from toolresult_generator.load.file import load_bytes
from toolresult_generator.pointers import untoken

MAX_REPEATED = 20_000_000
"""Entries of a list or characters of a text that `repeat` may give."""


@dataclass(frozen=True)
class Sample:
    """One sample. ``value`` is its serialized result as plain JSON; not to be changed.

    ``request`` is what the rendering is asked for, not to be changed either: ``limit`` (bytes),
    ``principal``, ``output_schema``, ``structured_errors``; each may be missing.
    """

    name: str
    meaning: str
    topic: str
    value: Plain
    request: Mapping[str, Plain] = field(default_factory=dict)

    @property
    def limit(self) -> int | None:
        """The size limit in bytes to render with, None for none."""
        limit = self.request.get("limit")
        return limit if isinstance(limit, int) else None

    @property
    def options(self) -> dict[str, Any]:
        """What a renderer is asked for, by the names of its options; those left out are unset."""
        schema = self.request.get("output_schema")
        asked: dict[str, Any] = {}
        if isinstance(schema, dict) and schema.get("type") != "object":
            asked["wrap_output"] = True
        if self.request.get("structured_errors") is True:
            asked["structured_errors"] = True
        for name in ("artifact_id", "message_id"):
            if isinstance(self.request.get(name), str):
                asked[name] = self.request[name]
        return asked


def build_samples(spec: Spec) -> tuple[Sample, ...]:
    """Every sample of a checked spec, in the order of the files and of the text."""
    return tuple(
        Sample(
            name=name,
            meaning=_text(node, "meaning"),
            topic=document.name,
            value=sample_value(node),
            request=_request(node),
        )
        for document in spec.samples
        for name, node in document.root["samples"].items()
    )


def _request(node: Node) -> Mapping[str, Plain]:
    request = node.get("request")
    plain = None if request is None else request.to_plain()
    return plain if isinstance(plain, dict) else {}


def sample_value(node: Node) -> Plain:
    """The serialized result of a sample, with its repetition done.

    Raises ValueError with a message for people if there is none.
    """
    value = sample_node(node).to_plain()
    repeat = node.get("repeat")
    if repeat is None:
        return value
    times = repeat["times"].value
    pointer = _text(repeat, "at")
    if not isinstance(times, int):
        raise ValueError("`times` is no number")
    return _repeated(value, pointer, times)


def sample_node(node: Node) -> Node:
    """The serialized result of a sample as it stands. Raises ValueError if there is none."""
    result, text = node.get("result"), node.get("json")
    if result is not None:
        return result
    if text is None or text.text is None:
        raise ValueError("there is neither `result` nor `json`")
    root, findings = load_bytes(
        text.text.encode("utf-8", "surrogatepass"), text.place.file, is_json=True
    )
    if root is None or findings:
        first = findings[0]
        where = f"line {first.place.line}, column {first.place.column} of the JSON text"
        raise ValueError(f"{first.code}: {first.message} ({where})")
    return root


def _repeated(value: Plain, pointer: str, times: int) -> Plain:
    changed = copy.deepcopy(value)
    owner: Any = {"": changed}
    key: str | int = ""
    for raw in pointer.split("/")[1:]:
        step = untoken(raw)
        owner = owner[key]
        if isinstance(owner, list) and step.isdecimal() and int(step) < len(owner):
            key = int(step)
        elif isinstance(owner, dict) and step in owner:
            key = step
        else:
            raise ValueError(f"`at` leads nowhere: {pointer}")
    content = owner[key]
    if not isinstance(content, (list, str)):
        raise ValueError(f"`at` leads to no list and no text: {pointer}")
    if len(content) * times > MAX_REPEATED:
        raise ValueError(f"`repeat` gives more than {MAX_REPEATED} entries or characters")
    owner[key] = content * times
    return changed


def _text(node: Node, key: str) -> str:
    found = node.get(key)
    return "" if found is None or found.text is None else found.text
