"""Schemas of protocols are untrusted: nothing is fetched, and what is none is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolresult_generator.findings import FindingsError
from toolresult_generator.proof.schemas import OfficialSchemas

RESULT: dict[str, Any] = {"type": "object", "properties": {"content": {"type": "array"}}}


def validator(folder: Path, document: Any, name: str = "mcp/2025-11-25.json") -> Any:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    target, _, revision = name.removesuffix(".json").partition("/")
    target = "a2a" if target == "a2a" else "mcp-handshake"
    return OfficialSchemas(folder).validator(target, revision)


def test_a_schema_is_held_against_outputs(tmp_path: Path) -> None:
    check = validator(tmp_path, {"$defs": {"CallToolResult": RESULT}})
    assert check({"content": []}) is None
    assert check({"content": 1}).startswith("/content: ")


@pytest.mark.parametrize(
    "reference", ["http://127.0.0.1:9/x.json", "file:///etc/hostname", "other.json"]
)
def test_nothing_outside_of_the_file_is_read(tmp_path: Path, reference: str) -> None:
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "other.json").write_text("{}")
    broken = {
        "$defs": {"CallToolResult": {**RESULT, "properties": {"content": {"$ref": reference}}}}
    }
    with pytest.raises(FindingsError) as caught:
        validator(tmp_path, broken)
    (finding,) = caught.value.findings
    assert (finding.code, finding.place.file) == (
        "bad_schema",
        str(tmp_path / "mcp" / "2025-11-25.json"),
    )
    assert reference in finding.message
    assert "retrieving it failed" in finding.message


@pytest.mark.parametrize(
    "document",
    [
        {"$defs": {"CallToolResult": {"pattern": "(("}}},
        {"$defs": {"CallToolResult": {"$ref": "#/$defs/Nowhere"}}},
        {"$defs": {"Other": {}}},
        {"definitions": {"CallToolResult": {"type": "nope"}}},
        [RESULT],
        "no JSON",
        "[" * 100_000,
    ],
)
def test_what_is_no_schema_is_told_with_its_file(tmp_path: Path, document: Any) -> None:
    with pytest.raises(FindingsError) as caught:
        validator(tmp_path, document)
    (finding,) = caught.value.findings
    assert finding.code == "bad_schema"
    assert finding.place.file.endswith("2025-11-25.json")


@pytest.mark.parametrize("document", [{}, {"$defs": {"Task": {"pattern": "(("}}}])
@pytest.mark.parametrize("name", ["a2a/0.3.json", "a2a/1.0.json"])
def test_the_same_for_tasks(tmp_path: Path, name: str, document: Any) -> None:
    with pytest.raises(FindingsError, match="bad_schema"):
        validator(tmp_path, document, name)
