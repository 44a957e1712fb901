"""How names of the spec are spelt in Python, and which are taken."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping

from toolresult_generator.languages.base import Language, NameUse

KEYWORDS = frozenset({*keyword.kwlist, *keyword.softkwlist} - {"_", "type"})
"""`type` is a soft keyword that is a harmless member name."""

TYPES = frozenset(
    {"bool", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"}
)
"""A field of this name would hide the type from the annotations after it in its class."""

PYDANTIC = frozenset(
    {"construct", "copy", "dict", "fields", "from_orm", "json", "parse_file", "parse_obj"}
    | {"parse_raw", "schema", "schema_json", "update_forward_refs", "validate"}
)
"""Methods of pydantic's BaseModel outside of its `model_` prefix (2.x, deprecated ones too)."""

CLASS_MEMBERS = frozenset({"mro"})
"""Members of every class, which a class body must not hide (enumerations cannot)."""

VALUES = frozenset(
    {"computed", "facts", "from_value", "is_empty", "kind", "replace", "to_json", "to_value"}
)
"""Members that the value classes have of their own; `kind` tells the parts apart."""

PARTS = frozenset({"from_bytes", "to_bytes"})

RESULT = frozenset(
    {"digest", "failure", "format_version", "from_json", "from_value", "success", "text", "to_json"}
)
"""Members that the class of the result has of its own."""

ENUM = frozenset({"mro", "name", "value"}) | frozenset(name for name in dir(str) if name[0] != "_")
"""Members of an enumeration of strings."""

CLASSES = frozenset(
    {"Absent", "Any", "Enum", "ErrorCode", "Json", "Literal", "Mapping", "Part", "ResultError"}
    | {"BaseModel", "Field", "Annotated", "Sequence", "FrozenDict", "FrozenList"}
    | {"AnyJson", "Base64", "Boolean", "Count", "JsonMap", "JsonObject", "NonEmptyString"}
    | {"Number", "OptionalJson", "String", "Timestamp", "ClassVar", "TypeAlias", "Value"}
    | {"ExtensionKeys", "Facts", "Items", "OmitEmpty", "Range", "StringEnum"}
    | {"BytesPartBase", "PartBase", "ResultBase"}
)
"""Classes that the generated module has of its own or imports."""

MODULES = frozenset({"runtime", "values", "targets", "reader", "renderer"})
READER = "_reader"
"""How the module that reads a target ends, beside the one that writes it."""

CLASS_NAMES: Mapping[str, str] = {
    "error": "ErrorInfo",
    "stored": "StoredResult",
}
"""Records whose class has another name than its spelling gives: `Error` reads like an exception."""

_MAPPED = {
    NameUse.FIELD: PYDANTIC | CLASS_MEMBERS | TYPES | VALUES | PARTS,
    NameUse.RESULT_FIELD: PYDANTIC | CLASS_MEMBERS | TYPES | VALUES | RESULT,
    NameUse.RECORD: CLASSES,
    NameUse.KIND: CLASSES,
    NameUse.ERROR_CODE: ENUM,
    NameUse.CHOICE: ENUM,
    NameUse.TARGET: MODULES,
    NameUse.HOOK: frozenset({"render", "read", "mro"}),
}


class PythonNames:
    """Snake case for members, Pascal case for classes, capitals for members of enumerations."""

    name = "python"

    def convert(self, name: str, use: NameUse) -> str:
        """The Python spelling; see :class:`Language`."""
        if use is NameUse.RECORD:
            return CLASS_NAMES.get(name, pascal(name))
        if use is NameUse.KIND:
            return pascal(name) + "Part"
        if use in (NameUse.ERROR_CODE, NameUse.CHOICE):
            return snake(name).upper()
        return snake(name)

    def reserved(self, name: str, use: NameUse) -> str | None:
        """Why the spelling is taken; see :class:`Language`."""
        if keyword.iskeyword(name) or name in KEYWORDS:
            return "is a keyword"
        if name.startswith("model_") and use in (NameUse.FIELD, NameUse.RESULT_FIELD):
            return "starts with the prefix that pydantic keeps for itself"
        if name.startswith("_") and use is not NameUse.HOOK:
            return "starts with an underscore, which hides a member"
        if use is NameUse.TARGET and name.endswith(READER):
            return "is the module that reads another target"
        if name in _MAPPED[use]:
            return f"means something else where a {use.value} stands"
        return None


def snake(name: str) -> str:
    """`nextCursor`, `next-cursor` and `next_cursor` all give `next_cursor`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|-", "_", name).lower()


def pascal(name: str) -> str:
    """`related_task` gives `RelatedTask`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[_-]+", name))


LANGUAGE: Language = PythonNames()
