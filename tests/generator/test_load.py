"""Stage 1: files to documents with places, whatever is in the files."""

from __future__ import annotations

import os
import sys
import tracemalloc
from pathlib import Path

import pytest
from tests.generator.spec_folder import MARK, RESULT, SpecFolder

from toolresult_generator.findings import Finding
from toolresult_generator.load import Node, load_spec
from toolresult_generator.load.file import load_bytes
from toolresult_generator.load.limits import MAX_BYTES, MAX_DEPTH, MAX_FINDINGS, MAX_NODES


def read(text: str | bytes, *, is_json: bool = False) -> tuple[Node | None, list[Finding]]:
    data = text if isinstance(text, bytes) else text.encode()
    return load_bytes(data, "f.json" if is_json else "f.yaml", is_json=is_json)


def plain(text: str, *, is_json: bool = False) -> object:
    root, findings = read(text, is_json=is_json)
    assert findings == []
    assert root is not None
    return root.to_plain()


def one(text: str | bytes, *, is_json: bool = False) -> Finding:
    _, findings = read(text, is_json=is_json)
    assert len(findings) == 1, findings
    return findings[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("no", "no"),
        ("yes", "yes"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("190:20:30", "190:20:30"),
        ("2025-06-18", "2025-06-18"),
        ("2025-06-18T12:00:00Z", "2025-06-18T12:00:00Z"),
        ("0b11", "0b11"),
        ("0x_1f", "0x_1f"),
        ("0o17", 15),
        ("0x1F", 31),
        ("+12", 12),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("-9007199254740993", -9007199254740993),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("5e-324", 5e-324),
        ("1.7976931348623157e308", sys.float_info.max),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ('"1"', "1"),
        ("'true'", "true"),
        ("!!str 1", "1"),
        ("!!float 1", 1.0),
        ("<<", "<<"),
        ("١٢", "١٢"),
    ],
)
def test_scalars_follow_the_core_schema(text: str, value: object) -> None:
    found = plain(f"- {text}")
    assert found == [value]
    assert isinstance(found, list)
    assert type(found[0]) is type(value)


def test_numeric_keys_are_kept() -> None:
    root, findings = read('0: a\n1: b\n"2": c\n')
    assert root is not None and findings == []
    assert list(root.mapping) == [0, 1, "2"]
    assert root.to_plain() == {"0": "a", "1": "b", "2": "c"}
    assert root.find_key("0") == 0


def test_every_node_and_key_knows_its_place() -> None:
    root, _ = read("a:\n  - x\n  - {b: ü, c: 2}\n")
    assert root is not None
    entry = root["a"].sequence[1]
    assert (entry.place.line, entry.place.column) == (3, 5)
    assert (entry.key_place("c").line, entry.key_place("c").column) == (3, 12)
    assert (entry["c"].place.line, entry["c"].place.column) == (3, 15)
    assert root.at(["a", 1, "missing"]) is entry


@pytest.mark.parametrize(
    ("marked", "code"),
    [
        ("a: 1\n«a: 2\n", "duplicate_key"),
        ("0: 1\n«'0': 2\n", "duplicate_key"),
        ("a: {b: 1, «b: 1}\n", "duplicate_key"),
        ("«1.0: a\n", "bad_key"),
        ("«true: a\n", "bad_key"),
        ("«~: a\n", "bad_key"),
        ("? «[a]\n: b\n", "bad_key"),
        ("a: «&x 1\n", "alias"),
        ("a: «*x\n", "alias"),
        ("a: «!!python/object/apply:os.system [x]\n", "tag"),
        ("a: «!!binary aGk=\n", "tag"),
        ("a: «!own x\n", "tag"),
        ("a: «!!set {x: }\n", "tag"),
        ("a: «!!int x\n", "bad_scalar"),
        ("a: «.nan\n", "bad_scalar"),
        ("a: «-.inf\n", "bad_scalar"),
        ("a: «1e400\n", "bad_scalar"),
        ("a: «" + "9" * 5000 + "\n", "bad_scalar"),
        ("a: [1, 2\nb«: 3\n", "invalid_yaml"),
        ("a: 1\n«--- \nb: 1\n", "many_documents"),
        ("a: 1\nb: «\x07\n", "invalid_character"),
        ('a: "x«\u2028y"\n', "invalid_character"),
        ("a: b\x00«\n".replace("\x00«", "«\x00"), "invalid_character"),
        ("«", "empty_document"),
        ("«# nothing\n", "empty_document"),
        ("«null\n", "empty_document"),
    ],
)
def test_faults_in_yaml(spec: SpecFolder, marked: str, code: str) -> None:
    place = spec.put("targets/t.yaml", marked)
    if code == "empty_document":
        place = (place[0], 1, 1)
    found = load_spec(spec.path).findings
    assert [(f.code, (f.place.file, f.place.line, f.place.column)) for f in found] == [
        (code, place)
    ]


@pytest.mark.parametrize(
    ("marked", "code"),
    [
        ('{"a": 1, «"a": 2}', "duplicate_key"),
        ('{"a": «nul}', "invalid_json"),
        ('{"a": 1«', "invalid_json"),
        ('{"a": 1}«]', "invalid_json"),
        ("[1,«]", "invalid_json"),
        ('{"a": 1,«}', "invalid_json"),
        ("{«a: 1}", "invalid_json"),
        ('{"a" «1}', "invalid_json"),
        ("[«01]", "invalid_json"),
        ("[«1.]", "invalid_json"),
        ("[«NaN]", "invalid_json"),
        ("[«-Infinity]", "invalid_json"),
        ('[\n«"a\tb"]', "invalid_json"),
        ('[«"\\x"]', "invalid_json"),
        ("[1 «2]", "invalid_json"),
        ("[«'a']", "invalid_json"),
        ("[1] «// x", "invalid_json"),
        ("[«1e999]", "bad_scalar"),
        ("[«" + "1" * 5000 + "]", "bad_scalar"),
        ('[«"\\ud800"]', "invalid_character"),
        ('{«"\\udfff": 1}', "invalid_character"),
    ],
)
def test_faults_in_json(marked: str, code: str) -> None:
    before, _, after = marked.partition(MARK)
    found = one(before + after, is_json=True)
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    assert (found.code, found.place.line, found.place.column) == (code, line, column)


def test_json_values_are_exact() -> None:
    text = '{"a": [1, -0, 1.0, 1e2, 12345678901234567890], "é": "\\ud83d\\ude00\\/", "0": null}'
    assert plain(text, is_json=True) == {
        "a": [1, 0, 1.0, 100.0, 12345678901234567890],
        "é": "😀/",
        "0": None,
    }
    assert plain("[]", is_json=True) == []
    assert plain(' {"a":{}} ', is_json=True) == {"a": {}}
    assert plain("null", is_json=True) is None


def test_a_yaml_bomb_is_refused_before_it_grows() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]" for i in range(12)
    ]
    _, findings = read("\n".join(lines))
    assert {f.code for f in findings} == {"alias"}
    assert len(findings) == 13 + 12 * 9


@pytest.mark.parametrize("is_json", [False, True])
def test_a_hundred_thousand_brackets(is_json: bool) -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000):
        assert one(text, is_json=is_json).code == "too_deep"


@pytest.mark.parametrize("is_json", [False, True])
def test_the_deepest_nesting_that_is_allowed(is_json: bool) -> None:
    assert one("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), is_json=is_json).code == "too_deep"
    value = plain("[" * MAX_DEPTH + "]" * MAX_DEPTH, is_json=is_json)
    for _ in range(MAX_DEPTH - 1):
        assert isinstance(value, list)
        value = value[0]
    assert value == []


def test_too_many_values() -> None:
    assert one("[" + "1," * (MAX_NODES + 1) + "1]", is_json=True).code == "too_many_nodes"


def test_the_findings_about_one_file_are_bounded() -> None:
    _, findings = read("\n".join(["a: 1"] * 10_000))
    assert len(findings) == MAX_FINDINGS


def test_not_utf8_has_a_place(spec: SpecFolder) -> None:
    spec.write("targets/t.yaml", "a: 1\nbé: ".encode() + b"\xff\n")
    (found,) = load_spec(spec.path).findings
    assert (found.code, found.place.line, found.place.column) == ("not_utf8", 2, 5)
    spec.write("targets/t.yaml", "a: 1\n".encode("utf-16"))
    (found,) = load_spec(spec.path).findings
    assert (found.code, found.place.line, found.place.column) == ("not_utf8", 1, 1)


def test_a_file_of_300_megabytes_is_not_read(spec: SpecFolder) -> None:
    file = spec.write("samples/big.yaml", "")
    os.truncate(file, 300 * 1024 * 1024)
    tracemalloc.start()
    try:
        (found,) = load_spec(spec.path).findings
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (found.code, found.place.file) == ("too_large", file.as_posix())
    assert peak < 64 * 1024 * 1024


def test_the_largest_file_that_is_allowed(spec: SpecFolder) -> None:
    spec.write("samples/a.yaml", "a: 1\n#" + "x" * (MAX_BYTES - 6))
    assert load_spec(spec.path).findings == ()
    spec.write("samples/a.yaml", "a: 1\n#" + "x" * (MAX_BYTES - 5))
    assert [f.code for f in load_spec(spec.path).findings] == ["too_large"]


def test_what_is_no_regular_file(spec: SpecFolder) -> None:
    (spec.path / "targets/folder.yaml").mkdir(parents=True)
    os.mkfifo(spec.path / "targets/pipe.yaml")
    (spec.path / "targets/dangling.yaml").symlink_to("nowhere")
    (spec.path / "targets/loop.yaml").symlink_to("loop.yaml")
    (spec.path / "targets/device.yaml").symlink_to("/dev/zero")
    found = {Path(f.place.file).stem: f.code for f in load_spec(spec.path).findings}
    assert found == {
        "folder": "unreadable_file",
        "pipe": "unreadable_file",
        "dangling": "missing_file",
        "loop": "unreadable_file",
        "device": "unreadable_file",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission(spec: SpecFolder) -> None:
    spec.write("targets/t.yaml", "a: 1").chmod(0)
    (found,) = load_spec(spec.path).findings
    assert found.code == "unreadable_file"


def test_missing_result_and_folder(spec: SpecFolder, tmp_path: Path) -> None:
    (spec.path / "result.yaml").unlink()
    for folder in (spec.path, tmp_path / "none"):
        loaded = load_spec(folder)
        (found,) = loaded.findings
        assert found.code == "missing_file"
        assert found.place.file == (folder / "result.yaml").as_posix()
        assert loaded.result is None


def test_documents_are_grouped_and_sorted(spec: SpecFolder) -> None:
    for name in ("targets/b.yaml", "targets/a.json", "wire/a/1.0.yaml", "samples/s.yaml"):
        spec.write(name, "{}")
    loaded = load_spec(spec.path)
    assert loaded.findings == ()
    assert [d.name for d in loaded.targets] == ["a", "b"]
    found = loaded.wire_document("a", "1.0")
    assert found is not None and found.root.to_plain() == {}
    assert loaded.wire_document("a", "1") is None
    assert loaded.result is not None
    assert loaded.result.root.to_plain() == plain(RESULT)


def test_files_that_would_have_no_effect(spec: SpecFolder) -> None:
    for name in ("target/a.yaml", "targets/a.yml", "wire/a.yaml", "samples/x/y.yaml"):
        spec.write(name, "{}")
    for name in ("README.md", "targets/.hidden.yaml", "notes.txt"):
        spec.write(name, "{}")
    found = [(f.code, f.place.file) for f in load_spec(spec.path).findings]
    names = ("samples/x/y.yaml", "target/a.yaml", "targets/a.yml", "wire/a.yaml")
    assert found == [("stray_file", (spec.path / name).as_posix()) for name in names]


def test_two_files_for_one_thing(spec: SpecFolder) -> None:
    spec.write("targets/a.yaml", "{}")
    spec.write("targets/a.json", "{}")
    (found,) = load_spec(spec.path).findings
    assert found.code == "same_name"
