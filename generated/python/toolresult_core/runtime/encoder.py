"""Which C encoder writes plain data: orjson where it is installed, else the standard one.

Both write the same bytes for what :mod:`.canonical` hands them. The choice is
made once, at import; ``pip install toolresult[fast]`` brings orjson.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

# Text between these stands for itself in the output instead of for a string. No
# user text can contain them, since lone surrogates are refused (see _standard).
_OPEN: Final = "\ud800"
_CLOSE: Final = "\ud801"


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


_dump = json.JSONEncoder(
    ensure_ascii=False,
    check_circular=False,
    allow_nan=False,
    sort_keys=True,
    separators=(",", ":"),
).encode


def _standard_raw(text: str) -> object:
    return f"{_OPEN}{text}{_CLOSE}"


def _standard(value: object, raws: int) -> bytes:
    try:
        text = _dump(value)
        if raws:
            if text.count(_OPEN) != raws or text.count(_CLOSE) != raws:
                raise EncoderRefused
            text = text.replace(f'"{_OPEN}', "").replace(f'{_CLOSE}"', "")
        return text.encode()
    except (ValueError, TypeError) as error:
        # NaN, an integer above the digit limit, a lone surrogate.
        raise EncoderRefused from error


STANDARD: Final = Encoder("json", _standard_raw, _standard, refuses_other_keys=False)
"""The encoder of the standard library."""


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

    return Encoder("orjson", raw, encode, refuses_other_keys=True)


ORJSON: Final = _load_orjson()
"""The encoder of orjson, or None where it is not installed."""

ENCODER: Final = ORJSON or STANDARD
"""The encoder in use."""
