"""The page as a text: hostile text stays text, every cell is there, and nothing is random."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from toolresult_core.runtime.rendering import Options
from toolresult_generator.cli import main
from toolresult_generator.director import Loaded
from toolresult_generator.findings import FindingsError
from toolresult_generator.proof.matrix import Matrix
from toolresult_generator.proof.page.document import Document, of_matrix, of_result
from toolresult_generator.proof.page.layout import LONGEST_TEXT, MOST_LINES, lay_out, walk
from toolresult_generator.proof.page.page import html, script_json
from toolresult_generator.proof.page.publish import write_page
from toolresult_generator.proof.places import Places
from toolresult_generator.proof.python import installed

HOSTILE = (
    "</script><script>alert(1)</script><!-- \"'`& \u2028\u2029 \u202eabc\u2066 \ud800 \x00 ]]>"
)
VOID = {"meta", "input", "col", "link", "br", "img"}
MOST_BYTES = 4_000_000


class Parsed(HTMLParser):
    """Elements with their attributes, the texts of scripts, and what is not well nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"{name} is not closed" for name in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} is closed at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data


def hostile(document: Document) -> Document:
    """The document with hostile text wherever a text of a spec or a sample can stand."""
    cells = {
        key: replace(cell, how=HOSTILE, lost=(HOSTILE,), faults=(HOSTILE,), status="at odds")
        for key, cell in document.cells.items()
    }
    example = document.examples[0]
    leaf = replace(example.view.leaves[0], pointer=f"/{HOSTILE}", needle=HOSTILE)
    view = replace(example.view, given=lay_out({HOSTILE: HOSTILE}), leaves=(leaf,))
    examples = (replace(example, meaning=HOSTILE, name=HOSTILE, view=view), *document.examples[1:])
    columns = tuple(replace(one, title=HOSTILE, revision=HOSTILE) for one in document.columns)
    return replace(
        document,
        title=HOSTILE,
        verdict=HOSTILE,
        faults=(HOSTILE,),
        cells=cells,
        columns=columns,
        examples=examples,
    )


def test_hostile_text_stays_text(document: Document, page: str) -> None:
    text = html(hostile(document))
    before, after = Parsed(page), Parsed(text)
    assert after.faults == []
    assert len(after.scripts) == len(before.scripts) == 2
    assert after.scripts[1] == before.scripts[1]
    scripts = [one for one in after.elements if one[0] == "script"]
    assert scripts == [("script", {"type": "application/json", "id": "data"}), ("script", {})]
    data = json.loads(after.scripts[0])
    assert data["views"][0]["name"] == HOSTILE
    assert data["views"][0]["leaves"][0][0] == f"/{HOSTILE}"
    assert not any(name.startswith("on") for _, attributes in after.elements for name in attributes)
    assert not re.search("[\x00\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    text.encode()  # half characters would raise


@pytest.mark.parametrize("value", [HOSTILE, "\U0001f600 \U000e0001", {"<": ["&", ">"]}, 2**70])
def test_script_json_holds_the_same_value(value: object) -> None:
    text = script_json(value)
    assert json.loads(text) == value
    assert text.isprintable()
    assert not set("<>&") & set(text)


def test_only_the_two_texts_of_the_page_may_act(page: str) -> None:
    metas = [attributes for name, attributes in Parsed(page).elements if name == "meta"]
    policy = next(one["content"] for one in metas if "http-equiv" in one)
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "url(" not in page


def test_the_page_is_well_formed_and_small(page: str) -> None:
    assert Parsed(page).faults == []
    assert len(page.encode()) < MOST_BYTES


def test_the_same_matrix_gives_the_same_page(matrix: Matrix, loaded: Loaded, page: str) -> None:
    assert html(of_matrix(matrix, loaded)) == page


def test_every_cell_is_there_with_a_sample_that_has_it(
    matrix: Matrix, document: Document, page: str
) -> None:
    buttons = [
        one for name, one in Parsed(page).elements if name == "button" and "data-label" in one
    ]
    assert len(buttons) == len(matrix.cells)
    assert set(document.cells) == set(matrix.cells)
    data = json.loads(Parsed(page).scripts[0])
    for path, label in matrix.cells:
        status, _, seen, examples, faults = data["cells"][label][path]
        assert (status, faults) == (matrix.cells[path, label].status, [])
        assert seen == len(matrix.cells[path, label].observations)
        assert examples
        for number in examples:
            assert any(leaf[1] == path for leaf in data["views"][number]["leaves"])


def test_what_arrives_is_shown_where_it_stands(document: Document) -> None:
    for (path, label), cell in document.cells.items():
        if cell.status not in ("native", "re-encoded"):
            continue
        for number in cell.examples:
            view = document.examples[number].view
            pointers = {line.pointer for line in view.output}
            own = [leaf for leaf in view.leaves if leaf.path == path]
            assert any(leaf.places for leaf in own), (path, label)
            for leaf in own:
                assert {place.pointer for place in leaf.places} <= pointers
                # a type that decides where a part goes cannot be replaced by a marker
                assert leaf.sure or not leaf.places or path.endswith("mime_type"), (path, label)


def test_what_happens_only_sometimes_has_an_example_of_each(document: Document) -> None:
    twofold = [cell for cell in document.cells.values() if cell.sometimes is not None]
    assert twofold
    assert all(len(cell.examples) == 2 for cell in twofold)


def test_faults_are_shown(matrix: Matrix, loaded: Loaded) -> None:
    cell = matrix.cells["data", "a2a@1.0"]
    cells = {**matrix.cells, ("data", "a2a@1.0"): replace(cell, faults=["is <b>wrong</b>"])}
    text = html(of_matrix(replace(matrix, cells=cells), loaded))
    assert "1 at odds with the spec" in text
    assert "is &lt;b&gt;wrong&lt;/b&gt;" in text
    assert "<b>wrong" not in text


def test_one_result_is_shown_by_itself(loaded: Loaded) -> None:
    plan = loaded.model.target("mcp-handshake").plan("2025-06-18", "final")
    value = {"format_version": 1, "data": {"a": [True, None]}, "summary": "Done."}
    render, _ = installed(plan, Options())
    made = of_result(value, plan, loaded, render, name="mine.json")
    assert made.rows == ("data", "summary")
    assert [column.label for column in made.columns] == ["mcp-handshake@2025-06-18/final"]
    leaves = {leaf.pointer: leaf for leaf in made.examples[0].view.leaves}
    assert "/structuredContent" in [place.pointer for place in leaves["/data"].places]
    assert "/content/1/text" in [place.pointer for place in leaves["/summary"].places]
    assert Parsed(html(made)).faults == []


def test_lines_have_pointers_and_open_texts() -> None:
    lines = lay_out({"a/b": [2**60, '{"x":1}'], "e": {}})
    assert [(line.depth, line.pointer, line.text) for line in lines] == [
        (0, "", "{"),
        (1, "/a~1b", '"a/b": ['),
        (2, "/a~1b/0", "1152921504606846976,"),
        (2, "/a~1b/1", '"'),
        (3, "/a~1b/1#", "{"),
        (4, "/a~1b/1#/x", '"x": 1'),
        (3, "/a~1b/1#", "}"),
        (2, "/a~1b/1", '"'),
        (1, "/a~1b", "],"),
        (1, "/e", '"e": {}'),
        (0, "", "}"),
    ]
    assert [line.opens_text for line in lines].index(True) == 3


def test_large_values_are_cut() -> None:
    assert len(lay_out(list(range(3 * MOST_LINES)))) == MOST_LINES + 1
    assert len(lay_out("x" * 1_000_000)[0].text) < LONGEST_TEXT + 100


@pytest.mark.parametrize("text", ["[" * 900 + "]" * 900, "[" * 100_000, "{]", '["\\ud800", NaN]'])
def test_texts_that_look_like_json_do_no_harm(text: str) -> None:
    value: Any = {"text": text}
    assert Places(value, "dev.example").everywhere(text)
    assert lay_out(value)
    assert dict(walk(value))["/text"] == text


def test_the_command_writes_the_file(tmp_path: Path, spec: Path, page: str) -> None:
    file = tmp_path / "matrix.html"
    assert main(["matrix", "--spec", str(spec), "--html", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == page
    assert [one.name for one in tmp_path.iterdir()] == ["matrix.html"]


def test_a_file_that_cannot_be_written_is_a_finding(tmp_path: Path) -> None:
    with pytest.raises(FindingsError, match="blocked_output"):
        write_page(tmp_path / "nowhere" / "page.html", "new")
    with pytest.raises(FindingsError, match="blocked_output"):
        write_page(tmp_path, "new")


def test_a_file_from_before_survives_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(FindingsError, match="No space left"):
        write_page(file, "new")
    assert file.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]
