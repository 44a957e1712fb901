"""What every reader shares: members of wire objects, and drafts of the serialized form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, TypeVar

from .canonical import member_order
from .checks import check_base64, check_timestamp
from .errors import (
    INVALID_JSON,
    MISSING_FIELD,
    UNKNOWN_FIELD,
    UNKNOWN_KIND,
    WRONG_TYPE,
    ResultError,
    pointer_of,
)
from .json_value import ABSENT
from .members import ResultBase
from .parse import parse_json
from .rendering import WIRE_DEPTH

Draft = dict[str, Any]
"""A part, record or result on its way to its serialized form."""
Keys = tuple[str, ...]
ReadEntry = Callable[..., Draft]
"""Reads a value, given with the pointer to it. Raises ResultError."""
_IN_TEXT: Final = "#"
"""In a pointer: what follows goes on inside of a text that holds JSON."""
R = TypeVar("R", bound=ResultBase)


class Fits:
    """Whether a wire value fits a field, and why not."""

    __slots__ = ("_check", "code", "expected")

    def __init__(self, expected: str, check: Callable[[Any], bool], code: str = WRONG_TYPE) -> None:
        self.expected = expected
        self.code = code
        self._check = check

    def __call__(self, value: Any) -> bool:
        """Whether the value can be taken for the field."""
        return self._check(value)


def _raises_nothing(check: Callable[[str], str]) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        try:
            check(value)
        except ResultError:
            return False
        return True

    return fits


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


ANY: Final = Fits("any value", lambda value: True)
STRING: Final = Fits("a string", lambda value: isinstance(value, str))
NON_EMPTY: Final = Fits("a string that is not empty", lambda v: isinstance(v, str) and v != "")
BOOLEAN: Final = Fits("true or false", lambda value: isinstance(value, bool))
COUNT: Final = Fits("an integer that is not negative", _is_count)
OBJECT: Final = Fits("an object", lambda value: isinstance(value, dict))
MAP: Final = Fits("an object that is not empty", lambda v: isinstance(v, dict) and bool(v))
TIMESTAMP: Final = Fits("an RFC 3339 timestamp", _raises_nothing(check_timestamp))
BASE64: Final = Fits("standard padded base64", _raises_nothing(check_base64), "invalid_base64")


def number_between(minimum: int | None, maximum: int | None) -> Fits:
    """A number in a range, both ends included."""

    def fits(value: Any) -> bool:
        return (
            type(value) in (int, float)
            and (minimum is None or value >= minimum)
            and (maximum is None or value <= maximum)
        )

    return Fits(f"a number from {minimum} to {maximum}", fits)


def choices_of(*names: str) -> Fits:
    """A list of some of these names, not empty."""

    def fits(value: Any) -> bool:
        return isinstance(value, list) and bool(value) and all(name in names for name in value)

    return Fits("a list of " + ", ".join(names), fits)


class Members:
    """The members of a wire object. What was not taken is foreign."""

    __slots__ = ("_left", "pointer", "value")

    def __init__(self, value: Any, pointer: str = "") -> None:
        """Raises ResultError ``wrong_type`` if the value is no object."""
        if not isinstance(value, dict):
            raise ResultError(WRONG_TYPE, pointer, "expected an object")
        self.value: dict[str, Any] = value
        self.pointer = pointer
        self._left: dict[str, Any] = dict(value)

    def get(self, *keys: str) -> Any:
        """The member under these keys, or ABSENT."""
        value: Any = self.value
        for key in keys:
            if not isinstance(value, dict) or key not in value:
                return ABSENT
            value = value[key]
        return value

    def has(self, *keys: str) -> bool:
        """Whether there is a member under these keys."""
        return self.get(*keys) is not ABSENT

    def is_constant(self, keys: Keys, value: object) -> bool:
        """Whether the member has just this value."""
        found = self.get(*keys)
        return type(found) is type(value) and bool(found == value)

    def drop(self, *keys: str) -> None:
        """Takes a member without keeping it."""
        self._left = _less(self._left, keys)

    def drop_constant(self, keys: Keys, value: object) -> None:
        """Takes a member without keeping it, where it has just this value."""
        if self.is_constant(keys, value):
            self.drop(*keys)

    def take(
        self, draft: Draft, field: Keys, keys: Keys, fits: Fits, *, strict: bool = False
    ) -> None:
        """Puts a member into a field, where it is there and fits and the field is still free.

        Raises ResultError for one that does not fit where ``strict``, and ``invalid_base64``
        for bytes that are not base64: nothing could stand in for them.
        """
        value = self.get(*keys)
        if value is ABSENT:
            return
        if not fits(value):
            if strict or (fits is BASE64 and isinstance(value, str)):
                where = self.pointer + pointer_of(keys)
                raise ResultError(fits.code, where, f"expected {fits.expected}")
            return
        if _set(draft, field, value):
            self.drop(*keys)

    def take_map(self, draft: Draft, field: Keys, keys: Keys) -> None:
        """Adds the entries of an object to a map field."""
        value = self.get(*keys)
        if not isinstance(value, dict):
            return
        into = _at(draft, field)
        for key, entry in value.items():
            into.setdefault(key, entry)
        self.drop(*keys)

    def take_list(
        self, draft: Draft, field: Keys, keys: Keys, read: ReadEntry, *, strict: bool = False
    ) -> None:
        """Puts the entries of a list into a field, where every one can be read.

        Raises ResultError of the first that cannot, where ``strict``.
        """
        values = self.get(*keys)
        if values is ABSENT or (not values and not strict):
            return
        where = self.pointer + pointer_of(keys)
        try:
            if not isinstance(values, list):
                raise ResultError(WRONG_TYPE, where, "expected a list")
            entries = [read(value, f"{where}/{index}") for index, value in enumerate(values)]
        except ResultError:
            if strict:
                raise
            return
        if _set(draft, field, entries):
            self.drop(*keys)

    def take_record(
        self, draft: Draft, field: Keys, keys: Keys, read: ReadEntry, *, strict: bool = False
    ) -> None:
        """Puts an object into a field, where it can be read whole.

        Raises ResultError where it cannot and ``strict``.
        """
        value = self.get(*keys)
        if value is ABSENT:
            return
        try:
            record = read(value, self.pointer + pointer_of(keys))
        except ResultError:
            if strict:
                raise
            return
        if _set(draft, field, record):
            self.drop(*keys)

    def take_json(
        self, draft: Draft, field: Keys, keys: Keys, fits: Fits, *, required: bool = False
    ) -> None:
        """Puts into a field what the JSON text at ``keys`` says.

        Raises ResultError for a member that is no such text, and for a missing one that is
        ``required``.
        """
        value = self._parsed(keys, required)
        if value is ABSENT:
            return
        if not fits(value):
            where = f"{self.pointer}{pointer_of(keys)}{_IN_TEXT}"
            raise ResultError(fits.code, where, f"expected {fits.expected}")
        if _set(draft, field, value):
            self.drop(*keys)

    def take_text(
        self, draft: Draft, keys: Keys, read: ReadEntry, *, required: bool = False
    ) -> None:
        """Adds to the draft what the JSON text at ``keys`` says, member by member.

        Raises ResultError as :meth:`take_json` does, and what ``read`` raises.
        """
        value = self._parsed(keys, required)
        if value is not ABSENT:
            _merge(draft, read(value, f"{self.pointer}{pointer_of(keys)}{_IN_TEXT}"))
            self.drop(*keys)

    def _parsed(self, keys: Keys, required: bool) -> Any:
        """The value of a JSON text; ABSENT if there is none and need not be. Raises ResultError."""
        text = self.get(*keys)
        where = self.pointer + pointer_of(keys)
        if text is ABSENT and not required:
            return ABSENT
        if text is ABSENT:
            raise ResultError(MISSING_FIELD, where, "expected a text that holds JSON")
        if not isinstance(text, str):
            raise ResultError(WRONG_TYPE, where, "expected a text that holds JSON")
        try:
            return parse_json(text, max_depth=WIRE_DEPTH)
        except ResultError as error:
            at = f"{where}{_IN_TEXT}{error.pointer}"
            raise ResultError(error.code, at, f"in the text: {error.message}") from None

    def expect(self, keys: Keys, value: object) -> None:
        """Takes a member that has just this value. Raises ResultError if it has another or none."""
        where = self.pointer + pointer_of(keys)
        if not self.has(*keys):
            raise ResultError(MISSING_FIELD, where, f"expected {value!r}")
        if not self.is_constant(keys, value):
            raise ResultError(UNKNOWN_KIND, where, f"expected {value!r}")
        self.drop(*keys)

    def require(self, draft: Draft, field: Keys, keys: Keys, fits: Fits) -> None:
        """Puts a member into a field. Raises ResultError if it is missing or does not fit."""
        value = self.get(*keys)
        where = self.pointer + pointer_of(keys)
        if value is ABSENT:
            raise ResultError(MISSING_FIELD, where, f"expected {fits.expected}")
        if not fits(value):
            code = fits.code if isinstance(value, str) else WRONG_TYPE
            raise ResultError(code, where, f"expected {fits.expected}")
        _set(draft, field, value)
        self.drop(*keys)

    def rest(self) -> dict[str, Any]:
        """What was not taken; objects that were emptied by taking are left out."""
        return self._left


def _less(members: dict[str, Any], keys: Keys) -> dict[str, Any]:
    left = dict(members)
    if len(keys) == 1:
        left.pop(keys[0], None)
    elif isinstance(left.get(keys[0]), dict):
        inner = _less(left[keys[0]], keys[1:])
        if inner or not members[keys[0]]:
            left[keys[0]] = inner
        else:
            del left[keys[0]]
    return left


def _at(draft: Draft, field: Keys) -> Draft:
    for name in field:
        draft = draft.setdefault(name, {})
    return draft


def _set(draft: Draft, field: Keys, value: Any) -> bool:
    owner = _at(draft, field[:-1])
    if field[-1] in owner:
        return False
    owner[field[-1]] = value
    return True


def _merge(draft: Draft, more: Draft) -> None:
    """Adds what ``more`` has and the draft has not, records member by member."""
    for key, value in more.items():
        known = draft.setdefault(key, value)
        if known is not value and isinstance(known, dict) and isinstance(value, dict):
            _merge(known, value)


def read_whole(read: Callable[[Members], Draft], value: Any, pointer: str = "") -> Draft:
    """A record without foreign members. Raises ResultError if there are some."""
    members = Members(value, pointer)
    draft = read(members)
    _refuse_rest(members)
    return draft


def read_open(read: Callable[[Members], Draft], value: Any, pointer: str = "") -> Draft:
    """A record that keeps its foreign members. Raises what ``read`` raises."""
    return read(Members(value, pointer))


def read_text(kind: str, field: str, value: Any, pointer: str = "") -> Draft:
    """A part that is a bare string on the wire. Raises ResultError if it is none."""
    if not isinstance(value, str):
        raise ResultError(WRONG_TYPE, pointer, "expected a string")
    return {"kind": kind, field: value}


def _refuse_rest(members: Members) -> None:
    """Raises ResultError for the first member that was not taken, however deep it stands.

    The first in canonical order: not every language knows the order of the text.
    """
    keys: list[str] = []
    left, whole = members.rest(), members.value
    while left and left != whole:
        key = min(left, key=member_order)
        keys.append(key)
        left, whole = left[key], whole[key]
        if not isinstance(left, dict) or not isinstance(whole, dict):
            break
    if left or keys:
        where = members.pointer + pointer_of(keys or [min(left, key=member_order)])
        raise ResultError(UNKNOWN_FIELD, where, "is not known here, or not with this value")


def keep_foreign(draft: Draft, origin: str, members: Mapping[str, Any]) -> None:
    """Notes what a block has beside the fields, under its origin."""
    if members:
        into = _at(draft, ("foreign", origin))
        for key, value in members.items():
            into.setdefault(key, value)


def unknown_block(block: Members, known: str) -> ResultError:
    """The refusal of a block of no known shape."""
    return ResultError(UNKNOWN_KIND, block.pointer, f"expected a block of a known type: {known}")


class Reader(ABC):
    """Reads the output of one target back into a result. Holds no state."""

    target: ClassVar[str]
    revisions: ClassVar[tuple[str, ...]]
    is_text: ClassVar[bool] = False

    def read(self, wire: bytes | str) -> ResultBase:
        """The result that a wire text says.

        For a target whose wire value is a string, the string itself. Raises
        ResultError, its pointer into the wire value, if that is no result.
        """
        if self.is_text:
            return self.read_wire(_decoded(wire) if isinstance(wire, bytes) else wire)
        return self.read_wire(parse_json(wire, max_depth=WIRE_DEPTH))

    @abstractmethod
    def read_wire(self, wire: Any) -> ResultBase:
        """The result that a wire value says, as parsed by :func:`.parse.parse_json`."""


def _decoded(wire: bytes) -> str:
    try:
        return wire.decode()
    except UnicodeDecodeError as error:
        raise ResultError(INVALID_JSON, "", "expected UTF-8", offset=error.start) from None


def finish(result: type[R], draft: Draft, block: Members, origin: str | None) -> R:
    """The result of a draft; what the block has beyond it is foreign; with no origin, refused."""
    if origin is None:
        _refuse_rest(block)
    elif block.rest():
        keep_foreign(_at(draft, ("metadata",)), origin, block.rest())
    return result.from_value({"format_version": max(result.facts.format_versions), **draft})
