"""The functions that lowered readers call: every runtime has to bring them. See :mod:`.runtime`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolresult_generator.languages.lowering.runtime_types import Kind, RuntimeFunction, Takes

_KEYS = Takes("keys", Kind.TEXTS)
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
