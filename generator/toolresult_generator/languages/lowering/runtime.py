"""The functions that lowered code calls to write: every runtime has to bring them.

By canonical name. What a function does exactly is said by the runtime of Python, which came first,
and held by the vectors. A language spells the names its own way, and may write out in place what
takes it one word. :mod:`.runtime_reading` has what readers call, :mod:`.runtime_classes` the
classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolresult_generator.languages.lowering.runtime_types import Kind, RuntimeFunction, Takes

_TEXT = Takes("text", Kind.TEXT)
_JSON = Takes("value", Kind.JSON)
_MEMBERS = Takes("members", Kind.MEMBERS)
_KEYS = Takes("keys", Kind.TEXTS)
_SHAPE = Takes("shape", Kind.SHAPE)
_KEPT = Takes("members", Kind.MAP, absent=True)
_LAYOUT = Takes("layout", Kind.LAYOUT)

RUNTIME: Final[Mapping[str, RuntimeFunction]] = {
    # -- values as JSON
    "quote": RuntimeFunction((_TEXT,), Kind.PIECE, "A text as a JSON string, by RFC 8785."),
    "number": RuntimeFunction(
        (Takes("value", Kind.NUMBER),), Kind.PIECE, "A number by RFC 8785, integers exact."
    ),
    "boolean": RuntimeFunction((Takes("value", Kind.BOOLEAN),), Kind.PIECE, "true or false."),
    "strings": RuntimeFunction(
        (Takes("values", Kind.TEXTS),), Kind.PIECE, "A JSON array of strings, in their order."
    ),
    "canonical": RuntimeFunction((_JSON,), Kind.PIECE, "The canonical text of a JSON value."),
    "escaped": RuntimeFunction(
        (_JSON,),
        Kind.PIECE,
        "The canonical text of a JSON value, escaped to stand in a JSON string, without quotes.",
    ),
    "json_map": RuntimeFunction(
        (Takes("values", Kind.MAP),), Kind.PIECE, "A map as an object in canonical order."
    ),
    "keys": RuntimeFunction(
        (Takes("values", Kind.MAP),),
        Kind.PIECE,
        "The keys of a map as an array in canonical order; empty if there is none.",
        may_be_empty=True,
    ),
    "plain": RuntimeFunction(
        (_TEXT,), Kind.PIECE, "A text of ASCII that needs no escapes (base64), without quotes."
    ),
    "plain_string": RuntimeFunction(
        (_TEXT,), Kind.PIECE, "A text of ASCII that needs no escapes (base64), in quotes."
    ),
    "json_text": RuntimeFunction(
        (Takes("piece", Kind.PIECE),),
        Kind.PIECE,
        "A JSON string that holds the canonical JSON text that a piece is.",
    ),
    # -- objects and lists
    "ordered_object": RuntimeFunction(
        (_MEMBERS,), Kind.PIECE, "An object with its members in the order given."
    ),
    "canonical_object": RuntimeFunction(
        (_MEMBERS,), Kind.PIECE, "An object with its members in canonical order."
    ),
    "exact": RuntimeFunction(
        (_MEMBERS, Takes("marker", Kind.TEXT)),
        Kind.MEMBERS,
        "The members, those that a parser of doubles would spoil as strings of their JSON text; "
        "the sorted list of their keys, if there are any, becomes the member named by the marker.",
    ),
    "spread": RuntimeFunction(
        (
            _MEMBERS,
            Takes("values", Kind.MAP),
            Takes("reserved", Kind.TEXTS, optional=True),
            Takes("losses", Kind.LOSSES, optional=True),
            Takes("pointer", Kind.TEXT, optional=True),
        ),
        Kind.NOTHING,
        "Adds the entries of a map to the members, in canonical order. A key that is taken, or "
        "reserved (a prefix if it ends in a slash), is left out, and noted in the losses if given, "
        "at the pointer with the key below it.",
    ),
    "array": RuntimeFunction(
        (Takes("entries", Kind.OUT),),
        Kind.PIECE,
        "A JSON array of pieces; empty if there is no entry.",
        may_be_empty=True,
    ),
    "open_list": RuntimeFunction(
        (Takes("out", Kind.OUT), Takes("first", Kind.COUNT)),
        Kind.NOTHING,
        "Turns the comma that the piece at the index starts with into an opening bracket.",
    ),
    # -- blocks
    "roles_text": RuntimeFunction((_LAYOUT,), Kind.PIECE, "The roles so far as a JSON array."),
    "markers_text": RuntimeFunction(
        (_LAYOUT,),
        Kind.PIECE,
        "The markers so far as an object by block index, in canonical order; empty if none.",
        may_be_empty=True,
    ),
    # -- what a reader kept
    "foreign_member": RuntimeFunction(
        (_KEPT, _KEYS, _SHAPE),
        Kind.PIECE,
        "The member under these keys as canonical JSON; empty if missing or of another shape.",
        may_be_empty=True,
    ),
    "foreign_rest": RuntimeFunction(
        (_KEPT, Takes("without", Kind.PLACES)),
        Kind.PIECE,
        "The members less those at these places, in canonical order; empty if nothing is left.",
        may_be_empty=True,
    ),
    "foreign_entries": RuntimeFunction(
        (_KEPT, _KEYS),
        Kind.MAP,
        "The entries of the object under these keys; none if it is missing or no object.",
    ),
    "foreign_fits": RuntimeFunction(
        (_KEPT, _KEYS, _SHAPE), Kind.TEST, "Whether a member under these keys has this shape."
    ),
    # -- tests
    "is_exact_value": RuntimeFunction(
        (_JSON,),
        Kind.TEST,
        "Whether a JSON value survives a parser of doubles that stops at a depth of 30.",
    ),
    # -- named conversions of the spec
    "bytes_text": RuntimeFunction(
        (
            Takes("kind", Kind.TEXT),
            Takes("data", Kind.TEXT),
            Takes("mime_type", Kind.TEXT),
            Takes("name", Kind.TEXT, absent=True),
        ),
        Kind.TEXT,
        "The text form of bytes in base64.",
    ),
    "link_text": RuntimeFunction(
        (
            Takes("uri", Kind.TEXT),
            Takes("name", Kind.TEXT, absent=True),
            Takes("mime_type", Kind.TEXT, absent=True),
            Takes("size", Kind.NUMBER, absent=True),
            Takes("description", Kind.TEXT, absent=True),
        ),
        Kind.TEXT,
        "The text form of a link.",
    ),
    "embedded_text": RuntimeFunction(
        (
            Takes("uri", Kind.TEXT),
            Takes("mime_type", Kind.TEXT, absent=True),
            Takes("text", Kind.TEXT, absent=True),
            Takes("data", Kind.TEXT, absent=True),
        ),
        Kind.TEXT,
        "The text form of an embedded resource, which holds a text or bytes in base64.",
    ),
    "link_name": RuntimeFunction(
        (Takes("uri", Kind.TEXT),), Kind.TEXT, "A name for a link that has none."
    ),
    "content_address": RuntimeFunction(
        (Takes("data", Kind.TEXT), Takes("mime_type", Kind.TEXT)),
        Kind.TEXT,
        "The address of bytes by their content (RFC 6920).",
    ),
    "digest_id": RuntimeFunction(
        (
            Takes("result", Kind.RESULT),
            Takes("options", Kind.OPTIONS),
            Takes("prefix", Kind.TEXT),
        ),
        Kind.TEXT,
        "An id that is the same for equal results: the prefix and 16 digits of the digest.",
    ),
}
"""What writing calls, by canonical name: every :class:`.Call` and ``open_list``."""
