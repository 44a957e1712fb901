"""How names of the spec are spelt in PHP, and which are taken."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolresult_generator.languages.base import Language, NameUse

KEYWORDS = frozenset(
    {"abstract", "and", "array", "as", "break", "callable", "case", "catch", "class", "clone"}
    | {"const", "continue", "declare", "default", "die", "do", "echo", "else", "elseif", "empty"}
    | {"enddeclare", "endfor", "endforeach", "endif", "endswitch", "endwhile", "enum", "eval"}
    | {"exit", "extends", "final", "finally", "fn", "for", "foreach", "function", "global", "goto"}
    | {"if", "implements", "include", "include_once", "instanceof", "insteadof", "interface"}
    | {"isset", "list", "match", "namespace", "new", "or", "print", "private", "protected"}
    | {"public", "readonly", "require", "require_once", "return", "static", "switch", "throw"}
    | {"trait", "try", "unset", "use", "var", "while", "xor", "yield"}
)
"""Words that no class may be called, in lower case: PHP does not tell cases apart there."""

TYPES = frozenset(
    {"bool", "false", "float", "int", "iterable", "mixed", "never", "null", "numeric", "object"}
    | {"parent", "resource", "self", "string", "true", "void"}
)
"""Types of the language, and what it says of classes; no class may be called so either."""

CLASSES = frozenset(
    {
        "absent",
        "biginteger",
        "constants",
        "errorcode",
        "json",
        "jsonmap",
        "jsonobject",
        "part",
        "plain",
    }
    | {"resulterror", "targets"}
)
"""Classes that the generated namespace has of its own."""

FIELDS = frozenset({"kind", "this"})
"""``$this`` is no parameter; ``kind`` tells the parts apart."""

CLASS_NAMES: Mapping[str, str] = {
    "error": "ErrorInfo",
    "stored": "StoredResult",
}
"""Records whose class has another name than its spelling gives: those of all languages."""

_TAKEN = {
    NameUse.FIELD: FIELDS,
    NameUse.RESULT_FIELD: FIELDS,
    NameUse.RECORD: KEYWORDS | TYPES | CLASSES,
    NameUse.KIND: KEYWORDS | TYPES | CLASSES,
    NameUse.ERROR_CODE: frozenset({"class"}),
    NameUse.CHOICE: frozenset({"class"}),
    NameUse.TARGET: KEYWORDS | TYPES | frozenset({"targets"}),
    NameUse.HOOK: frozenset({"__construct", "read", "readwire", "render", "write"}),
}


class PhpNames:
    """Camel case for members, Pascal case for classes and for members of enumerations."""

    name = "php"

    def convert(self, name: str, use: NameUse) -> str:
        """The PHP spelling; see :class:`Language`."""
        if use is NameUse.RECORD:
            return CLASS_NAMES.get(name, pascal(name))
        if use is NameUse.KIND:
            return pascal(name) + "Part"
        if use in (NameUse.ERROR_CODE, NameUse.CHOICE, NameUse.TARGET):
            return pascal(name)
        return camel(name)

    def reserved(self, name: str, use: NameUse) -> str | None:
        """Why the spelling is taken; see :class:`Language`."""
        if name[:1].isdigit():
            return "starts with a digit"
        # Variables tell cases apart; classes, methods and constants do not all.
        found = name if use in (NameUse.FIELD, NameUse.RESULT_FIELD) else name.lower()
        if found not in _TAKEN[use]:
            return None
        if found in KEYWORDS:
            return "is a keyword"
        return f"means something else where a {use.value} stands"


def words(name: str) -> list[str]:
    """The words of a name in any spelling, in lower case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-.]", "_", name).lower().split("_")


def camel(name: str) -> str:
    """`next_cursor` gives `nextCursor`."""
    first, *rest = words(name)
    return first + "".join(map(_capital, rest))


def pascal(name: str) -> str:
    """`related_task` and `related-task` give `RelatedTask`."""
    return "".join(map(_capital, words(name)))


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


LANGUAGE: Language = PhpNames()
