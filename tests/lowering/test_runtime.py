"""The table of the runtime holds for the runtime of Python."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

from toolresult_generator.languages.lowering.reading import CheckName
from toolresult_generator.languages.lowering.runtime import RUNTIME
from toolresult_generator.languages.lowering.runtime_classes import CLASSES
from toolresult_generator.languages.lowering.runtime_reading import READING
from toolresult_generator.languages.lowering.runtime_types import Kind
from toolresult_generator.languages.python.expressions import CONDITIONALS, INLINE, RENAMED
from toolresult_generator.languages.python.targets import home_of

_ALIASES = {"piece": "text", "check": "fits", "losses": "losses", "value": "value"}


def imported(name: str) -> Any:
    """What Python's runtime has under a name, from where generated code imports it."""
    module = importlib.import_module(f"toolresult_core.runtime.{home_of(name)}")
    return getattr(module, "find" if name == "find_foreign" else name)


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function, without ``self``."""
    found = list(inspect.signature(function).parameters.values())
    return [one for one in found if one.name != "self"]


@pytest.mark.parametrize("name", sorted(set(RUNTIME) - set(INLINE)))
def test_what_writing_calls_is_there(name: str) -> None:
    function, takes = imported(RENAMED.get(name, name)), RUNTIME[name].takes
    found = parameters(function)
    assert len(found) == len(takes)
    for parameter, one in zip(found, takes, strict=True):
        assert parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert (parameter.default is not inspect.Parameter.empty) == one.optional
        assert _ALIASES.get(one.name, one.name) in (parameter.name, "text", "first")


@pytest.mark.parametrize(
    ("kind", "type_"),
    [(Kind.PIECE, "bytes"), (Kind.TEXT, "str"), (Kind.NOTHING, "None"), (Kind.TEST, "bool")],
)
def test_what_writing_calls_gives_what_the_table_says(kind: Kind, type_: str) -> None:
    names = [name for name, one in RUNTIME.items() if one.gives is kind and name not in INLINE]
    given = {name: imported(RENAMED.get(name, name)).__annotations__["return"] for name in names}
    given.pop("foreign_fits", None)  # Python asks whether a member was found
    assert set(given.values()) == {type_}


def test_what_is_written_out_in_place_is_in_the_table() -> None:
    assert set(INLINE) < set(RUNTIME)
    assert set(INLINE) >= CONDITIONALS
    assert set(RENAMED) < set(RUNTIME)
    for name, write in INLINE.items():
        assert write(*(one.name for one in RUNTIME[name].takes))


@pytest.mark.parametrize("name", sorted(READING))
def test_what_reading_calls_is_there(name: str) -> None:
    takes = [one.name for one in READING[name].takes]
    members = imported("Members")
    if takes[0] == "block" and hasattr(members, name):
        function, takes = getattr(members, name), takes[1:]
    else:
        function = imported(name)
    found = [one.name for one in parameters(function)]
    if name == "finish":
        found.remove("result")  # the class, which Python's runtime cannot import
    if name == "keep_foreign":
        found[found.index("members")] = "value"
    assert [_ALIASES.get(one, one) for one in takes] == found


def test_every_check_is_there() -> None:
    fits = imported("Fits")
    for check in CheckName:
        assert isinstance(imported(check.value.upper()), fits)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_class_is_there_with_its_members(name: str) -> None:
    made = imported(name)
    slots = [slot for base in made.__mro__ for slot in getattr(base, "__slots__", ())]
    known = {*dir(made), *get_type_hints(made), *slots}
    assert set(CLASSES[name].members) <= known
