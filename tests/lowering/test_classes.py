"""Value classes and enumerations, as every language has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolresult_generator.languages.lowering.classes import (
    choice_set,
    choice_sets,
    value_classes,
)
from toolresult_generator.model.result import (
    Field,
    FieldKind,
    FieldType,
    PartKind,
    Record,
    ResultSpec,
)
from toolresult_generator.model.target import Spec


def field(name: str, kind: FieldKind = FieldKind.STRING, **more: object) -> Field:
    return Field(name, FieldType(kind, **more), False, 1, "A field.")  # type: ignore[arg-type]


def spec(*records: Record, kinds: tuple[PartKind, ...] = ()) -> ResultSpec:
    return ResultSpec("com.example", "https://example.com", (), (), records, kinds)


def record(name: str, *fields: Field) -> Record:
    return Record(name, "A record.", fields)


def test_no_class_stands_before_one_that_it_holds() -> None:
    made = spec(
        record("result", field("outer", FieldKind.RECORD, record="outer")),
        record("part", field("audience")),
        record("outer", field("inner", FieldKind.RECORDS, record="inner")),
        record("inner", field("text")),
        kinds=(PartKind("note", "A note.", 1, (field("own"),), ("own",)),),
    )
    classes = value_classes(made)
    assert [one.owner.name for one in classes] == ["inner", "outer", "note", "result"]
    assert [one.kind for one in classes] == [None, None, "note", None]
    assert [one.is_result for one in classes] == [False, False, False, True]
    note = classes[2]
    assert [one.name for one in note.fields] == ["own", "audience"]
    assert note.one_of == ("own",)
    assert not note.holds_bytes


def test_a_record_that_holds_itself_has_one_class() -> None:
    made = spec(
        record("result"),
        record("part"),
        record("tree", field("below", FieldKind.RECORDS, record="tree")),
    )
    assert [one.owner.name for one in value_classes(made)] == ["tree", "result"]


def test_classes_of_the_published_spec(specs: tuple[Spec, Spec]) -> None:
    classes = value_classes(specs[0].result)
    named = {one.owner.name for one in classes}
    assert named == {
        *(one.name for one in specs[0].result.records if one.name != "part"),
        *(one.name for one in specs[0].result.kinds),
    }
    bytes_too = {one.kind for one in classes if one.holds_bytes}
    assert bytes_too == {"image", "audio", "binary", "embedded"}


def test_fields_of_one_name_share_their_choices_where_those_are_the_same() -> None:
    first = field("mode", FieldKind.CHOICES, choices=("on", "off"))
    other = replace(first, type=replace(first.type, choices=("fast", "slow")))
    made = spec(
        record("result", first),
        record("part"),
        record("a", first),
        record("b", other),
        record("c", field("theme", FieldKind.CHOICES, choices=("on", "off"))),
    )
    found = [(one.field, one.owner, one.choices) for one in choice_sets(made)]
    assert found == [
        ("mode", None, ("on", "off")),
        ("mode", "b", ("fast", "slow")),
        ("theme", None, ("on", "off")),
    ]
    assert choice_set(made, other).owner == "b"
    with pytest.raises(KeyError):
        choice_set(made, field("text"))
