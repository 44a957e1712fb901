"""The classes that generated code uses or inherits: every runtime has to bring them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolresult_generator.languages.lowering.runtime_types import RuntimeClass

CLASSES: Final[Mapping[str, RuntimeClass]] = {
    "Options": RuntimeClass(
        {
            "wrap_output": "a flag, off by default",
            "structured_errors": "a flag, off by default",
            "artifact_id": "a text, or absent",
            "message_id": "a text, or absent",
            "digest": "a text that ids are made of instead of the result's digest, or absent",
        },
        "What a rendering depends on beside the result.",
    ),
    "Loss": RuntimeClass(
        {
            "path": "a JSON pointer into the serialized result",
            "status": "a status of the spec that does not arrive",
            "reason": "a text for people",
        },
        "A part of the result that reading the output does not give back.",
    ),
    "Losses": RuntimeClass(
        {
            "add": "notes one loss: path, status, reason",
            "found": "the losses in the order of noting",
            "item": "the pointer of the item that is being written, at first empty",
        },
        "Collects losses while a result is written.",
    ),
    "Layout": RuntimeClass(
        {
            "add": "notes the block just written: its role, and a marker that may be empty",
            "roles": "the roles in order",
            "markers": "the markers that are not empty, by the index of their block as a text",
        },
        "The roles and markers of the blocks written so far.",
    ),
    "Rendering": RuntimeClass(
        {
            "bytes": "the output: JSON in UTF-8, or the text of a wire value that is a string",
            "losses": "the losses in order",
            "is_text": "whether the wire value is a string",
            "size": "the length of the output in bytes",
        },
        "One result in the format of one target, revision and phase.",
    ),
    "Renderer": RuntimeClass(
        {
            "target": "the name of the target",
            "revision": "the revision",
            "phase": "the phase, or absent",
            "limit": "the default size limit in bytes, or absent",
            "is_text": "whether the wire value is a string",
            "render": "the rendering of a result with options",
            "write": "what generated code fills: appends to pieces and losses",
        },
        "What generated renderers inherit.",
    ),
    "Reader": RuntimeClass(
        {
            "target": "the name of the target",
            "revisions": "the revisions that it reads",
            "is_text": "whether the wire value is a string",
            "read": "the result that a wire text says, parsed strictly",
            "read_wire": "what generated code fills: the result of a parsed wire value",
        },
        "What generated readers inherit.",
    ),
    "Members": RuntimeClass(
        {
            "pointer": "the JSON pointer of the block, for refusals",
            "value": "the whole object",
        },
        "The members of a wire object. What reading calls with a block first is a method of it.",
    ),
}
"""The classes that generated code uses or inherits."""
