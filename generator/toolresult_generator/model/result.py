"""The result object, as the generator sees it: typed, frozen, language-neutral."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FieldKind(Enum):
    """The closed set of field types that a spec may use."""

    STRING = "string"
    BOOLEAN = "boolean"
    COUNT = "count"
    """A non-negative integer of any size."""
    NUMBER = "number"
    TIMESTAMP = "timestamp"
    """RFC 3339 with upper-case T and Z; kept as written."""
    BASE64 = "base64"
    """Standard, padded, canonical base64; held as the text."""
    ERROR_CODE = "error_code"
    CHOICES = "choices"
    """A list of names from a closed set."""
    JSON = "json"
    """Any JSON value, null included."""
    JSON_OBJECT = "json_object"
    JSON_MAP = "json_map"
    """Names to JSON values; which names are allowed is said by ``keys``."""
    RECORD = "record"
    RECORDS = "records"
    PARTS = "parts"


class KeyRule(Enum):
    """Which keys a map of JSON values may have."""

    EXTENSION = "extension"
    ANY = "any"


@dataclass(frozen=True)
class FieldType:
    """The type of a field with its bounds."""

    kind: FieldKind
    non_empty: bool = False
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    record: str | None = None
    keys: KeyRule = KeyRule.ANY


@dataclass(frozen=True)
class Field:
    """One field of a record or a part kind."""

    name: str
    type: FieldType
    required: bool
    since: int
    meaning: str
    omit_empty: bool = False
    """An empty value is the same as an absent one."""


@dataclass(frozen=True)
class Record:
    """A named group of fields, in the order in which they are serialized."""

    name: str
    meaning: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field | None:
        """The field of that name, or None."""
        return next((f for f in self.fields if f.name == name), None)


@dataclass(frozen=True)
class PartKind:
    """One kind of content part. ``fields`` are its own; the common ones are in record ``part``."""

    name: str
    meaning: str
    since: int
    fields: tuple[Field, ...]
    one_of: tuple[str, ...] = ()
    """Exactly one of these fields is present."""


@dataclass(frozen=True)
class ErrorCode:
    """One code of the closed list."""

    name: str
    meaning: str
    use: str
    not_for: str
    since: int
    default: bool = False


@dataclass(frozen=True)
class FormatVersion:
    """One version of the serialized form. ``reads`` names the target that reads it, if one does."""

    number: int
    meaning: str
    reads: str | None = None


@dataclass(frozen=True)
class ResultSpec:
    """Everything that ``result.yaml`` says."""

    namespace: str
    a2a_extension: str
    format_versions: tuple[FormatVersion, ...]
    error_codes: tuple[ErrorCode, ...]
    records: tuple[Record, ...]
    kinds: tuple[PartKind, ...]

    def record(self, name: str) -> Record:
        """The record of that name. Raises KeyError."""
        for record in self.records:
            if record.name == name:
                return record
        raise KeyError(name)

    @property
    def default_code(self) -> ErrorCode:
        """The code that stands for a failure that no other names."""
        return next(code for code in self.error_codes if code.default)
