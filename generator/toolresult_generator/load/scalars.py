"""What a plain YAML scalar means: the core schema of YAML 1.2, and nothing more.

YAML 1.1 takes `on` and `no` for booleans, `1_000` and `1:30` for numbers and `2025-06-18` for a
date; all of these are text here. Source: YAML 1.2.2, section 10.3.2.
"""

from __future__ import annotations

import math
import re

from toolresult_generator.load.limits import MAX_DIGITS
from toolresult_generator.load.node import Scalar

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
TRUES = frozenset({"true", "True", "TRUE"})
FALSES = frozenset({"false", "False", "FALSE"})
INTEGER = re.compile(r"[-+]?[0-9]+\Z")
OCTAL = re.compile(r"0o[0-7]+\Z")
HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
NOT_FINITE = re.compile(r"([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))\Z")


class ScalarError(ValueError):
    """A scalar that means a number which a spec file may not hold."""


def resolve(text: str) -> Scalar:
    """The value of a plain scalar. Raises ScalarError for numbers that no JSON text can hold."""
    first = text[:1]
    if first not in "+-.0123456789~nNtTfF":  # most scalars are words: decide by one look
        return text
    if text in NULLS:
        return None
    if text in TRUES:
        return True
    if text in FALSES:
        return False
    if NOT_FINITE.match(text):
        raise ScalarError(f"{text} is no number that JSON has")
    return _number(text)


def _number(text: str) -> Scalar:
    if not FLOAT.match(text):
        if OCTAL.match(text):
            return int(_bounded(text)[2:], 8)
        if HEXADECIMAL.match(text):
            return int(_bounded(text)[2:], 16)
        return text
    if INTEGER.match(text):
        return int(_bounded(text))
    return finite(_bounded(text))


def finite(text: str) -> float:
    """The double nearest to a decimal text. Raises ScalarError if that is infinite."""
    number = float(text)
    if not math.isfinite(number):
        raise ScalarError("the number is larger than a double can hold")
    return number


def _bounded(text: str) -> str:
    if len(text) > MAX_DIGITS:
        raise ScalarError(f"a number has more than {MAX_DIGITS} digits")
    return text
