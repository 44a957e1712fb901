"""A new revision of MCP that differs in one rule, by a capability with `since`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import ROOT, Team, proven, row

NEW = "mcp-handshake@2026-03-01"
IMAGE = (
    '{"format_version":1,"content":[{"kind":"image","data":"iVBORw==","mime_type":"image/png",'
    '"name":"chart.png"}]}'
)


def test_the_whole_matrix_passes(revision: Team) -> None:
    done = revision.run("matrix", own=True)
    assert proven(done)
    assert f"{NEW}/final" in done.stdout and f"{NEW}/transitional" in done.stdout
    old, new = "RR", "NN"  # transitional and final
    cells = "".join(row(done.stdout, "content.image.name"))
    assert cells == f"NNT{4 * old}{new}{old}"


def test_it_says_the_new_member_and_reads_it_back(revision: Team) -> None:
    done = revision.run("render", "--to", NEW, text=IMAGE, own=True)
    wire = json.loads(done.stdout)
    block = {"type": "image", "data": "iVBORw==", "mimeType": "image/png", "name": "chart.png"}
    assert wire["content"] == [block]
    assert "dev.toolresult/parts" not in wire["_meta"]
    back = revision.run("read", "--from", NEW, text=done.stdout, own=True)
    assert json.loads(back.stdout) == json.loads(IMAGE)
    before = revision.run("render", "--to", "mcp-handshake@2025-11-25", text=IMAGE, own=True)
    assert json.loads(before.stdout)["content"] == [
        {"type": "image", "data": "iVBORw==", "mimeType": "image/png"}
    ]


def test_the_bytes_of_all_others_are_unchanged(revision: Team) -> None:
    grown, before = revision.folder / "generated/vectors", ROOT / "generated/vectors"
    files = {file.name for file in before.iterdir()}
    assert {file.name for file in grown.iterdir()} - files == {f"{NEW}.jsonl"}
    for name in files:
        assert (grown / name).read_bytes() == (before / name).read_bytes(), name
    # and the new one differs where it has to, and nowhere else
    old = revision.vectors("mcp-handshake@2025-11-25")
    differing = set()
    for key, vector in revision.vectors(NEW).items():
        if not key.startswith("render "):
            continue
        twin = old[key.replace("2026-03-01", "2025-11-25")]
        if vector["output"] != twin["output"]:
            assert '"kind":"image"' in vector["text"] and '"name"' in vector["text"]
            differing.add(key)
    assert differing


@pytest.mark.parametrize(
    ("spoil", "code", "file"),
    [
        ("schema", "missing_wire_schema", growths.HANDSHAKE),
        ("since", "unknown_revision", growths.HANDSHAKE),
    ],
)
def test_what_a_revision_needs(spoil: str, code: str, file: str, tmp_path: Path) -> None:
    team = Team.at(tmp_path / "team")
    growths.revision_alone(team)
    if spoil == "schema":
        (team.folder / "spec/wire/mcp-handshake/2026-03-01.yaml").unlink()
        place = team.place(file, '"2026-03-01": {meaning')
    else:
        team.edit(file, 'image_names: {since: "2026-03-01"', 'image_names: {since: "2026-3-1"')
        place = team.place(file, '"2026-3-1"')
    done = team.run("generate")
    assert (done.returncode, (team.folder / "generated").exists()) == (1, False)
    assert done.stderr.startswith(f"{place}: {code}: "), done.stderr


def test_a_schema_that_was_not_changed_is_held_against_the_output(tmp_path: Path) -> None:
    """The matrix checks every output; a copy of the schema before lacks the new member."""
    team = Team.at(tmp_path / "team")
    growths.revision_alone(team)
    team.edit(
        "spec/wire/mcp-handshake/2026-03-01.yaml",
        "      name: {type: string}\n      type: {const: image}\n",
        "      type: {const: image}\n",
    )
    growths.few_samples(team, "content.yaml")
    done = team.run("matrix")
    assert done.returncode == 1
    assert f"! {NEW}/final: image-full: not valid by the strict schema: /content/0" in done.stdout
