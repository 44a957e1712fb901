"""What the generator makes of a spec: readable, safe, and able to grow without any Python edit."""

from __future__ import annotations

import ast
import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from tests.values.full_result import FULL

from toolresult_generator.languages.python.emitter import runtime_files
from toolresult_generator.languages.python.format import format_python
from toolresult_generator.languages.python.values import doc_text, emit_values
from toolresult_generator.languages.schema import emit_result_schema
from toolresult_generator.load import load_spec
from toolresult_generator.model.build import build_result
from toolresult_generator.model.result import (
    ErrorCode,
    Field,
    FieldKind,
    FieldType,
    FormatVersion,
    PartKind,
    ResultSpec,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def spec() -> ResultSpec:
    document = load_spec(ROOT / "spec").result
    assert document is not None
    return build_result(document.root)


def with_field(spec: ResultSpec, record: str, field: Field) -> ResultSpec:
    records = tuple(
        replace(r, fields=(*r.fields, field)) if r.name == record else r for r in spec.records
    )
    return replace(spec, records=records)


class Package:
    """Generated packages under names of their own, as a vendored copy would be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []

    def load(self, spec: ResultSpec) -> ModuleType:
        name = f"vendored_core_{len(self.names)}"
        self.names.append(name)
        target = self.folder / name
        sources = format_python(emit_values(spec))
        prefix = "python/toolresult_core/"
        runtime = {path.removeprefix(prefix): data for path, data in runtime_files().items()}
        for path, data in {**sources, **runtime}.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
        return importlib.import_module(name)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("vendored")
    sys.path.insert(0, str(folder))
    made = Package(folder)
    yield made
    sys.path.remove(str(folder))
    for name in [n for n in sys.modules if n.split(".")[0] in made.names]:
        del sys.modules[name]
    shutil.rmtree(folder)


def test_the_committed_classes_are_those_of_the_spec(spec: ResultSpec) -> None:
    folder = ROOT / "generated/python/toolresult_core"
    for path, data in format_python(emit_values(spec)).items():
        if path != "__init__.py":
            assert (folder / path).read_bytes() == data, path


def test_the_same_spec_gives_the_same_text(spec: ResultSpec) -> None:
    assert emit_values(spec) == emit_values(spec)


def test_classes_are_data_alone(spec: ResultSpec) -> None:
    text = emit_values(spec)["values.py"]
    tree = ast.parse(text)
    for node in ast.walk(tree):
        assert not isinstance(node, ast.FunctionDef)
    assert " Any" not in text
    assert "list[" not in text
    assert "dict[" not in text
    for part in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        assert ast.get_docstring(part)


def test_growth(spec: ResultSpec, package: Package) -> None:
    grown = replace(
        spec,
        namespace="org.team",
        format_versions=(*spec.format_versions, FormatVersion(2, "The second.")),
        error_codes=(*spec.error_codes, ErrorCode("rate_limited", "Too fast.", "Now.", "", 2)),
        kinds=(
            *spec.kinds,
            PartKind(
                "video",
                "Moving pictures.",
                2,
                (
                    Field("data", FieldType(FieldKind.BASE64), True, 2, "The bytes."),
                    Field("mime_type", FieldType(FieldKind.STRING), True, 2, "The type."),
                ),
            ),
        ),
    )
    grown = with_field(
        grown, "metadata", Field("locale", FieldType(FieldKind.STRING), False, 2, "A language.")
    )
    grown = with_field(
        grown,
        "metadata",
        Field("flags", FieldType(FieldKind.CHOICES, choices=("a", "b")), False, 1, "Flags."),
    )
    grown = with_field(
        grown,
        "pagination",
        Field("nextHint", FieldType(FieldKind.JSON), True, 1, "Required JSON in camel case."),
    )
    core = package.load(grown)
    result = core.Result

    assert result.success(1).format_version == 1
    assert result.failure("tool_error", "m").format_version == 1
    assert result.failure("rate_limited", "m").format_version == 2
    assert result.success(1, metadata={"locale": ""}).to_value() == {
        "format_version": 2,
        "data": 1,
        "metadata": {"locale": ""},
    }
    video = core.VideoPart.from_bytes(b"x", mime_type="v/v", priority=1)
    assert result.success(content=[video]).format_version == 2
    assert result.from_value({"format_version": 2, "content": [video.to_value()]}).content == (
        video,
    )
    assert core.Metadata(flags=["b"]).flags == (core.Flags.B,)

    def refused(value: Any) -> tuple[str, str]:
        with pytest.raises(core.ResultError) as caught:
            result.from_value(value)
        return caught.value.code, caught.value.pointer

    # A version that did not have what is there, and one that nobody has.
    assert refused({"format_version": 1, "metadata": {"locale": "x"}}) == (
        "unknown_version",
        "/format_version",
    )
    with pytest.raises(core.ResultError, match="known are 1, 2"):
        result.from_value({"format_version": 3})
    own = {"format_version": 1, "metadata": {"extensions": {"org.team/x": 1}}}
    assert refused(own) == ("invalid_key", "/metadata/extensions/org.team~1x")
    assert result.success(1, metadata={"extensions": {"dev.toolresult/x": 1}})

    # A name that Python spells otherwise keeps its own on the wire.
    page = core.Pagination(next_hint=None)
    assert page.next_hint == core.Json.of(None)
    assert page.to_json() == b'{"nextHint":null}'
    assert page.replace(next_hint=2.0).to_value() == {"nextHint": 2}
    assert refused({"format_version": 1, "metadata": {"pagination": {"next_hint": 1}}}) == (
        "missing_field",
        "/metadata/pagination/nextHint",
    )
    nan = {"format_version": 1, "metadata": {"pagination": {"nextHint": float("nan")}}}
    assert refused(nan) == ("invalid_number", "/metadata/pagination/nextHint")


EVIL = [
    '"""; raise SystemExit(1)\n"""',
    'ends with a quote"',
    'three """ quotes',
    "a backslash \\",
    "\\",
    '"',
    '""',
    "''' and \\\"\"\"",
    "line\u2028separator\u2029and\x85next\rreturn",
    "\nfrom toolresult_core.runtime.errors import evil",
    "right \u202e to \u2066 left\u200f",
    "nul \x00 escape \x1b[31m",
    "*/ ?> ${x} {{ 7*7 }} {% raise %} `x` #{x}",
    "",
]


@pytest.mark.parametrize("text", EVIL)
def test_no_description_becomes_code(spec: ResultSpec, text: str) -> None:
    evil = replace(
        with_field(spec, "metadata", Field("x", FieldType(FieldKind.COUNT), False, 1, text)),
        error_codes=tuple(
            replace(c, meaning=text, use=text, not_for=text) for c in spec.error_codes
        ),
        kinds=tuple(replace(k, meaning=text) for k in spec.kinds),
    )
    evil = replace(
        evil,
        records=tuple(
            replace(r, meaning=text, fields=tuple(replace(f, meaning=text) for f in r.fields))
            for r in evil.records
        ),
    )
    harmless = ast.parse(emit_values(spec)["values.py"])
    tree = ast.parse(emit_values(evil)["values.py"])
    kinds = {type(node) for node in ast.walk(tree)}
    assert kinds <= {type(node) for node in ast.walk(harmless)}
    assert sum(isinstance(n, ast.ClassDef) for n in ast.walk(tree)) == sum(
        isinstance(n, ast.ClassDef) for n in ast.walk(harmless)
    )
    assert not any(isinstance(n, ast.ImportFrom) and "evil" in ast.dump(n) for n in ast.walk(tree))
    assert doc_text(text).isprintable()


def test_settings_are_literals(spec: ResultSpec) -> None:
    evil = replace(spec, namespace='x"\n\\', a2a_extension='"""\n')
    scope: dict[str, Any] = {}
    exec(emit_values(evil)["constants.py"], scope)  # noqa: S102 - that it does no harm is the test
    assert scope["NAMESPACE"] == 'x"\n\\'
    assert scope["A2A_EXTENSION"] == '"""\n'


# -- the schema --------------------------------------------------------------


def test_the_schema_takes_what_construction_takes(spec: ResultSpec) -> None:
    schema = emit_result_schema(spec)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(FULL)
    falsy: list[Any] = [None, 0, "", [], {}]
    for value in falsy:
        validator.validate({"format_version": 1, "data": value})
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"format_version": 2},
        {"format_version": 1, "x": 1},
        {"format_version": 1, "data": 1, "error": {"code": "not_found", "message": "m"}},
        {"format_version": 1, "error": {"code": "nope", "message": "m"}},
        {"format_version": 1, "summary": None},
        {"format_version": 1, "content": [{"kind": "video"}]},
        {"format_version": 1, "content": [{"kind": "text"}]},
        {"format_version": 1, "content": [{"kind": "text", "text": "", "priority": 2}]},
        {"format_version": 1, "content": [{"kind": "embedded", "uri": "u"}]},
        {
            "format_version": 1,
            "content": [{"kind": "embedded", "uri": "u", "text": "", "data": ""}],
        },
        {"format_version": 1, "content": [{"kind": "image", "data": "AB==", "mime_type": "a/b"}]},
        {"format_version": 1, "metadata": {"generated_at": "2026-07-28"}},
        {"format_version": 1, "metadata": {"extensions": {"x": 1}}},
        {"format_version": 1, "metadata": {"extensions": {"dev.toolresult/x": 1}}},
    ],
)
def test_the_schema_refuses(spec: ResultSpec, value: Any) -> None:
    assert not jsonschema.Draft202012Validator(emit_result_schema(spec)).is_valid(value)
