"""What the classes of results and parts can do beside holding their fields.

The generated classes inherit from these, so that they themselves are data alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ValidationInfo, field_validator
from pydantic_core import PydanticUndefined

from .base import Value
from .canonical import exactly
from .checks import decode_base64, encode_base64
from .errors import (
    CONTRADICTION,
    MISSING_FIELD,
    UNKNOWN_VERSION,
    WRONG_TYPE,
    ResultError,
)
from .field_types import described
from .json_value import ABSENT, Absent, Json
from .parse import MAX_BYTES, parse_json

if TYPE_CHECKING:
    from typing_extensions import Self

_VERSION = "format_version"

# What pydantic sets on each object, set without a look at the class every time.
_put_fields = vars(BaseModel)["__dict__"].__set__
_put_fields_set = vars(BaseModel)["__pydantic_fields_set__"].__set__
_put_extra = vars(BaseModel)["__pydantic_extra__"].__set__
_put_private = vars(BaseModel)["__pydantic_private__"].__set__


class PartBase(Value):
    """A part of the content."""

    kind: str


class BytesPartBase(PartBase):
    """A part that holds bytes."""

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, **fields: Any) -> Self:
        """A part of these bytes; further fields by name, such as ``mime_type``.

        Raises ResultError for the fields, TypeError if ``data`` is not bytes.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"expected bytes, found {type(data).__qualname__}")
        part = cls(**{**fields, "data": ""})
        # Encoded here, so known to be base64: megabytes are not checked again.
        part.__dict__["data"] = encode_base64(bytes(data))
        return part

    def to_bytes(self) -> bytes:
        """The bytes. Raises ValueError if the part holds text instead."""
        data = self.__dict__["data"]
        if data is None:
            raise ValueError("this part holds no bytes")
        return decode_base64(data)


class ResultBase(Value):
    """What a tool returns."""

    __slots__ = ("_renderings",)
    """What renderers made of it last; see :meth:`.rendering.Renderer.render`."""

    computed: ClassVar[tuple[str, ...]] = (_VERSION,)
    _defaults: ClassVar[dict[str, Any] | None] = None

    # -- making one ----------------------------------------------------------

    @classmethod
    def success(
        cls,
        data: object = ABSENT,
        *,
        summary: str | None = None,
        content: Iterable[PartBase | Mapping[str, Any]] = (),
        stored: Iterable[Value | Mapping[str, Any]] = (),
        metadata: Value | Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Self:
        """A success: ``Result.success({"ids": [1, 2]}, summary="2 products")``.

        ``data`` is any JSON value, None for null; left out, there is no data.
        Raises ResultError.
        """
        if content == () and stored == () and metadata is None and not fields:
            # The common case needs no more than the text of the data.
            made = cls._plain_success(data, summary)
            if made is not None:
                return made
        fields |= {"data": data, "summary": summary, "metadata": metadata}
        return cls(**{**fields, "content": tuple(content), "stored": tuple(stored)})

    @classmethod
    def failure(
        cls,
        code: str,
        message: str,
        details: object = None,
        *,
        summary: str | None = None,
        content: Iterable[PartBase | Mapping[str, Any]] = (),
        stored: Iterable[Value | Mapping[str, Any]] = (),
        metadata: Value | Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Self:
        """A failure: ``Result.failure("not_found", "There is no product 7.")``.

        ``code`` is a member of ErrorCode or its text, ``details`` any JSON object.
        Raises ResultError.
        """
        error: dict[str, Any] = {"code": code, "message": message}
        if details is not None:
            error["details"] = details
        fields |= {"summary": summary, "error": error, "metadata": metadata}
        return cls(**{**fields, "content": tuple(content), "stored": tuple(stored)})

    @classmethod
    def text(cls, text: str) -> Self:
        """A success with one text part. Raises ResultError."""
        fields: dict[str, Any] = {"content": ({"kind": "text", "text": text},)}
        return cls(**fields)

    @classmethod
    def _plain_success(cls, data: object, summary: str | None) -> Self | None:
        """The same as the constructor gives, for data and a summary; None if that is not sure."""
        if summary is not None and not (type(summary) is str and summary.isascii()):
            return None  # the constructor looks closer
        try:
            json = data if data is ABSENT else Json.of(data)
        except ResultError as error:
            raise error.below("/data") from None
        if cls._defaults is None:
            cls._defaults = {
                name: None if info.default is PydanticUndefined else info.default
                for name, info in cls.model_fields.items()
            }
        result = cls.__new__(cls)
        _put_fields(result, {**cls._defaults, "data": json, "summary": summary})
        _put_fields_set(result, {"data", "summary"})
        _put_extra(result, None)
        _put_private(result, None)
        _put_renderings(result, {})
        return result

    # -- the serialized form -------------------------------------------------

    @classmethod
    def from_json(cls, text: bytes | str, *, max_bytes: int | None = MAX_BYTES) -> Self:
        """The result of a serialized form. Raises ResultError.

        A text of more than ``max_bytes`` bytes is refused; None is no bound.
        """
        return cls.from_value(parse_json(text, max_bytes=max_bytes))

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The result of a parsed serialized form. Raises ResultError."""
        if not isinstance(value, Mapping):
            hint = "; read the legacy envelope with its own reader" if type(value) is str else ""
            raise ResultError(
                WRONG_TYPE, "", f"expected a serialized result, found {described(value)}{hint}"
            )
        version = cls._known_version(value)
        result = super().from_value({k: v for k, v in value.items() if k != _VERSION})
        if result.format_version > version:
            raise ResultError(
                UNKNOWN_VERSION,
                f"/{_VERSION}",
                f"version {version} does not have all that is here; "
                f"that came with version {result.format_version}",
            )
        return result

    @classmethod
    def _known_version(cls, value: Mapping[Any, Any]) -> int:
        pointer = f"/{_VERSION}"
        # Version 0 is a string, so no object can be of it.
        known = [version for version in cls.facts.format_versions if version > 0]
        listed = ", ".join(map(str, known))
        if _VERSION not in value:
            raise ResultError(
                MISSING_FIELD, pointer, f"'{_VERSION}' is required; known are {listed}"
            )
        version = value[_VERSION]
        if type(version) is float:
            try:
                version = exactly(version)
            except ResultError as error:
                raise error.below(pointer) from None
        if type(version) is not int:
            raise ResultError(
                WRONG_TYPE, pointer, f"expected an integer, found {described(version)}"
            )
        if version not in known:
            shown = str(version) if -(10**9) < version < 10**9 else "that"
            raise ResultError(
                UNKNOWN_VERSION, pointer, f"format version {shown} is not known; known are {listed}"
            )
        return version

    def to_value(self) -> dict[str, Any]:
        """The serialized form as plain Python values, with the format version."""
        return {_VERSION: self.format_version, **super().to_value()}

    @property
    def format_version(self) -> int:
        """The lowest format version that can say this result, and the one it is written in."""
        # Until the spec has a second version there is nothing to look for.
        return self._version() if max(self.facts.format_versions, default=0) > 1 else 1

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the serialized form without ``metadata.generated_at``.

        So a result made again at another time has the same digest.
        """
        metadata = self.__dict__.get("metadata")
        if metadata is None or metadata.__dict__.get("generated_at") is None:
            return hashlib.sha256(self.to_json()).hexdigest()
        rest = metadata.replace(generated_at=None)
        return hashlib.sha256(
            self.replace(metadata=None if rest.is_empty else rest).to_json()
        ).hexdigest()

    @field_validator("error", mode="before", check_fields=False)
    @classmethod
    def _no_data_beside(cls, value: object, info: ValidationInfo) -> object:
        data: Json | Absent = info.data.get("data", ABSENT)
        if value is not None and data is not ABSENT:
            raise ResultError(
                CONTRADICTION,
                "",
                "a failure carries no data; put what it has to say into the error's details",
            )
        return value


_renderings_of = vars(ResultBase)["_renderings"].__get__
_put_renderings = vars(ResultBase)["_renderings"].__set__


def remembered(result: ResultBase) -> dict[Any, Any]:
    """What renderers keep of their last rendering of this result, by renderer."""
    try:
        known: dict[Any, Any] = _renderings_of(result)
    except AttributeError:  # made by pydantic, which knows nothing of it
        known = {}
        _put_renderings(result, known)
    return known
