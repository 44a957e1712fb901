"""Stage 4, emit: one module per language, found by name and imported when it is needed.

A new language is a folder here with its names and its emitter, and one line in each table; what
else it has to bring is said in docs/languages.md. All languages print what ``lowering`` makes.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from toolresult_generator.languages.base import Emitter, Language

EMITTERS: Mapping[str, str] = {
    "docs": "toolresult_generator.languages.docs",
    "php": "toolresult_generator.languages.php.emitter",
    "python": "toolresult_generator.languages.python.emitter",
    "schema": "toolresult_generator.languages.schema_files",
    "typescript": "toolresult_generator.languages.typescript.emitter",
    "vectors": "toolresult_generator.languages.vectors",
}
"""What can be generated: a name for the command line, and a module that is an Emitter."""

LANGUAGES: Mapping[str, str] = {
    "php": "toolresult_generator.languages.php.names",
    "python": "toolresult_generator.languages.python.names",
    "typescript": "toolresult_generator.languages.typescript.names",
}
"""The languages whose names are checked: each module has a Language called ``LANGUAGE``."""


def emitter(name: str) -> Emitter:
    """The emitter of that name. Raises KeyError."""
    return cast("Emitter", importlib.import_module(EMITTERS[name]))


def language(name: str) -> Language:
    """The names of a language. Raises KeyError."""
    module = importlib.import_module(LANGUAGES[name])
    return cast("Language", module.LANGUAGE)


def languages() -> tuple[Language, ...]:
    """Every language whose names are checked."""
    return tuple(language(name) for name in LANGUAGES)
