"""The emitter of PHP where no PHP is installed: names, and lines as PSR-12 has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolresult_generator.director import load_model
from toolresult_generator.languages import emitter
from toolresult_generator.languages.base import EmitRequest, NameUse
from toolresult_generator.languages.php.functions import method_names
from toolresult_generator.languages.php.layout import (
    Chain,
    Choice,
    array,
    call,
    condition,
    lines,
    string,
)
from toolresult_generator.languages.php.names import LANGUAGE

ROOT = Path(__file__).parents[2]


def test_the_committed_files_are_what_the_spec_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    loaded = load_model(ROOT / "spec", report=lambda _: None)
    files = emitter("php").emit(EmitRequest(loaded.model, loaded.documents))
    assert files == {
        f"php/{file.relative_to(ROOT / 'generated' / 'php').as_posix()}": file.read_bytes()
        for file in (ROOT / "generated" / "php").rglob("*.php")
    }
    for path, data in files.items():
        assert max(map(len, data.decode().splitlines())) <= 120, path


@pytest.mark.parametrize(
    ("name", "use", "spelt"),
    [
        ("next_cursor", NameUse.FIELD, "nextCursor"),
        ("related_task", NameUse.RECORD, "RelatedTask"),
        ("error", NameUse.RECORD, "ErrorInfo"),
        ("image", NameUse.KIND, "ImagePart"),
        ("not_found", NameUse.ERROR_CODE, "NotFound"),
        ("mcp-handshake", NameUse.TARGET, "McpHandshake"),
        ("read_task", NameUse.HOOK, "readTask"),
    ],
)
def test_names_have_the_case_of_php(name: str, use: NameUse, spelt: str) -> None:
    assert LANGUAGE.convert(name, use) == spelt
    assert LANGUAGE.reserved(spelt, use) is None


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("list", NameUse.RECORD),
        ("string", NameUse.RECORD),
        ("json_object", NameUse.RECORD),
        ("class", NameUse.CHOICE),
        ("class", NameUse.ERROR_CODE),
        ("this", NameUse.FIELD),
        ("kind", NameUse.RESULT_FIELD),
        ("2fast", NameUse.CHOICE),
        ("read_wire", NameUse.HOOK),
    ],
)
def test_names_that_mean_something_in_php_are_reserved(name: str, use: NameUse) -> None:
    assert LANGUAGE.reserved(LANGUAGE.convert(name, use), use) is not None


@pytest.mark.parametrize("name", ["class", "list", "string", "function"])
def test_a_field_may_have_the_name_of_a_keyword(name: str) -> None:
    assert LANGUAGE.reserved(name, NameUse.FIELD) is None


def test_methods_differ_in_more_than_case() -> None:
    names = method_names(["part_1", "part1", "Part_1"])
    assert len({spelt.lower() for spelt in names.values()}) == 3


LONG = "x" * 70


def test_what_fits_stands_in_one_line() -> None:
    assert lines(call("f", ("$a", array(("1", "2")))), 1, "$b = ", ";") == [
        "    $b = f($a, [1, 2]);"
    ]


def test_arguments_that_do_not_fit_stand_on_lines_of_their_own() -> None:
    assert lines(call("f", (f"${LONG}", f"${LONG}")), 1, "return ", ";") == [
        "    return f(",
        f"        ${LONG},",
        f"        ${LONG},",
        "    );",
    ]


def test_operators_stand_before_what_they_join() -> None:
    test = Chain("&&", (f"${LONG}", f"${LONG}"))
    assert condition(test, 0, "if") == ["if (", f"    ${LONG}", f"    && ${LONG}", ") {"]
    assert lines(Choice("$a", f"'{LONG}'", f"'{LONG}'"), 0, "return ", ";") == [
        "return $a",
        f"    ? '{LONG}'",
        f"    : '{LONG}';",
    ]


def test_a_long_string_is_joined_of_several() -> None:
    found = lines(string("word " * 40), 2, "$a = ", ";")
    assert len(found) > 1
    assert all(len(line) <= 120 for line in found)
    joined = "".join(line.strip().removeprefix("$a = ").lstrip(". ").strip("';") for line in found)
    assert joined == "word " * 40
