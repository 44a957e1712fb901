"""How names of the spec are spelt in TypeScript, and which are taken."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolresult_generator.languages.base import Language, NameUse


def _words(text: str) -> frozenset[str]:
    """The words of a text: a list of them in quotes would take a page."""
    return frozenset(text.split())


KEYWORDS = _words(
    "abstract any arguments as asserts async await bigint boolean break case catch class "
    "const constructor continue debugger declare default delete do else enum eval export "
    "extends false finally for from function get if implements import in infer "
    "instanceof interface is keyof let module namespace never new null number object of "
    "out override package private protected public readonly require return satisfies set "
    "static string super switch symbol this throw true try type typeof undefined unique "
    "unknown using var void while with yield"
)
"""Words that mean something in code; as the name of a variable each gets a letter more."""

OBJECT = _words(
    "__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ "
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype "
    "toLocaleString toString valueOf then"
)
"""Members of every object, which a field must not hide; a `then` would make it a promise."""

VALUES = frozenset({"equals", "isEmpty", "kind", "replace", "toJson", "toJSON", "toValue"})
"""Members that the value classes have of their own; `kind` tells the parts apart."""

PARTS = frozenset({"toBytes"})

RESULT = frozenset({"digest", "formatVersion"})
"""Members that a result has of its own."""

STATICS = _words("apply arguments bind call caller length make name prototype shape toString")

CLASSES = _words(
    "Array BigInt Boolean Count Date Error ErrorCode Fields FrozenMap Function Infinity "
    "Json JsonMap JsonMapInput Map NaN Number Object Part PartBase BytesPartBase "
    "PartInput Promise Proxy Record RegExp ResultBase ResultError Set Shape String "
    "Symbol Value"
)
"""Classes and types that the generated module has of its own, imports, or that the language has."""

MODULES = frozenset({"index"})

CLASS_NAMES: Mapping[str, str] = {
    "error": "ErrorInfo",
    "stored": "StoredResult",
}
"""Records whose class has another name than its spelling gives: `Error` is the language's own."""

READER = "-reader"
"""How the module that reads a target ends, beside the one that writes it."""

RENDERER_MEMBERS = frozenset(
    {"isText", "limit", "phase", "read", "readWire", "render", "revision", "revisions"}
    | {"target", "write", "writtenFor"}
)

_TAKEN = {
    NameUse.FIELD: OBJECT | VALUES | PARTS,
    NameUse.RESULT_FIELD: OBJECT | VALUES | RESULT,
    NameUse.RECORD: CLASSES,
    NameUse.KIND: CLASSES,
    NameUse.ERROR_CODE: STATICS | OBJECT,
    NameUse.CHOICE: STATICS | OBJECT,
    NameUse.TARGET: MODULES,
    NameUse.HOOK: OBJECT | RENDERER_MEMBERS,
}


class TypeScriptNames:
    """Camel case for members, Pascal case for classes and members of enumerations."""

    name = "typescript"

    def convert(self, name: str, use: NameUse) -> str:
        """The spelling of TypeScript; see :class:`Language`."""
        if use is NameUse.RECORD:
            return CLASS_NAMES.get(name, pascal(name))
        if use is NameUse.KIND:
            return pascal(name) + "Part"
        if use in (NameUse.ERROR_CODE, NameUse.CHOICE):
            return pascal(name)
        if use is NameUse.TARGET:
            return name.replace("_", "-").lower()
        return camel(name)

    def reserved(self, name: str, use: NameUse) -> str | None:
        """Why the spelling is taken; see :class:`Language`."""
        if name in _TAKEN[use]:
            return f"means something else where a {use.value} stands"
        if use is NameUse.TARGET and name.endswith(READER):
            return "is the module that reads another target"
        if not re.match(r"[A-Za-z_$]", name) and use is not NameUse.TARGET:
            return "does not start with a letter"
        return None


def camel(name: str) -> str:
    """`next_cursor` and `next-cursor` give `nextCursor`; digits keep apart: `v0_3` stays."""
    words = [word for word in re.split(r"[_-]+", name) if word]
    spelt = ""
    for word in words:
        if not spelt:
            spelt = word[:1].lower() + word[1:]
        elif spelt[-1].isdigit() and word[0].isdigit():
            spelt += "_" + word
        else:
            spelt += word[:1].upper() + word[1:]
    return spelt


def pascal(name: str) -> str:
    """`related_task` gives `RelatedTask`."""
    spelt = camel(name)
    return spelt[:1].upper() + spelt[1:]


def variable(name: str, taken: frozenset[str]) -> str:
    """A local variable: in camel case, with an underscore where the name means something else."""
    spelt = camel(name)
    return f"{spelt}_" if spelt in KEYWORDS or spelt in taken else spelt


LANGUAGE: Language = TypeScriptNames()
