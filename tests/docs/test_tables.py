"""Tables in the documents say what the code says."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SCHEMA = ROOT / "generated" / "schema" / "spec" / "target.schema.json"


def _table(document: str, heading: str) -> dict[str, str]:
    """The first two columns of the tables below a heading, down to the next one of its level."""
    text = (DOCS / document).read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `([^`]+)` \| (.*?) \|", section, re.MULTILINE)
    assert len(rows) == len({name for name, _ in rows}), "a row is there twice"
    return dict(rows)


def _described(definition: str) -> set[str]:
    document = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return set(document["$defs"][definition]["properties"])


def test_every_node_is_described() -> None:
    said = set(_table("spec.md", "Nodes"))
    assert said == _described("node") - {"meaning"}


def test_every_condition_is_described() -> None:
    assert set(_table("spec.md", "Conditions")) == _described("condition")


def test_every_member_of_a_rule_is_described() -> None:
    assert set(_table("spec.md", "Rules")) == _described("rule")


def test_every_member_of_a_reader_is_described() -> None:
    assert set(_table("spec.md", "Readers")) == _described("reader")
