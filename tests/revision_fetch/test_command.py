"""`toolresult revision fetch` as people call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.revision_fetch.server import sends, serving

from toolresult_generator.cli import main
from toolresult_generator.revision import fetch_network
from toolresult_generator.revision.fetch import Taken
from toolresult_generator.revision.fetch_names import Wanted

SCHEMA = '{"$defs": {"CallToolResult": {}}}'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec").mkdir()
    (tmp_path / "schema.json").write_text(SCHEMA)
    return tmp_path


def fetch(*arguments: str) -> int:
    return main(["revision", "fetch", *arguments])


def test_a_file_beside_the_spec(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch("mcp@2026-07-28", "--from", "schema.json") == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.startswith("mcp@2026-07-28: pinned: schemas/mcp/2026-07-28.json\n  sha256 ")
    assert (here / "schemas/mcp/2026-07-28.json").read_text() == SCHEMA
    assert fetch("mcp-stateless@2026-07-28", "--from", "schema.json", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["outcome"], document["file"]) == ("unchanged", "mcp/2026-07-28.json")
    (here / "schema.json").write_text(SCHEMA.replace("{}", "true"))
    assert fetch("mcp@2026-07-28", "--from", "schema.json") == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith("mcp@2026-07-28:1:1: changed_schema: was pinned as sha256 ")
    assert fetch("mcp@2026-07-28", "--from", "schema.json", "--update") == 0


def test_folders_of_ones_own(here: Path) -> None:
    options = ("--to", "in/here", "--lock", "locks/one.json")
    assert fetch("a2a@1.0", "--from", "schema.json", *options) == 0
    pins = json.loads((here / "locks/one.json").read_text())["schemas"]
    assert pins["a2a@1.0"]["file"] == "../in/here/a2a/1.0.json"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mcp", "--from", "schema.json"], "a file does not say its revision"),
        (["mpc"], 'did you mean "mcp"'),
        (["mcp@../x"], "is no name of a revision"),
        (["a2a@1.0"], "--from package derives one"),
        (["mcp@1", "--from", "schema.json", "--to", "spec"], "--to is inside the spec folder"),
        (["mcp@1", "--from", "schema.json", "--to", "spec/../spec/x"], "--to is inside"),
        (["mcp@1", "--from", "schema.json", "--lock", "spec/l.json"], "--lock is inside"),
        ([], "NAME"),
    ],
)
def test_wrong_usage(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert fetch(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == "" and words in said.err and said.err.count("\n") == 1
    assert not (here / "schemas").exists() and not list((here / "spec").iterdir())


def test_a_file_that_is_not_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch("mcp@1", "--from", "nope.json") == 1
    assert capsys.readouterr().err == "nope.json:1:1: missing_file: there is no such file\n"


def test_the_repository(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    real = fetch_network.from_network
    with serving(sends(SCHEMA.encode())) as (site, asked):

        def local(wanted: Wanted) -> Taken:
            return real(wanted, site)

        monkeypatch.setattr(fetch_network, "from_network", local)
        assert fetch("mcp") == 0
    assert len(asked) == 1
    pins = json.loads((here / "schemas/schemas.lock.json").read_text())["schemas"]
    # the newest that is known
    assert list(pins) == ["mcp@2026-07-28"]
    assert pins["mcp@2026-07-28"]["source"] == site.base + asked[0]
