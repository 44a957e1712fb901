"""Which C encoder writes plain data: orjson where it is installed, else pydantic's.

Both write the same bytes for what :mod:`.walk` hands them. The choice is made
once, at import; ``pip install toolresult[fast]`` brings orjson.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import to_json

_OPEN: Final = "\0raw:"
_CLOSE: Final = ":\0"
"""Text between these stands for itself in the output instead of for a string."""
_OPEN_WRITTEN: Final = to_json(_OPEN)[:-1]
_CLOSE_WRITTEN: Final = to_json(_CLOSE)[1:]


class EncoderRefused(Exception):
    """The encoder cannot write this; a slower writer has to look at it."""


@dataclass(frozen=True)
class Encoder:
    """A way to write plain data.

    ``raw`` turns the text of a number into something that ``encode`` writes as it
    is. ``encode`` takes the data and how many raw texts are in it; it raises
    :class:`EncoderRefused`.
    """

    name: str
    raw: Callable[[str], object]
    encode: Callable[[object, int], bytes]
    refuses_other_keys: bool
    """Whether ``encode`` itself refuses keys that are not exactly strings."""
    sorts_keys: bool
    """Whether ``encode`` sorts the members of objects, by code point."""


def _pydantic_raw(text: str) -> object:
    return f"{_OPEN}{text}{_CLOSE}"


def _pydantic(value: object, raws: int) -> bytes:
    try:
        text = to_json(value)
    except ValueError as error:
        # A lone surrogate, an integer above the digit limit.
        raise EncoderRefused from error
    if raws:
        if text.count(_OPEN_WRITTEN) != raws or text.count(_CLOSE_WRITTEN) != raws:
            # Somebody's own text looks like a mark.
            raise EncoderRefused
        text = text.replace(_OPEN_WRITTEN, b"").replace(_CLOSE_WRITTEN, b"")
    return text


PYDANTIC: Final = Encoder(
    "pydantic", _pydantic_raw, _pydantic, refuses_other_keys=False, sorts_keys=False
)
"""The encoder of pydantic."""


_NUMBERS: Final = (1e21, 1.5e300, 1e-7, 5e-324, 0.002)
_NUMBERS_TEXT: Final = b"[1e+21,1.5e+300,1e-7,5e-324,0.002]"
"""The canonical text of numbers that encoders are known to disagree about."""


def _load_orjson() -> Encoder | None:
    try:
        import orjson  # an optional extra, looked for once
    except ImportError:
        return None
    fragment: Any = getattr(orjson, "Fragment", None)
    if fragment is None:  # older than 3.9
        return None
    dumps, option = orjson.dumps, orjson.OPT_SORT_KEYS
    if dumps(list(_NUMBERS)) != _NUMBERS_TEXT:
        # Older than 3.11.7: 1e21 has no sign there. Equal values would differ by machine.
        return None

    def raw(text: str) -> object:
        return fragment(text.encode())

    def encode(value: object, raws: int) -> bytes:
        try:
            return dumps(value, None, option)
        except TypeError:
            # A lone surrogate, a key that is no string, an integer beyond 64 bits.
            raise EncoderRefused from None

    return Encoder("orjson", raw, encode, refuses_other_keys=True, sorts_keys=True)


ORJSON: Final = _load_orjson()
"""The encoder of orjson, or None where it is not installed."""

ENCODER: Final = ORJSON or PYDANTIC
"""The encoder in use."""
