"""Prepares a value for a C encoder: checks what the encoder would not, copies what it must rewrite.

Encoders differ from RFC 8785 in floats that are integral, from 1e21 on, or between 1e-6 and
1e-5, and in the order of keys, which some do not sort. What is wrong or rare is refused here;
a slower writer then finds the place.

Time goes by the number of values, so arrays are looked at as a whole, by functions that run
in C: the set of the types in them, and for floats the bytes of all doubles at once. An array
of objects with the same keys is a table, whose columns are such arrays.
"""

from __future__ import annotations

import sys
from array import array
from collections import OrderedDict, defaultdict
from itertools import chain, islice
from operator import is_, is_not
from typing import Any, Final, TypeAlias

from .encoder import Encoder, EncoderRefused
from .frozen import FrozenDict, FrozenList
from .numbers import float_text, settle

OBJECTS: Final = frozenset({dict, FrozenDict, OrderedDict, defaultdict})
"""The exact types of JSON objects."""
ARRAYS: Final = frozenset({list, tuple, FrozenList})
"""The exact types of JSON arrays."""

Members: TypeAlias = dict[Any, Any]
Items: TypeAlias = "list[Any] | tuple[Any, ...]"

_PLAIN: Final = frozenset({str, int, bool, type(None)})
"""Types that every encoder writes right without a look."""
_STRINGS: Final = {str}
_FLOATS: Final = {float}
_SHORT: Final = 8
"""Up to here a loop over an array is faster than a look at it as a whole."""
_VALUES: Final = dict.values
_WIDEST: Final = 1_000_000
"""How many items of arrays within arrays are looked at together."""

_LOW, _HIGH = (0, 7) if sys.byteorder == "little" else (7, 0)
_USUAL: Final = b"\x3f\x40\x41\xbf\xc0\xc1"
"""The highest byte, sign and exponent, of doubles whose magnitude is from 2**-15 up to 2**33."""


class Walk:
    """One pass over one value. ``raws`` counts the raw texts that were put in.

    ``least`` is the number of levels that were left where it is deepest.

    The most frequent types come first, and are told apart by identity: these loops are
    most of the time that construction takes.
    """

    __slots__ = ("_check_keys", "_raw", "_sort", "least", "raws")

    def __init__(self, encoder: Encoder, max_depth: int) -> None:
        self.least = max_depth + 1
        self._raw = encoder.raw
        self._check_keys = not encoder.refuses_other_keys
        self._sort = not encoder.sorts_keys
        self.raws = 0

    def members(self, value: Members, left: int) -> Members:
        """An object with ``left`` levels left to it, or what is to be written in its place.

        Raises EncoderRefused, as :meth:`items` does.
        """
        if left < self.least:
            self.least = left
            if left <= 0:
                raise EncoderRefused
        if self._check_keys and value and {*map(type, value)} != _STRINGS:
            raise EncoderRefused
        copy: Members | None = None
        new: object
        if self._sort:
            names = sorted(value)
            if names != [*value]:
                copy = {name: value[name] for name in names}
        for name, item in (value if copy is None else copy).items():
            kind = type(item)
            if kind is str or kind is int or kind is bool or item is None:
                continue
            if kind is float:
                if (1e-5 <= item < 1e21 or -1e21 < item <= -1e-5) and item % 1:
                    continue
                new = self._odd(item)
            elif kind in OBJECTS:
                new = self.members(item, left - 1)
            elif kind in ARRAYS:
                new = self.items(item, left - 1)
            else:
                raise EncoderRefused
            if new is not item:
                if copy is None:
                    copy = dict(value)
                copy[name] = new
        return value if copy is None else copy

    def items(self, value: Items, left: int) -> Items:
        """An array with ``left`` levels left to it, or what is to be written in its place."""
        if left < self.least:
            self.least = left
            if left <= 0:
                raise EncoderRefused
        if len(value) > _SHORT:
            kinds = {*map(type, value)}
            if kinds <= _PLAIN:
                return value
            if kinds == _FLOATS:
                return self._floats(value)
            if kinds <= OBJECTS and left > 1:
                return self._rows(value, left - 1)
            if kinds <= ARRAYS and left > 1 and _all_plain(value):
                self.least = min(self.least, left - 1)
                return value
        copy: list[Any] | None = None
        new: object
        for index, item in enumerate(value):
            kind = type(item)
            if kind is str or kind is int or kind is bool or item is None:
                continue
            if kind in OBJECTS:
                new = self.members(item, left - 1)
            elif kind is float:
                if (1e-5 <= item < 1e21 or -1e21 < item <= -1e-5) and item % 1:
                    continue
                new = self._odd(item)
            elif kind in ARRAYS:
                new = self.items(item, left - 1)
            else:
                raise EncoderRefused
            if new is not item:
                if copy is None:
                    copy = list(value)
                copy[index] = new
        return value if copy is None else copy

    def _rows(self, rows: Items, left: int) -> Items:
        """An array of objects, which have ``left`` levels left to them each."""
        self.least = min(self.least, left)
        width = len(rows[0])
        if not width or {*map(len, rows)} != {width}:
            return self._each(rows, left)
        if self._sort and len({*map(tuple, rows)}) > 1:
            # Each has an order of its own. Known before anything is walked: a second walk would
            # count raw texts twice, and take twice the time at every level.
            return self._each(rows, left)
        if self._check_keys and {*map(type, chain.from_iterable(rows))} != _STRINGS:
            raise EncoderRefused
        # The values row by row, as they lie in memory; every n-th of them is a column.
        cells = list(chain.from_iterable(map(_VALUES, rows)))
        before = [cells[start::width] for start in range(width)]
        after = [self.items(column, left) for column in before]
        if self._sort:
            names = tuple(rows[0])
            order = sorted(range(width), key=names.__getitem__)
            if order != list(range(width)):
                names = tuple(names[place] for place in order)
                columns = [after[place] for place in order]
                return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        copy: list[Any] | None = None
        for place, column in enumerate(after):
            if column is before[place]:
                continue
            copy = copy or list(rows)
            for index, changed in enumerate(map(is_not, column, before[place])):
                if changed:
                    row = copy[index]
                    if row is rows[index]:
                        row = copy[index] = dict(row)
                    row[next(islice(row, place, None))] = column[index]
        return rows if copy is None else copy

    def _each(self, rows: Items, left: int) -> Items:
        copy = [self.members(row, left) for row in rows]
        return rows if all(map(is_, copy, rows)) else copy

    def _floats(self, value: Items) -> Items:
        doubles = array("d", value).tobytes()
        if not doubles[_HIGH::8].translate(None, _USUAL):
            # All are finite and of a usual size; one whose lowest byte is not zero has digits
            # behind the point, since below 2**33 this byte is.
            low = doubles[_LOW::8]
            if low.count(0) * _SHORT < len(low):
                return self._with_odd(value, _zeros(low))
        return self._with_odd(value, range(len(value)))

    def _with_odd(self, value: Items, places: Any) -> Items:
        odd = [
            index
            for index in places
            if not (1e-5 <= (item := value[index]) < 1e21 or -1e21 < item <= -1e-5) or not item % 1
        ]
        if not odd:
            return value
        copy = list(value)
        for index in odd:
            copy[index] = self._odd(copy[index])
        return copy

    def _odd(self, value: float) -> object:
        """A float that is not certainly written the same everywhere."""
        if value - value != 0:  # NaN or infinite
            raise EncoderRefused
        if value.is_integer() and -1e21 < value < 1e21:
            return settle(value)
        if -1e-6 < value < 1e-6:
            return value
        self.raws += 1
        return self._raw(float_text(value))


def _all_plain(arrays: Items) -> bool:
    """Whether nothing in these arrays needs a look."""
    # A cycle makes arrays that look far larger than they are.
    return sum(map(len, arrays)) <= _WIDEST and {*map(type, chain.from_iterable(arrays))} <= _PLAIN


def _zeros(data: bytes) -> list[int]:
    """Where the zero bytes are."""
    found = []
    place = data.find(0)
    while place >= 0:
        found.append(place)
        place = data.find(0, place + 1)
    return found
