"""A field that is to arrive and that no form writes is found before anything is rendered."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolresult_generator.check import check_spec
from toolresult_generator.load import load_spec

SPEC = Path(__file__).parents[2] / "spec"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SPEC, tmp_path / "spec"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_committed_spec_forgets_nothing() -> None:
    assert check_spec(load_spec(SPEC), history=False) == []


def test_a_new_metadata_field_that_no_form_writes(copy: Path) -> None:
    new = "cost: {type: count, since: 1, meaning: What it cost.}\n      dry_run:"
    edit(copy / "result.yaml", "dry_run:", new)
    found = check_spec(load_spec(copy), history=False)
    told = [one for one in found if one.code == "forgotten_field"]
    assert {one.place.file.rsplit("/", 1)[-1] for one in told} == {
        "a2a.yaml",
        "legacy-envelope.yaml",
        "mcp-handshake.yaml",
        "mcp-stateless.yaml",
    }
    assert all("metadata.cost" in one.message for one in told)


def test_a_member_that_was_removed_from_a_form(copy: Path) -> None:
    edit(copy / "targets/a2a.yaml", "      title: {field: item.title}\n", "")
    (found,) = check_spec(load_spec(copy), history=False)
    assert found.code == "forgotten_field"
    assert found.message == (
        "content.link.title is to arrive, and no form of a2a reads it on any revision"
    )
    # at the rule by which it is to arrive
    lines = (copy / "targets/a2a.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[(found.place.line or 0) - 1].startswith("  content.link.title: {status: re-enc")


def test_a_member_that_one_revision_forgets(copy: Path) -> None:
    old = "metadata: {when: {not: {has: error}}, form: metadata}\n      extensions"
    new = old.replace("{not: {has: error}}", "{all: [{can: kinds}, {not: {has: error}}]}")
    edit(copy / "targets/a2a.yaml", old, new)
    edit(
        copy / "targets/a2a.yaml",
        "      title: {field: item.title}\n",
        "      title: {when: {can: kinds}, field: item.title}\n",
    )
    (found,) = check_spec(load_spec(copy), history=False)
    assert found.message.endswith("no form of a2a reads it on 1.0")


def test_a_field_that_is_declared_lost_need_not_be_written(copy: Path) -> None:
    edit(copy / "targets/a2a.yaml", "      title: {field: item.title}\n", "")
    edit(
        copy / "targets/a2a.yaml",
        'content.link.title: {status: re-encoded, how: "marker"}',
        'content.link.title: {status: not expressible, how: "no place"}',
    )
    assert check_spec(load_spec(copy), history=False) == []


def test_revisions_that_give_the_same_class_names(copy: Path) -> None:
    edit(
        copy / "targets/a2a.yaml", '  "1.0": {meaning', '  "10": {meaning: Ten.}\n  "1.0": {meaning'
    )
    found = check_spec(load_spec(copy), history=False)
    assert any(one.code == "name_collision" and '"1.0"' in one.message for one in found)
