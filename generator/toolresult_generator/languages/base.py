"""What a language gives to the stages that are the same for all; docs/languages.md has the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from toolresult_generator import load
    from toolresult_generator.model.target import Spec


class NameUse(Enum):
    """What a name of the spec becomes in code. Names of one use share a scope."""

    FIELD = "field"
    """A member of the class of a record or part kind; the scope is that class."""
    RESULT_FIELD = "field of the result"
    """A member of the root class, which has more methods of its own."""
    RECORD = "record"
    """A class. Shares its scope with the classes of the kinds."""
    KIND = "kind"
    ERROR_CODE = "error code"
    """A member of the enumeration of codes."""
    CHOICE = "choice"
    """A member of an enumeration; the scope is that of its field."""
    TARGET = "target"
    """A module, with the classes of its renderer and its reader."""
    HOOK = "hook"
    """A method of a renderer; the scope is the target."""


class Language(Protocol):
    """The names of a language: how they are spelt and which are taken."""

    @property
    def name(self) -> str:
        """The language's name in messages and on the command line."""

    def convert(self, name: str, use: NameUse) -> str:
        """The name in the language's spelling. Deterministic, and never fails."""

    def reserved(self, name: str, use: NameUse) -> str | None:
        """Why the converted name cannot be used so, as a clause for people; None if it can."""


@dataclass(frozen=True)
class EmitRequest:
    """What an emitter works on: the checked model, and the documents that it publishes."""

    model: Spec
    spec: load.Spec


class Emitter(Protocol):
    """A module that writes one language or one kind of file.

    Paths are relative to the output folder, with `/`; no two emitters write the same one. What
    comes back is final: formatted, and equal for equal input.
    """

    def emit(self, request: EmitRequest) -> Mapping[str, bytes]:
        """The files. Raises FindingsError if a tool that it needs is missing."""
