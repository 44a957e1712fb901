"""Schemas that were made to take long, or to write where they should not."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from tests.revision.conftest import Try
from tests.revision.protocol import Schema

from toolresult_generator.findings import FindingsError
from toolresult_generator.revision.contain import Answer, Oracle
from toolresult_generator.revision.cost import DEEPEST, affordable_depth, cut
from toolresult_generator.revision.dialect import normalise
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.judge import Judge
from toolresult_generator.revision.page import html
from toolresult_generator.revision.report_text import text

TEXT = "</script><script>alert(1)</script>\u202e\x1b[31m`x` {{ 7*7 }} '\"\n- gap: x"


def doubling() -> Graph:
    """Each level of a list doubles what a validator goes through to say why."""
    one = {"type": "array", "items": {"$ref": "#/$defs/X"}}
    choice = {"anyOf": [{**one, "maxItems": 1000}, {**one, "maxItems": 1001}]}
    return Graph(normalise({"$defs": {"X": choice}}, "s.json"))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_why_a_deep_value_is_refused_is_not_looked_up_level_by_level() -> None:
    graph = doubling()
    ref = graph.definition("X")
    depth = affordable_depth(graph, ref)
    assert 3 <= depth < DEEPEST
    judge = Judge(graph, ref)
    began = time.monotonic()
    [deep] = judge.refusals(nested(90))
    assert time.monotonic() - began < 2
    assert "nests deep" in deep.reason
    assert judge.refusals(nested(0))[0].reason.startswith("none of 2 alternatives")


def test_values_are_cut_at_a_depth() -> None:
    assert cut({"a": {"b": [1, [2]]}}, 2) == {"a": {"b": []}}
    assert cut([1], 0) == [] and cut("text", 0) == "text"


def hard(name: str) -> dict[str, Any]:
    """A question that takes the library minutes."""
    return {
        "allOf": [
            {
                "anyOf": [
                    {"type": "object", "required": [f"a{n}{name}"]},
                    {"type": "object", "required": [f"b{n}"], "properties": {f"c{n}": {}}},
                    {"type": "object", "properties": {f"d{n}": {"maxLength": n + 1}}},
                ]
            }
            for n in range(24)
        ]
    }


def test_a_question_that_takes_too_long_stays_open_and_does_not_spoil_the_next() -> None:
    oracle = Oracle(seconds=0.5, lost=10)
    try:
        began = time.monotonic()
        assert oracle.covers(hard("x"), hard("y")) is Answer.UNKNOWN
        assert time.monotonic() - began < 5
        assert oracle.covers({}, {"type": "string"}) is Answer.YES
    finally:
        oracle.close()


def test_a_library_that_ends_its_process_ends_no_other() -> None:
    chain = {f"n{n}": {"properties": {"a": {"$ref": f"#/$defs/n{n + 1}"}}} for n in range(60_000)}
    deep = {"$ref": "#/$defs/n0", "$defs": {**chain, "n60000": {}}}
    oracle = Oracle(seconds=20, lost=30)
    try:
        assert oracle.covers(deep, {"type": "string"}) is Answer.UNKNOWN
        assert oracle.covers({"type": "string"}, {}) is Answer.NO
    finally:
        oracle.close()


def test_once_too_much_time_was_lost_nothing_is_asked_any_more() -> None:
    oracle = Oracle(seconds=0.3, lost=0.2)
    try:
        assert oracle.covers(hard("x"), hard("y")) is Answer.UNKNOWN
        assert oracle.covers({}, {"type": "string"}) is Answer.UNKNOWN
        oracle.forgive()
        assert oracle.covers({}, {"type": "null"}) is Answer.YES
    finally:
        oracle.close()


def test_a_pattern_that_steps_back_for_ever_is_given_up(try_change: Try) -> None:
    def change(definitions: Schema) -> None:
        slow = {"type": "string", "pattern": "^(?=((a|.)+)+$)(?!.*é)x{0}((.|a)+)+é$"}
        definitions["TextContent"]["properties"]["text"] = slow

    began = time.monotonic()
    report = try_change(change)
    assert time.monotonic() - began < 60
    assert report.trial.broken()


@pytest.mark.parametrize("shown", [text, html])
def test_hostile_names_stay_text(try_change: Try, shown: Any) -> None:
    def change(definitions: Schema) -> None:
        result = definitions["CallToolResult"]
        result["properties"][TEXT] = {"type": "string"}
        result["required"].append(TEXT)
        definitions[TEXT] = {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"const": TEXT}},
        }
        definitions["ContentBlock"]["anyOf"].append(
            {"$ref": "#/$defs/" + TEXT.replace("~", "~0").replace("/", "~1").replace("%", "%25")}
        )

    report = try_change(change)
    told = shown(report)
    assert "\u202e" not in told and "\x1b" not in told
    assert "<script>alert" not in told if shown is html else True
    assert report.trial.breaks_all
    # what was proposed is YAML that says just that, and no more
    from toolresult_generator.revision.edit import plain_of

    plain = plain_of(report.proposal.target_text, "t.yaml")
    assert set(plain["revisions"]["2027-01-01"]) == {"meaning", "gaps"}
    wire = plain_of(report.proposal.wire_text, "w.yaml")
    assert TEXT in wire["properties"]
    json.dumps(wire)


def test_a_pattern_that_is_none_is_told_with_the_file() -> None:
    graph = Graph(normalise({"$defs": {"X": {"type": "string", "pattern": "(("}}}, "s.json"))
    with pytest.raises(FindingsError) as caught:
        Judge(graph, graph.definition("X"))
    (finding,) = caught.value.findings
    assert (finding.code, finding.place.file) == ("bad_schema", "s.json")
