"""A form that several lists of records use has a function for each kind of record."""

from __future__ import annotations

import pytest
from tests.generator.spec_folder import RESULT
from tests.lowering.verify import faults_of_target

from toolresult_generator.languages.lowering import lower_target
from toolresult_generator.languages.lowering.expressions import Role
from toolresult_generator.languages.lowering.modules import TargetModule
from toolresult_generator.load import load_spec
from toolresult_generator.model.build import build_result
from toolresult_generator.model.targets import build_targets

NOTED = RESULT.replace(
    "      metadata: {type: record",
    "      notes: {type: records, record: note, since: 1, meaning: Notes.}\n"
    "      metadata: {type: record",
).replace(
    "  metadata:\n    meaning: More.",
    "  note:\n    meaning: A note.\n    fields:\n"
    "      uri: {type: string, required: true, non_empty: true, since: 1, meaning: Address.}\n"
    "  metadata:\n    meaning: More.",
)
TARGET = """\
target: links
title: Links
meaning: Lists of links.
wire: object
revisions:
  "1": {meaning: The first.}
rules:
  data: {status: not expressible, how: nobody asks}
  error: {status: not expressible, how: nobody asks}
  content: {status: not expressible, how: nobody asks}
  stored: {status: not expressible, how: nobody asks}
  notes: {status: not expressible, how: nobody asks}
  metadata: {status: not expressible, how: nobody asks}
output: {form: links}
reader: {adapter: read_links, subject: wire, rule: Reads., forms: [links]}
forms:
  links:
    meaning: Links.
    object:
      stored: {list: [{each: stored, form: link}]}
      notes: {list: [{each: notes, form: link}]}
      again: {list: [{each: stored, form: link}]}
  link:
    meaning: A link.
    object: {uri: {field: item.uri}, same: {form: same}}
  same:
    meaning: The same for all.
    object: {data: {const: 1}}
"""


@pytest.fixture(scope="module")
def links(tmp_path_factory: pytest.TempPathFactory) -> TargetModule:
    spec = tmp_path_factory.mktemp("links")
    (spec / "targets").mkdir()
    (spec / "result.yaml").write_text(NOTED, encoding="utf-8")
    (spec / "targets" / "links.yaml").write_text(TARGET, encoding="utf-8")
    documents = load_spec(spec)
    assert documents.result is not None
    result = build_result(documents.result.root)
    targets, faults = build_targets(result, {one.name: one.root for one in documents.targets})
    assert not faults
    return lower_target(targets[0], result)


def test_each_record_has_its_function(links: TargetModule) -> None:
    assert list(faults_of_target(links)) == []
    items = {
        function.name: [
            one.item.record
            for one in function.parameters
            if one.variable.role is Role.ITEM and one.item is not None
        ]
        for function in links.functions
    }
    assert items["link"] == ["stored"]
    assert items["link_2"] == ["note"]
    assert "link_3" not in items, "a function serves every list of its record"


def test_what_looks_at_no_item_is_one_function_for_all(links: TargetModule) -> None:
    same = [one for one in links.functions if one.name.startswith("same")]
    assert [(one.name, one.parameters[0].variable.role) for one in same] == [("same", Role.OUT)]
