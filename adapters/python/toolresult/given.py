"""What is taken as a result: one, its serialized form, or the legacy string."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from json import decoder
from typing import Final

from toolresult.legacy import read as read_legacy
from toolresult_core import Result, ResultError
from toolresult_core.runtime.errors import TOO_DEEP
from toolresult_core.runtime.parse import parse_json

Given = Result | Mapping[str, object] | bytes | str
"""A result, its serialized form (parsed or as text), or the legacy string."""

_VERSION: Final = "format_version"


def result_of(given: Given) -> Result:
    """The result that is given as one, as its serialized form, or as the legacy string.

    A text whose JSON is an object with a number as its member ``format_version`` is a
    serialized result, read strictly (others have texts there: Terraform has ``"1.2"``).
    Any other text is the legacy string, of format version 0, which never fails for being
    no JSON: what is no envelope is one text part. A text that is that object but for
    faults such as a repeated key is refused, not passed on as text; one that is too deep
    to be parsed is told by its outline. Bytes must be UTF-8; a mapping is always the
    serialized form.

    Raises ResultError.
    """
    if isinstance(given, Result):
        return given
    if isinstance(given, Mapping):
        return Result.from_value(given)
    if isinstance(given, bytes):
        given = decoded(given)
    if not isinstance(given, str):
        raise ResultError(
            "wrong_type",
            "",
            "expected a Result, its serialized form or a legacy string, "
            f"found {type(given).__qualname__}",
        )
    try:
        value = parse_json(given)
    except ResultError as error:
        if error.code == "out_of_range" or _is_faulty_serialized(given, error):
            raise
        return read_legacy(given)
    if isinstance(value, dict) and type(value.get(_VERSION)) in (int, float):
        return Result.from_value(value)
    return read_legacy(given)


def decoded(text: bytes) -> str:
    """Bytes as text. Raises ResultError if they are not UTF-8."""
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise ResultError("invalid_json", "", "the text is not UTF-8", offset=error.start) from None


def _is_faulty_serialized(text: str, error: ResultError) -> bool:
    """Whether a text that the strict parser refuses is a serialized result to a lax one."""
    if error.code == TOO_DEEP:
        return _has_outline(text)
    try:
        # As texts, since Python bounds the digits of an integer that it converts.
        value = json.loads(text, parse_int=str)
    except RecursionError:
        return _has_outline(text)
    except ValueError:
        return False
    return isinstance(value, dict) and _VERSION in value


# The C scanner of strings; it is not in the type stubs.
_scan_string: Final[Callable[[str, int, bool], tuple[str, int]]] = vars(decoder)["scanstring"]
_OBJECT: Final = re.compile(r"[ \t\r\n]*\{")
_MARK: Final = re.compile(r'"|[\[{]+|[\]}]+')
_COLON: Final = re.compile(r"[ \t\r\n]*:")


def _has_outline(text: str) -> bool:
    """Whether quotes and brackets are those of an object with the member ``format_version``.

    Needs no stack. How deep the standard parser goes is another matter in each Python (a
    thousand levels in 3.11, ten thousand in 3.13) and for each caller, and what a text is
    may not hang on that.
    """
    if _OBJECT.match(text) is None:
        return False
    depth, position, found = 0, 0, False
    while (mark := _MARK.search(text, position)) is not None:
        position = mark.end()
        if mark[0] == '"':
            try:
                string, position = _scan_string(text, position, True)
            except ValueError:
                return False
            if depth == 1 and string == _VERSION and _COLON.match(text, position) is not None:
                found = True
        else:
            run = position - mark.start()
            depth += run if mark[0][0] in "[{" else -run
    return found and depth == 0
