"""A list that may be omitted holds what stands in it: entries of lists, and values of their own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from toolresult_core import Result
from toolresult_core.runtime.rendering import Renderer
from toolresult_generator.languages.python.targets import emit_targets
from toolresult_generator.load import load_spec
from toolresult_generator.model.build import build_result
from toolresult_generator.model.target import Spec
from toolresult_generator.model.targets import build_targets
from toolresult_generator.proof.python import module_of

SPEC = Path(__file__).parents[2] / "spec"

TARGET = """\
target: notes
title: Notes
meaning: A list of notes.
wire: object
revisions:
  "1": {meaning: The first.}
rules:
  data: {status: not expressible, how: nobody asks}
  summary: {status: not expressible, how: nobody asks}
  error: {status: not expressible, how: nobody asks}
  content: {status: not expressible, how: nobody asks}
  stored: {status: not expressible, how: nobody asks}
  metadata: {status: not expressible, how: nobody asks}
output: {form: notes}
forms:
  notes:
    meaning: Notes.
    object:
      notes: {form: entries}
  entries:
    meaning: The notes.
    list: [ENTRIES]
    empty: omit
  note:
    meaning: A part.
    case:
      text: {field: item.text}
      image: {const: x}
      audio: {const: x}
      binary: {const: x}
      link: {const: x}
      embedded: {const: x}
reader: {adapter: read_notes, subject: wire, rule: Reads nothing., forms: [entries]}
"""


def renderer(folder: Path, entries: str) -> Renderer:
    spec = folder / "spec"
    shutil.copytree(SPEC, spec)
    (spec / "targets" / "notes.yaml").write_text(TARGET.replace("ENTRIES", entries))
    documents = load_spec(spec)
    assert documents.result is not None
    result = build_result(documents.result.root)
    roots = {document.name: document.root for document in documents.targets}
    targets, faults = build_targets(result, {"notes": roots["notes"]})
    assert {fault.code for fault in faults} <= {"unused_form"}
    source = emit_targets(Spec(result, targets))["targets/notes.py"]
    made: Renderer = module_of(source, "notes").Notes1()
    return made


FULL: dict[str, Any] = {
    "format_version": 1,
    "summary": "sum",
    "content": [{"kind": "text", "text": "a"}, {"kind": "text", "text": "b"}],
    "metadata": {"dry_run": True},
}


@pytest.mark.parametrize(
    ("entries", "empty", "full"),
    [
        ("{each: content, form: note}", None, ["a", "b"]),
        ("{const: zero}", ["zero"], ["zero"]),
        ("{field: summary}", None, ["sum"]),
        ("{when: {has: metadata.dry_run}, const: dry}", None, ["dry"]),
        ("{when: {has: metadata.dry_run}, each: content, form: note}", None, ["a", "b"]),
        ("{when: {has: metadata.query}, each: content, form: note}", None, None),
        (
            "{field: summary}, {each: content, form: note}, {const: z}",
            ["z"],
            ["sum", "a", "b", "z"],
        ),
    ],
)
def test_what_is_there_stands_in_the_list(
    tmp_path: Path, entries: str, empty: list[str] | None, full: list[str] | None
) -> None:
    notes = renderer(tmp_path, entries)
    for value, expected in (({"format_version": 1}, empty), (FULL, full)):
        wire = json.loads(notes.render(Result.from_value(value)).bytes)
        assert wire == ({} if expected is None else {"notes": expected})
