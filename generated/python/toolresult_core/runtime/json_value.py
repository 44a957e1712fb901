"""An immutable JSON value, held as its canonical text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NoReturn, TypeAlias

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from .canonical import MAX_DEPTH, canonical, escape, measured
from .errors import ResultError, shorten
from .frozen import freeze
from .parse import MAX_BYTES, depth_of, parse_json

Kind: TypeAlias = Literal["object", "array", "string", "number", "boolean", "null"]

_KINDS: Final[dict[int, Kind]] = {
    ord("{"): "object",
    ord("["): "array",
    ord('"'): "string",
    ord("t"): "boolean",
    ord("f"): "boolean",
    ord("n"): "null",
}
_MAX_EXACT: Final = 2**53
_CLASSES: Final = bytes(
    ord("0") if byte in b"0123456789" else ord(":") if byte in b":,[-" else ord(" ")
    for byte in range(256)
)
"""Digits are alike, and so is what stands before a number."""
_LONG_INTEGER: Final = b":" + b"0" * len(str(_MAX_EXACT))
_BLOCK: Final = 65536
"""Bytes that are looked at together, so that they stay in the cache."""
_PARSE_FIXED: Final = MAX_DEPTH + 1


class Json:
    """A JSON value that cannot change.

    Made by :meth:`of` or :meth:`parse`, which check it. Equal to another Json, or
    to a plain value, if the canonical texts are equal; so ``Json.of(1.0) == 1`` and
    ``Json.of(True) != 1``.
    """

    __slots__ = ("_depth", "_escaped", "_exact", "_value", "canonical")

    canonical: bytes
    """The canonical JSON text in UTF-8 (RFC 8785, with integers of any size exact)."""

    _depth: int | None
    _escaped: bytes | None
    _exact: bool
    _value: Any

    def __new__(cls, value: object) -> Json:
        """The same as :meth:`of`."""
        return cls.of(value)

    @classmethod
    def of(cls, value: object) -> Json:
        """Checks ``value`` and takes its text; later changes to it have no effect.

        Raises ResultError ``invalid_number``, ``invalid_text``, ``invalid_value`` or
        ``too_deep`` (deeper than 100), with the pointer of the first offence.
        """
        if type(value) is Json:
            return value
        return _made(*measured(value))

    @classmethod
    def parse(cls, text: bytes | str, *, max_bytes: int | None = MAX_BYTES) -> Json:
        """The value of a JSON text.

        Raises ResultError as :func:`.parse.parse_json` does, ``too_deep`` from 101
        levels on.
        """
        return _made(*measured(parse_json(text, max_depth=MAX_DEPTH, max_bytes=max_bytes)))

    @classmethod
    def of_canonical(cls, text: bytes) -> Json:
        """A value whose text is known to be canonical and checked. Nothing is checked here."""
        return _of_canonical(text)

    @property
    def escaped(self) -> bytes:
        """The canonical text escaped to stand inside a JSON string, without the quotes."""
        escaped = self._escaped
        if escaped is None:
            escaped = escape(self.canonical)
            _set_escaped(self, escaped)
        return escaped

    @property
    def texts(self) -> tuple[bytes, ...]:
        """The texts that this value holds by now: the canonical one, and perhaps the escaped."""
        return (self.canonical,) if self._escaped is None else (self.canonical, self._escaped)

    @property
    def value(self) -> Any:
        """The value as Python has it, frozen all the way down. Parsed at first use."""
        try:
            return self._value
        except AttributeError:
            value = freeze(parse_json(self.canonical, max_depth=_PARSE_FIXED, max_bytes=None))
            object.__setattr__(self, "_value", value)
            return value

    @property
    def kind(self) -> Kind:
        """What kind of JSON value this is."""
        return _KINDS.get(self.canonical[0], "number")

    @property
    def depth(self) -> int:
        """How deep it nests: 0 for a scalar, 1 for ``[]``."""
        depth = self._depth
        if depth is None:
            depth = depth_of(self.canonical)
            _set_depth(self, depth)
        return depth

    @property
    def exact_in_double(self) -> bool:
        """Whether no integer in it has a magnitude above 2**53."""
        try:
            return self._exact
        except AttributeError:
            exact = not _may_have_long_integer(self.canonical) or _all_exact(self.value)
            object.__setattr__(self, "_exact", exact)
            return bool(exact)

    def __eq__(self, other: object) -> bool:
        if type(other) is Json:
            return self.canonical == other.canonical
        if other is None or isinstance(other, (bool, int, float, str, list, tuple, dict)):
            try:
                return self.canonical == canonical(other)
            except ResultError:
                return False
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.canonical)

    def __repr__(self) -> str:
        return f"Json({shorten(self.canonical[:1000].decode(errors='ignore'))})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise TypeError("a Json value is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise TypeError("a Json value is immutable")

    def __copy__(self) -> Json:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Json:
        return self

    def __reduce__(self) -> tuple[Callable[[bytes], Json], tuple[bytes]]:
        return _of_canonical, (self.canonical,)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: object, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.of,
            serialization=core_schema.plain_serializer_function_ser_schema(lambda json: json.value),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {}


_new = object.__new__
_set_canonical: Callable[[Json, bytes], None] = vars(Json)["canonical"].__set__
_set_escaped: Callable[[Json, bytes | None], None] = vars(Json)["_escaped"].__set__


_set_depth: Callable[[Json, int | None], None] = vars(Json)["_depth"].__set__


def _made(text: bytes, depth: int | None) -> Json:
    json = _new(Json)
    _set_canonical(json, text)
    _set_escaped(json, None)
    _set_depth(json, depth)
    return json


def _of_canonical(text: bytes) -> Json:
    return _made(text, None)


def _may_have_long_integer(text: bytes) -> bool:
    """Whether there may be an integer of as many digits as the largest exact one, or more."""
    text = b":" + text
    if len(text) <= _BLOCK:
        return _LONG_INTEGER in text.translate(_CLASSES)
    return any(
        _LONG_INTEGER in text[start : start + _BLOCK + len(_LONG_INTEGER)].translate(_CLASSES)
        for start in range(0, len(text), _BLOCK)
    )


def _all_exact(value: Any) -> bool:
    kind = type(value)
    if kind is int:
        return bool(-_MAX_EXACT <= value <= _MAX_EXACT)
    if isinstance(value, dict):
        return all(map(_all_exact, value.values()))
    if isinstance(value, list):
        return all(map(_all_exact, value))
    return True


class Absent:
    """The type of :data:`ABSENT`: a JSON-valued field that is not there, unlike null."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        # Truth would also be false for 0, "", [] and null, which are values.
        raise TypeError("ABSENT has no truth value; test with `is ABSENT`")

    def __repr__(self) -> str:
        return "ABSENT"

    def __copy__(self) -> Absent:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Absent:
        return self

    def __reduce__(self) -> str:
        return "ABSENT"

    def __new__(cls) -> Absent:
        return ABSENT if "ABSENT" in globals() else object.__new__(cls)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: object, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.is_instance_schema(cls)


ABSENT: Final = Absent()
"""No value at all."""
