"""Adding to the YAML of a target: as text, in its place, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from toolresult_generator.findings import FindingsError
from toolresult_generator.revision.edit import add_entries, check_added, plain_of, section_text

TEXT = """\
# A target.

target: t

revisions:
  "1": {meaning: "One."}  # the first
  # what comes next stands below

# Two phases.
phases:
  final: {meaning: Plain.}
rules: {}
"""


def test_entries_stand_at_the_end_of_their_section() -> None:
    made = add_entries(TEXT, "revisions", ['  "2": {}'], after="target", shown="t")
    assert made == TEXT.replace("stands below\n", 'stands below\n  "2": {}\n')
    assert list(plain_of(made, "t")["revisions"]) == ["1", "2"]


def test_a_section_that_is_not_there_is_made_after_another() -> None:
    made = add_entries(TEXT, "capabilities", ["  a: {}"], after="phases", shown="t")
    assert "  final: {meaning: Plain.}\n\ncapabilities:\n  a: {}\nrules: {}\n" in made


@pytest.mark.parametrize(
    ("section", "told"),
    [("rules", "t:12:1: bad_value: rules is written on one line"), ("x", "no section none")],
)
def test_what_has_no_lines_to_add_to_is_refused(section: str, told: str) -> None:
    with pytest.raises(FindingsError, match=told):
        add_entries(TEXT, section, ["  a: {}"], after="none", shown="t")


def test_an_edit_that_did_something_else_is_refused() -> None:
    added: dict[str, dict[str, Any]] = {"revisions": {"2": {}}}
    good = add_entries(TEXT, "revisions", ['  "2": {}'], after="target", shown="t")
    check_added(TEXT, good, added, "t")
    with pytest.raises(FindingsError, match="cannot be added to"):
        check_added(TEXT, good.replace("Plain.", "Other."), added, "t")
    with pytest.raises(FindingsError):
        check_added(TEXT, TEXT, added, "t")


def test_a_section_as_it_stands() -> None:
    assert section_text(TEXT, "phases") == "phases:\n  final: {meaning: Plain.}"
    assert section_text(TEXT, "none") == ""
