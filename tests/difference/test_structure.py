"""What two spec files differ in: meaning, not text."""

from __future__ import annotations

import pytest

from toolresult_generator.difference.structure import steps
from toolresult_generator.load import Node
from toolresult_generator.load.file import load_bytes


def node(text: str) -> Node:
    root, findings = load_bytes(text.encode(), "f", is_json=False)
    assert root is not None and not findings
    return root


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a: 1", "# c\n'a':   1", []),
        ("{a: 1, b: 2}", "b: 2\na: 1", []),
        ("a: 1", "a: '1'", ['a: 1 → "1"']),
        ("a: true", "a: 1", ["a: true → 1"]),
        ("a: {b: 1}", "a: {c: 1}", ["a.b: named c now"]),
        ("a: {b: 1}", "a: {c: 2}", ["a.b 1 is gone", "a.c 2 is new"]),
        ("a: {b: 1, c: 1}", "a: {d: 1, c: 1}", ["a.b: named d now"]),
        ("a: {b: 1, c: 1}", "a: {d: 1}", ["a.b 1 is gone", "a.c 1 is gone", "a.d 1 is new"]),
        ("a: [1, 2, 3]", "a: [1, 3]", ["a.1 2 is gone"]),
        ("a: [1, 3]", "a: [1, 2, 3]", ["a.1 2 is new"]),
        ("a: [{x: 1}, 2]", "a: [{x: 2}, 2]", ["a.0.x: 1 → 2"]),
        ("object: {a: 1, b: 2}", "object: {b: 2, a: 1}", ["object: order a, b → b, a"]),
    ],
)
def test_differences(old: str, new: str, told: list[str]) -> None:
    assert [str(step) for step in steps(node(old), node(new))] == told


def test_places_are_those_of_both_sides() -> None:
    (step,) = steps(node("a:\n  b: 1\n"), node("\n\na: {b: 2}\n"))
    assert (step.old_place.line, step.old_place.column) == (2, 6)
    assert (step.new_place.line, step.new_place.column) == (3, 8)


@pytest.mark.parametrize(
    ("old", "new", "prose"),
    [
        ("meaning: a", "meaning: b", True),
        ("f: {how: a}", "f: {}", True),
        ("f: {}", "f: {title: b}", True),
        # a member of an output, a property of a schema and a constant mean what they say
        ("object: {title: {field: a}}", "object: {title: {field: b}}", False),
        ("properties: {title: {type: string}}", "properties: {}", False),
        ("const: {title: a}", "const: {title: b}", False),
        ("f: {type: a}", "f: {type: b}", False),
    ],
)
def test_texts_for_people_are_told_apart(old: str, new: str, prose: bool) -> None:
    assert [step.is_prose for step in steps(node(old), node(new))] == [prose]
