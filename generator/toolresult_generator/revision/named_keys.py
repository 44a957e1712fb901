"""Keys of metadata that a schema names in its words alone: open maps cannot name them otherwise.

MCP 2025-11-25 does so: "Include this in the `_meta` field under the key
`io.modelcontextprotocol/related-task`". What is found is a guess, and marked as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolresult_generator.pointers import token, untoken
from toolresult_generator.revision.changes import Change, Fact, Kind
from toolresult_generator.revision.compare import METADATA_MEMBERS
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.shape import Shape

_KEY = re.compile(r"""[`"']([A-Za-z][A-Za-z0-9.-]{0,80}/[A-Za-z0-9][A-Za-z0-9._-]{0,80})[`"']""")
_MOST = 20
_LONGEST = 20_000


def named_keys(old: Graph, new: Graph, result: Shape) -> Iterator[Change]:
    """A metadata rule for each key that is named now and was not named before.

    What a message (a definition with a `method`) says is about its own metadata, and left out.
    """
    member = next((name for name in result.members if name in METADATA_MEMBERS), None)
    if member is None:
        return
    known = {key for text in old.normal.texts.values() for key in _keys(text)}
    found: set[str] = set()
    for pointer, text in new.normal.texts.items():
        steps = pointer.split("/")
        definition = "/".join(steps[:3])
        if steps[1:2] != ["$defs"] or _is_message(new.node(definition)):
            continue
        for key in _keys(text):
            if key in known or key in found or len(found) == _MOST:
                continue
            found.add(key)
            name = untoken(steps[2])
            detail = f"the description of `{name}` names the key `{key}` of metadata"
            at = (definition,) if len(steps) == 3 else ()
            fact = Fact(Kind.METADATA, key, detail, None, new.stands(pointer), guess=True, at=at)
            yield Change(fact, "result", (f"/{member}/{token(key)}",))


def _keys(text: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=\.)\s", text[:_LONGEST]):
        if any(member in sentence for member in METADATA_MEMBERS):
            for match in _KEY.finditer(sentence):
                yield match[1]


def _is_message(node: object) -> bool:
    properties = node.get("properties") if isinstance(node, Mapping) else None
    return isinstance(properties, Mapping) and "method" in properties
