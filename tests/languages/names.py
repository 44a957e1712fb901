"""The public names of Python, and what each is in another language.

A name is the same in that language's own case. What is otherwise, or is not there, stands in a
table with the reason, so that no name can be forgotten.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from pydantic import BaseModel

MODULES: Final = ("toolresult", "toolresult.store")


@dataclass(frozen=True)
class Name:
    """A public name: a class, a function or constant, or a member of a class."""

    module: str
    name: str
    member: str = ""
    is_class: bool = False
    """Whether the name, or the owner of the member, is a class."""
    is_static: bool = False
    """Whether the member belongs to the class and not to its instances."""

    def __str__(self) -> str:
        return f"{self.name}.{self.member}" if self.member else self.name


@dataclass(frozen=True)
class Elsewhere:
    """Another name in a language; an empty one for what it does not have."""

    name: str
    reason: str


def public_names() -> Iterator[Name]:
    """All of them, in the order of the modules' own lists."""
    for module in MODULES:
        found = importlib.import_module(module)
        for name in found.__all__:
            value = getattr(found, name)
            is_class = inspect.isclass(value)
            yield Name(module, name, is_class=is_class)
            if is_class and not issubclass(value, Enum):
                for member in _members(value):
                    is_static = isinstance(
                        inspect.getattr_static(value, member, None), (classmethod, staticmethod)
                    )
                    yield Name(module, name, member, True, is_static)


def _members(value: type) -> list[str]:
    """The public members that a class has from this project, and its fields."""
    fields: Mapping[str, Any] = getattr(value, "model_fields", {}) or getattr(
        value, "__dataclass_fields__", {}
    )
    own = [
        name
        for base in value.__mro__
        if base.__module__.startswith("toolresult")
        for name in vars(base)
        if not name.startswith("_") and not hasattr(BaseModel, name)
    ]
    return sorted({*fields, *own})


def camel(name: str) -> str:
    """``to_json`` as ``toJson``; a constant as it is."""
    if name.isupper():
        return name
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)


_OURS_ALONE: Final = "what stores and renderers of Python tell one another"
_ONE_MACHINE: Final = "stores for several machines are Python's"
_NEEDS_NODE: Final = "what needs Node is in toolresult/store/sqlite"
_UNDEFINED: Final = "undefined is absent there, and null a value"
_LEFT_OUT: Final = "a field that is left out has its default"
_OF_A_CLASS: Final = "functions and constants are of a class"
_OF_EITHER: Mapping[str, Elsewhere] = {
    "*.computed": Elsewhere("", _OURS_ALONE),
    "*.facts": Elsewhere("", _OURS_ALONE),
    "*.get_record": Elsewhere("", _OURS_ALONE),
    "Json.texts": Elsewhere("", _OURS_ALONE),
    "Loss.to_value": Elsewhere("", "a loss is a plain record there"),
    "ObjectStore": Elsewhere("", _ONE_MACHINE),
    "PostgresStore": Elsewhere("", _ONE_MACHINE),
    "VersionedStore": Elsewhere("", "what has both interfaces is written as both"),
    "Rendering.chunks": Elsewhere("", "one text there, or its bytes; nothing is spared by pieces"),
}
TYPESCRIPT: Mapping[str, Elsewhere] = {
    **_OF_EITHER,
    "ABSENT": Elsewhere("", _UNDEFINED),
    "Absent": Elsewhere("", _UNDEFINED),
    "DEFAULT": Elsewhere("", _LEFT_OUT),
    "Default": Elsewhere("", _LEFT_OUT),
    "KeyRing.load": Elsewhere("sqlite.loadKeys", _NEEDS_NODE),
    "Request.newest": Elsewhere("root.newest", "a request is a plain object there"),
    "SqliteStore": Elsewhere("sqlite.SqliteStore", _NEEDS_NODE),
    "legacy": Elsewhere("root.readLegacy", "a module of Python with one function, read"),
    "open_store": Elsewhere("sqlite.openStore", _NEEDS_NODE),
}
"""What is otherwise in TypeScript: with `root`, `store` or `sqlite`, an entry of the package."""
PHP: Mapping[str, Elsewhere] = {
    **_OF_EITHER,
    "ABSENT": Elsewhere("Core\\Absent::Value", "the case of an enumeration"),
    "DEFAULT": Elsewhere("ByDefault::Value", "the case of an enumeration"),
    "Default": Elsewhere("ByDefault", "`default` is a word of the language"),
    "DEFAULT_LIFETIME": Elsewhere("Store\\Store::DEFAULT_LIFETIME", _OF_A_CLASS),
    "LEGACY_FORMAT_VERSION": Elsewhere("Store\\Store::LEGACY_FORMAT_VERSION", _OF_A_CLASS),
    "Loss": Elsewhere("Core\\Runtime\\Loss", "a class that nobody makes"),
    "advertised": Elsewhere("OutputSchema::advertised", _OF_A_CLASS),
    "legacy": Elsewhere("Legacy\\Legacy::read", "a module of Python with one function, read"),
    "newest_not_after": Elsewhere("Registry::newestNotAfter", _OF_A_CLASS),
    "open_result": Elsewhere("Store\\Stores::openResult", _OF_A_CLASS),
    "open_store": Elsewhere("Store\\Stores::openStore", _OF_A_CLASS),
    "read": Elsewhere("Wire::read", _OF_A_CLASS),
    "register_adapters": Elsewhere("Registry::registerAdapters", _OF_A_CLASS),
    "render": Elsewhere("Wire::render", _OF_A_CLASS),
    "result_of": Elsewhere("Given::resultOf", _OF_A_CLASS),
    "to_plain": Elsewhere("Core\\Plain::toPlain", _OF_A_CLASS),
}
"""What is otherwise in PHP, below its namespace `Toolresult`."""


def elsewhere(name: Name, table: Mapping[str, Elsewhere]) -> Elsewhere | None:
    """What a table says of a name: of itself, of that member of any class, or of its class."""
    keys = (str(name), f"*.{name.member}" if name.member else "", name.name)
    return next((table[key] for key in keys if key in table), None)
