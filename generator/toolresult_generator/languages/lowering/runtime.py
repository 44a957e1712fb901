"""The functions that lowered code calls: what the runtime of every language has to bring.

One table for writing and one for reading, by canonical name. What a function does exactly is said
by the runtime of Python, which came first, and held by the vectors. A language spells the names
its own way, and may write out in place what takes it one word (a printer says which).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Kind(Enum):
    """The type of a parameter, or of what a function gives."""

    NOTHING = "nothing"
    TEST = "true or false"
    TEXT = "text"
    """Unicode text without lone surrogates."""
    TEXTS = "list of texts"
    NUMBER = "number"
    """A non-negative integer of any size, or a finite number."""
    BOOLEAN = "boolean"
    JSON = "JSON value"
    """A value of the user's, held as its canonical text."""
    MAP = "map of JSON values"
    PIECE = "piece"
    OUT = "list of pieces"
    MEMBERS = "pieces by key"
    RESULT = "result"
    OPTIONS = "options"
    LAYOUT = "layout"
    LOSSES = "losses"
    SHAPE = "name of a shape"
    """``object``, ``entries``, ``string`` or ``icons``."""
    PLACES = "list of keys with a shape"
    """Each a pair: the keys that lead to a member, and the name of its shape."""
    COUNT = "length"
    """A length of the list of pieces."""
    # What readers take and give beside these.
    VALUE = "wire value"
    DRAFT = "draft"
    BLOCK = "members of a block"
    CHECK = "check"
    READ = "reading function"
    """Takes a wire value and the pointer to it, and gives a draft."""


@dataclass(frozen=True)
class Takes:
    """One parameter of a function of the runtime."""

    name: str
    kind: Kind
    absent: bool = False
    """The argument may be an absent value."""
    optional: bool = False
    """It may be left out, with all after it."""


@dataclass(frozen=True)
class RuntimeFunction:
    """A function that every runtime has."""

    takes: tuple[Takes, ...]
    gives: Kind
    meaning: str
    may_be_empty: bool = False
    """The piece that it gives may be empty, which stands for nothing."""


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

_FIELD = Takes("field", Kind.TEXTS)
_DRAFT = Takes("draft", Kind.DRAFT)
_BLOCK = Takes("block", Kind.BLOCK)
_CHECK = Takes("check", Kind.CHECK)
_READ = Takes("read", Kind.READ)
_STRICT = Takes("strict", Kind.BOOLEAN)
_REQUIRED = Takes("required", Kind.BOOLEAN)
_VALUE = Takes("value", Kind.VALUE)

READING: Final[Mapping[str, RuntimeFunction]] = {
    "is_constant": RuntimeFunction(
        (_BLOCK, _KEYS, _VALUE), Kind.TEST, "Whether the member has just this value and type."
    ),
    "has": RuntimeFunction((_BLOCK, _KEYS), Kind.TEST, "Whether there is a member at the keys."),
    "get": RuntimeFunction(
        (_BLOCK, _KEYS), Kind.VALUE, "The member at the keys, or the mark of an absent one."
    ),
    "expect": RuntimeFunction(
        (_BLOCK, _KEYS, _VALUE),
        Kind.NOTHING,
        "Takes a member that has just this value. Refuses: missing_field, unknown_kind.",
    ),
    "drop": RuntimeFunction((_BLOCK, _KEYS), Kind.NOTHING, "Takes a member, keeping nothing."),
    "drop_constant": RuntimeFunction(
        (_BLOCK, _KEYS, _VALUE), Kind.NOTHING, "Drops a member that has just this value."
    ),
    "take": RuntimeFunction(
        (_BLOCK, _DRAFT, _FIELD, _KEYS, _CHECK, _STRICT),
        Kind.NOTHING,
        "Puts a member into a field where it is there, fits, and the field is free. Refuses a "
        "misfit where strict, and always a string that is not base64 where that is the check.",
    ),
    "require": RuntimeFunction(
        (_BLOCK, _DRAFT, _FIELD, _KEYS, _CHECK),
        Kind.NOTHING,
        "Puts a member into a field. Refuses: missing_field, and what does not fit.",
    ),
    "take_map": RuntimeFunction(
        (_BLOCK, _DRAFT, _FIELD, _KEYS),
        Kind.NOTHING,
        "Adds the entries of an object to a map field, those that it lacks.",
    ),
    "take_list": RuntimeFunction(
        (_BLOCK, _DRAFT, _FIELD, _KEYS, _READ, _STRICT),
        Kind.NOTHING,
        "Puts the entries of a list into a field where each can be read; refuses where strict.",
    ),
    "take_record": RuntimeFunction(
        (_BLOCK, _DRAFT, _FIELD, _KEYS, _READ, _STRICT),
        Kind.NOTHING,
        "Puts an object into a field where it can be read whole; refuses where strict.",
    ),
    "take_json": RuntimeFunction(
        (_BLOCK, _DRAFT, _FIELD, _KEYS, _CHECK, _REQUIRED),
        Kind.NOTHING,
        "Puts into a field what a JSON text says. Refuses what is no such text or does not fit.",
    ),
    "take_text": RuntimeFunction(
        (_BLOCK, _DRAFT, _KEYS, _READ, _REQUIRED),
        Kind.NOTHING,
        "Adds to the draft what a JSON text says, member by member.",
    ),
    "rest": RuntimeFunction((_BLOCK,), Kind.VALUE, "What was not taken."),
    "keep_foreign": RuntimeFunction(
        (_DRAFT, Takes("origin", Kind.TEXT), _VALUE),
        Kind.NOTHING,
        "Notes what a block has beside the fields, under its origin.",
    ),
    "unknown_block": RuntimeFunction(
        (_BLOCK, Takes("known", Kind.TEXT)),
        Kind.NOTHING,
        "The refusal of a block of no known shape: unknown_kind.",
    ),
    "read_whole": RuntimeFunction(
        (_READ, _VALUE, Takes("pointer", Kind.TEXT)),
        Kind.DRAFT,
        "A record without foreign members; refuses them: unknown_field.",
    ),
    "read_open": RuntimeFunction(
        (_READ, _VALUE, Takes("pointer", Kind.TEXT)),
        Kind.DRAFT,
        "A record that keeps its foreign members.",
    ),
    "read_text": RuntimeFunction(
        (
            Takes("kind", Kind.TEXT),
            Takes("field", Kind.TEXT),
            _VALUE,
            Takes("pointer", Kind.TEXT),
        ),
        Kind.DRAFT,
        "A part that is a bare string; refuses anything else: wrong_type.",
    ),
    "number_between": RuntimeFunction(
        (
            Takes("minimum", Kind.NUMBER, absent=True),
            Takes("maximum", Kind.NUMBER, absent=True),
        ),
        Kind.CHECK,
        "A number in a range, both ends included.",
    ),
    "choices_of": RuntimeFunction(
        (Takes("names", Kind.TEXTS),), Kind.CHECK, "A list of some of these names, not empty."
    ),
    "finish": RuntimeFunction(
        (_DRAFT, _BLOCK, Takes("origin", Kind.TEXT, absent=True)),
        Kind.RESULT,
        "The result of a draft. What was not taken of the block is kept under the origin in the "
        "metadata, or refused where there is none.",
    ),
}
"""What reading calls: on ``Members`` where a function takes a block first, else freely."""
