"""What the small targets are printed to in Python writes and reads what they say."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest
from tests.lowering.small import ALONE

from toolresult_core import Result, ResultError
from toolresult_core.runtime.reading import Members, read_open
from toolresult_core.runtime.rendering import Renderer
from toolresult_generator.languages.lowering import lower_reader
from toolresult_generator.languages.lowering.expressions import Field, Role, Variable
from toolresult_generator.languages.lowering.reading import Dispatch, ReadBlock
from toolresult_generator.languages.lowering.scope import Scope
from toolresult_generator.languages.lowering.statements import Append, Let, NewMembers
from toolresult_generator.languages.python.targets import emit_targets
from toolresult_generator.model.target import Path, Spec, Step
from toolresult_generator.proof.python import module_of


@pytest.fixture(scope="module")
def modules(specs: tuple[Spec, Spec]) -> dict[str, ModuleType]:
    """The printed modules by name."""
    return {
        path[len("targets/") : -len(".py")]: module_of(text, path)
        for path, text in emit_targets(specs[1]).items()
        if "__init__" not in path
    }


@pytest.fixture(scope="module")
def pieces(modules: dict[str, ModuleType]) -> Renderer:
    """The renderer of the target `pieces`, its hook filled."""
    base: type[Renderer] = modules["pieces"].Pieces1
    words = {"own_words": lambda self, result: b'"words"'}
    made: Renderer = type("Words", (base,), words)()
    return made


def wire(renderer: Renderer, **fields: Any) -> Any:
    """What a renderer writes of a result."""
    result = Result.from_value({"format_version": 1, **fields})
    return json.loads(renderer.render(result).bytes)


FULL: dict[str, Any] = {
    "data": {"a": 'say "a"'},
    "summary": "short",
    "content": [
        {"kind": "text", "text": "t", "foreign": {"mcp": {"m": 1}}},
        {"kind": "image", "data": "AAAA", "mime_type": "image/png", "foreign": {"a2a": {"n": 2}}},
    ],
    "stored": [{"uri": "file:///a", "size": 3, "mime_type": "text/plain"}],
    "metadata": {"dry_run": False, "foreign": {"mcp": {"a": {"b": {}}}}},
}


def test_everything_is_written(pieces: Renderer) -> None:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    assert wire(pieces, **FULL) == {
        "parts": {"all": [{"type": "text", "text": "t"}, image]},
        "nested": ["short", [{"kind": "text"}, {"kind": "image"}], [{"uri": "file:///a"}]],
        "looped": [
            {"kind": "text", "mcp": {"m": 1}},
            {"kind": "image"},
            {"kind": "text"},
            {"kind": "image", "a2a": {"n": 2}},
        ],
        "words": "words",
        "small": {"text": '{"a":"say \\"a\\""}', "dry": False},
        "found": True,
    }


def test_what_is_not_there_is_left_out(pieces: Renderer) -> None:
    assert wire(pieces) == {
        "parts": {"all": [{"type": "none"}]},
        "nested": [[]],
        "looped": [],
        "words": "words",
        "found": False,
    }
    failed = {"error": {"code": "tool_error", "message": "no"}, "metadata": {"dry_run": True}}
    assert wire(pieces, **failed)["small"] == {"dry": "failed"}


def test_a_loss_says_where_and_why(pieces: Renderer) -> None:
    result = Result.from_value({"format_version": 1, **FULL})
    found = [one.to_value() for one in pieces.render(result).losses]
    why = "it's {nobody's} \"business\""
    assert {"path": "/content/1/foreign", "status": "withheld", "reason": why} in found
    where = "/stored/0/mime_type"
    assert {"path": where, "status": "not expressible", "reason": "nobody asks"} in found


def test_what_was_written_is_read(modules: dict[str, ModuleType]) -> None:
    renderer, reader = modules["alone"].Alone1(), modules["alone_reader"].AloneReader()
    result = Result.from_value({"format_version": 1, **FULL})
    back = reader.read(renderer.render(result).bytes)
    assert back.data == result.data
    assert back.summary == "short"
    assert [part.kind for part in back.content] == ["text", "image"]


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ('{"type":"other"}', "/type"),
        ('{"type":"result","more":"{}","texts":[{"text":"t","x":1}]}', "/texts/0/x"),
        ('{"type":"result","more":"{}","texts":[{"nothing":1}]}', "/texts/0"),
        ('{"type":"result","more":"{}","y":1}', "/y"),
        ('{"type":"result","more":"{\\"z\\":1}"}', "/more#/z"),
        ('{"type":"result"}', "/more"),
    ],
)
def test_what_nobody_wrote_is_refused(
    modules: dict[str, ModuleType], text: str, pointer: str
) -> None:
    with pytest.raises(ResultError) as caught:
        modules["alone_reader"].AloneReader().read(text)
    assert caught.value.pointer == pointer


def test_entries_keep_what_is_foreign(modules: dict[str, ModuleType]) -> None:
    read = modules["pieces_reader"].PiecesReader.read_parts
    draft = read_open(read, {"all": [{"type": "link", "uri": "u", "new": 1}]})
    assert draft["content"] == [{"kind": "link", "uri": "u", "foreign": {"mcp": {"new": 1}}}]
    assert Members({"all": []}).has("all")


# ----------------------------------------------------------------- names


def test_no_function_has_the_name_of_one_of_the_runtime(specs: tuple[Spec, Spec]) -> None:
    """A form `whole` would have the reader `read_whole`, which is the runtime's."""
    assert "  whole:" in ALONE
    alone = lower_reader(specs[1].target("alone"))
    names = [one.name for one in alone.functions if isinstance(one, (Dispatch, ReadBlock))]
    assert names[0] == "read_whole_2"
    assert alone.readers[0].function == "read_whole_2"


def path(root: str, *names: str) -> Path:
    """A path through records that may be absent."""
    return Path(root, tuple(Step(name, True, None) for name in names))


def lets(scope: Scope, *used: Field) -> dict[str, str]:
    """The locals that are bound for some fields, with the names of what they are bound to."""
    found: dict[str, str] = {}
    for one in scope.bound([Append(used)]):  # type: ignore[arg-type]  # any use will do
        if isinstance(one, Let):
            assert isinstance(one.value, Field)
            found[one.local.name] = f"{one.value.holder.name}.{one.value.step.name}"
    return found


def test_records_of_one_name_have_locals_of_their_own() -> None:
    scope = Scope()
    first = scope.value(path("result", "metadata", "foreign", "mcp"))
    second = scope.value(path("result", "error", "foreign", "mcp"))
    again = scope.value(path("result", "metadata", "foreign", "a2a"))
    third = scope.value(path("result", "item", "members", "x"))
    assert lets(scope, first, second, again, third) == {
        "metadata": "result.metadata",
        "foreign": "metadata.foreign",
        "error": "result.error",
        "error_foreign": "error.foreign",
        "result_item": "result.item",
        "result_item_members": "result_item.members",
    }


def test_locals_that_nothing_uses_are_not_bound() -> None:
    scope = Scope()
    scope.value(path("result", "metadata", "foreign", "mcp"))
    used = scope.value(path("result", "error", "code"))
    assert lets(scope, used) == {"error": "result.error"}


def test_locals_of_a_loop_are_bound_in_it() -> None:
    scope = Scope()
    with scope.loop(path("result", "stored")) as outer:
        assert outer.name == "entry"
        inside = scope.value(path("item", "foreign", "mcp"))
        outside = scope.value(path("result", "metadata", "mcp"))
        assert lets(scope, inside) == {"entry_foreign": "entry.foreign"}
        with scope.loop(path("item", "more")) as inner:
            assert inner.name == "entry_2"
            assert scope.item == inner
        assert scope.item == outer
    assert lets(scope, outside) == {"metadata": "result.metadata"}
    assert scope.item == Variable(Role.ITEM, "item")
    assert list(scope.bound([NewMembers(scope.item)])) == [NewMembers(scope.item)]
