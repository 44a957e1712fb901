"""What all value classes have in common: checked, frozen, compared and written as JSON."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, ClassVar, Final, Union

from pydantic import BaseModel, ConfigDict, ValidationError, model_serializer, model_validator
from pydantic_core import ErrorDetails

from .canonical import member_order, number, quote
from .checks import check_base64
from .errors import (
    CONTRADICTION,
    INVALID_TEXT,
    INVALID_VALUE,
    MISSING_FIELD,
    OUT_OF_RANGE,
    UNKNOWN_CODE,
    UNKNOWN_FIELD,
    UNKNOWN_KIND,
    WRONG_TYPE,
    ResultError,
    pointer_of,
    shorten,
    token,
)
from .field_types import NULL, described
from .frozen import FrozenDict
from .json_value import Absent, Json

if typing.TYPE_CHECKING:
    from typing_extensions import Self

_SUGGESTIONS: Final = 12
"""Names that an error lists at most."""


@dataclass(frozen=True)
class Facts:
    """What the spec says about a class beside its fields.

    ``since`` is the format version that brought the class, ``fields`` and ``members``
    those that brought fields and members of enumerations; what is not named came with
    version 1. Exactly one of the fields in ``one_of`` is present, if it names any.
    """

    since: int = 1
    fields: Mapping[str, int] = field(default_factory=dict)
    members: Mapping[str, int] = field(default_factory=dict)
    one_of: tuple[str, ...] = ()
    format_versions: tuple[int, ...] = ()


class Value(BaseModel):
    """An immutable value with named fields, checked as it is made.

    Making one raises ResultError, with the pointer of the first offence. An optional
    field that is absent is None; a JSON-valued one is ABSENT, since null is a value.
    To the constructor, None means absent for the former and null for the latter.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
        protected_namespaces=(),
    )

    facts: ClassVar[Facts] = Facts()
    computed: ClassVar[tuple[str, ...]] = ()
    """Properties that are written into the serialized form like fields."""
    _shape: ClassVar[_Shape]

    def __init__(self, **fields: Any) -> None:
        shape = self._shape
        given = {
            shape.wire.get(name, name): value
            for name, value in fields.items()
            if value is not None or name not in shape.none_is_absent
        }
        try:
            self.__pydantic_validator__.validate_python(given, self_instance=self)
        except ValidationError as error:
            raise _first(type(self), error) from None

    # pydantic then validates nested objects directly instead of through __init__.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._shape = _Shape(cls)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The object that a parsed serialized form describes. Raises ResultError."""
        try:
            return cls.__pydantic_validator__.validate_python(value)  # type: ignore[no-any-return]
        except ValidationError as error:
            raise _first(cls, error) from None

    def to_value(self) -> dict[str, Any]:
        """The serialized form as plain Python values; what is absent is left out."""
        return {
            wire: _plain(value)
            for name, wire in self._shape.wire_names
            if not _is_absent(value := self.__dict__[name])
        }

    def to_json(self) -> bytes:
        """The serialized form as canonical JSON, in UTF-8."""
        out: list[bytes] = []
        self._write(out)
        return b"".join(out)

    def replace(self, **changes: Any) -> Self:
        """A copy with other values in some fields, checked anew; None or ABSENT removes one."""
        return type(self)(**{**self.__dict__, **changes})

    @property
    def is_empty(self) -> bool:
        """Whether no field is there."""
        return all(map(_is_absent, self.__dict__.values()))

    def _write(self, out: list[bytes]) -> None:
        """Appends the canonical JSON."""
        separator = b"{"
        values = self.__dict__
        for name, prefix, ascii_only in self._shape.canonical_order:
            value = values[name] if name in values else getattr(self, name)
            kind = type(value)
            if kind in _NEVER_THERE or (kind in _ABSENT_IF_EMPTY and not value):
                continue
            out.append(separator)
            separator = b","
            out.append(prefix)
            if ascii_only:
                out += (b'"', value.encode("ascii"), b'"')
            else:
                _append(out, value)
        out.append(b"}" if separator == b"," else b"{}")

    def _version(self) -> int:
        """The lowest format version that can say this."""
        facts = self.facts
        version = facts.since
        for name, value in self.__dict__.items():
            if _is_absent(value):
                continue
            version = max(version, facts.fields.get(name, 1))
            for item in value if type(value) is tuple else (value,):
                if isinstance(item, Value):
                    version = max(version, item._version())
                elif isinstance(item, Enum):
                    version = max(version, facts.members.get(item.value, 1))
        return version

    @model_validator(mode="before")
    @classmethod
    def _prepare(cls, value: object) -> object:
        """Looks at the keys, and replaces nulls, lest they count as absent, by what is refused."""
        if type(value) is not dict:
            return value
        for name in value:
            # Pydantic would lose the place of a key that is no text.
            if isinstance(name, str) and not name.isascii():
                bad = _surrogates(name, token(name))
                if bad is not None:
                    raise bad
        if None not in value.values():
            return value
        absent = cls._shape.none_is_absent
        return {
            name: NULL if item is None and name in absent else item for name, item in value.items()
        }

    @model_validator(mode="after")
    def _check_one_of(self) -> Self:
        names = self.facts.one_of
        if names:
            present = sum(not _is_absent(self.__dict__[name]) for name in names)
            if present != 1:
                raise ResultError(
                    CONTRADICTION,
                    "",
                    f"exactly one of {_listed(names)} must be there, found {present}",
                )
        return self

    @model_serializer(mode="plain")
    def _serialize(self) -> dict[str, Any]:
        return self.to_value()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As :meth:`replace`; unlike pydantic's own it checks. Frozen values need no deep copy."""
        return self.replace(**(update or {}))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return type(self) is type(other) and self.__dict__ == other.__dict__
        return NotImplemented

    def __hash__(self) -> int:
        return hash(Value.to_json(self))


# -- writing -----------------------------------------------------------------


_NEVER_THERE: Final = frozenset({type(None), Absent})
_ABSENT_IF_EMPTY: Final = frozenset({tuple, FrozenDict})


def _is_absent(value: object) -> bool:
    """Whether a field is not there. ``""``, 0 and false are."""
    kind = type(value)
    return kind in _NEVER_THERE or (kind in _ABSENT_IF_EMPTY and not value)


def _append(out: list[bytes], value: Any) -> None:
    kind = type(value)
    if kind is str:
        out.append(quote(value))
    elif kind is Json:
        out.append(value.canonical)
    elif kind is bool:
        out.append(b"true" if value else b"false")
    elif kind is int or kind is float:
        out.append(number(value))
    elif kind is tuple:
        separator = b"["
        for item in value:
            out.append(separator)
            separator = b","
            _append(out, item)
        out.append(b"]")
    elif isinstance(value, Value):
        value._write(out)
    elif isinstance(value, Enum):
        out.append(quote(value.value))
    elif isinstance(value, Mapping):
        separator = b"{"
        for name, item in value.items():  # in canonical order since construction
            out += (separator, quote(name), b":", item.canonical)
            separator = b","
        out.append(b"}")
    else:
        raise TypeError(f"no field has the type {kind.__qualname__}")


def _plain(value: object) -> Any:
    if isinstance(value, Json):
        return value.value
    if isinstance(value, Value):
        return value.to_value()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return value


# -- the shape of a class ----------------------------------------------------


class _Shape:
    """What is asked of a class again and again, worked out once."""

    __slots__ = ("canonical_order", "children", "none_is_absent", "unions", "wire", "wire_names")

    def __init__(self, cls: type[Value]) -> None:
        self.wire_names: tuple[tuple[str, str], ...] = tuple(
            (name, wire if isinstance(wire := info.validation_alias, str) else name)
            for name, info in cls.model_fields.items()
        )
        self.wire = {name: wire for name, wire in self.wire_names if name != wire}
        self.none_is_absent: set[str] = set()
        self.children: dict[str, dict[str | None, type[Value]]] = {}
        """Classes below a field, by their tag; a class without a choice has the tag None."""
        self.unions: set[str] = set()
        ascii_only = set()
        for name, wire in self.wire_names:
            info = cls.model_fields[name]
            found = _leaves(info.annotation)
            if not info.is_required() and Absent not in found:
                # A JSON null is no value of such a field, whatever name it goes by.
                self.none_is_absent |= {name, wire}
            if any(getattr(meta, "func", None) is check_base64 for meta in info.metadata) or (
                _has_base64(info.annotation)
            ):
                ascii_only.add(name)
            classes = [leaf for leaf in found if isinstance(leaf, type) and issubclass(leaf, Value)]
            if len(classes) > 1:
                self.unions.add(name)
                tagged = {leaf.model_fields["kind"].default: leaf for leaf in classes}
                self.children[name] = dict(tagged)
            elif classes:
                self.children[name] = {None: classes[0]}
        computed = ((name, name) for name in cls.computed)
        by_wire = sorted((*self.wire_names, *computed), key=lambda names: member_order(names[1]))
        self.canonical_order: tuple[tuple[str, bytes, bool], ...] = tuple(
            (name, quote(wire) + b":", name in ascii_only) for name, wire in by_wire
        )


def _leaves(annotation: Any) -> list[Any]:
    """The classes that an annotation names, through aliases, Annotated, unions, tuples."""
    annotation = getattr(annotation, "__value__", annotation)
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _leaves(typing.get_args(annotation)[0])
    if origin in (Union, types.UnionType, tuple):
        return [leaf for part in typing.get_args(annotation) for leaf in _leaves(part)]
    return [annotation]


def _has_base64(annotation: Any) -> bool:
    """Whether an optional field holds base64: the mark is then inside the union."""
    if typing.get_origin(annotation) is Annotated:
        metadata = typing.get_args(annotation)[1:]
        return any(getattr(meta, "func", None) is check_base64 for meta in metadata)
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return any(map(_has_base64, typing.get_args(annotation)))
    return False


# -- pydantic's errors -------------------------------------------------------

_WRONG_TYPES: Final[Mapping[str, str]] = {
    "string_type": "a string",
    "bool_type": "a boolean",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
    "tuple_type": "an array",
}


def _first(cls: type[Value], error: ValidationError) -> ResultError:
    """The first of pydantic's errors, which come in the order of the fields, as ours."""
    errors = error.errors(include_url=False)
    first = errors[0]
    if first["type"] == "extra_forbidden":
        # Unknown members come in the order of the input; ours is the canonical one.
        parent = first["loc"][:-1]
        unknown = [e for e in errors if e["type"] == "extra_forbidden" and e["loc"][:-1] == parent]
        first = min(unknown, key=lambda entry: member_order(str(entry["loc"][-1])))
    return _translate(cls, first)


def _translate(cls: type[Value], error: ErrorDetails) -> ResultError:
    kind, found = error["type"], error.get("input")
    steps, owner, leaf = _locate(cls, error["loc"])
    pointer = pointer_of(steps)
    context = error.get("ctx", {})
    original = context.get("error")
    if isinstance(original, ResultError):
        return original.below(pointer)
    if kind == "missing":
        name = steps[-1]
        return ResultError(MISSING_FIELD, pointer, f"'{name}' is required and not there")
    if kind == "extra_forbidden":
        return _unknown_member(steps, pointer, owner)
    if kind == "invalid_key":
        return ResultError(INVALID_VALUE, pointer, "a key must be a string")
    if kind == "string_unicode":
        return ResultError(INVALID_TEXT, pointer, "a lone surrogate is no text; replace it")
    if kind == "string_too_short":
        return ResultError(OUT_OF_RANGE, pointer, "must not be empty")
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _bad_kind(found, pointer, owner, leaf)
    if kind == "literal_error":
        if type(found) is not str:
            return _wrong_type("a string", found, pointer)
        return ResultError(UNKNOWN_KIND, pointer, f"expected {context.get('expected')}")
    if kind == "enum":
        if not isinstance(found, str):
            return _wrong_type("a string", found, pointer)
        code = OUT_OF_RANGE if isinstance(steps[-1], int) else UNKNOWN_CODE
        return _surrogates(found, pointer) or ResultError(
            code, pointer, f"'{shorten(found)}' is none of {context.get('expected')}"
        )
    return _wrong_type(_WRONG_TYPES.get(kind, "another type"), found, pointer)


def _locate(
    cls: type[Value], loc: tuple[int | str, ...]
) -> tuple[list[str | int], type[Value] | None, str | None]:
    """Pydantic's place as steps of a pointer, the class it is in, and the last field's name.

    In a union of kinds pydantic puts the kind after the index; it is no step of ours.
    """
    steps: list[str | int] = []
    owner: type[Value] | None = cls
    name: str | None = None
    rest = list(loc)
    while rest:
        step = rest.pop(0)
        steps.append(step)
        if isinstance(step, int) or owner is None:
            continue
        name = _field_name(owner, step)
        children = owner._shape.children.get(name)
        if children is None or not rest:
            continue
        parent = owner
        if isinstance(rest[0], int):
            steps.append(rest.pop(0))
            if not rest:
                break
        tag = str(rest.pop(0)) if name in parent._shape.unions else None
        owner = children.get(tag)
    return steps, owner, name


def _field_name(owner: type[Value], step: str) -> str:
    return next((name for name, wire in owner._shape.wire_names if wire == step), step)


def _unknown_member(steps: list[str | int], pointer: str, owner: type[Value] | None) -> ResultError:
    name = str(steps[-1])
    bad = _surrogates(name, pointer)
    if bad is not None:
        return bad
    known = [wire for _, wire in owner._shape.wire_names] if owner else []
    return ResultError(
        UNKNOWN_FIELD, pointer, f"'{shorten(name)}' is no field here; known are {_listed(known)}"
    )


def _bad_kind(
    found: object, pointer: str, owner: type[Value] | None, name: str | None
) -> ResultError:
    tags = owner._shape.children.get(name or "", {}) if owner else {}
    known = _listed([tag for tag in tags if tag is not None])
    if not isinstance(found, Mapping):
        return _wrong_type("an object", found, pointer)
    pointer += token("kind")
    if "kind" not in found:
        return ResultError(MISSING_FIELD, pointer, f"'kind' is required; it is one of {known}")
    kind = found["kind"]
    if not isinstance(kind, str):
        return _wrong_type("a string", kind, pointer)
    return _surrogates(kind, pointer) or ResultError(
        UNKNOWN_KIND, pointer, f"'{shorten(kind)}' is no kind of part; known are {known}"
    )


def _surrogates(text: str, pointer: str) -> ResultError | None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return ResultError(INVALID_TEXT, pointer, "a lone surrogate is no text; replace it")
    return None


def _wrong_type(expected: str, found: object, pointer: str) -> ResultError:
    return ResultError(WRONG_TYPE, pointer, f"expected {expected}, found {described(found)}")


def _listed(names: typing.Iterable[str]) -> str:
    listed = list(names)
    more = ", …" if len(listed) > _SUGGESTIONS else ""
    return ", ".join(listed[:_SUGGESTIONS]) + more
