"""The benchmark runs, measures what it says, and its page shows what it prints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "speed.md"

pytestmark = pytest.mark.needs_peers


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def rows(text: str) -> list[list[str]]:
    """The rows of Markdown tables, without their heads."""
    lines = re.findall(r"^\|.*\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] != "what" and set(row[0]) != {"-"}]


def test_a_quick_run_prints_the_rows_of_the_page() -> None:
    done = run("--quick")
    assert (done.returncode, done.stderr) == (0, "")
    found = rows(done.stdout)
    assert len(found) > 30
    for row in found:
        for cell in row[2:]:
            match = re.match(r"([0-9.]+)(x| µs| ms)( \([≥≤] [0-9.]+(, missed)?\))?$", cell)
            assert match is not None, cell
    page = rows(PAGE.read_text(encoding="utf-8"))
    assert [row[:2] for row in found] == [row[:2] for row in page if len(row) == 4]


def test_one_table_can_be_asked_for() -> None:
    done = run("--quick", "again")
    assert [row[:2] for row in rows(done.stdout)] == [
        ["1 KB", "over the copy"],
        ["5 MB", "over the copy"],
    ]
    unknown = run("spead")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "unknown table 'spead'" in unknown.stderr


def of_result(text: bytes) -> Any:
    found = json.loads(text)
    return found.get("result", found)


@pytest.mark.parametrize("kind", ["mixed", "floats", "strings", "nested"])
def test_all_carry_the_data(kind: str) -> None:
    from bench import data, ours, peers

    given = getattr(data, kind)(3000)
    for way in (
        ours.mcp,
        ours.mcp_framed,
        peers.call_tool_result,
        peers.call_tool_result_in_rust,
        peers.sdk_server,
        peers.mcp_server,
        peers.fastmcp,
        peers.floor,
    ):
        wire = of_result(way(given))
        structured = wire["structuredContent"]
        # The only difference that these data show: peers drop members that are null.
        assert structured in (given, without_nulls(given)), way
        assert json.loads(wire["content"][0]["text"]) == given, way
    assert len(ours.every_mcp(given)) == 5
    if kind != "nested":  # too deep for parsers of protobuf, so that we send it as text
        for way in (ours.a2a, peers.protobuf):
            assert of_result(way(given))["artifacts"][0]["parts"][0]["data"] == given, way


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def test_each_encoder_is_the_one_that_writes() -> None:
    from bench import data, ours

    given = data.mixed(3000)
    texts = set()
    for encoder in ours.encoders().values():
        with ours.using(encoder):
            texts.add(ours.mcp(given))
    assert len(texts) == 1


def test_images_are_the_same() -> None:
    from bench import data, ours, peers

    picture = data.image(1000)
    assert b"".join(ours.image_chunks(picture)) == ours.image(picture)
    for way in (ours.image, peers.image, peers.image_floor):
        assert of_result(way(picture))["content"][0]["data"] == picture


def test_inputs_are_of_the_size_that_they_are_called() -> None:
    from bench import data

    for make in (data.mixed, data.floats, data.strings, data.nested):
        for size in (data.KB, 100 * data.KB):
            text = json.dumps(make(size), ensure_ascii=False, separators=(",", ":")).encode()
            assert size * 0.5 < len(text) < size * 1.6
            assert make(size) == make(size)
