"""The types of fields, as pydantic annotations: what each accepts and turns it into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    GetCoreSchemaHandler,
    PlainValidator,
    StrictBool,
    StringConstraints,
    ValidationInfo,
)
from pydantic_core import CoreSchema, core_schema

from .canonical import exactly, member_order, number
from .checks import check_base64, check_extension_key, check_timestamp
from .errors import (
    INVALID_KEY,
    INVALID_TEXT,
    INVALID_VALUE,
    OUT_OF_RANGE,
    WRONG_TYPE,
    ResultError,
    shorten,
    token,
)
from .frozen import FrozenDict
from .json_value import ABSENT, Absent, Json

_T = TypeVar("_T")

EMPTY: Final[Mapping[str, Json]] = FrozenDict()
"""A map of nothing, the same as an absent one."""


class Null:
    """Stands for a JSON null where a field is not JSON-valued, so that each type refuses it.

    Optional fields hold None for absent, which pydantic would accept for null as well.
    """

    def __repr__(self) -> str:
        return "null"


NULL: Final = Null()


def wrong_type(expected: str, found: object) -> ResultError:
    """``wrong_type``, with the name of what was found."""
    return ResultError(WRONG_TYPE, "", f"expected {expected}, found {described(found)}")


def described(value: object) -> str:
    """The JSON type of a value, or the Python type of what is no JSON."""
    if value is None or value is NULL:
        return "null"
    for kind, name in _TYPE_NAMES:
        if isinstance(value, kind):
            return name
    return shorten(type(value).__qualname__)


_TYPE_NAMES: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "a boolean"),
    ((int, float), "a number"),
    (str, "a string"),
    (Mapping, "an object"),
    ((list, tuple), "an array"),
)


def _number(value: object) -> int | float:
    kind = type(value)
    if kind is int:
        number(value)  # type: ignore[arg-type]  # an int; refuses one of over a million digits
        return value  # type: ignore[return-value]
    if kind is float:
        return exactly(value)  # type: ignore[arg-type]
    raise wrong_type("a number", value)


def _count(value: object) -> int:
    found = _number(value) if type(value) in (int, float) else None
    if type(found) is not int:
        raise wrong_type("a non-negative integer", value)
    if found < 0:
        raise ResultError(OUT_OF_RANGE, "", "expected a non-negative integer, found a negative one")
    return found


def _array(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return value
    raise wrong_type("an array", value)


def _text(value: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ResultError(INVALID_TEXT, "", "a lone surrogate is no text; replace it") from None
    return value


def _json_object(value: object) -> Json:
    if value is NULL:
        raise wrong_type("an object", value)
    json = Json.of(value)
    if json.kind != "object":
        raise wrong_type("an object", value.value if isinstance(value, Json) else value)
    return json


def _optional_json(value: object) -> Json | Absent:
    return ABSENT if value is ABSENT else Json.of(value)


def _json_map(value: object) -> Mapping[str, Json]:
    return FrozenDict({name: _at(name, Json.of, item) for name, item in _ordered_members(value)})


def _ordered_members(value: object) -> list[tuple[str, Any]]:
    """The members in canonical order. Raises ResultError for what is no object of JSON."""
    if not isinstance(value, Mapping):
        raise wrong_type("an object", value)
    for name in value:
        if type(name) is not str:
            shown = name if isinstance(name, (str, int)) else described(name)
            raise ResultError(
                INVALID_VALUE, token(str(shown)), f"a key must be a string, not {described(name)}"
            )
    return sorted(value.items(), key=lambda member: member_order(member[0]))


def _at(name: str, check: Any, item: object) -> Any:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ResultError(INVALID_TEXT, token(name), "a lone surrogate is no text") from None
    try:
        return check(item)
    except ResultError as error:
        raise error.below(token(name)) from None


String: TypeAlias = Annotated[str, StringConstraints(strict=True), AfterValidator(_text)]
"""Any text without lone surrogates; may be empty."""

NonEmptyString: TypeAlias = Annotated[
    str, StringConstraints(strict=True, min_length=1), AfterValidator(_text)
]

Boolean: TypeAlias = StrictBool

Count: TypeAlias = Annotated[int, PlainValidator(_count)]
"""A non-negative integer of any size; an integral float counts as the integer it is."""

Number: TypeAlias = Annotated[int | float, PlainValidator(_number)]
"""A finite number; an integral float below 1e21 becomes an integer."""

Timestamp: TypeAlias = Annotated[
    str, StringConstraints(strict=True), AfterValidator(check_timestamp)
]
"""RFC 3339 with upper-case T and Z, kept as written."""

Base64: TypeAlias = Annotated[str, StringConstraints(strict=True), AfterValidator(check_base64)]
"""Bytes in standard, padded, canonical base64."""

AnyJson: TypeAlias = Annotated[Json, PlainValidator(Json.of)]
"""Any JSON value, null included."""

JsonObject: TypeAlias = Annotated[Json, PlainValidator(_json_object)]
"""A JSON value that is an object."""

OptionalJson: TypeAlias = Annotated[Json | Absent, PlainValidator(_optional_json)]
"""Any JSON value, null included, or ABSENT."""

JsonMap: TypeAlias = Annotated[Mapping[str, Json], PlainValidator(_json_map)]
"""Names to JSON values, in canonical order, immutable."""

Items: TypeAlias = Annotated[tuple[_T, ...], BeforeValidator(_array)]
"""An array; a list is taken as well and becomes a tuple."""


class StringEnum(str, Enum):
    """An enumeration of strings whose members show as their text on every Python."""

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(str(self.value), spec)


@dataclass(frozen=True)
class Range:
    """Bounds of a number, both included; None is no bound."""

    minimum: int | None = None
    maximum: int | None = None

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def _check(self, value: int | float) -> int | float:
        if self.minimum is not None and value < self.minimum:
            raise ResultError(OUT_OF_RANGE, "", f"expected at least {self.minimum}")
        if self.maximum is not None and value > self.maximum:
            raise ResultError(OUT_OF_RANGE, "", f"expected at most {self.maximum}")
        return value


@dataclass(frozen=True)
class ExtensionKeys:
    """The keys of a map of JSON values are extension keys, and in none of the other maps.

    ``others`` are fields of the same record that come before this one.
    """

    namespace: str
    others: tuple[str, ...] = ()

    def __get_pydantic_core_schema__(
        self, _source: object, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._check)

    def _check(self, value: object, info: ValidationInfo) -> Mapping[str, Json]:
        checked: dict[str, Json] = {}
        for name, item in _ordered_members(value):
            try:
                check_extension_key(name, self.namespace)
            except ResultError as error:
                if not name.isascii():
                    _at(name, lambda _: None, None)
                raise error.below(token(name)) from None
            for other in self.others:
                if name in info.data.get(other, ()):
                    raise ResultError(
                        INVALID_KEY,
                        token(name),
                        f"the key is in '{other}' as well; a value is for one of the two",
                    )
            checked[name] = _at(name, Json.of, item)
        return FrozenDict(checked)


class OmitEmpty:
    """An empty record is the same as an absent one."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(_none_if_empty, handler(source))


def _none_if_empty(value: Any) -> Any:
    return None if value is None or value.is_empty else value
